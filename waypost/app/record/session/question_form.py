"""What a participant is asked after an episode, on the card that follows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from waypost.domain.base.sentences import capitalised
from waypost.domain.record.take_rules import (
    QUESTION_WORDS,
    SURENESS_WORDS,
    Question,
    TakeAnswers,
)
from waypost.widgets.parts import TextBox, button, label
from waypost.widgets.row_layouts import FlowRows

_REACHED: Final[Mapping[int, str]] = {1: "Yes", 0: "No"}
_TEXT_LINES: Final = 3
_SPACING_PX: Final = 6


class QuestionForm(QWidget):
    """The questions in order; each is answered by one of its buttons or by words.

    Args:
        parent: Qt owner.
    """

    changed = Signal()
    """Something was answered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: tuple[Question, ...] = ()
        self.reached = _Choice(QUESTION_WORDS[Question.REACHED], _REACHED)
        self.sureness = _Choice(QUESTION_WORDS[Question.SURENESS], SURENESS_WORDS)
        self.unclear = TextBox(_TEXT_LINES, QUESTION_WORDS[Question.UNCLEAR])
        self.unclear.setPlaceholderText("In your own words; leave it empty if nothing was")
        self.unclear.setTabChangesFocus(True)
        unclear = QWidget()
        column = QVBoxLayout(unclear)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_SPACING_PX)
        column.addWidget(label(QUESTION_WORDS[Question.UNCLEAR]))
        column.addWidget(self.unclear)
        self._parts: Mapping[Question, QWidget] = {
            Question.REACHED: self.reached,
            Question.SURENESS: self.sureness,
            Question.UNCLEAR: unclear,
        }
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2 * _SPACING_PX)
        for part in self._parts.values():
            self._layout.addWidget(part)
        for choice in (self.reached, self.sureness):
            choice.chosen.connect(self.changed)

    @property
    def is_complete(self) -> bool:
        """Whether everything is answered that one of several buttons answers."""
        answers = self.answers
        open_ones = {
            Question.REACHED: answers.reached is None,
            Question.SURENESS: answers.sureness is None,
        }
        return not any(open_ones.get(question) for question in self._questions)

    @property
    def answers(self) -> TakeAnswers:
        """What is answered so far; of what is not asked nothing."""
        asked, reached = self._questions, self.reached.answer
        return TakeAnswers(
            bool(reached) if Question.REACHED in asked and reached is not None else None,
            self.sureness.answer if Question.SURENESS in asked else None,
            self.unclear.toPlainText().strip() if Question.UNCLEAR in asked else "",
        )

    def ask(self, questions: tuple[Question, ...]) -> None:
        """Show these questions in this order, with no answers."""
        self._questions = questions
        for choice in (self.reached, self.sureness):
            choice.clear()
        self.unclear.clear()
        for question, part in self._parts.items():
            part.setVisible(question in questions)
        for question in questions:
            self._layout.removeWidget(self._parts[question])
            self._layout.addWidget(self._parts[question])

    def take_keyboard(self) -> None:
        """Begin at the first question."""
        first = {
            Question.REACHED: self.reached.first,
            Question.SURENESS: self.sureness.first,
            Question.UNCLEAR: self.unclear,
        }
        if self._questions:
            first[self._questions[0]].setFocus(Qt.FocusReason.TabFocusReason)


class _Choice(QWidget):
    """One question with a button for each answer."""

    chosen = Signal()

    def __init__(self, question: str, answers: Mapping[int, str]) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        buttons = QWidget()
        row = FlowRows(buttons, spacing_px=_SPACING_PX)
        for value, words in answers.items():
            made = button(capitalised(words), f"{question} {words}", "chip")
            made.setCheckable(True)
            made.setAutoDefault(True)
            self._group.addButton(made, value)
            row.addWidget(made)
        self.first = self._group.buttons()[0]
        self._group.idClicked.connect(lambda _: self.chosen.emit())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_SPACING_PX)
        layout.addWidget(label(question))
        layout.addWidget(buttons)

    @property
    def answer(self) -> int | None:
        """What was chosen; ``None`` before."""
        value = self._group.checkedId()
        return None if value == -1 else value

    def clear(self) -> None:
        """Choose nothing."""
        self._group.setExclusive(False)
        for made in self._group.buttons():
            made.setChecked(False)
        self._group.setExclusive(True)
