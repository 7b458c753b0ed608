"""Two instructions beside each other, their path, and the criteria by which they are compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from waypost.app.score.criteria_face import CriteriaFace
from waypost.app.score.instruction_view import InstructionView
from waypost.app.score.pairs.pair_row import PairAnswer, PairRow
from waypost.app.score.path.path_face import PathFace
from waypost.domain.score.rubric import Criterion
from waypost.widgets.parts import heading, label

_TEXTS_PX, _BELOW_PX = 240, 370
_APART_PX = 6
"""From a text to the handle beside it."""


class PairFace(CriteriaFace[PairRow]):
    """Shows one pair; reports answers and chooses nothing by itself."""

    answered = Signal(str, str)
    """Criterion and ``PairAnswer``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Pair", parent)
        self._title = label("", "heading")
        self.left, self.right = InstructionView("Left"), InstructionView("Right")
        self._sources = label("", "muted"), label("", "muted")
        self.path = PathFace()
        self._keys = label("", "small")
        self._column.setContentsMargins(10, 8, 10, 10)
        self._column.insertWidget(0, self._keys)
        self._lay_out()

    def _lay_out(self) -> None:
        texts = QSplitter(Qt.Orientation.Horizontal)
        for name, view, source in zip(
            ("Left", "Right"), (self.left, self.right), self._sources, strict=True
        ):
            texts.addWidget(_titled(name, source, view, apart_px=_APART_PX * texts.count()))
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self.path)
        below.addWidget(self._area)
        whole = QSplitter(Qt.Orientation.Vertical)
        whole.addWidget(texts)
        whole.addWidget(below)
        whole.setSizes([_TEXTS_PX, _BELOW_PX])
        for sides in (texts, below):
            sides.setStretchFactor(0, 1)
            sides.setStretchFactor(1, 1)
        for sides in (texts, below, whole):
            sides.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 0, 10)
        layout.addWidget(self._title)
        layout.addWidget(whole, 1)

    def set_texts(self, title: str, texts: tuple[str, str], sources: tuple[str, str]) -> None:
        """Show two instructions, the left one first.

        Args:
            title: Over both.
            texts: As written.
            sources: Where they come from; empty while that is hidden.
        """
        self._title.setText(title)
        for view, text in zip((self.left, self.right), texts, strict=True):
            view.show_text(text)
        for told, source in zip(self._sources, sources, strict=True):
            told.setText(source)

    def set_answers(
        self,
        asked: tuple[Criterion, ...],
        answers: Mapping[str, PairAnswer],
        missing: Collection[str],
        *,
        is_locked: bool,
    ) -> None:
        """Show what is said of a pair.

        Args:
            asked: The criteria to show.
            answers: Criterion → what is said.
            missing: Criteria that a submission lacked.
            is_locked: Whether nothing can be changed.
        """
        if not self._shows(asked):
            self._set_rows(map(self._made, asked))
        for key, row in self._rows.items():
            row.set_answer(answers.get(key), is_missing=key in missing)
            row.set_locked(is_locked=is_locked)
        self._keep_current()

    def set_keys(self, sentence: str) -> None:
        """Say by which keys one answers."""
        self._keys.setText(sentence)
        self._keys.setVisible(bool(sentence))

    def _made(self, criterion: Criterion) -> PairRow:
        row = PairRow(criterion)
        row.answered.connect(self.answered)
        return row


def _titled(name: str, source: QLabel, view: QWidget, apart_px: int) -> QWidget:
    made = QWidget()
    head = QHBoxLayout()
    head.addWidget(heading(name))
    source.setAlignment(Qt.AlignmentFlag.AlignRight)
    head.addWidget(source, 1)
    layout = QVBoxLayout(made)
    layout.setContentsMargins(apart_px, 0, _APART_PX, 0)
    layout.setSpacing(4)
    layout.addLayout(head)
    layout.addWidget(view, 1)
    return made
