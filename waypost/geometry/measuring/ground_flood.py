"""The ground that a body can reach from a place, step by step over the cells of a window."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter, minimum_filter
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.body import TOUCH_M
from waypost.geometry.measuring.height_field import (
    LAYERS_M,
    Bools,
    Floats,
    Grid,
    HeightField,
    Ints,
    highest_so_far,
)
from waypost.geometry.measuring.scene_ground import RAISED_M

ABOVE_M = 0.3
BELOW_M = 0.5
"""A node may be sunk or float this far: as in the checks of a graph."""

_SAME_M = 0.0005
_NEIGHBOURS = ((0, -1), (-1, 0), (1, 0), (0, 1))
"""In the order of their numbers, and so of their surfaces."""

_RAYS = (*_NEIGHBOURS, (1, 1), (1, -1), (-1, 1), (-1, -1))
OTHER_STOREY_M = 1.2
"""What is this far below or above both nodes is reached by other edges."""

_LAYER_CELLS = 3
_CLOSE_M = 0.03
"""Steps that are farther from a limit are not noted."""

_AT_ONCE = 100_000
"""A window has a million surfaces; what is computed for each is let go after so many."""


@dataclass(frozen=True, slots=True)
class StepLimits:
    """How high a body steps, and how much of its height must be free above the step."""

    up_m: float
    down_m: float
    height_m: float
    gap_m: float
    """The widest void that it bridges."""


@dataclass(frozen=True, eq=False, slots=True)
class Surfaces:
    """Every surface of a field that faces up, sorted by cell and height.

    There are a million of them in a window, so that what the field has of them stays in it.
    """

    field: HeightField
    span: NDArray[np.int32]
    """Which span of the field each is the upper end of."""

    key: Floats
    roof_m: Floats
    """Highest solid of the cell that begins below the head of a body that stands here."""

    def __len__(self) -> int:
        return len(self.span)

    def cell(self, which: Ints | slice) -> Ints:
        """Cells of some surfaces."""
        return self.field.cell[self.span[which]]

    def z_m(self, which: Ints | slice) -> Floats:
        """Heights of some surfaces."""
        return self.field.high_m[self.span[which]]

    def triangle(self, which: Ints | slice) -> Ints:
        """Triangles of some surfaces."""
        return self.field.triangle[self.span[which]]

    @classmethod
    def of(cls, field: HeightField, height_m: float, raised: Bools | None = None) -> Surfaces:
        """The surfaces of a field for a body of some height.

        Args:
            field: Of the window.
            height_m: What begins higher above a surface is not over it.
            raised: Spans that are no ground, and no surface below them is.
        """
        up = np.flatnonzero(field.is_upward if raised is None else field.is_upward & ~raised)
        up = up.astype(np.int32)
        key = field.cell[up] * LAYERS_M
        key += field.high_m[up] - field.floor_m
        order = np.argsort(key, kind="stable").astype(np.int32)
        key, up = key[order], up[order]
        del order
        last = np.append(np.diff(key) > _SAME_M, True) if len(key) else np.empty(0, bool)
        key, up = key[last], up[last]
        del last
        cell, z = field.cell[up], field.high_m[up]
        roof = field.highest_from_below(cell, z + height_m - TOUCH_M)
        if raised is not None and raised.any():
            roof[_is_under(field, raised, cell, z, height_m)] = np.inf
        return cls(field, up, key, roof)

    def highest_below(self, cell: Ints, z_m: Floats) -> tuple[Ints, Bools]:
        """The highest surface of each cell that is not above a height, and whether there is one."""
        key = cell * LAYERS_M + (z_m - self.field.floor_m)
        index = np.searchsorted(self.key, key, side="right") - 1
        found = (index >= 0) & (self.cell(index) == cell) if len(self) else index >= 0
        return index, found


def _is_under(field: HeightField, raised: Bools, cell: Ints, z_m: Floats, height_m: float) -> Bools:
    """Which surfaces have furniture over them before the head of a body."""
    own = np.flatnonzero(raised)
    of = field.cell[own]
    tops = highest_so_far(of, field.high_m[own], field.floor_m)
    key = cell * LAYERS_M + (z_m + height_m - TOUCH_M - field.floor_m)
    index = np.searchsorted(field.low_key[own], key, side="left") - 1
    found = (index >= 0) & (of[np.maximum(index, 0)] == cell)
    return np.asarray(found & (tops[np.maximum(index, 0)] > z_m + RAISED_M + TOUCH_M))


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

    reached: Bools
    """Which surfaces of the field were reached."""

    close_xy_m: Floats
    """(N, 2) ground beside a step that is nearly at a limit."""

    close_m: Floats
    """How near each of these steps is to its limit, on either side of it."""

    @property
    def is_ground(self) -> Bools:
        """Cells whose ground was reached."""
        return np.isfinite(self.z_m)

    def is_same(self, other: GroundSheet) -> bool:
        """Whether two places of one window reach the same ground."""
        return (
            np.array_equal(self.reached, other.reached)
            and np.array_equal(self.is_void, other.is_void)
            and np.array_equal(self.z_m, other.z_m, equal_nan=True)
        )


class StartFault:
    """Why a body cannot stand at a place."""

    NO_FLOOR = "no floor"
    INSIDE = "inside something"


def surface_at(
    surfaces: Surfaces, place: Vec3, limits: StepLimits, tolerance_m: float
) -> tuple[int, str]:
    """The surface under a place, or −1 and why there is none.

    Any cell within the tolerance may carry it; the nearest one in plan is taken, and in it the
    surface nearest to the height of the place.
    """
    grid = surfaces.field.grid
    centres = _cells_around(grid, place, max(tolerance_m, grid.cell_m))
    index = np.flatnonzero(np.isin(surfaces.cell(slice(None)), centres))
    z = surfaces.z_m(index)
    index = index[(z <= place[2] + ABOVE_M) & (z > place[2] - BELOW_M)]
    if not len(index):
        return -1, StartFault.NO_FLOOR
    free = index[surfaces.roof_m[index] <= surfaces.z_m(index) + limits.up_m + TOUCH_M]
    if not len(free):
        return -1, StartFault.INSIDE
    cell = surfaces.cell(free)
    x = grid.centres(cell // grid.columns, cell % grid.columns)
    away = np.hypot(x[:, 0] - place[0], x[:, 1] - place[1])
    cost = np.abs(surfaces.z_m(free) - place[2]) + 0.2 * np.floor(away / grid.cell_m) * grid.cell_m
    return int(free[np.argmin(cost)]), ""


def _cells_around(grid: Grid, place: Vec3, radius_m: float) -> Ints:
    reach = math.ceil(radius_m / grid.cell_m)
    i, j = int((place[0] - grid.x0_m) / grid.cell_m), int((place[1] - grid.y0_m) / grid.cell_m)
    dj, di = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    dj, di = dj[np.hypot(dj, di) <= reach], di[np.hypot(dj, di) <= reach]
    inside = (i + di >= 0) & (i + di < grid.columns) & (j + dj >= 0) & (j + dj < grid.rows)
    return np.asarray((j + dj)[inside] * grid.columns + (i + di)[inside], dtype=np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class GroundSteps:
    """Every step of one kind of body between the surfaces of a window."""

    surfaces: Surfaces
    limits: StepLimits
    graph: csr_matrix
    """From each surface to those that are a step away."""

    void_of: Ints
    """Surfaces beside a cell without ground."""

    slack_of: NDArray[np.int32]
    slack_m: NDArray[np.float32]
    """Surfaces beside a step that is nearly at a limit, and how nearly."""


def all_steps(
    surfaces: Surfaces, limits: StepLimits, heights_m: tuple[float, float]
) -> GroundSteps:
    """The steps of a body between neighbouring cells.

    From a ground at z it goes on to the highest surface of the next cell that is not above
    z + step, if that is not deeper than the drop limit and nothing stands between (lower
    ground + step) and (new ground + height). Ground outside of the heights is of another storey.
    """
    grid, z = surfaces.field.grid, surfaces.z_m(slice(None))
    stands = np.flatnonzero(
        (surfaces.roof_m <= z + limits.up_m + TOUCH_M) & (z >= heights_m[0]) & (z <= heights_m[1])
    )
    del z
    targets = np.full((len(stands), len(_NEIGHBOURS)), -1, dtype=np.int32)
    voids, near, slacks = [], [], []
    for begin in range(0, max(1, len(stands)), _AT_ONCE):
        some = stands[begin : begin + _AT_ONCE]
        for k, (di, dj) in enumerate(_NEIGHBOURS):
            cell, inside = _shifted(surfaces.cell(some), di, dj, grid)
            source, cell = some[inside], cell[inside]
            step = _judge(surfaces, source, cell, limits)
            targets[begin + np.flatnonzero(inside), k] = np.where(step.is_free, step.target, -1)
            voids.append(source[step.is_void])
            close = step.slack_m < _CLOSE_M
            near.append(source[close].astype(np.int32))
            slacks.append(step.slack_m[close].astype(np.float32))
    return GroundSteps(
        surfaces,
        limits,
        _graph(len(surfaces), stands, targets),
        np.unique(np.concatenate(voids)),
        np.concatenate(near),
        np.concatenate(slacks),
    )


def _graph(count: int, sources: Ints, targets: NDArray[np.int32]) -> csr_matrix:
    """The graph of some nodes and what they lead to, ascending, −1 for nothing."""
    is_step = targets >= 0
    row = np.zeros(count + 1, dtype=np.int64)
    row[sources + 1] = is_step.sum(axis=1)
    ends = targets[is_step]
    return csr_matrix((np.ones(len(ends), np.int8), ends, np.cumsum(row)), shape=(count, count))


def flood(steps: GroundSteps, start: int) -> GroundSheet:
    """Everything that can be reached from a surface.

    A void is bridged along eight directions up to the widest gap of the body.
    """
    count, grid = len(steps.surfaces), steps.surfaces.field.grid
    graph = steps.graph
    bridged = np.zeros(grid.rows * grid.columns, dtype=bool)
    tried = np.zeros(count, dtype=bool)
    while True:
        order = _reach(graph, start)
        reached = np.zeros(count, dtype=bool)
        reached[order] = True
        rim = steps.void_of[reached[steps.void_of] & ~tried[steps.void_of]]
        if not len(rim):
            return _sheet(steps, order, reached, bridged)
        tried[rim] = True
        starts, ends, crossed = _bridges(steps, rim)
        bridged[crossed] = True
        found = (np.ones(len(starts), np.int8), (starts, ends))
        graph = graph + csr_matrix(found, shape=(count, count))


def _reach(graph: csr_matrix, start: int) -> Ints:
    # SciPy copies a graph of any other type; of one number as often as there are steps it need not.
    weights = np.broadcast_to(np.float64(1.0), graph.nnz)
    weighted = csr_matrix((weights, graph.indices, graph.indptr), shape=graph.shape)
    order: Ints = breadth_first_order(weighted, start, return_predecessors=False)
    return order


def _shifted(cell: Ints, di: int, dj: int, grid: Grid) -> tuple[Ints, Bools]:
    moved = cell + (dj * grid.columns + di)
    inside = (moved >= 0) & (moved < grid.columns * grid.rows)
    if di:
        column = cell % grid.columns + di
        inside &= (column >= 0) & (column < grid.columns)
    return moved, inside


@dataclass(frozen=True, eq=False, slots=True)
class _Step:
    """A step from each of some surfaces into a cell."""

    target: Ints
    """The surface it leads to; −1 for none."""

    is_free: Bools
    is_void: Bools
    slack_m: Floats
    """How near it is to the limit up, down, or of what may stand in the way."""


def _judge(surfaces: Surfaces, source: Ints, cell: Ints, limits: StepLimits) -> _Step:
    z = surfaces.z_m(source)
    target, found = surfaces.highest_below(cell, z + limits.up_m + _SAME_M)
    target = np.where(found, target, -1)
    new = np.where(found, surfaces.z_m(target), -np.inf)
    deep = new < z - limits.down_m - _SAME_M
    roof, lower = surfaces.roof_m[target], np.minimum(z, new)
    is_free = ~deep & (roof <= lower + limits.up_m + TOUCH_M)
    is_void = deep.copy()
    # A drop is a void only if nothing stands in the way above it.
    top = surfaces.field.highest_from_below(cell[deep], z[deep] + limits.height_m - TOUCH_M)
    is_void[deep] = top <= z[deep] + limits.up_m + TOUCH_M
    rise = new - z
    slack = np.minimum(np.abs(rise - limits.up_m), np.abs(rise + limits.down_m))
    slack = np.minimum(slack, np.abs(roof - lower - limits.up_m))
    return _Step(target, is_free, is_void, slack)


def _bridges(steps: GroundSteps, rim: Ints) -> tuple[Ints, Ints, Ints]:
    """Landings on the far side of voids, and the cells crossed."""
    surfaces, limits = steps.surfaces, steps.limits
    grid = surfaces.field.grid
    empty = np.empty(0, np.int64)
    starts, ends, crossed = [empty], [empty], [empty]
    for di, dj in _RAYS:
        source, over = rim, np.empty((0, len(rim)), dtype=np.int64)
        for k in range(1, int(limits.gap_m / (grid.cell_m * math.hypot(di, dj))) + 3):
            cell, inside = _shifted(surfaces.cell(source), di * k, dj * k, grid)
            source, cell, over = source[inside], cell[inside], over[:, inside]
            if not len(source):
                break
            step = _judge(surfaces, source, cell, limits)
            if k > 1:
                starts.append(source[step.is_free])
                ends.append(step.target[step.is_free])
                crossed.append(over[:, step.is_free].ravel())
            over = np.vstack([over, cell])[:, step.is_void]
            source = source[step.is_void]
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(crossed)


def _sheet(steps: GroundSteps, order: Ints, reached: Bools, bridged: Bools) -> GroundSheet:
    surfaces = steps.surfaces
    grid = surfaces.field.grid
    z = np.full(grid.rows * grid.columns, np.nan)
    triangle = np.full(grid.rows * grid.columns, -1, dtype=np.int64)
    # What is reached first is written last.
    back = order[::-1]
    cell = surfaces.cell(back)
    z[cell] = surfaces.z_m(back)
    triangle[cell] = surfaces.triangle(back)
    rank = np.zeros(grid.rows * grid.columns, dtype=np.int64)
    rank[cell] = len(order) - np.arange(len(order))
    layered = _other_layer(z, rank, grid, steps.limits)
    z[layered], triangle[layered] = np.nan, -1
    void = bridged & np.isnan(z)
    rim = steps.void_of[reached[steps.void_of]]
    for di, dj in _NEIGHBOURS:
        cell, inside = _shifted(surfaces.cell(rim), di, dj, grid)
        source, cell = rim[inside], cell[inside]
        is_void = _judge(surfaces, source, cell, steps.limits).is_void
        void[cell[is_void & np.isnan(z[cell])]] = True
    is_close = reached[steps.slack_of]
    close = surfaces.cell(steps.slack_of[is_close])
    shape = (grid.rows, grid.columns)
    return GroundSheet(
        grid,
        z.reshape(shape),
        void.reshape(shape),
        triangle.reshape(shape),
        reached,
        grid.centres(close // grid.columns, close % grid.columns),
        steps.slack_m[is_close].astype(np.float64),
    )


def _other_layer(z_m: Floats, rank: Ints, grid: Grid, limits: StepLimits) -> Bools:
    """Cells of a layer that lies over or under one that was reached before.

    Where something stands on a floor, the ground of its cells may be that of the storey above.
    Cells near such a leap are left out, so that what stands there is judged from the floor.
    """
    shape = (grid.rows, grid.columns)
    z, first = z_m.reshape(shape), rank.reshape(shape)
    leap = max(limits.up_m, limits.down_m, 0.3) * 2 + 0.2
    known = np.isfinite(z)
    if np.ptp(z[known]) <= leap:
        return np.zeros(len(z_m), dtype=bool)
    size = 2 * _LAYER_CELLS + 1
    low, high = np.where(known, z, np.inf), np.where(known, z, -np.inf)
    far = known & (
        (high - minimum_filter(low, size) > leap) | (maximum_filter(high, size) - low > leap)
    )
    if not far.any():
        return np.zeros(len(z_m), dtype=bool)
    left_out = np.zeros(shape, dtype=bool)
    for j, i in zip(*np.nonzero(far), strict=True):
        rows = slice(max(0, j - _LAYER_CELLS), j + _LAYER_CELLS + 1)
        columns = slice(max(0, i - _LAYER_CELLS), i + _LAYER_CELLS + 1)
        other = np.abs(z[rows, columns] - z[j, i]) > leap
        left_out[j, i] = bool((first[rows, columns][other] < first[j, i]).any())
    return left_out.ravel()
