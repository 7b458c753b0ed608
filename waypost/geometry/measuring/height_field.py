"""Heights of all triangles over a grid of cells, many layers, exact to the rounding of floats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

UPWARD_COSINE = 0.64
"""A triangle steeper than 50° is no ground."""

_PAIRS_AT_ONCE = 250_000
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
    parts = [
        _clip(triangles, first, counts, part, grid)
        for part in _batches(counts[:, 0] * counts[:, 1])
    ]
    cell = np.concatenate([p[0] for p in parts]) if parts else np.empty(0, np.int64)
    low = np.concatenate([p[1] for p in parts]) if parts else np.empty(0)
    high = np.concatenate([p[2] for p in parts]) if parts else np.empty(0)
    triangle = np.concatenate([p[3] for p in parts]) if parts else np.empty(0, np.int64)
    floor = float(low.min()) - 1.0 if len(low) else 0.0
    key = cell * LAYERS_M + (low - floor)
    order = np.argsort(key)
    cell, low, high, triangle = cell[order], low[order], high[order], triangle[order]
    tops = np.maximum.accumulate(cell * LAYERS_M + (high - floor)) - cell * LAYERS_M + floor
    upward = np.abs(_upward(triangles)) > UPWARD_COSINE
    is_upward = upward[triangle]
    return HeightField(grid, floor, cell, low, high, triangle, is_upward, key[order], tops)


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


def _clip(
    triangles: Floats, first: Ints, counts: Ints, part: Ints, grid: Grid
) -> tuple[Ints, Floats, Floats, Ints]:
    """Ranges of heights of some triangles in their cells.

    A linear height over the common part of triangle and cell is extreme at a corner of that
    part: an end of a side of the triangle clipped to the cell, or a corner of the cell.
    """
    pairs = counts[part, 0] * counts[part, 1]
    triangle = np.repeat(part, pairs)
    rank = np.arange(len(triangle)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    i = first[triangle, 0] + rank % counts[triangle, 0]
    j = first[triangle, 1] + rank // counts[triangle, 0]
    x, y = grid.x0_m + i * grid.cell_m, grid.y0_m + j * grid.cell_m
    low, high = np.full(len(triangle), np.inf), np.full(len(triangle), -np.inf)
    corners = [triangles[triangle, k] for k in range(3)]
    for k in range(3):
        _take_side(corners[k], corners[(k + 1) % 3], x, y, grid.cell_m, low, high)
    wide = pairs[np.searchsorted(part, triangle)] > 1
    _take_cell_corners(corners, x, y, grid.cell_m, wide, low, high)
    kept = high >= low
    cell = (j * grid.columns + i)[kept]
    return cell, low[kept], high[kept], triangle[kept]


def _take_side(
    p: Floats, q: Floats, x: Floats, y: Floats, size_m: float, low: Floats, high: Floats
) -> None:
    """Heights of a side clipped to the cells (Liang and Barsky)."""
    start, end = np.zeros(len(p)), np.ones(len(p))
    for axis, edge in ((0, x), (1, y)):
        step = q[:, axis] - p[:, axis]
        step = np.where(step == 0, 1e-300, step)
        near, far = (edge - p[:, axis]) / step, (edge + size_m - p[:, axis]) / step
        np.maximum(start, np.minimum(near, far), out=start)
        np.minimum(end, np.maximum(near, far), out=end)
    hit = start <= end
    rise = q[:, 2] - p[:, 2]
    for along in (start, end):
        z = p[:, 2] + along * rise
        low[hit] = np.minimum(low[hit], z[hit])
        high[hit] = np.maximum(high[hit], z[hit])


def _take_cell_corners(
    corners: list[Floats],
    x: Floats,
    y: Floats,
    size_m: float,
    wide: Bools,
    low: Floats,
    high: Floats,
) -> None:
    """Heights of triangles at those corners of cells that they cover in plan."""
    w = np.flatnonzero(wide)
    a, b, c = (corner[w] for corner in corners)
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    flat = np.abs(area) > 1e-12
    w, a, b, c, area = w[flat], a[flat], b[flat], c[flat], area[flat]
    bottom = np.minimum(np.minimum(a[:, 2], b[:, 2]), c[:, 2])
    top = np.maximum(np.maximum(a[:, 2], b[:, 2]), c[:, 2])
    for dx, dy in ((0.0, 0.0), (size_m, 0.0), (0.0, size_m), (size_m, size_m)):
        px, py = x[w] + dx - a[:, 0], y[w] + dy - a[:, 1]
        u = (px * (c[:, 1] - a[:, 1]) - py * (c[:, 0] - a[:, 0])) / area
        v = ((b[:, 0] - a[:, 0]) * py - (b[:, 1] - a[:, 1]) * px) / area
        inside = (u >= 0) & (v >= 0) & (u + v <= 1)
        z = a[:, 2] + u * (b[:, 2] - a[:, 2]) + v * (c[:, 2] - a[:, 2])
        z = np.clip(z, bottom, top)[inside]
        low[w[inside]] = np.minimum(low[w[inside]], z)
        high[w[inside]] = np.maximum(high[w[inside]], z)
