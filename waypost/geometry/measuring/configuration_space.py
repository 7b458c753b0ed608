"""Where a box may be, and in which heading: cells over x, y and half a turn.

A box looks the same turned by half a turn. A path of single moves between passable cells is a
proof that the box passes; if no path leads through open cells, that is a proof that it does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import label
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.height_field import Bools, Floats, Ints
from waypost.geometry.measuring.scene_ground import Box

Parts = NDArray[np.int32]
"""Numbers of connected parts: of millions of cells, so that half the bytes matter."""

AROUND = np.ones((3, 3, 3), dtype=int)
"""Cells that share a corner: what a path may slip through."""

BESIDE = np.array(
    [
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
        [[0, 1, 0], [1, 1, 1], [0, 1, 0]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
    ]
)
"""Cells that share a side: moves along one axis, or a turn on the spot."""


@dataclass(frozen=True, slots=True)
class HalfSides:
    """Half the length and half the width of a box, metres."""

    along_m: float
    across_m: float


@dataclass(frozen=True, eq=False, slots=True)
class PoseGrid:
    """Cells over a window and half a turn; indices (heading, row, column)."""

    x0_m: float
    y0_m: float
    cell_m: float
    columns: int
    rows: int
    headings: int
    first_rad: float = 0.0
    """Middle of the first heading."""

    @classmethod
    def over(cls, box: Box, cell_m: float, headings: int) -> PoseGrid:
        """The cells over a window."""
        columns = math.ceil((box[2] - box[0]) / cell_m)
        rows = math.ceil((box[3] - box[1]) / cell_m)
        return cls(box[0], box[1], cell_m, columns, rows, headings)

    @property
    def turn_rad(self) -> float:
        """Between two headings."""
        return math.pi / self.headings

    @property
    def x_m(self) -> Floats:
        """Middles of the columns."""
        return np.asarray(self.x0_m + (np.arange(self.columns) + 0.5) * self.cell_m)

    @property
    def y_m(self) -> Floats:
        """Middles of the rows."""
        return np.asarray(self.y0_m + (np.arange(self.rows) + 0.5) * self.cell_m)

    def away_m(self, place: Vec3) -> Floats:
        """(rows, columns) distance of each middle from a place in plan."""
        return np.hypot(self.x_m[None, :] - place[0], self.y_m[:, None] - place[1])


@dataclass(frozen=True, eq=False, slots=True)
class PoseCells:
    """What is sure about each cell of a grid."""

    grid: PoseGrid
    passable: Bools
    """Free at the middle, and half way to each neighbour along one axis."""

    likely: Bools
    """Free at the middle, to half a centimetre."""

    free: Bools
    """Free everywhere."""

    open: Bools
    """Not blocked everywhere."""


def classify(
    points: Floats,
    sides: HalfSides,
    grid: PoseGrid,
    allowed: Bools,
    margin_m: float = 0.0,
    bin_m: float = 0.01,
) -> PoseCells:
    """What is sure about the cells among points, by a margin.

    Args:
        points: (N, 2), none of which the box may contain.
        sides: Of the box.
        grid: The cells.
        allowed: (rows, columns) places that a path may use at all.
        margin_m: Passable cells leave at least half of it on each side, and only cells that lack
            at least half of it are blocked.
        bin_m: Points are rounded to this.
    """
    shape = (grid.headings, grid.rows, grid.columns)
    passable, likely, free, opened = (np.zeros(shape, dtype=bool) for _ in range(4))
    half_cell, half_turn = grid.cell_m / 2, grid.turn_rad / 2
    a, b = sides.along_m, sides.across_m
    surely_free, surely_blocked = _sure_places(points, sides, grid, margin_m, bin_m)
    for cells in (passable, likely, free, opened):
        cells[:, surely_free & allowed] = True
    row, column = np.nonzero(allowed & ~surely_free & ~surely_blocked)
    x, y = grid.x_m[column], grid.y_m[row]
    for k in range(grid.headings):
        angle = grid.first_rad + k * grid.turn_rad
        cos, sin = math.cos(angle), math.sin(angle)
        counts = _BinCounts.of(
            points[:, 0] * cos + points[:, 1] * sin,
            points[:, 1] * cos - points[:, 0] * sin,
            bin_m,
        )
        u, v = x * cos + y * sin, y * cos - x * sin
        drift = half_cell * (abs(cos) + abs(sin) + half_turn)
        turned_a, turned_b = b * half_turn + drift, a * half_turn + drift
        turned_a, turned_b = max(turned_a, margin_m / 2), max(turned_b, margin_m / 2)
        one = max(half_cell, margin_m / 2)
        one_a, one_b = max(one, b * half_turn), max(one, a * half_turn)
        passable[k, row, column] = counts.around(u, v, a + one_a, b + one_b) == 0
        likely[k, row, column] = counts.within(u, v, a + bin_m / 2, b + bin_m / 2) == 0
        free[k, row, column] = counts.around(u, v, a + turned_a, b + turned_b) == 0
        opened[k, row, column] = counts.within(u, v, a - turned_a, b - turned_b) == 0
    return PoseCells(grid, passable, likely, free, opened | passable)


def _sure_places(
    points: Floats, sides: HalfSides, grid: PoseGrid, margin_m: float, bin_m: float
) -> tuple[Bools, Bools]:
    """(rows, columns) places that are free in every heading, and those that are free in none."""
    # As far as a cell reaches beyond its middle in any heading, see ``classify``.
    drift = grid.cell_m / 2 * (math.sqrt(2) + grid.turn_rad / 2)
    longest = max(sides.along_m, sides.across_m)
    beyond = max(longest * grid.turn_rad / 2 + drift, margin_m / 2)
    outer = math.hypot(sides.along_m + beyond, sides.across_m + beyond) + 2 * bin_m
    inner = min(sides.along_m, sides.across_m) - beyond - 2 * bin_m
    away_m, within_m = cells_away(points, grid, math.ceil(outer / grid.cell_m) + 2)
    return away_m - within_m > outer, away_m + within_m < inner


def cells_away(points: Floats, grid: PoseGrid, pad: int) -> tuple[NDArray[np.floating], float]:
    """How far the middle of each cell is from that of the nearest cell with points in it.

    Args:
        points: (N, 2).
        grid: The cells.
        pad: So many cells beyond the grid are looked at; points farther away are left out.

    Returns:
        (rows, columns) metres, infinite where there are no points, and by how much the distance of
        the nearest point may differ.
    """
    marks = np.ones((grid.rows + 2 * pad, grid.columns + 2 * pad), dtype=np.uint8)
    column = np.floor((points[:, 0] - grid.x0_m) / grid.cell_m).astype(np.int64) + pad
    row = np.floor((points[:, 1] - grid.y0_m) / grid.cell_m).astype(np.int64) + pad
    inside = (row >= 0) & (row < marks.shape[0]) & (column >= 0) & (column < marks.shape[1])
    marks[row[inside], column[inside]] = 0
    # A point lies up to half a diagonal of its cell from its middle.
    within_m = grid.cell_m * math.sqrt(0.5) + 1e-6
    if marks.all():
        return np.full((grid.rows, grid.columns), np.inf), within_m
    away = cv2.distanceTransform(marks, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return away[pad:-pad, pad:-pad] * grid.cell_m, within_m


@dataclass(frozen=True, eq=False, slots=True)
class _BinCounts:
    """Points counted over small squares, summed from one corner."""

    sums: NDArray[np.int32]
    u0: float
    v0: float
    bin_m: float

    @classmethod
    def of(cls, u: Floats, v: Floats, bin_m: float) -> _BinCounts:
        if not len(u):
            return cls(np.zeros((2, 2), np.int32), 0.0, 0.0, bin_m)
        u0, v0 = float(u.min()), float(v.min())
        i, j = ((u - u0) / bin_m).astype(np.int64), ((v - v0) / bin_m).astype(np.int64)
        marks = np.zeros((int(i.max()) + 1, int(j.max()) + 1), dtype=np.uint8)
        marks[i, j] = 1
        return cls(np.asarray(cv2.integral(marks), dtype=np.int32), u0, v0, bin_m)

    def around(self, u: Floats, v: Floats, a: float, b: float) -> Ints:
        """Marks in all squares that a rectangle about each place touches."""
        return self._count(
            np.floor((u - a - self.u0) / self.bin_m),
            np.floor((u + a - self.u0) / self.bin_m) + 1,
            np.floor((v - b - self.v0) / self.bin_m),
            np.floor((v + b - self.v0) / self.bin_m) + 1,
        )

    def within(self, u: Floats, v: Floats, a: float, b: float) -> Ints:
        """Marks in the squares that lie wholly in a rectangle about each place."""
        return self._count(
            np.ceil((u - a - self.u0) / self.bin_m),
            np.floor((u + a - self.u0) / self.bin_m),
            np.ceil((v - b - self.v0) / self.bin_m),
            np.floor((v + b - self.v0) / self.bin_m),
        )

    def _count(self, u0: Floats, u1: Floats, v0: Floats, v1: Floats) -> Ints:
        high_u, high_v = self.sums.shape[0] - 1, self.sums.shape[1] - 1
        i0, i1 = np.clip(u0, 0, high_u).astype(np.int64), np.clip(u1, 0, high_u).astype(np.int64)
        j0, j1 = np.clip(v0, 0, high_v).astype(np.int64), np.clip(v1, 0, high_v).astype(np.int64)
        i1, j1 = np.maximum(i0, i1), np.maximum(j0, j1)
        s = self.sums
        return np.asarray(s[i1, j1] - s[i0, j1] - s[i1, j0] + s[i0, j0])


def components(cells: Bools, structure: NDArray[np.int_]) -> tuple[Parts, int]:
    """Number the connected parts; the last heading is beside the first.

    Returns:
        The part of each cell, 0 for none, and the highest number.
    """
    wrapped = np.concatenate([cells, cells[:1]])
    parts, count = label(wrapped, structure=structure)
    first, last = parts[0][cells[0]], parts[-1][cells[0]]
    joined = join_parts(count, first, last)
    return joined[parts[:-1]], count


def join_parts(count: int, first: Parts, second: Parts) -> Parts:
    """New number of each part (0 stays 0) once pairs of parts are one."""
    graph = csr_matrix(
        (np.ones(len(first), np.int8), (first, second)), shape=(count + 1, count + 1)
    )
    _, joined = connected_components(graph, directed=False)
    # Part 0 is "none": it keeps its number, and nobody else has it.
    return np.where(joined == joined[0], 0, joined + 1).astype(np.int32)
