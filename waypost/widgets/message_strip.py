"""Says one sentence where a dialog would interrupt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from waypost.widgets.parts import TextBox, button, label, set_property


class MessageLevel(StrEnum):
    """How much a message matters."""

    INFO = "info"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"


_SIGNS = {
    MessageLevel.INFO: "ℹ",
    MessageLevel.SUCCESS: "✓",
    MessageLevel.WARNING: "⚠",
    MessageLevel.ERROR: "✕",
}
_ROLES = {
    MessageLevel.INFO: "muted",
    MessageLevel.SUCCESS: "good",
    MessageLevel.WARNING: "warning",
    MessageLevel.ERROR: "error",
}


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence for the user."""

    text: str
    """What happened, where, what to do."""

    level: MessageLevel = MessageLevel.INFO
    action_text: str = ""
    """Text of a button that helps; empty for none."""

    details: str = ""
    """For a bug report; empty for none."""


class MessageStrip(QFrame):
    """Shows the newest message until it is closed; the details fold open."""

    action_chosen = Signal()
    """The button of the message was pressed; the strip has gone."""

    dismissed = Signal()
    """The user closed the message."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message: Message | None = None
        self.setProperty("role", "message")
        self._sign = label("")
        self._sign.setWordWrap(False)
        self._text = label("")
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._action = button("", role="primary")
        self._details_toggle = button("Details")
        self._details_toggle.setCheckable(True)
        self._copy = button("Copy", "Copy the details for a bug report")
        self._close = button("✕", "Close the message")
        self._close.setToolTip("Close the message")
        self._details = TextBox(8, "Details of the message")
        self._details.setReadOnly(True)
        row = QHBoxLayout()
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        for made in (self._action, self._details_toggle, self._copy, self._close):
            row.addWidget(made)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 8, 6)
        layout.addLayout(row)
        layout.addWidget(self._details)
        self._action.clicked.connect(self._on_action)
        self._close.clicked.connect(self._on_close)
        self._copy.clicked.connect(self._copy_details)
        self._details_toggle.toggled.connect(self._show_details)
        self.hide()

    @property
    def message(self) -> Message | None:
        """What is shown; ``None`` while the strip is hidden."""
        return self._message

    def show_message(self, message: Message) -> None:
        """Show a message in place of the one before."""
        self._message = message
        set_property(self, "level", message.level.value)
        set_property(self._sign, "role", _ROLES[message.level])
        self._sign.setText(_SIGNS[message.level])
        self._text.setText(message.text)
        self.setAccessibleName(f"{message.level.value}: {message.text}")
        self._action.setText(message.action_text)
        self._action.setAccessibleName(message.action_text)
        self._action.setVisible(bool(message.action_text))
        has_details = bool(message.details)
        self._details_toggle.setVisible(has_details)
        self._details_toggle.setChecked(False)
        self._details.setPlainText(message.details)
        self._show_details(False)
        self.show()

    def clear(self) -> None:
        """Take the message away."""
        self._message = None
        self.hide()

    def _show_details(self, is_shown: bool) -> None:
        self._copy.setVisible(is_shown)
        self._details.setVisible(is_shown)

    def _copy_details(self) -> None:
        if self._message is not None:
            text = f"{self._message.text}\n\n{self._message.details}\n"
            QGuiApplication.clipboard().setText(text)
            self._copy.setText("Copied")

    def _on_action(self) -> None:
        self.clear()
        self.action_chosen.emit()

    def _on_close(self) -> None:
        self.clear()
        self.dismissed.emit()
