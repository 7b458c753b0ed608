"""Remembers where the window was and how its panels were divided."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QMainWindow, QSplitter


class WindowGeometry:
    """Size, place and splitter of one window.

    Args:
        settings: Where they are kept.
        window: Whose.
        splitter: Between its panels.
    """

    def __init__(self, settings: QSettings, window: QMainWindow, splitter: QSplitter) -> None:
        self._settings = settings
        self._window = window
        self._splitter = splitter

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

    def save(self) -> None:
        """Keep how the window is now."""
        self._settings.setValue("window", self._window.saveGeometry())
        self._settings.setValue("splitter", self._splitter.saveState())
