"""Where an agent was, sample by sample, with what its driver did: the columns of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.errors import InputError

UNKNOWN_NS: Final = int(np.iinfo(np.int64).min)
"""Stands for a time that the source does not tell."""

UNKNOWN_COUNT: Final = -1
"""Stands for a count or a flag that the source does not tell."""


@dataclass(frozen=True, eq=False, slots=True)
class Trajectory:
    """Samples of one agent; build it with ``trajectory``. All arrays are read-only.

    Two trajectories are equal when all their values are; unknown values equal each other.
    """

    times_ns: NDArray[np.int64]
    """(T,) simulated time since the first sample; ``UNKNOWN_NS`` where unknown."""

    wall_times_ns: NDArray[np.int64]
    """(T,) monotonic wall time since the first sample; ``UNKNOWN_NS`` where unknown."""

    positions_m: NDArray[np.float64]
    """(T, 3) floor point under the body's centre, scene frame; NaN where unknown."""

    quaternions: NDArray[np.float64]
    """(T, 4) orientation of the body: w, x, y, z; NaN where unknown."""

    yaws_rad: NDArray[np.float64]
    """(T,) scene yaw; NaN where unknown."""

    camera_pitches_rad: NDArray[np.float64]
    """(T,) gaze above the horizon; NaN where unknown."""

    speeds_mps: NDArray[np.float64]
    """(T,) actual horizontal speed, ≥ 0; NaN where unknown."""

    turn_rates_radps: NDArray[np.float64]
    """(T,) counter-clockwise; NaN where unknown."""

    displacements_m: NDArray[np.float64]
    """(T,) motion that obstacles took or forced so far; NaN where unknown."""

    contact_counts: NDArray[np.int64]
    """(T,) objects touched since the sample before; ``UNKNOWN_COUNT`` where unknown."""

    has_focus: NDArray[np.int8]
    """(T,) 1 if the window heard the keys ever since the sample before, else 0;
    ``UNKNOWN_COUNT`` where unknown."""

    actions: tuple[str, ...]
    """(T) what the driver asked for, e.g. ``forward+turn_left``; empty where unknown."""

    def __len__(self) -> int:
        return len(self.times_ns)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectory):
            return NotImplemented
        return self.actions == other.actions and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True)
            for name in _WIDTHS
        )

    def __hash__(self) -> int:
        return hash((len(self), self.actions))


_WIDTHS: Final[dict[str, int]] = {
    field.name: {"positions_m": 3, "quaternions": 4}.get(field.name, 0)
    for field in fields(Trajectory)
    if field.name != "actions"
}
_INTEGERS: Final[dict[str, tuple[type[np.signedinteger[Any]], int]]] = {
    "times_ns": (np.int64, UNKNOWN_NS),
    "wall_times_ns": (np.int64, UNKNOWN_NS),
    "contact_counts": (np.int64, UNKNOWN_COUNT),
    "has_focus": (np.int8, UNKNOWN_COUNT),
}


def trajectory(
    count: int, *, actions: Sequence[str] | None = None, **columns: ArrayLike
) -> Trajectory:
    """Build a trajectory; what is left out is unknown.

    Args:
        count: Number of samples, T.
        actions: (T) words.
        columns: Any other fields of ``Trajectory``.

    Raises:
        InputError: If a column has another length or a name that is none.
    """
    unknown = columns.keys() - _WIDTHS.keys()
    if unknown:
        raise InputError(f"a trajectory has no column {min(unknown)!r}")
    built: dict[str, NDArray[Any]] = {}
    for name, width in _WIDTHS.items():
        shape = (count, width) if width else (count,)
        kind, default = _INTEGERS.get(name, (np.float64, np.nan))
        array = np.array(columns.get(name, np.full(shape, default)), dtype=kind)
        if array.shape != shape:
            raise InputError(f"{name}: has the shape {array.shape}, not {shape}")
        array.flags.writeable = False
        built[name] = array
    words = ("",) * count if actions is None else tuple(actions)
    if len(words) != count:
        raise InputError(f"actions: there are {len(words)}, not {count}")
    return Trajectory(**built, actions=words)
