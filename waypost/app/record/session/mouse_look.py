"""Keeps the mouse away from a participant's view; where they may look, a drag moves the gaze."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from waypost.viewers.scene.camera import TURN_RAD_PER_PX

_MOUSE = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseMove,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.Wheel,
    }
)


class MouseLook(QObject):
    """While it watches, no mouse event reaches the view.

    The pointer is not captured: it moves the gaze only while a button is held, so that nobody
    loses it and it can always reach the other controls.

    Args:
        view: What the participant sees.
        parent: Qt owner.
    """

    looked = Signal(float)
    """The gaze moves up by so many radians."""

    def __init__(self, view: QWidget, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._last_y_px: float | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._last_y_px = None
        self._view.installEventFilter(self)

    def stop(self) -> None:
        """Leave the mouse to the view."""
        self._view.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what the mouse does."""
        if event.type() not in _MOUSE:
            return super().eventFilter(watched, event)
        if isinstance(event, QMouseEvent):
            self._drag(event)
        return True

    def _drag(self, event: QMouseEvent) -> None:
        y_px = event.position().y()
        if event.buttons() == Qt.MouseButton.NoButton:
            self._last_y_px = None
            return
        if self._last_y_px is not None and y_px != self._last_y_px:
            self.looked.emit((self._last_y_px - y_px) * TURN_RAD_PER_PX)
        self._last_y_px = y_px
