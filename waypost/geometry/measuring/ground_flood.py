"""The ground that a body can reach from a place, step by step over the cells of a window."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.body import TOUCH_M
from waypost.geometry.measuring.height_field import LAYERS_M, Bools, Floats, Grid, HeightField, Ints

ABOVE_M = 0.3
BELOW_M = 0.5
"""A node may be sunk or float this far: as in the checks of a graph."""

_SAME_M = 0.0005
_NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1))
_RAYS = (*_NEIGHBOURS, (1, 1), (1, -1), (-1, 1), (-1, -1))
_ROUNDS = 200
"""Bridges over voids that are tried one after the other."""


@dataclass(frozen=True, eq=False, slots=True)
class StepLimits:
    """How high a body steps, and how much of its height must be free above the step."""

    up_m: float
    down_m: float
    height_m: float
    gap_m: float
    """The widest void that it bridges."""


@dataclass(frozen=True, eq=False, slots=True)
class Surfaces:
    """Every surface of a field that faces up, one or several in a cell, sorted by cell and height."""

    cell: Ints
    z_m: Floats
    triangle: Ints
    key: Floats
    roof_m: Floats
    """Highest solid of the cell that begins below the head of a body that stands here."""

    @classmethod
    def of(cls, field: HeightField, height_m: float) -> Surfaces:
        """The surfaces of a field for a body of some height."""
        up = field.is_upward
        key = field.cell[up] * LAYERS_M + (field.high_m[up] - field.floor_m)
        order = np.argsort(key, kind="stable")
        key, triangle = key[order], field.triangle[up][order]
        last = np.append(np.diff(key) > _SAME_M, True) if len(key) else np.empty(0, bool)
        key, triangle = key[last], triangle[last]
        cell = field.cell[up][order][last]
        z = field.high_m[up][order][last]
        return cls(cell, z, triangle, key, _roofs(field, cell, z, height_m))

    def highest_below(self, cell: Ints, z_m: Floats, floor_m: float) -> tuple[Ints, Bools]:
        """The highest surface of each cell that is not above a height, and whether there is one."""
        index = np.searchsorted(self.key, cell * LAYERS_M + (z_m - floor_m), side="right") - 1
        found = (index >= 0) & (self.cell[index] == cell) if len(self.cell) else index >= 0
        return index, found


def _roofs(field: HeightField, cell: Ints, z_m: Floats, height_m: float) -> Floats:
    key = field.cell * LAYERS_M + (field.low_m - field.floor_m)
    tops = np.maximum.accumulate(field.cell * LAYERS_M + (field.high_m - field.floor_m))
    head = cell * LAYERS_M + (z_m + height_m - TOUCH_M - field.floor_m)
    index = np.searchsorted(key, head, side="left") - 1
    return np.asarray(tops[index] - cell * LAYERS_M + field.floor_m)


@dataclass(frozen=True, eq=False, slots=True)
class GroundSheet:
    """The ground a body reaches: one height per cell, the one reached first."""

    grid: Grid
    z_m: Floats
    """(rows, columns); NaN where no ground was reached."""

    is_void: Bools
    """No ground within a step, next to ground that was reached; bridged or not."""

    triangle: Ints
    """(rows, columns) triangle underfoot; −1 where there is none."""

    near_limit: float
    """Smallest distance of a step from its limit, metres: how doubtful the sheet is."""

    @property
    def is_ground(self) -> Bools:
        """Cells whose ground was reached."""
        return np.isfinite(self.z_m)


class StartFault:
    """Why a body cannot stand at a place."""

    NO_FLOOR = "no floor"
    INSIDE = "inside something"


def surface_at(
    surfaces: Surfaces, field: HeightField, place: Vec3, limits: StepLimits, tolerance_m: float
) -> tuple[int, str]:
    """The surface under a place, or −1 and why there is none.

    Any cell within the tolerance may carry it; the nearest one in plan is taken, and in it the
    surface nearest to the height of the place.
    """
    grid = field.grid
    centres = _cells_around(grid, place, max(tolerance_m, grid.cell_m))
    known = np.isin(surfaces.cell, centres)
    near = known & (surfaces.z_m <= place[2] + ABOVE_M) & (surfaces.z_m > place[2] - BELOW_M)
    index = np.flatnonzero(near)
    if not len(index):
        return -1, StartFault.NO_FLOOR
    free = index[surfaces.roof_m[index] <= surfaces.z_m[index] + limits.up_m + TOUCH_M]
    if not len(free):
        return -1, StartFault.INSIDE
    x = grid.centres(surfaces.cell[free] // grid.columns, surfaces.cell[free] % grid.columns)
    away = np.hypot(x[:, 0] - place[0], x[:, 1] - place[1])
    cost = np.abs(surfaces.z_m[free] - place[2]) + 0.2 * np.floor(away / grid.cell_m) * grid.cell_m
    return int(free[np.argmin(cost)]), ""


def _cells_around(grid: Grid, place: Vec3, radius_m: float) -> Ints:
    reach = math.ceil(radius_m / grid.cell_m)
    i, j = int((place[0] - grid.x0_m) / grid.cell_m), int((place[1] - grid.y0_m) / grid.cell_m)
    dj, di = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    dj, di = dj[np.hypot(dj, di) <= reach], di[np.hypot(dj, di) <= reach]
    inside = (i + di >= 0) & (i + di < grid.columns) & (j + dj >= 0) & (j + dj < grid.rows)
    return np.asarray((j + dj)[inside] * grid.columns + (i + di)[inside], dtype=np.int64)


@dataclass(eq=False, slots=True)
class _Steps:
    """Every step from a surface to one in a neighbouring cell."""

    surfaces: Surfaces
    field: HeightField
    limits: StepLimits
    start: Ints
    end: Ints
    void_of: Ints
    """Surfaces beside a cell without ground."""

    near_limit: float


def flood(surfaces: Surfaces, field: HeightField, start: int, limits: StepLimits) -> GroundSheet:
    """Everything that can be reached from a surface.

    From a ground at z a body goes on to the highest surface of the next cell that is not above
    z + step, if that is not deeper than the drop limit and nothing stands between (lower
    ground + step) and (new ground + height). A void is bridged along eight directions up to the
    widest gap.
    """
    steps = _all_steps(surfaces, field, limits)
    starts, ends = steps.start, steps.end
    bridged = np.zeros(field.grid.rows * field.grid.columns, dtype=bool)
    tried = np.zeros(len(surfaces.cell), dtype=bool)
    for _ in range(_ROUNDS):
        order = _reach(len(surfaces.cell), starts, ends, start)
        reached = np.zeros(len(surfaces.cell), dtype=bool)
        reached[order] = True
        rim = steps.void_of[reached[steps.void_of] & ~tried[steps.void_of]]
        if not len(rim):
            break
        tried[rim] = True
        new_starts, new_ends, crossed = _bridges(steps, np.unique(rim))
        bridged[crossed] = True
        if not len(new_starts) or reached[new_ends].all():
            continue
        starts, ends = np.append(starts, new_starts), np.append(ends, new_ends)
    return _sheet(steps, order, bridged)


def _reach(count: int, starts: Ints, ends: Ints, start: int) -> Ints:
    graph = csr_matrix((np.ones(len(starts), np.int8), (starts, ends)), shape=(count, count))
    return np.asarray(
        breadth_first_order(graph, start, directed=True, return_predecessors=False), dtype=np.int64
    )


def _all_steps(surfaces: Surfaces, field: HeightField, limits: StepLimits) -> _Steps:
    grid = field.grid
    stands = np.flatnonzero(surfaces.roof_m <= surfaces.z_m + limits.up_m + TOUCH_M)
    starts, ends, voids, near = [], [], [], math.inf
    for di, dj in _NEIGHBOURS:
        cell, inside = _shifted(surfaces.cell[stands], di, dj, grid)
        source, cell = stands[inside], cell[inside]
        target, is_free, is_void, margin = _judge(surfaces, field, source, cell, limits)
        starts.append(source[is_free])
        ends.append(target[is_free])
        voids.append(source[is_void])
        near = min(near, margin)
    return _Steps(
        surfaces,
        field,
        limits,
        np.concatenate(starts),
        np.concatenate(ends),
        np.unique(np.concatenate(voids)),
        near,
    )


def _shifted(cell: Ints, di: int, dj: int, grid: Grid) -> tuple[Ints, Bools]:
    i, j = cell % grid.columns + di, cell // grid.columns + dj
    inside = (i >= 0) & (i < grid.columns) & (j >= 0) & (j < grid.rows)
    return j * grid.columns + i, inside


def _judge(
    surfaces: Surfaces, field: HeightField, source: Ints, cell: Ints, limits: StepLimits
) -> tuple[Ints, Bools, Bools, float]:
    """Target of a step into a cell, whether it is free, whether there is a void, and how near a
    height is to a limit.
    """
    z = surfaces.z_m[source]
    target, found = surfaces.highest_below(cell, z + limits.up_m + _SAME_M, field.floor_m)
    target = np.where(found, target, 0)
    new = np.where(found, surfaces.z_m[target], -np.inf)
    deep = new < z - limits.down_m - _SAME_M
    roof = surfaces.roof_m[target]
    is_free = ~deep & (roof <= np.minimum(z, new) + limits.up_m + TOUCH_M)
    # A drop is a void only if nothing stands in the way above it.
    wall = _stands_in_band(field, cell, z, limits) if deep.any() else np.zeros(len(z), bool)
    rise = (new - z)[np.isfinite(new)]
    margins = np.concatenate([np.abs(rise - limits.up_m), np.abs(rise + limits.down_m)])
    return target, is_free, deep & ~wall, float(margins.min()) if len(margins) else math.inf


def _stands_in_band(field: HeightField, cell: Ints, z_m: Floats, limits: StepLimits) -> Bools:
    """Whether something of a cell reaches into the band above a height."""
    tops = _roofs(field, cell, z_m, limits.height_m)
    key = field.cell * LAYERS_M + (field.low_m - field.floor_m)
    index = np.searchsorted(
        key, cell * LAYERS_M + (z_m + limits.height_m - TOUCH_M - field.floor_m), side="left"
    )
    same = (index > 0) & (field.cell[np.maximum(index - 1, 0)] == cell)
    return np.asarray(same & (tops > z_m + limits.up_m + TOUCH_M))


def _bridges(steps: _Steps, rim: Ints) -> tuple[Ints, Ints, Ints]:
    """Landings on the far side of voids, and the cells crossed."""
    surfaces, field, limits = steps.surfaces, steps.field, steps.limits
    cell_m = field.grid.cell_m
    starts, ends, crossed = [], [], []
    for di, dj in _RAYS:
        source, over = rim, np.empty((0, len(rim)), dtype=np.int64)
        for k in range(1, int(limits.gap_m / (cell_m * math.hypot(di, dj))) + 3):
            cell, inside = _shifted(surfaces.cell[source], di * k, dj * k, field.grid)
            source, cell, over = source[inside], cell[inside], over[:, inside]
            if not len(source):
                break
            target, is_free, is_void, _ = _judge(surfaces, field, source, cell, limits)
            if k > 1:
                starts.append(source[is_free])
                ends.append(target[is_free])
                crossed.append(over[:, is_free].ravel())
            over = np.vstack([over, cell])[:, is_void]
            source = source[is_void]
    empty = np.empty(0, np.int64)
    return (
        np.concatenate([empty, *starts]),
        np.concatenate([empty, *ends]),
        np.concatenate([empty, *crossed]),
    )


def _sheet(steps: _Steps, order: Ints, bridged: Bools) -> GroundSheet:
    grid, surfaces = steps.field.grid, steps.surfaces
    z = np.full(grid.rows * grid.columns, np.nan)
    triangle = np.full(grid.rows * grid.columns, -1, dtype=np.int64)
    # What is reached first is written last.
    back = order[::-1]
    z[surfaces.cell[back]] = surfaces.z_m[back]
    triangle[surfaces.cell[back]] = surfaces.triangle[back]
    void = bridged & np.isnan(z)
    is_reached = np.zeros(len(surfaces.cell), dtype=bool)
    is_reached[order] = True
    rim = steps.void_of[is_reached[steps.void_of]]
    for di, dj in _NEIGHBOURS:
        cell, inside = _shifted(surfaces.cell[rim], di, dj, grid)
        source, cell = rim[inside], cell[inside]
        _, _, is_void, _ = _judge(surfaces, steps.field, source, cell, steps.limits)
        void[cell[is_void & np.isnan(z[cell])]] = True
    shape = (grid.rows, grid.columns)
    return GroundSheet(
        grid, z.reshape(shape), void.reshape(shape), triangle.reshape(shape), steps.near_limit
    )
