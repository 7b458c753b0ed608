"""Leaves out the points of a path that its picture does not show."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

UNSEEN_PX: Final = 0.35
"""A line that passes a point this closely looks as if it went through it."""

_MOST_PASSES: Final = 12


def seen_points(
    points_px: NDArray[np.float64], starts: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Lines without the points between whose neighbours the way is straight.

    Args:
        points_px: (P, 2) of all lines, one after the other.
        starts: (L,) where each line starts, ascending from 0; none is empty.

    Returns:
        Points and starts again; both ends of every line stay.
    """
    if not len(starts):
        return points_px, starts
    ends = np.append(starts[1:], len(points_px)) - 1
    is_end = np.zeros(len(points_px), dtype=bool)
    is_end[starts], is_end[ends] = True, True
    places = np.arange(len(points_px))
    for _ in range(_MOST_PASSES):
        drops = np.zeros(len(places), dtype=bool)
        drops[1:-1] = _is_unseen(points_px[places]) & ~is_end[places[1:-1]]
        drops &= _is_every_other(drops)
        if not drops.any():
            break
        places = places[~drops]
    return points_px[places], np.searchsorted(places, starts)


def _is_unseen(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(P - 2,) whether a point lies on the way from the one before to the one after."""
    before, point, after = points[:-2], points[1:-1], points[2:]
    way, gap = after - before, point - before
    length = np.hypot(way[:, 0], way[:, 1])
    along = (way * gap).sum(axis=1)
    across = np.abs(way[:, 0] * gap[:, 1] - way[:, 1] * gap[:, 0])
    # One that the way turns back at lies beyond its ends.
    is_between = (along >= 0) & (along <= length**2) & (length > 0)
    return np.asarray(is_between & (across <= UNSEEN_PX * length))


def _is_every_other(drops: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a place is the first, third … of a row of neighbours that are all set."""
    places = np.arange(len(drops))
    last_clear = np.maximum.accumulate(np.where(drops, -1, places))
    return np.asarray((places - last_clear) % 2 == 1)
