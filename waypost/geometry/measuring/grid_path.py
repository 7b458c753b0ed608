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
Number = TypeVar("Number", np.float64, np.int64)

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
    number = np.full(cost.shape, -1, dtype=np.int64)
    number[usable] = np.arange(int(usable.sum()))
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
    way = _cheapest(
        (np.concatenate(starts), np.concatenate(ends), np.concatenate(weights)),
        int(usable.sum()),
        number[first & usable],
        number[last & usable],
    )
    if way is None:
        return None
    row, column = np.nonzero(usable)
    return np.stack([row[way], column[way]], axis=1)


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
    moves: tuple[Ints, Ints, Floats], count: int, first: Ints, last: Ints
) -> list[int] | None:
    """Nodes of the cheapest way from one of some nodes to one of others."""
    if not len(first) or not len(last):
        return None
    starts, ends, weights = moves
    # One more node before all first ones.
    starts = np.append(starts, np.full(len(first), count))
    ends = np.append(ends, first)
    weights = np.append(weights, np.full(len(first), 1e-9))
    graph = csr_matrix((weights, (starts, ends)), shape=(count + 1, count + 1))
    length, before = dijkstra(graph, directed=False, indices=count, return_predecessors=True)
    best = int(last[np.argmin(length[last])])
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
    cost = np.where(passable, np.where(_roomy(passable), 1.0, 3.0), np.inf)
    return _cheapest_poses(cost, grid, (start, end), tolerance_m)


def _roomy(cells: Bools) -> Bools:
    """Cells with two more on every side in plan."""
    inner = cells.copy()
    for _ in range(2):
        before = inner.copy()
        inner[:, 1:] &= before[:, :-1]
        inner[:, :-1] &= before[:, 1:]
        inner[:, :, 1:] &= before[:, :, :-1]
        inner[:, :, :-1] &= before[:, :, 1:]
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
    usable = np.isfinite(cost)
    number = np.full(cost.shape, -1, dtype=np.int64)
    number[usable] = np.arange(int(usable.sum()))
    turn_m = grid.turn_rad * 0.5
    moves = [(0, 0, 1, grid.cell_m), (0, 1, 0, grid.cell_m)]
    moves += [(0, 1, 1, grid.cell_m * math.sqrt(2)), (0, 1, -1, grid.cell_m * math.sqrt(2))]
    starts, ends, weights = [], [], []
    wrapped, wrapped_cost = np.roll(number, -1, axis=0), np.roll(cost, -1, axis=0)
    pairs = [(number, wrapped, cost, wrapped_cost, turn_m)]
    for _, dj, di, length in moves:
        rows, columns = grid.rows, grid.columns
        here = (slice(None), slice(0, rows - dj), slice(max(0, -di), columns - max(0, di)))
        there = (slice(None), slice(dj, rows), slice(max(0, di), columns - max(0, -di)))
        pairs.append((number[here], number[there], cost[here], cost[there], length))
    for a, b, cost_a, cost_b, length in pairs:
        both = (a >= 0) & (b >= 0)
        starts.append(a[both])
        ends.append(b[both])
        weights.append(length * (cost_a[both] + cost_b[both]) / 2)
    way = _cheapest(
        (np.concatenate(starts), np.concatenate(ends), np.concatenate(weights)),
        int(usable.sum()),
        number[:, first].ravel()[number[:, first].ravel() >= 0],
        number[:, last].ravel()[number[:, last].ravel() >= 0],
    )
    if way is None:
        return None
    return np.stack(np.nonzero(usable), axis=1)[way]
