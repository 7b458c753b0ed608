"""Shortest paths over cells, in plan and with headings."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.configuration_space import (
    BESIDE,
    PoseCells,
    PoseGrid,
    components,
)
from waypost.geometry.measuring.height_field import Bools, Floats, Ints

_PLAN_MOVES = ((0, 1), (1, 0), (1, 1), (1, -1), (1, 2), (2, 1), (1, -2), (2, -1))
Number = TypeVar("Number", np.float64, np.int32)
Numbers = NDArray[np.int32]
"""Of cells: millions of them, so that half the bytes matter."""

_TUBE_M = 0.3
"""A path with headings is looked for this near to the path in plan."""


def plan_path(cost: Floats, cell_m: float, first: Bools, last: Bools) -> Ints | None:
    """The cheapest path over cells in plan.

    Args:
        cost: (rows, columns) factor on lengths; infinite where the path may not be.
        cell_m: Size of a cell.
        first: Cells it may start in.
        last: Cells it may end in.

    Returns:
        (N, 2) rows and columns, or nothing.
    """
    usable = np.isfinite(cost)
    number = _numbered(usable)
    starts, ends, weights = [], [], []
    for dj, di in _PLAN_MOVES:
        a, b = _shifted(number, dj, di)
        cost_a, cost_b = _shifted(cost, dj, di)
        both = (a >= 0) & (b >= 0)
        if abs(dj) + abs(di) == 3:
            both &= _passes_between(usable, dj, di)
        starts.append(a[both])
        ends.append(b[both])
        weights.append(math.hypot(dj, di) * cell_m * (cost_a[both] + cost_b[both]) / 2)
    way = _cheapest((starts, ends, weights), number, first & usable, last & usable)
    if way is None:
        return None
    row, column = np.nonzero(usable)
    return np.stack([row[way], column[way]], axis=1)


def _numbered(usable: Bools) -> Numbers:
    """The number of each usable cell, in order; −1 for all others."""
    number = np.full(usable.shape, -1, dtype=np.int32)
    number[usable] = np.arange(int(usable.sum()), dtype=np.int32)
    return number


def near_cells(cost: Floats, grid: PoseGrid, place: Vec3, tolerance_m: float) -> Bools:
    """Cells at a node if a path may be there, else all within its tolerance."""
    away = grid.away_m(place)
    for near in (away <= grid.cell_m, away <= tolerance_m):
        if np.isfinite(cost[near]).any():
            return np.asarray(near)
    return np.asarray(away <= tolerance_m + grid.cell_m / 2)


def _shifted(values: NDArray[Number], dj: int, di: int) -> tuple[NDArray[Number], NDArray[Number]]:
    """Each value and the one (dj, di) further on."""
    rows, columns = values.shape[0], values.shape[1]
    a = values[: rows - dj, max(0, -di) : columns - max(0, di)]
    b = values[dj:, max(0, di) : columns - max(0, -di)]
    return a, b


def _passes_between(usable: Bools, dj: int, di: int) -> Bools:
    """Whether a long move has both cells beside its middle to go over."""
    rows, columns = usable.shape[0], usable.shape[1]
    left, right = max(0, -di), columns - max(0, di)
    sign = 1 if di > 0 else -1
    near = (0, sign) if abs(di) == 2 else (1, 0)
    far = (dj - near[0], di - near[1])

    def at(j: int, i: int) -> Bools:
        return np.asarray(usable[j : rows - dj + j, left + i : right + i])

    return at(*near) & at(*far)


def _cheapest(
    moves: tuple[list[Numbers], list[Numbers], list[Floats]],
    number: Numbers,
    first: Bools,
    last: Bools,
) -> list[int] | None:
    """Numbers of the cells on the cheapest way from one of some cells to one of others."""
    if not first.any() or not last.any():
        return None
    count = int(number.max()) + 1
    goals, seeds = number[last], number[first]
    # One more node before all first ones.
    starts = np.concatenate([*moves[0], np.full(len(seeds), count, dtype=np.int32)])
    ends = np.concatenate([*moves[1], seeds])
    weights = np.concatenate([*moves[2], np.full(len(seeds), 1e-9)])
    for parts in moves:
        parts.clear()
    graph = csr_matrix((weights, (starts, ends)), shape=(count + 1, count + 1))
    del starts, ends, weights
    length, before = dijkstra(graph, directed=False, indices=count, return_predecessors=True)
    best = int(goals[np.argmin(length[goals])])
    if not math.isfinite(float(length[best])):
        return None
    way = [best]
    while before[way[-1]] != count:
        way.append(int(before[way[-1]]))
    return way[::-1]


def proven_path(cells: PoseCells, start: Vec3, end: Vec3, tolerance_m: float) -> Floats | None:
    """The cheapest path over passable cells of place and heading alone.

    Returns:
        (N, 3) x, y, heading, or nothing.
    """
    grid = cells.grid
    parts, _ = components(cells.passable, BESIDE)
    ends = [np.unique(parts[:, grid.away_m(place) <= tolerance_m]) for place in (start, end)]
    both = np.intersect1d(ends[0], ends[1])
    passable = np.isin(parts, both[both > 0])
    beside = _inner(passable)
    cost = np.where(_inner(beside), 1.0, np.where(beside, 2.0, np.where(passable, 4.0, np.inf)))
    return _cheapest_poses(cost, grid, (start, end), tolerance_m)


def _inner(cells: Bools) -> Bools:
    """Cells with another one on every side in plan."""
    inner = cells.copy()
    inner[:, 1:] &= cells[:, :-1]
    inner[:, :-1] &= cells[:, 1:]
    inner[:, :, 1:] &= cells[:, :, :-1]
    inner[:, :, :-1] &= cells[:, :, 1:]
    return inner


def pose_path(cells: PoseCells, start: Vec3, end: Vec3, tolerance_m: float) -> Floats | None:
    """The cheapest path over cells of place and heading, rather through passable ones.

    Returns:
        (N, 3) x, y, heading, or nothing.
    """
    grid = cells.grid
    cost = np.where(cells.passable, 1.0, np.where(cells.likely, 1.5, 6.0))
    cost[~cells.open] = np.inf
    return _cheapest_poses(cost, grid, (start, end), tolerance_m)


def _cheapest_poses(
    cost: Floats, grid: PoseGrid, ends: tuple[Vec3, Vec3], tolerance_m: float
) -> Floats | None:
    first, last = (near_cells(cost.min(axis=0), grid, place, tolerance_m) for place in ends)
    guide = plan_path(cost.min(axis=0), grid.cell_m, first, last)
    if guide is None:
        return None
    away = np.ones(first.shape, dtype=bool)
    away[guide[:, 0], guide[:, 1]] = False
    tube = distance_transform_edt(away) * grid.cell_m <= _TUBE_M
    near = np.where(tube[None], cost, np.inf)
    way = _pose_way(near, grid, first, last)
    if way is None:
        way = _pose_way(cost, grid, first, last)
    if way is None:
        return None
    x, y = grid.x_m[way[:, 2]], grid.y_m[way[:, 1]]
    return np.stack([x, y, way[:, 0] * grid.turn_rad], axis=1)


def _pose_way(cost: Floats, grid: PoseGrid, first: Bools, last: Bools) -> Ints | None:
    """Heading, row and column of the cells on the cheapest way."""
    usable = np.isfinite(cost)
    inner = _around(np.asarray(usable.any(axis=0)))
    if inner is None:
        return None
    usable, cost = usable[:, *inner], cost[:, *inner]
    number = _numbered(usable)
    moves: tuple[list[Numbers], list[Numbers], list[Floats]] = ([], [], [])
    rows, columns = usable.shape[1:]
    diagonal_m = grid.cell_m * math.sqrt(2)
    for dj, di, length in (
        (0, 1, grid.cell_m), (1, 0, grid.cell_m), (1, 1, diagonal_m), (1, -1, diagonal_m),
    ):  # fmt: skip
        here = (slice(None), slice(0, rows - dj), slice(max(0, -di), columns - max(0, di)))
        there = (slice(None), slice(dj, rows), slice(max(0, di), columns - max(0, -di)))
        _add_moves(moves, (number[here], number[there]), (cost[here], cost[there]), length)
    # The last heading is beside the first.
    for a, b in ((slice(None, -1), slice(1, None)), (slice(-1, None), slice(None, 1))):
        turn_m = grid.turn_rad * 0.5
        _add_moves(moves, (number[a], number[b]), (cost[a], cost[b]), turn_m)
    way = _cheapest(moves, number, usable & first[inner], usable & last[inner])
    if way is None:
        return None
    cells: Ints = np.stack(np.nonzero(usable), axis=1)[way]
    return np.asarray(cells + np.array([0, inner[0].start, inner[1].start]))


def _around(cells: Bools) -> tuple[slice, slice] | None:
    """The rows and columns that have any of the cells."""
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    if not len(rows):
        return None
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _add_moves(
    moves: tuple[list[Numbers], list[Numbers], list[Floats]],
    numbers: tuple[Numbers, Numbers],
    costs: tuple[Floats, Floats],
    length_m: float,
) -> None:
    """Add the moves of one length between usable cells."""
    both = (numbers[0] >= 0) & (numbers[1] >= 0)
    moves[0].append(numbers[0][both])
    moves[1].append(numbers[1][both])
    moves[2].append(length_m * (costs[0][both] + costs[1][both]) / 2)
