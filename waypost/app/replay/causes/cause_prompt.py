"""What Enter would do in the panel of causes: take what is offered, or answer a doubt."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from waypost.app.replay.causes.cause_question import CauseQuestion
from waypost.widgets.parts import ElidedButton, label, set_property
from waypost.widgets.row_layouts import FlowRows

_PROPOSED: Final = "Proposed from computed tags, not marked."
_SHARED: Final = "You marked this episode when its takes shared a mark. Is it of this take?"


class CausePrompt(QFrame):
    """One sentence and its answers; hidden where nothing is asked.

    Buttons leave the keyboard with the panel, whose Enter and Esc do the same.
    """

    accepted = Signal()
    """What is offered is taken, or the doubt put aside."""

    declined = Signal()
    """The doubtful answer is dropped."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "message")
        self._text = label("")
        self.accept, self.decline = ElidedButton(role="primary"), ElidedButton()
        for made, told in ((self.accept, self.accepted), (self.decline, self.declined)):
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            made.clicked.connect(told)
        answers = QWidget()
        flow = FlowRows(answers)
        flow.addWidget(self.accept)
        flow.addWidget(self.decline)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(8, 6, 8, 6)
        rows.setSpacing(4)
        rows.addWidget(self._text)
        rows.addWidget(answers)
        self.hide()

    def show_question(self, question: CauseQuestion) -> None:
        """Ask about what is proposed or shared, or about a failure's answer for a success."""
        is_doubt = bool(question.doubtful)
        if is_doubt:
            self._text.setText(
                f"This episode succeeded. Mark it as a failure, “{question.doubtful}”?"
            )
            self.accept.set_full_text("Mark it  Enter", f"Mark it as {question.doubtful}")
            self.decline.set_full_text("Leave it  Esc", "Leave it without this mark")
        else:
            what = "the proposed answers" if question.shared is None else "the mark of the episode"
            self._text.setText(_PROPOSED if question.shared is None else _SHARED)
            self.accept.set_full_text("Take it  Enter", f"Take {what}")
        set_property(self, "level", "warning" if is_doubt else "info")
        self.decline.setVisible(is_doubt)
        is_offered = bool(question.proposed) or question.shared is not None
        self.setVisible(is_doubt or is_offered)
