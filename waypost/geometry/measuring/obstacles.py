"""What stands in a body's band of heights, as points on its exact outline in plan."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, distance_transform_edt

from waypost.geometry.measuring.body import TOUCH_M, MeasuredBody
from waypost.geometry.measuring.ground_flood import GroundSheet
from waypost.geometry.measuring.height_field import Bools, Floats, Grid, Ints
from waypost.geometry.measuring.scene_ground import RAISED_M, GroundWindow

SAMPLE_M = 0.01
"""Distance of points along a side: a disc of width w sinks s²/8w in, 0.03 mm at 0.4 m."""

_LEVEL_M = 0.005
_SAME_M = 0.0005
_AROUND_CELLS = 2


@dataclass(frozen=True, eq=False, slots=True)
class ObstaclePoints:
    """Points that a body must not contain."""

    xy_m: Floats
    """(N, 2)."""

    z_m: Floats
    triangle: Ints
    """Which triangle of the window each lies on; −1 for holes and flights."""


def find_obstacles(
    window: GroundWindow, sheet: GroundSheet, body: MeasuredBody, *, on_furniture: bool
) -> ObstaclePoints:
    """Clip the triangles to the band above the local ground, level by level.

    The band begins at the step of the body, or below it at 5 cm for furniture that is no ground.

    Args:
        window: With the triangles.
        sheet: The ground that was reached; only what stands beside it matters.
        body: Its step and height bound the band.
        on_furniture: Whether furniture is ground.
    """
    ground = sheet.is_ground
    if not ground.any():
        return _points([])
    _, (row, column) = distance_transform_edt(~ground, return_indices=True)
    nearest = sheet.z_m[row, column]
    level = np.round(nearest / _LEVEL_M).astype(np.int64)
    beside = binary_dilation(ground, iterations=_AROUND_CELLS, structure=np.ones((3, 3), bool))
    near = _Nearby.of(window, sheet.grid, beside)
    parts = []
    for one in np.unique(level[beside]):
        chosen = beside & (level == one)
        own = ground & (level == one)
        z = float(np.median(sheet.z_m[own])) if own.any() else one * _LEVEL_M
        low, high = z + body.step_up_m + TOUCH_M, z + body.height_m - TOUCH_M
        raised = max(z, window.high_z_m) + RAISED_M + TOUCH_M
        if high <= low:
            continue
        if on_furniture or raised >= low:
            parts.append(_level_points(near, (low, high), sheet, chosen))
            continue
        furniture = window.is_furniture[near.triangle]
        parts.append(_level_points(near, (low, high), sheet, chosen, ~furniture))
        parts.append(_level_points(near, (raised, high), sheet, chosen, furniture))
    return _thinned(_points(parts))


@dataclass(frozen=True, eq=False, slots=True)
class _Nearby:
    """Triangles whose box in plan has one of some cells in or beside it."""

    triangle: Ints
    triangles_m: Floats
    lowest_m: Floats
    highest_m: Floats
    """Heights of their ends."""

    first: NDArray[np.int32]
    last: NDArray[np.int32]
    """(N, 2) column and row of the first cell in or beside each box, and of the one after all."""

    @classmethod
    def of(cls, window: GroundWindow, grid: Grid, cells: Bools) -> _Nearby:
        low, high = window.spans_m
        origin, size = np.array([grid.x0_m, grid.y0_m]), np.array([grid.columns, grid.rows])
        first = np.floor((low[:, :2] - origin) / grid.cell_m).astype(np.int32) - 1
        last = np.floor((high[:, :2] - origin) / grid.cell_m).astype(np.int32) + 2
        first, last = np.clip(first, 0, size), np.clip(last, 0, size)
        near = np.flatnonzero(_have_any(cells, first, last))
        return cls(
            near, window.triangles_m[near], low[near, 2], high[near, 2], first[near], last[near]
        )


def _level_points(
    near: _Nearby,
    band_m: tuple[float, float],
    sheet: GroundSheet,
    chosen: Bools,
    only: Bools | None = None,
) -> tuple[Floats, Ints]:
    low_m, high_m = band_m
    inside = (near.highest_m > low_m) & (near.lowest_m < high_m)
    some = np.flatnonzero(inside if only is None else inside & only)
    some = some[_have_any(chosen, near.first[some], near.last[some])] if len(some) else some
    if not len(some):
        return np.empty((0, 3)), some
    segments, of = clip_to_band(near.triangles_m[some], low_m, high_m)
    points, segment = sample_segments(segments, SAMPLE_M)
    column, row, is_known = sheet.grid.cells(points)
    kept = is_known & chosen[row, column]
    return points[kept], near.triangle[some[of[segment[kept]]]]


def _have_any(cells: Bools, first: NDArray[np.int32], last: NDArray[np.int32]) -> Bools:
    """Which ranges of columns and rows have any of the cells in them; see ``_Nearby``."""
    sums = cv2.integral(cells.astype(np.uint8))
    (i0, j0), (i1, j1) = first.T, last.T
    return np.asarray(sums[j1, i1] - sums[j0, i1] - sums[j1, i0] + sums[j0, i0] > 0)


def clip_to_band(triangles: Floats, low_m: float, high_m: float) -> tuple[Floats, Ints]:
    """Outline of each triangle between two heights.

    Returns:
        (S, 2, 3) segments, and the triangle of each.
    """
    ends = np.roll(triangles, -1, axis=1).reshape(-1, 3)
    starts = triangles.reshape(-1, 3)
    z0, rise = starts[:, 2], ends[:, 2] - starts[:, 2]
    level = np.abs(rise) < 1e-12
    safe = np.where(level, 1.0, rise)
    near, far = (low_m - z0) / safe, (high_m - z0) / safe
    start, end = np.clip(np.minimum(near, far), 0, 1), np.clip(np.maximum(near, far), 0, 1)
    inside = (z0 > low_m) & (z0 < high_m)
    start[level], end[level] = 0.0, 1.0
    kept = np.flatnonzero(np.where(level, inside, end > start))
    first, along = starts[kept], ends[kept] - starts[kept]
    cut = [first + share[kept, None] * along for share in (start, end)]
    segments, owners = [np.stack(cut, axis=1)], [kept // 3]
    for height in (low_m, high_m):
        across, of = _cut_lines(triangles, height)
        segments.append(across)
        owners.append(of)
    return np.concatenate(segments), np.concatenate(owners)


def _cut_lines(triangles: Floats, height_m: float) -> tuple[Floats, Ints]:
    """Where triangles cross a height."""
    above = triangles[:, :, 2] - height_m
    after = np.roll(above, -1, axis=1)
    crosses = (above > 0) != (after > 0)
    of = np.flatnonzero(crosses.sum(axis=1) == 2)
    chosen = crosses[of]
    share = above[of] / np.where(chosen, above[of] - after[of], 1.0)
    points = triangles[of] + share[:, :, None] * (
        np.roll(triangles[of], -1, axis=1) - triangles[of]
    )
    return points[chosen].reshape(-1, 2, 3), of


def sample_segments(segments: Floats, distance_m: float) -> tuple[Floats, Ints]:
    """Points along segments, no farther apart in plan than a distance, ends included."""
    length = np.linalg.norm(segments[:, 1, :2] - segments[:, 0, :2], axis=1)
    count = np.maximum(1, np.ceil(length / distance_m)).astype(np.int64) + 1
    of = np.repeat(np.arange(len(segments)), count)
    rank = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    share = rank / np.repeat(count - 1, count)
    points = share[:, None] * (segments[:, 1] - segments[:, 0])[of]
    points += segments[of, 0]
    return points, of


def _points(parts: list[tuple[Floats, Ints]]) -> ObstaclePoints:
    if not parts:
        return ObstaclePoints(np.empty((0, 2)), np.empty(0), np.empty(0, np.int64))
    points = np.concatenate([part[0] for part in parts])
    return ObstaclePoints(
        np.ascontiguousarray(points[:, :2]), points[:, 2], np.concatenate([p[1] for p in parts])
    )


def _thinned(points: ObstaclePoints) -> ObstaclePoints:
    """One of several points in the same half millimetre."""
    if not len(points.z_m):
        return points
    rounded = np.round(points.xy_m / _SAME_M).astype(np.int64)
    low = rounded.min(axis=0)
    width = int(rounded[:, 1].max() - low[1]) + 1
    number = (rounded[:, 0] - low[0]) * width + (rounded[:, 1] - low[1])
    kept = np.unique(number, return_index=True)[1]
    return ObstaclePoints(points.xy_m[kept], points.z_m[kept], points.triangle[kept])
