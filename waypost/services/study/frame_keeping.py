"""Keeps camera frames with the take that is recorded, on a thread that nothing else waits for."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, Work
from waypost.io.recordings.take_frames import frames_folder, write_camera, write_frame
from waypost.services.jobs import JobRunner
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFrame

_MOST_WAITING: Final = 8
"""Frames that wait for the disk; what comes while there are as many is left out."""

_BYTES_PER_MB: Final = 1_000_000


class FrameKeeper(QObject):
    """Writes frames beside their take until the take has as much of the disk as it may have.

    Args:
        parent: Qt owner. Call ``close`` before it goes.
    """

    ended = Signal(str)
    """One sentence: no more frames of the take under way are kept."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = JobRunner(self)
        self._jobs.job_ended.connect(self._go_on)
        self._waiting: deque[CameraFrame] = deque()
        self._camera = CameraSettings()
        self._limit_bytes = self._kept_bytes = 0
        self._take = self._full_take = ""

    def set_limit(self, limit_mb: int, camera: CameraSettings | None) -> None:
        """How much the frames of each take from now on may take; 0, or no camera, keeps none."""
        self._limit_bytes = limit_mb * _BYTES_PER_MB if camera is not None else 0
        self._camera = camera or self._camera

    def keep(self, frame: CameraFrame) -> None:
        """Keep a frame with its take; one of no take, or beyond the limits, is left out."""
        has_room = self._limit_bytes > 0 and frame.take != self._full_take
        if frame.take and has_room and len(self._waiting) < _MOST_WAITING:
            self._waiting.append(frame)
            self._go_on()

    def close(self) -> None:
        """Write no more."""
        self._waiting.clear()
        self._jobs.shutdown()

    def _go_on(self, *_: object) -> None:
        if self._waiting and not self._jobs.jobs:
            job = self._jobs.start("Keeping frames", self._writing())
            job.failed.connect(self._on_failed)

    def _on_failed(self, error: Exception) -> None:
        # It goes into the take, which is given away: where it lies on this computer does not.
        folder = f"{Path(self._full_take).parent}{os.sep}"
        self.ended.emit(str(error).replace(folder, ""))

    def _writing(self) -> Work[None]:
        """Write what waits; one of these runs at a time."""
        while self._waiting:
            frame = self._waiting.popleft()
            if frame.take == self._full_take:
                continue
            try:
                self._write(frame)
            except Exception:
                # Nothing more is tried for this take.
                self._full_take = frame.take
                raise
            yield Progress(0.0, 0.0, "")

    def _write(self, frame: CameraFrame) -> None:
        folder = frames_folder(Path(frame.take))
        if frame.take != self._take:
            write_camera(folder, asdict(self._camera))
            self._take, self._kept_bytes = frame.take, 0
        self._kept_bytes += write_frame(folder, frame.time_ns, frame.rgb, frame.depth_m)
        if self._kept_bytes >= self._limit_bytes:
            limit_mb = self._limit_bytes // _BYTES_PER_MB
            raise InputError(f"{folder}: frames: they fill the {limit_mb:,} MB of a take")
