"""Where something leads, pose after pose: the shape that references and runs have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import FARTHEST_M, TOO_FAR


@dataclass(frozen=True, eq=False, slots=True)
class Route:
    """Poses in order; each has a viewpoint, a position, or both. Build it with ``route``.

    Two routes are equal when all their values are; unknown values (NaN) equal each other.
    """

    viewpoint_ids: tuple[str, ...] = ()
    """(N) nodes of a viewpoint graph, repeats kept; empty where the source has none."""

    positions_m: NDArray[np.float64] | None = None
    """(N, 3) metres, scene frame, read-only; ``None`` where the source has none."""

    yaws_rad: NDArray[np.float64] | None = None
    """(N,) scene yaw, NaN where unknown, read-only; ``None`` where the source has none."""

    elevations_rad: NDArray[np.float64] | None = None
    """(N,) gaze above the horizon, NaN where unknown, read-only; ``None`` without."""

    def __len__(self) -> int:
        return len(self.viewpoint_ids) if self.positions_m is None else len(self.positions_m)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Route):
            return NotImplemented
        return self.viewpoint_ids == other.viewpoint_ids and all(
            _same(a, b)
            for a, b in (
                (self.positions_m, other.positions_m),
                (self.yaws_rad, other.yaws_rad),
                (self.elevations_rad, other.elevations_rad),
            )
        )

    def __hash__(self) -> int:
        return hash((self.viewpoint_ids, len(self)))


EMPTY_ROUTE = Route()
"""No pose at all, e.g. the reference of a test split."""


def route(
    viewpoint_ids: Sequence[str] = (),
    positions_m: ArrayLike | None = None,
    yaws_rad: ArrayLike | None = None,
    elevations_rad: ArrayLike | None = None,
) -> Route:
    """Build a route, checking that all its parts have one length.

    Raises:
        InputError: If lengths differ, positions are not (N, 3), or one is not finite or beyond
            ``FARTHEST_M``.
    """
    positions = None
    if positions_m is not None:
        positions = np.array(positions_m, dtype=np.float64).reshape(-1, 3)
        if not np.isfinite(positions).all():
            bad = int(np.argmin(np.isfinite(positions).all(axis=1)))
            raise InputError(f"position {bad} of a route is not finite")
        if (np.abs(positions) > FARTHEST_M).any():
            bad = int(np.argmax((np.abs(positions) > FARTHEST_M).any(axis=1)))
            raise InputError(f"position {bad} of a route is {TOO_FAR}")
        positions.flags.writeable = False
    built = Route(tuple(viewpoint_ids), positions, _angles(yaws_rad), _angles(elevations_rad))
    lengths = {
        len(part) for part in (positions, built.yaws_rad, built.elevations_rad) if part is not None
    } | ({len(built.viewpoint_ids)} if built.viewpoint_ids else set())
    if len(lengths) > 1:
        raise InputError(f"the parts of a route have different lengths: {sorted(lengths)}")
    return built


def _angles(values: ArrayLike | None) -> NDArray[np.float64] | None:
    if values is None:
        return None
    array = np.array(values, dtype=np.float64).reshape(-1)
    array.flags.writeable = False
    return array


def _same(a: NDArray[np.float64] | None, b: NDArray[np.float64] | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b, equal_nan=True)
