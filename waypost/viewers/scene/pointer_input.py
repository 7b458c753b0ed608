"""Sorts what the mouse does into camera drags and pointer events for the tool."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QSinglePointEvent

from waypost.viewers.scene.camera_rig import CameraRig
from waypost.viewers.scene.pointer import (
    LEFT_BUTTON,
    MIDDLE_BUTTON,
    NO_BUTTON,
    RIGHT_BUTTON,
    PointerEvent,
    PointerPhase,
)

_CLICK_SLACK_PX = 4.0
_MOVE_INTERVAL_MS = 14
_BUTTONS = {
    Qt.MouseButton.LeftButton: LEFT_BUTTON,
    Qt.MouseButton.RightButton: RIGHT_BUTTON,
    Qt.MouseButton.MiddleButton: MIDDLE_BUTTON,
}


class _Drag(Enum):
    TURN = "turn"
    PAN = "pan"


class PointerInput(QObject):
    """Left button: the tool. Right: turn, with Shift shift. Middle: shift. Alt + left: turn.

    A click without a drag, right or with Alt left, reaches the tool as a press and a release.
    Moves are gathered and reported at most once per picture.

    Args:
        parent: Owner.
        rig: The camera that drags move, and whose rays the events carry.
        emit: Takes each event for the tool.
        camera_moved: Called after each camera drag.
    """

    def __init__(
        self,
        parent: QObject,
        rig: CameraRig,
        emit: Callable[[PointerEvent], None],
        camera_moved: Callable[[], None],
    ) -> None:
        super().__init__(parent)
        self._rig = rig
        self._emit = emit
        self._camera_moved = camera_moved
        self._drag: _Drag | None = None
        self._drag_start = QPointF()
        self._last = QPointF()
        self._is_click = False
        self._tool_button = NO_BUTTON
        self._pending: PointerEvent | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_MOVE_INTERVAL_MS)
        self._timer.timeout.connect(self.flush)

    def press(self, event: QMouseEvent, phase: PointerPhase = PointerPhase.PRESS) -> None:
        """A button went down."""
        self.flush()
        if event.buttons() == event.button():
            # A release that went to a dialog or another window must not leave a gesture behind.
            self._drag, self._tool_button = None, NO_BUTTON
        if self._drag is not None or self._tool_button:
            return
        modifiers = event.modifiers()
        button = _BUTTONS.get(event.button(), NO_BUTTON)
        has_alt = bool(modifiers & Qt.KeyboardModifier.AltModifier)
        if button == LEFT_BUTTON and not has_alt:
            self._tool_button = button
            self._emit(self._event(event, phase, button))
        elif button:
            has_shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
            is_pan = has_shift or button == MIDDLE_BUTTON
            self._drag = _Drag.PAN if is_pan else _Drag.TURN
            self._drag_start = self._last = event.position()
            self._is_click = True

    def move(self, event: QMouseEvent) -> None:
        """The pointer moved."""
        position = event.position()
        if self._drag is None:
            phase = PointerPhase.MOVE if self._tool_button else PointerPhase.HOVER
            self._pending = self._event(event, phase, self._tool_button)
            if not self._timer.isActive():
                self._timer.start()
            return
        if self._is_click:
            away = position - self._drag_start
            if abs(away.x()) + abs(away.y()) < _CLICK_SLACK_PX:
                return
            self._is_click = False
        step = position - self._last
        self._last = position
        if self._drag is _Drag.PAN:
            self._rig.pan(step.x(), step.y())
        else:
            self._rig.turn(step.x(), step.y())
        self._camera_moved()

    def release(self, event: QMouseEvent) -> None:
        """A button went up."""
        self.flush()
        button = _BUTTONS.get(event.button(), NO_BUTTON)
        if self._tool_button and button == self._tool_button:
            self._tool_button = NO_BUTTON
            self._emit(self._event(event, PointerPhase.RELEASE, button))
        elif self._drag is not None and event.buttons() == Qt.MouseButton.NoButton:
            self._drag = None
            if self._is_click and button in {LEFT_BUTTON, RIGHT_BUTTON}:
                self._emit(self._event(event, PointerPhase.PRESS, button))
                self._emit(self._event(event, PointerPhase.RELEASE, button))

    def leave(self, position: QPointF) -> None:
        """The pointer left the view."""
        self.flush()
        origin, direction = self._rig.lens().ray_at(position.x(), position.y())
        self._emit(PointerEvent(PointerPhase.LEAVE, position.x(), position.y(), origin, direction))

    def flush(self) -> None:
        """Report the gathered move now."""
        self._timer.stop()
        pending, self._pending = self._pending, None
        if pending is not None:
            self._emit(pending)

    def _event(self, event: QSinglePointEvent, phase: PointerPhase, button: int) -> PointerEvent:
        position = event.position()
        modifiers = event.modifiers()
        origin, direction = self._rig.lens().ray_at(position.x(), position.y())
        return PointerEvent(
            phase,
            position.x(),
            position.y(),
            origin,
            direction,
            button,
            shift=bool(modifiers & Qt.KeyboardModifier.ShiftModifier),
            control=bool(modifiers & Qt.KeyboardModifier.ControlModifier),
            alt=bool(modifiers & Qt.KeyboardModifier.AltModifier),
        )
