"""The camera of a worker: draws when it is asked to, into memory that the client shares."""

from __future__ import annotations

import math
import mmap
from pathlib import Path
from typing import Any

import numpy as np

from waypost.simulators.backends.cameras import (
    SLOTS,
    CameraEngine,
    CameraSettings,
    slot_views,
)
from waypost.simulators.backends.engine import Engine, NotOfferedError, Pose


class WorkerCamera:
    """At most one camera on the agent of one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._settings: CameraSettings | None = None
        self._memory: mmap.mmap | None = None
        self._drawn = 0

    def open(self, values: dict[str, Any], path: str) -> None:
        """Draw pictures from now on.

        Args:
            values: Fields of ``CameraSettings``.
            path: The file that the client shares, as large as the settings say.

        Raises:
            NotOfferedError: If this engine draws none.
            ValueError: If there can be no such camera, or the file is no such file.
        """
        settings = CameraSettings(**values)
        if not isinstance(self._engine, CameraEngine):
            title = self._engine.info.title
            raise NotOfferedError(
                f"{title} gives no pictures of a camera; Isaac Sim and habitat-sim do"
            )
        self.close()
        if Path(path).stat().st_size != settings.file_bytes:
            raise ValueError(f"{path} is not as large as the pictures of this camera")
        self._engine.open_camera(settings)
        with Path(path).open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), settings.file_bytes)
        self._settings = settings

    def draw(self, pose: Pose, gaze_rad: float) -> tuple[int, float]:
        """Draw what is seen from a pose.

        Args:
            pose: Of the feet of whoever carries the camera.
            gaze_rad: How far the driver looks up, beside the tilt of the camera.

        Returns:
            The slot of the shared file with the picture, and the tilt that it was drawn with.

        Raises:
            NotOfferedError: If no camera is open.
        """
        settings, memory = self._settings, self._memory
        if settings is None or memory is None or not isinstance(self._engine, CameraEngine):
            raise NotOfferedError("no camera is open")
        tilt_rad = max(-math.pi / 2, min(math.pi / 2, settings.tilt_rad + gaze_rad))
        picture = self._engine.picture(pose, tilt_rad)
        self._drawn += 1
        slot = self._drawn % SLOTS
        rgb, depth_m = slot_views(memory, settings, slot)
        if rgb is not None and picture.rgb is not None:
            np.copyto(rgb, picture.rgb)
        if depth_m is not None and picture.depth_m is not None:
            np.copyto(depth_m, picture.depth_m)
        return slot, tilt_rad

    def close(self) -> None:
        """Draw no more."""
        if self._settings is not None and isinstance(self._engine, CameraEngine):
            self._engine.close_camera()
        self._settings = None
        if self._memory is not None:
            self._memory.close()
            self._memory = None
