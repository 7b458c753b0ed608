"""Doorways without a lintel: where the way between walls is narrow and wide on both sides.

Rooms are told apart by the distance to their walls, as in the distance transform segmentation of
Bormann et al., Room segmentation: survey, implementation, and analysis, ICRA 2016.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

MOST_WIDTH_M: Final = 1.4
"""What is wider is no doorway but one room."""

_LEAST_WIDTH_M: Final = 0.5
_LEVEL_M: Final = 0.05
_NEAR_M: Final = 0.8
_WIDER_M: Final = 0.12
"""So near to a doorway there is so much more room on both sides; along a corridor there is not."""

_SQUARE: Final = np.ones((3, 3))


def openings_without_lintel(walls: NDArray[np.bool_], cell_m: float) -> NDArray[np.bool_]:
    """(ny, nx) cells of lines across each narrow opening, from wall to wall.

    Args:
        walls: (ny, nx) cells of walls, seen from above.
        cell_m: Side of a cell.
    """
    found = np.zeros_like(walls)
    if not walls.any():
        return found
    distance, nearest = ndimage.distance_transform_edt(~walls, return_indices=True)
    room_m = np.asarray(distance) * cell_m
    for row, column in _saddles(room_m):
        if not _is_wider_on_both_sides(room_m, row, column, cell_m):
            continue
        side = (int(nearest[0][row, column]), int(nearest[1][row, column]))
        line = _across(walls, (row, column), side, round(MOST_WIDTH_M / cell_m))
        if line is not None:
            found[line] = True
    return ndimage.binary_dilation(found, _SQUARE) & ~walls if found.any() else found


def _saddles(room_m: NDArray[np.float64]) -> Iterator[tuple[int, int]]:
    """Where places apart at one width come together at the next smaller one."""
    levels = np.arange(MOST_WIDTH_M / 2, _LEAST_WIDTH_M / 2, -_LEVEL_M)
    before, _ = ndimage.label(room_m > levels[0], _SQUARE)
    for level in levels[1:]:
        is_new = (room_m > level) & (before == 0)
        if before.any():
            index = ndimage.distance_transform_edt(
                before == 0, return_distances=False, return_indices=True
            )
            borders, count = ndimage.label(is_new & _borders(before[tuple(index)]), _SQUARE)
            for number, window in enumerate(ndimage.find_objects(borders, count), start=1):
                room = np.where(borders[window] == number, room_m[window], 0.0)
                row, column = divmod(int(room.argmax()), room.shape[1])
                yield row + window[0].start, column + window[1].start
        before, _ = ndimage.label(room_m > level, _SQUARE)


def _borders(places: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Cells beside one that is nearer to another place."""
    found = np.zeros(places.shape, dtype=bool)
    found[:, 1:] |= places[:, 1:] != places[:, :-1]
    found[1:] |= places[1:] != places[:-1]
    return found


def _is_wider_on_both_sides(
    room_m: NDArray[np.float64], row: int, column: int, cell_m: float
) -> bool:
    reach = round(_NEAR_M / cell_m)
    rows, columns = (slice(max(at - reach, 0), at + reach + 1) for at in (row, column))
    wider = room_m[rows, columns] > room_m[row, column] + _WIDER_M
    _, count = ndimage.label(wider, _SQUARE)
    return bool(count >= 2)


def _across(
    walls: NDArray[np.bool_], middle: tuple[int, int], side: tuple[int, int], most_cells: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Cells of the line from the nearest wall through a cell to the wall on the other side."""
    way = np.array([middle[0] - side[0], middle[1] - side[1]], dtype=float)
    length = float(np.hypot(*way))
    if length == 0:
        return None
    steps = np.arange(0.0, most_cells + 1, 0.5)
    rows = np.rint(side[0] + way[0] / length * steps).astype(np.int64)
    columns = np.rint(side[1] + way[1] / length * steps).astype(np.int64)
    is_inside = (rows >= 0) & (rows < walls.shape[0]) & (columns >= 0) & (columns < walls.shape[1])
    rows, columns = rows[is_inside], columns[is_inside]
    is_past = steps[: len(rows)] > length
    ends = np.flatnonzero(walls[rows, columns] & is_past)
    return None if not len(ends) else (rows[: ends[0]], columns[: ends[0]])
