"""The form of a new batch: its instructions, its rubric, its raters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from waypost.domain.score.score_book import HIGHEST_EYE_M
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, PathField, decimal_box, number_box


@dataclass(frozen=True, slots=True)
class BatchFields:
    """What was given."""

    name: str
    file: str
    rubric: str
    """Key of a shipped rubric or one of the project."""

    rubric_file: str
    """An own one instead; empty for none."""

    raters: tuple[str, ...]
    overlap_share: float
    seed: int
    source: str
    """Who wrote texts that do not say it."""

    connectivity: str
    """Folder of graphs, for paths on viewpoints; empty for none."""

    eye_height_m: float | None = None
    """Of ``ScoreBatch``."""

    is_paired: bool = False
    """Whether instructions of the same path are compared in pairs instead of scored."""


class BatchDialog(FormDialog):
    """Asks for a new batch; stays open until it was made.

    Args:
        rubrics: Key → title of those that can be chosen.
        ask_file: Asks for a file of instructions.
        ask_rubric: Asks for a rubric file.
        parent: Qt owner.
    """

    submitted = Signal()
    """The form is complete and was sent; `fail` or `accept` ends it."""

    def __init__(
        self,
        rubrics: Mapping[str, str],
        ask_file: Callable[[], str],
        ask_rubric: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("New batch", "Make the batch", parent)
        self.name, self.raters, self.source = QLineEdit(), QLineEdit(), QLineEdit()
        self.rubric = QComboBox()
        for key, title in rubrics.items():
            self.rubric.addItem(title, key)
        self.overlap, self.seed = number_box(0, 100, 100), number_box(0, 1_000_000, 0)
        self.graphs = QLineEdit()
        self.paired = QCheckBox("Compare in pairs")
        self.eye_height = decimal_box(0.0, HIGHEST_EYE_M, 0.0, "m", none="that of a person")
        self._file = PathField("Instructions", ask_file, "Episodes, a table, JSON or JSON lines.")
        self._own = PathField("Own rubric", ask_rubric, "A TOML file, instead of the one above.")
        self._name = Field("Name", self.name)
        self._raters = Field("Raters", self.raters, "Their names, between commas.")
        self.lay_out(
            (
                (self._name, Field("Rubric", self.rubric)),
                (self._file,),
                (self._own,),
                (self._raters,),
                (
                    Field("Overlap, %", self.overlap, "Share that every rater scores."),
                    Field("Seed", self.seed, "Of dealing and of each rater's order."),
                ),
                (
                    Field("Source", self.source, "Who wrote texts that do not say it."),
                    Field("Graphs", self.graphs, "Folder, for paths on viewpoints."),
                ),
                (Field("Eye height", self.eye_height, "From where paths are seen in a scene."),),
                (
                    Field(
                        "Compare in pairs",
                        self.paired,
                        "Two instructions of the same path, episode or column “pair” beside each"
                        " other, instead of scores.",
                    ),
                ),
            )
        )
        self.primary.clicked.connect(self._send)

    @property
    def values(self) -> BatchFields:
        """What was given."""
        return BatchFields(
            self.name.text().strip(),
            self._file.path,
            str(self.rubric.currentData()),
            self._own.path,
            tuple(part.strip() for part in self.raters.text().split(",") if part.strip()),
            self.overlap.value() / 100,
            self.seed.value(),
            self.source.text().strip(),
            self.graphs.text().strip(),
            self.eye_height.value() or None,
            self.paired.isChecked(),
        )

    def _send(self) -> None:
        given = self.values
        self._name.set_problem("" if given.name else "A batch needs a name.")
        self._file.set_problem("" if given.file else "Which instructions?")
        self._raters.set_problem("" if given.raters else "Who scores?")
        if given.name and given.file and given.raters:
            self.fail("")
            self.submitted.emit()
