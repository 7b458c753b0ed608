"""Remembers where the window was and how its panels were divided."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QStyle

from waypost.app.shell.middle import Middle

_TITLE_BAR: Final = QStyle.PixelMetric.PM_TitleBarHeight


class WindowGeometry:
    """Size, place and splitter of one window.

    Args:
        settings: Where they are kept.
        window: Whose.
        splitter: Between its panels.
        middle: Remembers how high the pictures above its face were made.
    """

    def __init__(
        self, settings: QSettings, window: QMainWindow, splitter: QSplitter, middle: Middle
    ) -> None:
        self._settings = settings
        self._window = window
        self._splitter, self._middle = splitter, middle

    def restore(self) -> None:
        """Put the window as it was; 1280 × 720 the first time, or as much as the screen has.

        Either way it and its frame fit the screen: what sticks out, such as the status, is lost.
        """
        self._window.resize(1280, 720)
        for key, restore in (
            ("window", self._window.restoreGeometry),
            ("splitter", self._splitter.restoreState),
        ):
            value = self._settings.value(key)
            if isinstance(value, QByteArray):
                restore(value)
        self._fit_screen()
        above_px = str(self._settings.value("above_px", ""))
        self._middle.above_px = int(above_px) if above_px.isdecimal() else 0

    def _fit_screen(self) -> None:
        screen = self._window.screen()
        if screen is None or self._window.isMaximized() or self._window.isFullScreen():
            return
        room, size = screen.availableGeometry(), self._window.size()
        frame = self._window.frameGeometry().size() - size
        # Before it is shown for the first time a window does not know its title bar.
        title_px = max(frame.height(), QApplication.style().pixelMetric(_TITLE_BAR))
        least = self._window.minimumSizeHint()
        wanted = QSize(
            min(size.width(), room.width() - frame.width()),
            min(size.height(), room.height() - title_px),
        )
        self._window.resize(wanted.expandedTo(least))

    def save(self) -> None:
        """Keep how the window is now."""
        self._settings.setValue("window", self._window.saveGeometry())
        self._settings.setValue("splitter", self._splitter.saveState())
        self._settings.setValue("above_px", self._middle.above_px)
