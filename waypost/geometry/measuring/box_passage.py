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
    Parts,
    PoseCells,
    PoseGrid,
    classify,
    components,
)
from waypost.geometry.measuring.grid_path import pose_path, proven_path
from waypost.geometry.measuring.height_field import Bools, Floats
from waypost.geometry.measuring.pose_refinement import Region, may_pass, refine, surely_passes
from waypost.geometry.measuring.scene_ground import Box

COARSE_M = 0.03
COARSE_HEADINGS = 36
"""Half a turn in 5°."""

_REGIONS = 3
"""Tight places that are looked at one after the other."""

_MOST_LAYERS = 150

_FACTORS = (4, 8)
"""Down to 3.75 mm and 0.6°."""


@dataclass(frozen=True, eq=False, slots=True)
class FoundPassage:
    """The answer, and the cells it was found in."""

    verdict: Verdict
    cells: PoseCells
    """Of the box grown by half the margin on each side."""

    path: Floats | None = None
    """(N, 3) x, y, heading over the coarse cells; proven only where all of them are passable."""


def box_passage(
    points: Floats,
    body: MeasuredBody,
    start: Vec3,
    end: Vec3,
    grid: PoseGrid,
    allowed: Bools,
    tolerance_m: float,
    margin_m: float,
) -> FoundPassage:
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
    cells = classify(points, sides, grid, allowed, margin_m)
    ends = (start, end)
    if _joined(cells.passable, grid, ends, tolerance_m, around=False):
        path = proven_path(cells, start, end, tolerance_m)
        return FoundPassage(Verdict.TRAVELS, cells, path)
    if not _joined(cells.open, grid, ends, tolerance_m + grid.cell_m, around=True):
        return FoundPassage(Verdict.DOES_NOT, cells)
    region = _tight_region(cells, start, end, tolerance_m)
    for factor in _FACTORS if region else ():
        fine = refine(cells, region, points, sides, margin_m, factor) if region else None
        if region is None or fine is None:
            break
        if surely_passes(cells, region, fine, ends, tolerance_m):
            return FoundPassage(Verdict.TRAVELS, cells, pose_path(cells, start, end, tolerance_m))
        if not may_pass(cells, region, fine, ends, tolerance_m):
            return FoundPassage(Verdict.DOES_NOT, cells)
    return FoundPassage(Verdict.UNCERTAIN, cells, pose_path(cells, start, end, tolerance_m))


def pose_grid(box: Box) -> PoseGrid:
    """The coarse cells over a window."""
    return PoseGrid.over(box, COARSE_M, COARSE_HEADINGS)


def _joined(
    cells: Bools, grid: PoseGrid, ends: tuple[Vec3, Vec3], tolerance_m: float, *, around: bool
) -> bool:
    parts, _ = components(cells, AROUND if around else BESIDE)
    first, last = (np.unique(parts[:, grid.away_m(place) <= tolerance_m]) for place in ends)
    return bool(np.intersect1d(first[first > 0], last[last > 0]).size)


def _tight_region(cells: PoseCells, start: Vec3, end: Vec3, tolerance_m: float) -> Region | None:
    """A region around the mixed cells that every path must cross."""
    grid, searched = cells.grid, cells.open.copy()
    parts, _ = components(cells.passable, BESIDE)
    near = tolerance_m + grid.cell_m
    region: Region | None = None
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
        found = _around(crossed, grid)
        region = region.joined(found) if region else found
        closed = np.zeros_like(searched)
        closed[region.slices] = True
        searched &= ~(closed & ~cells.passable)
    return region


def _least(total: Parts) -> float:
    known = total[total >= 0]
    return float(known.min()) if known.size else 0.0


def _layers(searched: Bools, parts: Parts, first: Bools, last: Bools) -> Parts | None:
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
