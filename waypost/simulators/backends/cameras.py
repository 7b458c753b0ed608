"""Cameras on an agent: what one is, what an engine gives of it, and where its pictures lie.

Pictures go from worker to client through a file that both map into their memory, because a pipe
would copy each of them several times. Runs on Python 3.9 with numpy only, as the protocol does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Pose

SLOTS = 2
"""Pictures that the file has room for: one is read while the next is drawn."""

_RGB_BYTES = 3
_DEPTH_BYTES = 4


@dataclass(frozen=True)
class CameraSettings:
    """A camera that an agent carries, looking the way the agent faces.

    Raises:
        ValueError: If a value is outside of what a camera can be; it starts with the field's name.
    """

    width_px: int = 640
    height_px: int = 480
    field_of_view_rad: float = math.radians(90.0)
    """Horizontal, from the left to the right edge."""

    height_m: float = 1.2
    """Of the lens above the feet."""

    tilt_rad: float = 0.0
    """Of the gaze above the horizon; negative looks down."""

    rgb: bool = True
    depth: bool = True

    def __post_init__(self) -> None:
        for name in ("width_px", "height_px"):
            if not 1 <= getattr(self, name) <= 4096:
                raise ValueError(f"{name}: {getattr(self, name)} is outside 1 to 4096")
        if not math.radians(1) <= self.field_of_view_rad <= math.radians(170):
            degrees = math.degrees(self.field_of_view_rad)
            raise ValueError(f"field_of_view_rad: {degrees:g}° is outside 1° to 170°")
        if not 0.0 <= self.height_m <= 10.0:
            raise ValueError(f"height_m: {self.height_m:g} is outside 0 to 10")
        if not -math.pi / 2 <= self.tilt_rad <= math.pi / 2:
            degrees = math.degrees(self.tilt_rad)
            raise ValueError(f"tilt_rad: {degrees:g}° is outside -90° to 90°")
        if not (self.rgb or self.depth):
            raise ValueError("rgb: a camera gives colours, depth or both")

    @property
    def pixels(self) -> int:
        """Of one picture."""
        return self.width_px * self.height_px

    @property
    def colour_bytes(self) -> int:
        """Room that the colours of one picture take; depth follows at a multiple of its size."""
        return _padded(self.pixels * _RGB_BYTES) if self.rgb else 0

    @property
    def slot_bytes(self) -> int:
        """Room that one picture takes."""
        return self.colour_bytes + (_padded(self.pixels * _DEPTH_BYTES) if self.depth else 0)

    @property
    def file_bytes(self) -> int:
        """Size of the shared file."""
        return self.slot_bytes * SLOTS


class CameraPicture(NamedTuple):
    """What a camera sees at one moment."""

    rgb: NDArray[np.uint8] | None
    """(height, width, 3); ``None`` if it was not asked for."""

    depth_m: NDArray[np.float32] | None
    """(height, width): distance to the plane of the lens, infinite where nothing is."""


@runtime_checkable
class CameraEngine(Protocol):
    """An engine that can draw what an agent sees."""

    def open_camera(self, settings: CameraSettings) -> None:
        """Have pictures from now on, also of scenes and agents that come later.

        Raises:
            NotOfferedError: If it turns out that there can be none.
        """

    def close_camera(self) -> None:
        """Make no more pictures."""

    def picture(self, pose: Pose, tilt_rad: float) -> CameraPicture:
        """What the camera sees from an agent with these feet; takes no simulated time.

        Args:
            pose: Of the agent.
            tilt_rad: Of the gaze above the horizon, instead of that of the settings.
        """


def slot_views(
    memory: Any, settings: CameraSettings, slot: int
) -> tuple[NDArray[np.uint8] | None, NDArray[np.float32] | None]:
    """The arrays of one slot of the shared file; they are views, not copies.

    Args:
        memory: The whole file, mapped; any buffer.
        settings: Of the camera.
        slot: Which of them.
    """
    shape, pixels = (settings.height_px, settings.width_px), settings.pixels
    start = slot * settings.slot_bytes
    rgb = depth = None
    if settings.rgb:
        rgb = np.frombuffer(memory, np.uint8, pixels * _RGB_BYTES, start).reshape(*shape, 3)
    if settings.depth:
        start += settings.colour_bytes
        depth = np.frombuffer(memory, np.dtype("<f4"), pixels, start).reshape(shape)
    return rgb, depth


def _padded(count: int) -> int:
    return (count + 7) // 8 * 8
