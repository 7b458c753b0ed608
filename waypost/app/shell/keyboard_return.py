"""After a dialog, or where a control with the keyboard went away, keys act on the scene again."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from waypost.app.shell.actions import takes_text
from waypost.app.shell.middle import Middle


class KeyboardReturn(QObject):
    """Keeps letters out of text fields that nobody has chosen.

    Qt gives the keyboard to the next control once the one that has it is hidden or disabled, and
    after a dialog to the one that had it before; where that is a search field, a label key would
    be typed into it.

    Args:
        window: Whose.
        panels: Beside the middle; fields elsewhere are given the keyboard on purpose.
        middle: Gets the keyboard.
    """

    def __init__(self, window: QWidget, panels: tuple[QWidget, ...], middle: Middle) -> None:
        super().__init__(middle)
        self._window, self._panels, self._middle = window, panels, middle
        self._was_in_dialog = False
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is None:
            return
        if new.window() is not self._window:
            self._was_in_dialog = self._is_dialog(new.window())
            return
        has_gone = old is not None and not (old.isVisible() and old.isEnabled())
        is_in_panel = any(panel.isAncestorOf(new) for panel in self._panels)
        if (self._was_in_dialog or has_gone) and is_in_panel and takes_text(new):
            # Whoever moves the keyboard next in this round of events does so on purpose.
            QTimer.singleShot(0, self, lambda: self._take_from(new))
        else:
            self._was_in_dialog = False

    def _is_dialog(self, window: QWidget) -> bool:
        return window is not self._window and window.windowType() is Qt.WindowType.Dialog

    def _take_from(self, field: QWidget) -> None:
        now = QApplication.focusWidget()
        if now is None:
            # The window lost it again meanwhile: the field is left once it comes back.
            return
        self._was_in_dialog = False
        if now is field:
            self._middle.take_keyboard()
