"""Whether a box gets from one place to another, by any path among points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.traversability import Verdict
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.configuration_space import (
    AROUND,
    BESIDE,
    HalfSides,
    PoseCells,
    PoseGrid,
    classify,
    components,
)
from waypost.geometry.measuring.height_field import Bools, Floats
from waypost.geometry.measuring.pose_refinement import Region, may_pass, refine, surely_passes
from waypost.geometry.measuring.scene_ground import Box

COARSE_M = 0.03
COARSE_HEADINGS = 36
"""Half a turn in 5°."""

_LEVELS = 4
"""Down to 1.9 mm and 0.3°."""

_REGIONS = 3
"""Tight places that are looked at one after the other."""

_MOST_LAYERS = 150


@dataclass(frozen=True, eq=False, slots=True)
class BoxPassage:
    """The answer, and the cells it was found in."""

    verdict: Verdict
    cells: PoseCells
    """Of the box grown by half the margin on each side."""

    refined: bool = False
    """Whether finer cells were needed."""


def box_passage(
    points: Floats,
    body: MeasuredBody,
    start: Vec3,
    end: Vec3,
    grid: PoseGrid,
    allowed: Bools,
    tolerance_m: float,
    margin_m: float,
) -> BoxPassage:
    """Whether a box passes with a margin, does not with a margin, or is too close to tell.

    Args:
        points: What it must not contain.
        body: A box.
        start: It stands within the tolerance of this place, in any heading.
        end: The same.
        grid: Coarse cells.
        allowed: (rows, columns) where its centre may be.
        tolerance_m: About both places.
        margin_m: Of width, half on each side.
    """
    sides = HalfSides(body.length_m / 2, body.width_m / 2)
    wide, slim = sides.grown(margin_m / 2), sides.grown(-margin_m / 2)
    cells = classify(points, wide, grid, allowed)
    if _joined(cells.passable, grid, start, end, tolerance_m, around=False):
        return BoxPassage(Verdict.TRAVELS, cells)
    slim_cells = classify(points, slim, grid, allowed)
    if not _joined(slim_cells.open, grid, start, end, tolerance_m + grid.cell_m, around=True):
        return BoxPassage(Verdict.DOES_NOT, cells)
    for region in _tight_regions(cells, start, end, tolerance_m):
        fine = refine(cells, region, points, wide, _LEVELS)
        if fine and surely_passes(cells, fine, start, end, tolerance_m):
            return BoxPassage(Verdict.TRAVELS, cells, refined=True)
    for region in _tight_regions(slim_cells, start, end, tolerance_m):
        fine = refine(slim_cells, region, points, slim, _LEVELS)
        if fine and not may_pass(slim_cells, fine, start, end, tolerance_m):
            return BoxPassage(Verdict.DOES_NOT, cells, refined=True)
    return BoxPassage(Verdict.UNCERTAIN, cells, refined=True)


def pose_grid(box: Box) -> PoseGrid:
    """The coarse cells over a window."""
    return PoseGrid.over(box, COARSE_M, COARSE_HEADINGS)


def _joined(
    cells: Bools, grid: PoseGrid, start: Vec3, end: Vec3, tolerance_m: float, *, around: bool
) -> bool:
    parts, _ = components(cells, AROUND if around else BESIDE)
    first = np.unique(parts[:, grid.away_m(start) <= tolerance_m])
    last = np.unique(parts[:, grid.away_m(end) <= tolerance_m])
    return bool(np.intersect1d(first[first > 0], last[last > 0]).size)


def _tight_regions(cells: PoseCells, start: Vec3, end: Vec3, tolerance_m: float) -> list[Region]:
    """Growing regions around the mixed cells that a path must cross, the likeliest first."""
    grid, searched = cells.grid, cells.open.copy()
    parts, _ = components(cells.passable, BESIDE)
    near = tolerance_m + grid.cell_m
    regions: list[Region] = []
    for _ in range(_REGIONS):
        first = searched & (grid.away_m(start) <= near)[None]
        last = searched & (grid.away_m(end) <= near)[None]
        forth, back = _layers(searched, parts, first, last), _layers(searched, parts, last, first)
        if forth is None or back is None:
            break
        total = forth + back
        crossed = (total >= 0) & (total <= _least(total) + 1) & (forth >= 0) & (back >= 0)
        crossed &= ~cells.passable
        if not crossed.any():
            break
        region = _around(crossed, grid)
        regions.append(regions[-1].joined(region) if regions else region)
        closed = np.zeros_like(searched)
        closed[regions[-1].slices] = True
        searched &= ~(closed & ~cells.passable)
    return regions


def _least(total: Floats) -> float:
    known = total[total >= 0]
    return float(known.min()) if known.size else 0.0


def _layers(searched: Bools, parts: Floats, first: Bools, last: Bools) -> Floats | None:
    """How many mixed cells lie between each cell and the first ones; −1000 for unknown ones."""
    layer = np.full(searched.shape, -1000, dtype=np.int32)
    reached = np.zeros_like(searched)
    fresh, number = first, 0
    while number < _MOST_LAYERS:
        touched = np.unique(parts[fresh & ~reached])
        whole = fresh & ~reached
        if (touched > 0).any():
            is_touched = np.zeros(int(parts.max()) + 1, dtype=bool)
            is_touched[touched[touched > 0]] = True
            whole = whole | (is_touched[parts] & ~reached)
        layer[whole] = number
        reached |= whole
        fresh = _spread(reached) & searched & ~reached
        if not fresh.any() or (reached & last).any():
            break
        number += 1
    return layer if (reached & last).any() else None


def _spread(cells: Bools) -> Bools:
    """The cells and those beside them; the last heading is beside the first."""
    grown = cells | np.roll(cells, 1, axis=0) | np.roll(cells, -1, axis=0)
    grown[:, 1:] |= cells[:, :-1]
    grown[:, :-1] |= cells[:, 1:]
    grown[:, :, 1:] |= cells[:, :, :-1]
    grown[:, :, :-1] |= cells[:, :, 1:]
    return grown


def _around(cells: Bools, grid: PoseGrid) -> Region:
    row = np.flatnonzero(cells.any(axis=(0, 2)))
    column = np.flatnonzero(cells.any(axis=(0, 1)))
    return Region(
        max(0, int(row[0]) - 2),
        min(grid.rows, int(row[-1]) + 3),
        max(0, int(column[0]) - 2),
        min(grid.columns, int(column[-1]) + 3),
    )
