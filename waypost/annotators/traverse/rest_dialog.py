"""Asks for one answer to everything that is left, with the reason why it needs no look at each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Passage,
    Reason,
    Verdict,
    state_of,
)
from waypost.services.appearance import SIGNS
from waypost.widgets.form_dialog import FormDialog
from waypost.widgets.form_fields import Field, choice_box
from waypost.widgets.parts import TextBox

_SIZE_PX: Final = (460, 400)
"""With room for what speaks against the answers."""


class RestDialog(FormDialog):
    """One verdict for many passages; what is written down becomes the note of each.

    Args:
        agent_name: Whom they are asked for.
        passages: What is left.
        against: What speaks against answers, to be read before they are given a second time; empty
            for nothing.
        parent: Qt owner.
    """

    answered = Signal(object)
    """A tuple of ``LabelAnswer``, one for each passage."""

    def __init__(
        self,
        agent_name: str,
        passages: tuple[Passage, ...],
        against: Callable[[Sequence[LabelAnswer]], str],
        parent: QWidget | None = None,
    ) -> None:
        count = len(passages)
        super().__init__(f"Answer what is left: {agent_name}", f"Answer all {count:,}", parent)
        self._passages, self._against = passages, against
        verdicts = {verdict.value: SIGNS[state_of(verdict)].word for verdict in Verdict}
        self._verdict = choice_box(verdicts)
        self._verdict.currentIndexChanged.connect(self._on_verdict)
        self._reason = choice_box({reason.value: REASON_TITLES[reason] for reason in Reason})
        self._reason_field = Field("Reason of “does not travel”", self._reason)
        self._why = TextBox(3, "Why")
        self._why_field = Field(
            "Why, without a look at each", self._why, "Kept as the note of every label."
        )
        self.lay_out(((Field("Answer", self._verdict),), (self._reason_field,), (self._why_field,)))
        self.primary.clicked.connect(self._finish)
        self.resize(*_SIZE_PX)
        self._on_verdict()

    def _on_verdict(self) -> None:
        is_not = self._verdict.currentData() == Verdict.DOES_NOT.value
        self._reason_field.setVisible(is_not)

    def _finish(self) -> None:
        why = self._why.toPlainText().strip()
        if not why:
            self._why_field.set_problem("Write down why they need no look at each.")
            self._why.setFocus()
            return
        verdict = Verdict(self._verdict.currentData())
        reason = Reason(self._reason.currentData()) if verdict is Verdict.DOES_NOT else None
        answers = tuple(LabelAnswer(p, verdict, reason, why) for p in self._passages)
        doubt = self._against(answers)
        if doubt:
            self.fail(doubt)
            return
        self.accept()
        self.answered.emit(answers)
