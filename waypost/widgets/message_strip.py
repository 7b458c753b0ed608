"""Says one sentence where a dialog would interrupt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from waypost.widgets.parts import TextBox, button, label, set_property


class MessageLevel(StrEnum):
    """How much a message matters."""

    INFO = "info"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"


_LETTER_MS: Final = 60

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


def reading_ms(message: Message) -> int | None:
    """How long a message stays, by what there is to read and to do; ``None``: until it is closed.

    As slow as 200 words a minute, and a while to notice it at all.
    """
    if message.level is MessageLevel.ERROR:
        return None
    least_ms = 8000 if message.level is MessageLevel.WARNING else 5000
    shown_ms = least_ms + _LETTER_MS * len(message.text)
    return 2 * shown_ms if message.action_text or message.details else shown_ms


class MessageStrip(QFrame):
    """Shows the newest message until it has been read or is closed; the details fold open.

    It never takes the keyboard: its buttons are reached by Tab, a click on them leaves the keys
    where they were. While the pointer or the keyboard is on it, or its details are open, it stays.
    """

    action_chosen = Signal(str)
    """The button with this text was pressed; the strip has gone."""

    dismissed = Signal()
    """The user closed the message."""

    keyboard_left = Signal()
    """It went while it had the keyboard, which belongs to somebody else now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message: Message | None = None
        self._last: Message | None = None
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
        # To be selected with the mouse would take the keyboard at every click.
        self._text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._leaves = QTimer(self)
        self._leaves.setSingleShot(True)
        self._leaves.timeout.connect(self._on_read)
        row = QHBoxLayout()
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        for made in (self._action, self._details_toggle, self._copy, self._close):
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
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
        self._message = self._last = message
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
        self._stay()

    def show_again(self) -> None:
        """Show the message that went last, or the one that is shown for as long again."""
        if self._last is not None:
            self.show_message(self._last)

    def clear(self) -> None:
        """Take the message away."""
        has_keyboard = self._has_keyboard()
        self._message = None
        self._leaves.stop()
        self.hide()
        if has_keyboard:
            self.keyboard_left.emit()

    def _stay(self) -> None:
        shown_ms = reading_ms(self._message) if self._message else None
        if shown_ms is None:
            self._leaves.stop()
        else:
            self._leaves.start(shown_ms)

    def _on_read(self) -> None:
        if self.underMouse() or self._has_keyboard() or self._details_toggle.isChecked():
            self._stay()
        else:
            self.clear()

    def _has_keyboard(self) -> bool:
        holder = QApplication.focusWidget()
        return holder is not None and self.isAncestorOf(holder)

    def _show_details(self, is_shown: bool) -> None:
        self._copy.setVisible(is_shown)
        self._details.setVisible(is_shown)

    def _copy_details(self) -> None:
        if self._message is not None:
            text = f"{self._message.text}\n\n{self._message.details}\n"
            QGuiApplication.clipboard().setText(text)
            self._copy.setText("Copied")

    def _on_action(self) -> None:
        text = self._action.text()
        self.clear()
        self.action_chosen.emit(text)

    def _on_close(self) -> None:
        self.clear()
        self.dismissed.emit()
