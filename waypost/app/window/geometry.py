"""Remembers where the window was and how its panels were divided."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter

from waypost.app.shell.middle import Middle


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
        """Put the window as it was; 1280 × 720 the first time."""
        self._window.resize(1280, 720)
        for key, restore in (
            ("window", self._window.restoreGeometry),
            ("splitter", self._splitter.restoreState),
        ):
            value = self._settings.value(key)
            if isinstance(value, QByteArray):
                restore(value)
        above_px = str(self._settings.value("above_px", ""))
        self._middle.above_px = int(above_px) if above_px.isdecimal() else 0

    def save(self) -> None:
        """Keep how the window is now."""
        self._settings.setValue("window", self._window.saveGeometry())
        self._settings.setValue("splitter", self._splitter.saveState())
        self._settings.setValue("above_px", self._middle.above_px)
