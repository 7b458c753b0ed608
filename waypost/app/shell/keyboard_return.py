"""After a dialog, a click, or where a control went away, keys act on the scene again."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from waypost.app.shell.actions import takes_text
from waypost.app.shell.middle import Middle
from waypost.services.input.shortcuts import CLAIMED_KEYS
from waypost.widgets.picker import Picker


class KeyboardReturn(QObject):
    """Keeps letters out of text fields, and Space and Enter off buttons, that nobody has chosen.

    Qt gives the keyboard to the next control once the one that has it is hidden or disabled, and
    after a dialog to the one that had it before; where that is a search field, a label key would
    be typed into it. A button that was clicked keeps it, and would be pressed again by Space.

    Args:
        window: Whose.
        panels: Beside the middle; fields elsewhere are given the keyboard on purpose.
        bars: Above and below, and the stage; they have buttons only.
        pickers: Give the keyboard back to whoever had it.
        middle: Gets the keyboard.
    """

    def __init__(
        self,
        window: QWidget,
        panels: tuple[QWidget, ...],
        bars: tuple[QWidget, ...],
        pickers: tuple[Picker, ...],
        middle: Middle,
    ) -> None:
        super().__init__(middle)
        self._window, self._panels, self._middle = window, panels, middle
        self._bars, self._pickers = bars, pickers
        self._was_in_dialog = False
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus_changed)
        for picker in pickers:
            picker.closed.connect(self._leave_field)

    def _leave_field(self) -> None:
        """Give the keyboard of a text field of a panel to the middle."""
        now = QApplication.focusWidget()
        if now is not None and takes_text(now) and _is_in(now, self._panels):
            self._middle.take_keyboard()

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(old, QAbstractButton):
            old.removeEventFilter(self)
        if new is None:
            # A file dialog of the desktop has no widget that could get the keyboard.
            self._was_in_dialog |= QGuiApplication.modalWindow() is not None
            return
        if new.window() is not self._window:
            self._was_in_dialog = self._is_dialog(new.window())
            return
        is_button, is_in_panel = isinstance(new, QAbstractButton), _is_in(new, self._panels)
        is_in_bar = _is_in(new, self._bars)
        if is_button and (is_in_panel or is_in_bar):
            new.installEventFilter(self)
        # A picker goes once something else is clicked, and gives the keyboard back by itself.
        has_gone = old is not None and not (
            (old.isVisible() and old.isEnabled()) or _is_in(old, self._pickers)
        )
        is_field = is_in_panel and takes_text(new)
        is_unchosen = has_gone and (is_field or (is_button and is_in_bar))
        if self._was_in_dialog:
            is_unchosen = is_field or (is_button and (is_in_panel or is_in_bar))
        if is_unchosen:
            # Whoever moves the keyboard next in this round of events does so on purpose.
            QTimer.singleShot(0, self, lambda: self._take_from(new))
        else:
            self._was_in_dialog = False

    def _is_dialog(self, window: QWidget) -> bool:
        return window is not self._window and window.windowType() is Qt.WindowType.Dialog

    def _take_from(self, holder: QObject) -> None:
        now = QApplication.focusWidget()
        if now is None:
            # The window lost it again meanwhile: the holder is left once it comes back.
            return
        self._was_in_dialog = False
        if now is holder and self._middle.isVisible():
            self._middle.take_keyboard()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keyboard from a button once it was clicked with the mouse."""
        if event.type() is QEvent.Type.MouseButtonRelease and not _claims_keys(watched):
            QTimer.singleShot(0, self, lambda: self._take_from(watched))
        return super().eventFilter(watched, event)


def _is_in(widget: QWidget, parts: Iterable[QWidget]) -> bool:
    return any(part.isAncestorOf(widget) for part in parts)


def _claims_keys(holder: QObject | None) -> bool:
    """Whether keys mean something else while the keyboard is in what is around a button."""
    while holder is not None:
        if holder.property(CLAIMED_KEYS):
            return True
        holder = holder.parent()
    return False
