"""Asks where a study is exported to and which submission files go with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, PathField, number_box
from waypost.widgets.parts import heading, label


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """What is exported."""

    folder: str
    submissions: tuple[str, ...]
    """Keys of formats."""

    seed: int
    """Of the bootstrap."""

    has_parquet: bool = False
    """Whether takes are written as Parquet beside their CSV as well."""

    has_frames: bool = False
    """Whether camera frames that were kept with takes are copied beside them."""


class ExportDialog(FormDialog):
    """Asks for an export.

    Args:
        ask_folder: Asks for a folder; empty if none was chosen.
        folder: Proposed.
        submissions: Key → what a submission file of that format is.
        unavailable: Key → why that format cannot be written.
        summary: What will be in it and what will not.
        parent: Qt owner.
    """

    def __init__(
        self,
        ask_folder: Callable[[], str],
        folder: str,
        submissions: Mapping[str, str],
        unavailable: Mapping[str, str],
        summary: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Export the study", "Export", parent)
        self.export = self.primary
        self.folder = PathField(
            "Folder", ask_folder, "What an earlier export left there is replaced; other files stay."
        )
        self.folder.line.setText(folder)
        self.seed = number_box(0, 2**31 - 1, 0)
        rows = QVBoxLayout(self.content)
        rows.setContentsMargins(0, 0, 12, 0)
        rows.setSpacing(8)
        rows.addWidget(label(summary))
        rows.addWidget(self.folder)
        always = (
            "Takes with a manifest, the table of scores (CSV and Parquet), and averages always."
        )
        rows.addWidget(label(always, "muted"))
        rows.addWidget(heading("Submission files"))
        self.kinds: dict[str, QCheckBox] = {}
        for key, title in submissions.items():
            box = QCheckBox(title)
            reason = unavailable.get(key, "")
            field = Field(title, box, reason)
            box.setEnabled(not reason)
            rows.addWidget(field)
            self.kinds[key] = box
        self.parquet = QCheckBox("Every take as Parquet beside its CSV as well")
        rows.addWidget(heading("Takes and averages"))
        rows.addWidget(Field("Takes as Parquet", self.parquet))
        self.frames = QCheckBox("Camera frames that were kept with takes")
        self.frames.setEnabled(False)
        self._frames = Field("Camera frames", self.frames, "They are being counted …")
        rows.addWidget(self._frames)
        rows.addWidget(Field("Seed of the bootstrap intervals", self.seed))
        rows.addStretch(1)
        self.primary.clicked.connect(self.accept)
        self.resize(560, 480)
        self.folder.changed.connect(self._check)
        self._check()

    @property
    def settings(self) -> ExportSettings:
        """What was given."""
        kinds = tuple(key for key, box in self.kinds.items() if box.isChecked())
        return ExportSettings(
            self.folder.path,
            kinds,
            self.seed.value(),
            self.parquet.isChecked(),
            self.frames.isChecked(),
        )

    def show_frames(self, words: str) -> None:
        """Say how much the camera frames are; empty where there is none to be copied."""
        self.frames.setEnabled(bool(words))
        self._frames.set_hint(words or "No take that counts has any.")

    def show_uncounted(self) -> None:
        """Offer camera frames though nobody knows how much they are."""
        self.show_frames("Counting them was cancelled.")

    def _check(self) -> None:
        problem = "" if self.folder.path else "Choose a folder."
        self.folder.set_problem(problem)
        self.export.setEnabled(not problem)
