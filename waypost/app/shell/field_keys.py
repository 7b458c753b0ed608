"""Enter and Esc in a text field of a panel give the keyboard back, so that keys work again."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from waypost.app.shell.middle import Middle
from waypost.widgets.parts import GOES_ON

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class FieldKeys(QObject):
    """Enter takes what was typed, Esc gives it up; either way the keyboard goes to the middle.

    In a text of several lines Ctrl+Enter and Esc leave it, and what was typed is kept. A field with
    the property ``GOES_ON`` has its own way with Enter.

    Args:
        panels: Whose fields are meant.
        middle: Gets the keyboard.
        left: Emitted before the open project is left: what was typed belongs to that one, as a
            field reports it once it loses the keyboard.
    """

    def __init__(self, panels: tuple[QWidget, ...], middle: Middle, left: SignalInstance) -> None:
        super().__init__(middle)
        left.connect(self.leave)
        self._panels = panels
        self._middle = middle
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        is_field = isinstance(new, QLineEdit | QPlainTextEdit)
        if new is not None and is_field and any(p.isAncestorOf(new) for p in self._panels):
            new.installEventFilter(self)

    def leave(self) -> None:
        """Give the keyboard of a field to the middle, so that the field reports what was typed."""
        field = QApplication.focusWidget()
        if field is not None and any(p.isAncestorOf(field) for p in self._panels):
            self._middle.take_keyboard()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear Enter and Esc before they are anybody's shortcut."""
        if isinstance(event, QKeyEvent) and _leaves(watched, event):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                if event.key() == Qt.Key.Key_Escape:
                    _give_up(watched)
                # The field itself hears Enter first.
                QTimer.singleShot(0, self, self._middle.take_keyboard)
        return super().eventFilter(watched, event)


def _leaves(field: QObject, event: QKeyEvent) -> bool:
    if event.key() == Qt.Key.Key_Escape:
        return True
    if isinstance(field, QLineEdit):
        return event.key() in _ENTER and not field.property(GOES_ON)
    has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    return event.key() in _ENTER and has_control


def _give_up(field: QObject) -> None:
    if not isinstance(field, QLineEdit):
        return
    if field.isClearButtonEnabled():
        field.clear()  # a search, whose words another field may have written
        return
    while field.isUndoAvailable():
        field.undo()
