"""Read start rotations, and doubt them: no length, another order, another up axis.

A quaternion that only turns about the up axis has its two numbers in two of four slots, and which
two differs between (x, y, z, w) and (w, x, y, z) and between Y up and Z up. So a swapped order
shows by itself. A sign or a right angle does not; that shows against the paths of a whole data set
(``domain.heading_checks``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from waypost.domain.episode.import_report import ImportKind
from waypost.io.read_log import ReadLog

_UPRIGHT_RAD: Final = math.radians(1.0)
_UNIT_TOLERANCE: Final = 1e-3
_LEAST_LENGTH: Final = 1e-9
_NO_YAWS: Final[Mapping[str, float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RotationReading:
    """One way to understand the four numbers of a rotation."""

    title: str
    """For messages, e.g. ``x, y, z, w with Y up``."""

    w_slot: int
    """Where the real part stands: 0 or 3."""

    is_y_up: bool
    """Habitat's frame, forward −Z; else Isaac's, Z up, forward +X."""


HABITAT: Final = RotationReading("x, y, z, w with Y up", 3, True)
ISAAC: Final = RotationReading("w, x, y, z with Z up", 0, False)
READINGS: Final = (
    HABITAT,
    ISAAC,
    RotationReading("w, x, y, z with Y up", 0, True),
    RotationReading("x, y, z, w with Z up", 3, False),
)


def read_rotation(numbers: Sequence[float], reading: RotationReading) -> tuple[float, float]:
    """Scene yaw and tilt against the vertical, radians, of four numbers of any length > 0."""
    length = math.hypot(*numbers)
    q = [number / length for number in numbers]
    w, (x, y, z) = q[reading.w_slot], (q[1:] if reading.w_slot == 0 else q[:3])
    if reading.is_y_up:
        forward = (-2 * (x * z + w * y), 2 * (x * x + y * y) - 1)
        up = 1 - 2 * (x * x + z * z)
        yaw = math.atan2(-forward[1], forward[0])
    else:
        yaw = math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
        up = 1 - 2 * (x * x + y * y)
    return yaw, math.acos(max(-1.0, min(1.0, up)))


def yaw_of_rotation(
    numbers: Sequence[float], declared: RotationReading, item_id: str, log: ReadLog
) -> float | None:
    """Scene yaw of four numbers; ``None`` if they are no rotation.

    Reports a length that is zero or not one, and a rotation that is upright only when read in
    another way than the format declares.
    """
    length = math.hypot(*numbers)
    shown = "[" + ", ".join(f"{number:g}" for number in numbers) + "]"
    if length < _LEAST_LENGTH:
        log.add(
            ImportKind.BAD_QUATERNION,
            "start rotation has length zero, so the start heading is unknown",
            item_id=item_id,
            value=shown,
        )
        return None
    if abs(length - 1) > _UNIT_TOLERANCE:
        log.add(
            ImportKind.BAD_QUATERNION,
            f"start rotation has length {length:.4g}, not 1; it was scaled",
            item_id=item_id,
            value=shown,
        )
    yaw, tilt = read_rotation(numbers, declared)
    if tilt > _UPRIGHT_RAD:
        other = _upright_reading(numbers)
        log.add(
            ImportKind.NOTE if other is None else ImportKind.HEADING_MISMATCH,
            f"start rotation, read as {declared.title}, leans by {math.degrees(tilt):.0f}°"
            + ("" if other is None else f"; read as {other.title} it is upright"),
            item_id=item_id,
            value=shown,
        )
    return yaw


def _upright_reading(numbers: Sequence[float]) -> RotationReading | None:
    for reading in READINGS:
        if read_rotation(numbers, reading)[1] <= _UPRIGHT_RAD:
            return reading
    return None


def other_yaws(numbers: Sequence[float], declared: RotationReading) -> Mapping[str, float]:
    """Scene yaws of four numbers in the other readings that make them upright, by name.

    Empty for a sound rotation: what is upright in one reading hardly ever is in another.
    """
    if math.hypot(*numbers) < _LEAST_LENGTH or read_rotation(numbers, declared)[1] <= _UPRIGHT_RAD:
        return _NO_YAWS
    yaws = {}
    for reading in READINGS:
        yaw, tilt = read_rotation(numbers, reading)
        if tilt <= _UPRIGHT_RAD:
            yaws[f"quaternion as {reading.title}"] = yaw
    return MappingProxyType(yaws)
