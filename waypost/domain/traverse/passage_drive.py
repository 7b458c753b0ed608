"""What a drive along a passage showed, as it is kept with the passage."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.traversability import Passage, Provenance

REACH_M: Final = 0.3
"""A person who drives has reached the target within this distance."""

STRICT_LIMIT_M: Final = 0.1
"""Obstacles that push an agent off its line by this much in all are a strict collision."""

_POSE_VALUES: Final = 4
_LARGEST_TRACK_BYTES: Final = 64 << 20


class DrivenBy(StrEnum):
    """Who held the wheel."""

    HAND = "hand"
    """A person, by keys or sticks."""

    ITSELF = "itself"
    """The agent, straight towards the target."""


@dataclass(frozen=True, slots=True)
class PassageDrive:
    """The last drive of an agent along a passage, up to where it reached the target or ended.

    Lengths in metres, places in the scene frame.
    """

    passage: Passage
    driven_by: DrivenBy
    has_reached: bool
    """Whether the target was reached; what came after that is not part of the drive."""

    nearest_target_m: float | None = None
    """How near the target it came."""

    stopped_at_m: Vec3 | None = None
    narrowest_m: float | None = None
    """Smallest clearance that was measured."""

    narrowest_at_m: Vec3 | None = None
    highest_step_m: float = 0.0
    pushed_m: float = 0.0
    """How far obstacles have pushed it off the line it was commanded along, summed."""

    blocked_by: str = ""
    """What stopped it, as the mover calls it: ``stairs``, ``obstacle``; empty for nothing."""

    touched: tuple[str, ...] = ()
    """Names of the objects touched, in order."""

    sim_time_s: float = 0.0
    track: str = ""
    """Digest of the attachment that has the poses, see ``unpack_track``; empty if none is kept."""

    author: str = ""
    """Who drove, or let drive."""

    time_utc: str = ""
    """ISO 8601 with offset."""

    provenance: Provenance = field(default_factory=Provenance)

    @property
    def is_strict_collision(self) -> bool:
        """Whether obstacles pushed the agent off its line by 0.1 m or more."""
        return self.pushed_m >= STRICT_LIMIT_M


Track = tuple[tuple[Vec3, float], ...]
"""Floor point and yaw at every telemetry, in order."""


def pack_track(track: Sequence[tuple[Vec3, float]]) -> bytes:
    """The bytes of a driven path: compressed float32, a micrometre at 10 m from the origin."""
    poses = np.array([(*point, yaw) for point, yaw in track], dtype="<f4")
    return zlib.compress(poses.reshape(-1, _POSE_VALUES).tobytes())


def unpack_track(data: bytes) -> Track:
    """The driven path of ``pack_track``.

    Raises:
        ValueError: If the bytes are of something else.
    """
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(data, _LARGEST_TRACK_BYTES)
    except zlib.error as error:
        raise ValueError(f"is no driven path: {error}") from error
    if not unpacker.eof or len(raw) % (4 * _POSE_VALUES):
        raise ValueError("is no driven path: it is cut off or too long")
    poses = np.frombuffer(raw, dtype="<f4").reshape(-1, _POSE_VALUES).tolist()
    if not all(math.isfinite(value) for pose in poses for value in pose):
        raise ValueError("is no driven path: a number is not finite")
    return tuple(((x, y, z), yaw) for x, y, z, yaw in poses)
