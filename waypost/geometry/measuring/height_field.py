"""Heights of all triangles over a grid of cells, many layers, exact to the rounding of floats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.signedinteger[Any]]
"""Numbers of cells and triangles; what is kept by the million has 32 bits."""

Bools = NDArray[np.bool_]

UPWARD_COSINE = 0.64
"""A triangle steeper than 50° is no ground."""

_PAIRS_AT_ONCE = 50_000
_OFF_ROUND_M = (0.00037, 0.00041)
"""Walls like to stand on round numbers; the lines of the grid do not."""

LAYERS_M = 64.0
"""Heights within a window are less than this apart, so that cell and height make one number."""


@dataclass(frozen=True, eq=False, slots=True)
class Grid:
    """Square cells over a window; row j is y, column i is x; cell number j × columns + i."""

    x0_m: float
    y0_m: float
    cell_m: float
    columns: int
    rows: int

    @classmethod
    def over(cls, box: tuple[float, float, float, float], cell_m: float) -> Grid:
        """The cells over x0, y0, x1, y1 in metres."""
        x0, y0 = box[0] + _OFF_ROUND_M[0], box[1] + _OFF_ROUND_M[1]
        columns, rows = int((box[2] - x0) / cell_m) + 1, int((box[3] - y0) / cell_m) + 1
        return cls(x0, y0, cell_m, max(1, columns), max(1, rows))

    def cells(self, points: Floats) -> tuple[Ints, Ints, Bools]:
        """Column and row of each point, clipped, and whether it is inside."""
        i = np.floor((points[:, 0] - self.x0_m) / self.cell_m).astype(np.int64)
        j = np.floor((points[:, 1] - self.y0_m) / self.cell_m).astype(np.int64)
        inside = (i >= 0) & (j >= 0) & (i < self.columns) & (j < self.rows)
        return np.clip(i, 0, self.columns - 1), np.clip(j, 0, self.rows - 1), inside

    def centres(self, j: Ints, i: Ints) -> Floats:
        """(N, 2) middle of cells."""
        return np.stack(
            [self.x0_m + (i + 0.5) * self.cell_m, self.y0_m + (j + 0.5) * self.cell_m], axis=-1
        )


@dataclass(frozen=True, eq=False, slots=True)
class HeightField:
    """Spans of heights: one per triangle and cell, sorted by cell and lower end."""

    grid: Grid
    floor_m: float
    """Heights are counted from here."""

    cell: Ints
    low_m: Floats
    high_m: Floats
    triangle: Ints
    is_upward: Bools
    """Whether its triangle can be walked on."""

    low_key: Floats
    """Cell and lower end as one ascending number."""

    top_m: Floats
    """Highest end so far within the cell, in that order."""

    def highest_from_below(self, cell: Ints, z_m: Floats) -> Floats:
        """The highest end of all spans of each cell that begin below a height; −∞ for none."""
        key = cell * LAYERS_M + (z_m - self.floor_m)
        index = np.searchsorted(self.low_key, key, side="left") - 1
        found = (index >= 0) & (self.cell[np.maximum(index, 0)] == cell)
        return np.where(found, self.top_m[np.maximum(index, 0)], -np.inf)


def build_field(triangles: Floats, grid: Grid) -> HeightField:
    """Clip (N, 3, 3) triangles to the cells; each keeps the exact range of heights inside."""
    counts, first = _cell_ranges(triangles, grid)
    cell, low, high, triangle = _clipped(triangles, first, counts, grid)
    floor = float(low.min()) - 1.0 if len(low) else 0.0
    key = cell.astype(np.float64)
    key *= LAYERS_M
    key += low - floor
    order = np.argsort(key)
    # One after the other: each takes the place of the one before it.
    key = key[order]
    cell = cell[order]
    low = low[order]
    high = high[order]
    triangle = triangle[order]
    del order
    upward = np.abs(_upward(triangles)) > UPWARD_COSINE
    tops = highest_so_far(cell, high, floor)
    return HeightField(grid, floor, cell, low, high, triangle, upward[triangle], key, tops)


def highest_so_far(cell: Ints, high_m: Floats, floor_m: float) -> Floats:
    """The highest end so far within the cell, of spans that are sorted by cell."""
    base = cell * LAYERS_M
    tops = high_m - floor_m
    tops += base
    np.maximum.accumulate(tops, out=tops)
    tops -= base
    tops += floor_m
    return tops


def _upward(triangles: Floats) -> Floats:
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.sqrt(np.einsum("ij,ij->i", normal, normal))
    return np.asarray(normal[:, 2] / np.maximum(length, 1e-15))


def _cell_ranges(triangles: Floats, grid: Grid) -> tuple[Ints, Ints]:
    """Number of columns and rows under each triangle, and its first column and row."""
    origin, size = np.array([grid.x0_m, grid.y0_m]), np.array([grid.columns, grid.rows])
    plan = (triangles[:, :, :2] - origin) / grid.cell_m
    first = np.clip(np.floor(plan.min(axis=1)).astype(np.int64), 0, size)
    last = np.clip(np.floor(plan.max(axis=1)).astype(np.int64), -1, size - 1)
    return np.maximum(0, last - first + 1), first


def _batches(counts: Ints) -> list[Ints]:
    """Triangles in groups of about as many pairs as fit into memory."""
    kept = np.flatnonzero(counts)
    group = np.cumsum(counts[kept]) // _PAIRS_AT_ONCE
    return [part for part in np.split(kept, np.flatnonzero(np.diff(group)) + 1) if len(part)]


def _clipped(
    triangles: Floats, first: Ints, counts: Ints, grid: Grid
) -> tuple[Ints, Floats, Floats, Ints]:
    """Cell, lower end, higher end and triangle of every span, in no order of cells."""
    parts = [
        _clip(triangles, first, counts, part, grid)
        for part in _batches(counts[:, 0] * counts[:, 1])
    ]
    if not parts:
        return np.empty(0, np.int32), np.empty(0), np.empty(0), np.empty(0, np.int32)
    cells, lows, highs, owners = (list(column) for column in zip(*parts, strict=True))
    parts.clear()
    cell = _joined(cells)
    low, high = _joined(lows), _joined(highs)
    return cell, low, high, _joined(owners)


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Arrays as one; they are let go at once, as there are millions of spans."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole


def _clip(
    triangles: Floats, first: Ints, counts: Ints, part: Ints, grid: Grid
) -> tuple[Ints, Floats, Floats, Ints]:
    """Ranges of heights of some triangles in their cells.

    A linear height over the common part of triangle and cell is extreme at a corner of that
    part: an end of a side of the triangle clipped to the cell, or a corner of the cell.
    """
    pairs = counts[part, 0] * counts[part, 1]
    own = np.repeat(np.arange(len(part)), pairs)
    rank = np.arange(len(own)) - (np.cumsum(pairs) - pairs)[own]
    across = counts[part, 0][own]
    i = first[part, 0][own] + rank % across
    j = first[part, 1][own] + rank // across
    x, y = grid.x0_m + i * grid.cell_m, grid.y0_m + j * grid.cell_m
    low, high = np.full(len(own), np.inf), np.full(len(own), -np.inf)
    corners = [triangles[part, k] for k in range(3)]
    for k in range(3):
        _take_side(corners[k], corners[(k + 1) % 3], own, (x, y), grid.cell_m, (low, high))
    _take_cell_corners(corners, pairs > 1, own, (x, y), grid.cell_m, (low, high))
    kept = high >= low
    cell = (j * grid.columns + i)[kept].astype(np.int32)
    return cell, low[kept], high[kept], part[own[kept]].astype(np.int32)


def _take_side(
    p: Floats,
    q: Floats,
    own: Ints,
    place: tuple[Floats, Floats],
    size_m: float,
    heights: tuple[Floats, Floats],
) -> None:
    """Heights of the sides p to q of some triangles clipped to the cells (Liang and Barsky).

    Args:
        p: (N, 3) corners.
        q: The corners after them.
        own: (M,) triangle of each pair of triangle and cell.
        place: (M,) x and y of the lower corners of the cells.
        size_m: Of a cell.
        heights: (M,) lower and upper ends so far; both are widened.
    """
    start, end = np.zeros(len(own)), np.ones(len(own))
    for axis in (0, 1):
        step = q[:, axis] - p[:, axis]
        step = np.where(step == 0, 1e-300, step)[own]
        base, edge = p[own, axis], place[axis]
        near, far = (edge - base) / step, (edge + size_m - base) / step
        np.maximum(start, np.minimum(near, far), out=start)
        np.minimum(end, np.maximum(near, far), out=end)
    hit = start <= end
    base, rise = p[own, 2], (q[:, 2] - p[:, 2])[own]
    low, high = heights
    for along in (start, end):
        z = base + along * rise
        np.minimum(low, z, out=low, where=hit)
        np.maximum(high, z, out=high, where=hit)


def _take_cell_corners(
    corners: list[Floats],
    wide: Bools,
    own: Ints,
    place: tuple[Floats, Floats],
    size_m: float,
    heights: tuple[Floats, Floats],
) -> None:
    """Heights of wide triangles at those corners of cells that they cover in plan."""
    a, b, c = corners
    u, v = b - a, c - a
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    wide = wide & (np.abs(area) > 1e-12)
    area = np.where(wide, area, 1.0)[own]
    bottom, top = (f(f(a[:, 2], b[:, 2]), c[:, 2])[own] for f in (np.minimum, np.maximum))
    is_wide = wide[own]
    ax, ay, az = a[own].T
    ux, uy, uz = u[own].T
    vx, vy, vz = v[own].T
    low, high = heights
    for dx, dy in ((0.0, 0.0), (size_m, 0.0), (0.0, size_m), (size_m, size_m)):
        px, py = place[0] + dx - ax, place[1] + dy - ay
        s, t = (px * vy - py * vx) / area, (ux * py - uy * px) / area
        inside = is_wide & (s >= 0) & (t >= 0) & (s + t <= 1)
        z = np.clip(az + s * uz + t * vz, bottom, top)
        np.minimum(low, z, out=low, where=inside)
        np.maximum(high, z, out=high, where=inside)
