"""One criterion of a pair: which side is better, a tie, or “cannot judge”."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from waypost.app.score.criterion_card import CriterionCard
from waypost.domain.score.rubric import Criterion
from waypost.widgets.parts import label


class PairAnswer(StrEnum):
    """What can be said of a criterion, by the sides on which the two stand."""

    LEFT = "left"
    TIE = "tie"
    RIGHT = "right"
    CANNOT_JUDGE = "cannot_judge"


ANSWER_TEXTS: Mapping[PairAnswer, str] = {
    PairAnswer.LEFT: "Left",
    PairAnswer.TIE: "Tie",
    PairAnswer.RIGHT: "Right",
    PairAnswer.CANNOT_JUDGE: "Cannot judge",
}


class PairRow(CriterionCard):
    """Shows one criterion; reports what is clicked and chooses nothing by itself."""

    answered = Signal(str, str)
    """Criterion and ``PairAnswer``."""

    def __init__(self, criterion: Criterion, parent: QWidget | None = None) -> None:
        super().__init__(criterion, parent)
        self._state = label("", "warning")
        self._buttons = {answer: self._button(answer) for answer in PairAnswer}
        sides = QHBoxLayout()
        sides.setSpacing(6)
        for made in self._buttons.values():
            sides.addWidget(made)
        sides.addStretch(1)
        self._column.addLayout(sides)
        self._column.addWidget(self._state)

    def _button(self, answer: PairAnswer) -> QPushButton:
        text = ANSWER_TEXTS[answer]
        made = self._chip(text, text.lower())
        made.clicked.connect(lambda *_: self._on_click(answer))
        return made

    def set_answer(self, answer: PairAnswer | None, *, is_missing: bool) -> None:
        """Show what is said; of nothing nothing is chosen."""
        for own, made in self._buttons.items():
            made.setChecked(own is answer)
        self._state.setText("missing" if is_missing else "")
        self._state.setVisible(is_missing)

    def set_current(self, *, is_current: bool) -> None:
        """Show whether keys answer this one; what it means stands only there."""
        self._told.setVisible(is_current and bool(self.criterion.description))
        super().set_current(is_current=is_current)

    def set_locked(self, *, is_locked: bool) -> None:
        """Let nothing be changed, or let it again."""
        for made in self._buttons.values():
            made.setEnabled(not is_locked)

    def _on_click(self, answer: PairAnswer) -> None:
        # What is shown follows the project, not the click.
        self._buttons[answer].setChecked(False)
        self.chosen.emit(self.criterion.key)
        self.answered.emit(self.criterion.key, answer.value)
