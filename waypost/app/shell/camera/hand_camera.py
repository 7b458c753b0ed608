"""Watches from where the stage is seen, so that what a hand did can be filmed afterwards."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QObject, Qt, QTimer

from waypost.domain.record.camera_take import CameraPose
from waypost.viewers.scene.lens import ViewLens
from waypost.viewers.scene.view import SceneView

SEEN_EVERY_MS = 50


class HandCamera(QObject):
    """Notes the pose of the view's camera every 50 ms between start and stop.

    Args:
        view: Whose camera is flown, or driven along.
        parent: Qt owner.
    """

    def __init__(self, view: SceneView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._poses: list[tuple[int, CameraPose]] = []
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(SEEN_EVERY_MS)
        self._timer.timeout.connect(self._see)

    @property
    def is_watching(self) -> bool:
        """Whether poses are noted."""
        return self._timer.isActive()

    def start(self) -> None:
        """Begin anew."""
        self._poses = []
        self._see()
        self._timer.start()

    def stop(self) -> tuple[tuple[int, CameraPose], ...]:
        """End; monotonic time in ns and pose of everything that was seen."""
        if self.is_watching:
            self._timer.stop()
            self._see()
        return tuple(self._poses)

    def _see(self) -> None:
        self._poses.append((time.monotonic_ns(), pose_of(self._view.lens)))


def pose_of(lens: ViewLens) -> CameraPose:
    """Where a view is seen from; straight down it looks north."""
    x, y, z = (float(value) for value in lens.eye_m)
    ahead, left, up = (float(value) for value in lens.forward)
    level = math.hypot(ahead, left)
    yaw = math.atan2(left, ahead) if level > 1e-6 else math.pi / 2
    return CameraPose((x, y, z), yaw, math.atan2(up, level))
