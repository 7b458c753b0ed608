"""What an agent's camera sees, frame by frame, as Waypost gets it from a worker."""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import SimulatorError
from waypost.domain.base.frames import Vec3
from waypost.simulators.backends.cameras import SLOTS, CameraSettings, slot_views
from waypost.simulators.worker_process import WorkerProcess

_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 - a folder of the system that lies in memory


@dataclass(frozen=True, slots=True)
class CameraPlace:
    """From where a picture is wanted, and of when."""

    time_ns: int
    """Simulated time since the agent was placed, or since the first sample of ``take``."""

    position_m: Vec3
    """Floor point under the agent, scene frame."""

    yaw_rad: float
    gaze_rad: float = 0.0
    """How far the driver looks up, beside the tilt of the camera."""

    take: str = ""
    """Samples of the take that is recorded meanwhile; empty for none."""


@dataclass(frozen=True, eq=False, slots=True)
class CameraFrame:
    """One picture, with when and where it was taken."""

    time_ns: int
    """Simulated time since the agent was placed, or since the first sample of ``take``."""

    position_m: Vec3
    """Floor point under the agent, scene frame."""

    yaw_rad: float
    tilt_rad: float
    """Of the camera above the horizon, the driver's gaze included."""

    rgb: NDArray[np.uint8] | None
    """(height, width, 3); ``None`` if it was not asked for."""

    depth_m: NDArray[np.float32] | None
    """(height, width): distance to the plane of the lens, infinite where nothing is."""

    take: str = ""
    """Samples of the take that was recorded meanwhile; empty for none."""


class CameraFeed:
    """An open camera; it ends with its worker, or when it is closed.

    Pictures pass through a file in memory that only this process and its worker know.

    Raises:
        InputError: If the engine gives no pictures.
        SimulatorError: If no memory can be shared.
    """

    def __init__(self, worker: WorkerProcess, settings: CameraSettings) -> None:
        self.settings = settings
        self._worker = worker
        try:
            path, self._memory = _shared_file(settings.file_bytes)
        except OSError as error:
            raise SimulatorError(
                f"no memory for pictures of {settings.file_bytes} bytes: {error.strerror}"
            ) from error
        self._forget = weakref.finalize(self, _forget, path, self._memory)
        try:
            worker.ask("camera_open", {"camera": asdict(settings), "file": str(path)})
        except BaseException:
            self._forget()
            raise
        if sys.platform != "win32":
            # Both have it in their memory: without a name, nothing of it can be left behind.
            path.unlink()

    def frame(self) -> CameraFrame:
        """Draw what the agent sees now; simulated time stands still meanwhile.

        Raises:
            InputError: If there is no agent.
            SimulatorError: If the engine fails, or says something that cannot be used.
        """
        said = self._worker.ask("camera_frame", {})
        told = self._worker.told
        place = CameraPlace(
            told(int, said, "time_ns"),
            told(tuple[float, float, float], said, "position_m"),
            told(float, said, "yaw_rad"),
        )
        return self._frame(place, said)

    def frame_from(self, place: CameraPlace) -> CameraFrame:
        """Draw what is seen from a place in the scene; no agent is needed.

        Raises:
            InputError: If no scene is loaded.
            SimulatorError: If the engine fails, or says something that cannot be used.
        """
        values = {
            "position_m": list(place.position_m),
            "yaw_rad": place.yaw_rad,
            "gaze_rad": place.gaze_rad,
        }
        return self._frame(place, self._worker.ask("camera_view", values))

    def _frame(self, place: CameraPlace, said: Mapping[str, Any]) -> CameraFrame:
        slot = self._worker.told(int, said, "slot")
        if not 0 <= slot < SLOTS:
            self._worker.kill()
            raise SimulatorError(f"the physics engine drew into no slot ({slot}) and was ended")
        rgb, depth_m = slot_views(self._memory, self.settings, slot)
        return CameraFrame(
            place.time_ns,
            place.position_m,
            place.yaw_rad,
            self._worker.told(float, said, "tilt_rad"),
            None if rgb is None else rgb.copy(),
            None if depth_m is None else depth_m.copy(),
            place.take,
        )

    def close(self) -> None:
        """Have no more pictures drawn, and give the memory back."""
        if self._forget.alive and self._worker.is_alive:
            with contextlib.suppress(SimulatorError):
                self._worker.ask("camera_close", {})
        self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _shared_file(size: int) -> tuple[Path, mmap.mmap]:
    folder = _MEMORY_FOLDER if _MEMORY_FOLDER.is_dir() else None
    try:
        return _file_in(folder, size)
    except OSError:
        if folder is None:
            raise
        # A container may have a few megabytes of it only.
        return _file_in(None, size)


def _file_in(folder: Path | None, size: int) -> tuple[Path, mmap.mmap]:
    handle, name = tempfile.mkstemp(prefix=f"waypost-camera-{os.getpid()}-", dir=folder)
    try:
        if hasattr(os, "posix_fallocate"):
            # A file with holes would kill whoever writes into one when the memory is full.
            os.posix_fallocate(handle, 0, size)
        else:
            os.truncate(handle, size)
        return Path(name), mmap.mmap(handle, size)
    except BaseException:
        Path(name).unlink()
        raise
    finally:
        os.close(handle)


def _forget(path: Path, memory: Any) -> None:
    memory.close()
    path.unlink(missing_ok=True)
