"""Finer cells where coarse ones leave open whether a box passes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.configuration_space import (
    AROUND,
    BESIDE,
    HalfSides,
    Parts,
    PoseCells,
    PoseGrid,
    classify,
    components,
    join_parts,
)
from waypost.geometry.measuring.height_field import Floats

_MOST_CELLS = 5_000_000
"""Beyond that the question is left open: it would take seconds."""

_FINE_BIN_M = 0.0025


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


def refine(
    cells: PoseCells,
    region: Region,
    points: Floats,
    sides: HalfSides,
    margin_m: float,
    factor: int,
) -> PoseCells | None:
    """The cells of a region, each side divided by a factor.

    Returns:
        The finer cells of all headings, or nothing if they would be too many.
    """
    grid = cells.grid
    rows = (region.row1 - region.row0) * factor
    columns = (region.column1 - region.column0) * factor
    headings = grid.headings * factor
    if rows * columns * headings > _MOST_CELLS:
        return None
    x0 = grid.x0_m + region.column0 * grid.cell_m
    y0 = grid.y0_m + region.row0 * grid.cell_m
    turn = grid.turn_rad / factor
    fine = PoseGrid(
        x0, y0, grid.cell_m / factor, columns, rows, headings, (turn - grid.turn_rad) / 2
    )
    reach = float(np.hypot(sides.along_m, sides.across_m)) + 0.1
    near = (
        (points[:, 0] > x0 - reach)
        & (points[:, 0] < x0 + columns * fine.cell_m + reach)
        & (points[:, 1] > y0 - reach)
        & (points[:, 1] < y0 + rows * fine.cell_m + reach)
    )
    open_places = cells.open[region.slices].any(axis=0)
    allowed = np.repeat(np.repeat(open_places, factor, axis=0), factor, axis=1)
    return classify(points[near], sides, fine, allowed, margin_m, _FINE_BIN_M)


def surely_passes(
    cells: PoseCells, region: Region, fine: PoseCells, ends: tuple[Vec3, Vec3], tolerance_m: float
) -> bool:
    """Whether passable cells, coarse or fine, lead from start to end."""
    factor = fine.grid.headings // cells.grid.headings
    coarse, count = components(cells.passable, BESIDE)
    small, more = components(fine.passable, BESIDE)
    small = np.where(small > 0, small + count + 1, 0)
    # A coarse cell that is free everywhere is one with the fine cell in its middle.
    half = factor // 2
    middle = small[half::factor, half::factor, half::factor]
    both = cells.free[region.slices] & (middle > 0)
    joined = join_parts(count + more + 2, coarse[region.slices][both], middle[both])
    return _joined(
        joined, (cells.grid, coarse), (fine.grid, small), ends, (tolerance_m, tolerance_m)
    )


def may_pass(
    cells: PoseCells, region: Region, fine: PoseCells, ends: tuple[Vec3, Vec3], tolerance_m: float
) -> bool:
    """Whether open cells, fine ones in the region, lead from start to end."""
    factor = fine.grid.headings // cells.grid.headings
    outside = cells.open.copy()
    outside[region.slices] = False
    coarse, count = components(outside, AROUND)
    small, more = components(fine.open, AROUND)
    small = np.where(small > 0, small + count + 1, 0)
    pairs = [_border_pairs(coarse, small, region, factor, side) for side in range(4)]
    first = np.concatenate([pair[0] for pair in pairs])
    second = np.concatenate([pair[1] for pair in pairs])
    joined = join_parts(count + more + 2, first, second)
    near = (tolerance_m + cells.grid.cell_m, tolerance_m + fine.grid.cell_m)
    return _joined(joined, (cells.grid, coarse), (fine.grid, small), ends, near)


def _joined(
    joined: Parts,
    coarse: tuple[PoseGrid, Parts],
    fine: tuple[PoseGrid, Parts],
    ends: tuple[Vec3, Vec3],
    near_m: tuple[float, float],
) -> bool:
    """Whether a part that is near the one end is also near the other."""
    reached = []
    for place in ends:
        here = np.concatenate(
            [
                parts[:, grid.away_m(place) <= limit].ravel()
                for (grid, parts), limit in zip((coarse, fine), near_m, strict=True)
            ]
        )
        reached.append(np.unique(joined[here[here > 0]]))
    return bool(np.isin(reached[0], reached[1]).any())


def _border_pairs(
    coarse: Parts, small: Parts, region: Region, factor: int, side: int
) -> tuple[Parts, Parts]:
    """Parts on both sides of one side of the region that share at least a corner."""
    rows, columns = slice(region.row0, region.row1), slice(region.column0, region.column1)
    empty = np.empty(0, np.int32)
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
