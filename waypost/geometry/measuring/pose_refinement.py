"""Finer cells where coarse ones leave open whether a box passes.

Only mixed cells are divided, into eight; each takes along only those points that may be inside
the box in one of its poses and outside in another, so that finer levels have fewer points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.configuration_space import (
    AROUND,
    BESIDE,
    HalfSides,
    PoseCells,
    PoseGrid,
    components,
    join_parts,
)
from waypost.geometry.measuring.height_field import Bools, Floats, Ints

_MOST_PAIRS = 8_000_000
"""Pairs of cell and point at one level; beyond that the question is left open."""

_PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Region:
    """Rows and columns of a pose grid, ends excluded; all headings belong to it."""

    row0: int
    row1: int
    column0: int
    column1: int

    def joined(self, other: Region) -> Region:
        """The smallest region around both."""
        return Region(
            min(self.row0, other.row0),
            max(self.row1, other.row1),
            min(self.column0, other.column0),
            max(self.column1, other.column1),
        )

    @property
    def slices(self) -> tuple[slice, slice, slice]:
        """Index of the region in arrays (heading, row, column)."""
        return (
            slice(None),
            slice(self.row0, self.row1),
            slice(self.column0, self.column1),
        )


@dataclass(frozen=True, eq=False, slots=True)
class FineCells:
    """A region divided into finer cells."""

    region: Region
    factor: int
    """Fine cells along each side of a coarse one."""

    free: Bools
    open: Bools
    x_m: Floats
    y_m: Floats
    cell_m: float

    def away_m(self, place: Vec3) -> Floats:
        """(rows, columns) distance of each middle from a place in plan."""
        return np.hypot(self.x_m[None, :] - place[0], self.y_m[:, None] - place[1])


@dataclass(frozen=True, eq=False, slots=True)
class _Pairs:
    """Mixed cells of one level, and which points leave each one mixed."""

    heading: Ints
    row: Ints
    column: Ints
    cell: Ints
    """For each pair, its cell."""

    point: Ints


def refine(
    cells: PoseCells, region: Region, points: Floats, sides: HalfSides, levels: int
) -> FineCells | None:
    """Divide the mixed cells of a region again and again.

    Returns:
        The finer cells, or nothing if there are too many.
    """
    grid = cells.grid
    free, opened = cells.free[region.slices].copy(), cells.open[region.slices].copy()
    pairs = _first_pairs(cells, region, points, sides)
    for level in range(1, levels + 1):
        free, opened = _doubled(free), _doubled(opened)
        pairs = _children(pairs)
        if len(pairs.cell) > _MOST_PAIRS:
            return None
        pairs = _decide(pairs, level, grid, region, points, sides, free, opened)
    factor = 2**levels
    fine_m = grid.cell_m / factor
    rows = (region.row1 - region.row0) * factor
    columns = (region.column1 - region.column0) * factor
    x = grid.x0_m + region.column0 * grid.cell_m + (np.arange(columns) + 0.5) * fine_m
    y = grid.y0_m + region.row0 * grid.cell_m + (np.arange(rows) + 0.5) * fine_m
    return FineCells(region, factor, free, opened, x, y, fine_m)


def _doubled(cells: Bools) -> Bools:
    return np.repeat(np.repeat(np.repeat(cells, 2, axis=0), 2, axis=1), 2, axis=2)


def _first_pairs(cells: PoseCells, region: Region, points: Floats, sides: HalfSides) -> _Pairs:
    grid = cells.grid
    mixed = (cells.open & ~cells.free)[region.slices]
    heading, row, column = (np.asarray(axis, dtype=np.int64) for axis in np.nonzero(mixed))
    x = grid.x_m[region.column0 + column]
    y = grid.y_m[region.row0 + row]
    place, of_place = np.unique(np.stack([x, y], axis=1), axis=0, return_inverse=True)
    found = cKDTree(points).query_ball_point(place, sides.reach_m + grid.cell_m)
    count = np.array([len(near) for near in found], dtype=np.int64)[of_place]
    cell = np.repeat(np.arange(len(heading)), count)
    point = np.concatenate([np.empty(0, np.int64), *(found[k] for k in of_place)])
    return _Pairs(heading, row, column, cell, point.astype(np.int64))


def _children(pairs: _Pairs) -> _Pairs:
    """Eight cells for one; each has the points of its parent."""
    count = len(pairs.heading)
    k, j, i = (np.tile(axis.ravel(), count) for axis in np.mgrid[0:2, 0:2, 0:2])
    parent = np.repeat(np.arange(count), 8)
    cell = (pairs.cell[:, None] * 8 + np.arange(8)).ravel()
    return _Pairs(
        pairs.heading[parent] * 2 + k,
        pairs.row[parent] * 2 + j,
        pairs.column[parent] * 2 + i,
        cell,
        np.repeat(pairs.point, 8),
    )


def _decide(
    pairs: _Pairs,
    level: int,
    grid: PoseGrid,
    region: Region,
    points: Floats,
    sides: HalfSides,
    free: Bools,
    opened: Bools,
) -> _Pairs:
    """Mark what is sure at this level, and return the rest."""
    factor = 2**level
    size, turn = grid.cell_m / factor, grid.turn_rad / factor
    x = grid.x0_m + region.column0 * grid.cell_m + (pairs.column + 0.5) * size
    y = grid.y0_m + region.row0 * grid.cell_m + (pairs.row + 0.5) * size
    angle = (pairs.heading + 0.5) * turn - grid.turn_rad / 2
    inside, unsure = np.empty(len(pairs.cell), bool), np.empty(len(pairs.cell), bool)
    for first in range(0, len(pairs.cell), _PAIRS_AT_ONCE):
        part = slice(first, first + _PAIRS_AT_ONCE)
        cell, point = pairs.cell[part], pairs.point[part]
        inside[part], unsure[part] = _judge(
            points[point, 0] - x[cell],
            points[point, 1] - y[cell],
            angle[cell],
            (size / 2, turn / 2),
            sides,
        )
    count = len(pairs.heading)
    blocked = np.zeros(count, dtype=bool)
    blocked[pairs.cell[inside]] = True
    mixed = np.zeros(count, dtype=bool)
    mixed[pairs.cell[unsure]] = True
    mixed &= ~blocked
    sure = ~blocked & ~mixed
    opened[pairs.heading[blocked], pairs.row[blocked], pairs.column[blocked]] = False
    free[pairs.heading[sure], pairs.row[sure], pairs.column[sure]] = True
    kept = unsure & mixed[pairs.cell]
    number = np.cumsum(mixed) - 1
    return _Pairs(
        pairs.heading[mixed],
        pairs.row[mixed],
        pairs.column[mixed],
        number[pairs.cell[kept]],
        pairs.point[kept],
    )


def _judge(
    dx: Floats, dy: Floats, angle: Floats, half: tuple[float, float], sides: HalfSides
) -> tuple[Bools, Bools]:
    """Whether a point is inside the box in every pose of a cell, and whether only in some."""
    cos, sin = np.cos(angle), np.sin(angle)
    u, v = np.abs(dx * cos + dy * sin), np.abs(dy * cos - dx * sin)
    half_cell, half_turn = half
    drift = half_cell * (np.abs(cos) + np.abs(sin) + 2 * half_turn)
    turn_u, turn_v = v * half_turn + drift, u * half_turn + drift
    inside = (u + turn_u <= sides.along_m) & (v + turn_v <= sides.across_m)
    bend = math.cos(half_turn)
    outside = (u * bend - turn_u >= sides.along_m) | (v * bend - turn_v >= sides.across_m)
    return inside, ~inside & ~outside


def surely_passes(
    cells: PoseCells, fine: FineCells, start: Vec3, end: Vec3, tolerance_m: float
) -> bool:
    """Whether passable and finer free cells lead from start to end."""
    coarse, count = components(cells.passable, BESIDE)
    small, more = components(fine.free, BESIDE)
    small = np.where(small > 0, small + count + 1, 0)
    whole = cells.free[fine.region.slices]
    first = coarse[fine.region.slices][whole]
    half = fine.factor // 2
    second = small[half :: fine.factor, half :: fine.factor, half :: fine.factor][whole]
    joined = join_parts(count + more + 2, first.astype(np.int64), second.astype(np.int64))
    ends = []
    for place in (start, end):
        near, near_fine = cells.grid.away_m(place), fine.away_m(place)
        here = np.concatenate(
            [coarse[:, near <= tolerance_m].ravel(), small[:, near_fine <= tolerance_m].ravel()]
        )
        ends.append(np.unique(joined[here[here > 0]]))
    return bool(np.isin(ends[0], ends[1]).any())


def may_pass(
    cells: PoseCells, fine: FineCells, start: Vec3, end: Vec3, tolerance_m: float
) -> bool:
    """Whether open cells, finer ones in the region, lead from start to end."""
    region, factor = fine.region, fine.factor
    outside = cells.open.copy()
    outside[region.slices] = False
    coarse, count = components(outside, AROUND)
    small, more = components(fine.open, AROUND)
    small = np.where(small > 0, small + count + 1, 0)
    pairs = [_border_pairs(coarse, small, region, factor, side) for side in range(4)]
    first = np.concatenate([pair[0] for pair in pairs])
    second = np.concatenate([pair[1] for pair in pairs])
    joined = join_parts(count + more + 2, first, second)
    ends = []
    for place in (start, end):
        near = cells.grid.away_m(place) <= tolerance_m + cells.grid.cell_m
        near_fine = fine.away_m(place) <= tolerance_m + fine.cell_m
        here = np.concatenate([coarse[:, near].ravel(), small[:, near_fine].ravel()])
        ends.append(np.unique(joined[here[here > 0]]))
    return bool(np.isin(ends[0], ends[1]).any())


def _border_pairs(
    coarse: Ints, small: Ints, region: Region, factor: int, side: int
) -> tuple[Ints, Ints]:
    """Parts on both sides of one side of the region that share at least a corner."""
    rows, columns = slice(region.row0, region.row1), slice(region.column0, region.column1)
    empty = np.empty(0, np.int64)
    if side < 2:
        row = region.row0 - 1 if side == 0 else region.row1
        if not 0 <= row < coarse.shape[1]:
            return empty, empty
        beyond, here = coarse[:, row, columns], small[:, 0 if side == 0 else -1, :]
    else:
        column = region.column0 - 1 if side == 2 else region.column1
        if not 0 <= column < coarse.shape[2]:
            return empty, empty
        beyond, here = coarse[:, rows, column], small[:, :, 0 if side == 2 else -1]
    beyond = np.repeat(np.repeat(beyond, factor, axis=0), factor, axis=1)
    first, second = [empty], [empty]
    for turn in (-1, 0, 1):
        turned = np.roll(here, turn, axis=0)
        for shift in (-1, 0, 1):
            a = beyond[:, max(0, shift) : beyond.shape[1] + min(0, shift)]
            b = turned[:, max(0, -shift) : turned.shape[1] + min(0, -shift)]
            both = (a > 0) & (b > 0)
            pair = np.unique(np.stack([a[both], b[both]], axis=1), axis=0)
            first.append(pair[:, 0])
            second.append(pair[:, 1])
    return np.concatenate(first), np.concatenate(second)
