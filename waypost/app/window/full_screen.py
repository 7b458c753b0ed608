"""Gives a participant the whole screen, and puts the window back as it was."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtWidgets import QWidget

from waypost.app.shell.driving.driving_mode import DrivingMode

_LARGE = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen


class FullScreen(QObject):
    """While the whole window is a participant's, it covers the screen: no title, no task bar.

    Args:
        mode: Tells when that is.
        window: Which window.
    """

    def __init__(self, mode: DrivingMode, window: QWidget) -> None:
        super().__init__(mode)
        self._mode, self._window = mode, window
        self._before: tuple[Qt.WindowState, QRect] | None = None
        mode.began.connect(self._on_began)
        mode.ended.connect(self._on_ended)

    def _on_began(self) -> None:
        window = self._window
        if not self._mode.has_window or self._before is not None:
            return
        self._before = window.windowState(), window.geometry()
        # Where no window manager does it; afterwards it would end the state again.
        window.setGeometry(window.screen().geometry())
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)

    def _on_ended(self) -> None:
        if self._before is None:
            return
        (state, place), self._before = self._before, None
        self._window.setWindowState(state)
        if not state & _LARGE:
            self._window.setGeometry(place)
