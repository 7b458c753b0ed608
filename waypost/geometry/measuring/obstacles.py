"""What stands in a body's band of heights, as points on its exact outline in plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
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
            parts.append(_level_points(window, (low, high), sheet, chosen))
            continue
        furniture = window.is_furniture
        parts.append(_level_points(window, (low, high), sheet, chosen, ~furniture))
        parts.append(_level_points(window, (raised, high), sheet, chosen, furniture))
    return _thinned(_points(parts))


def _level_points(
    window: GroundWindow,
    band_m: tuple[float, float],
    sheet: GroundSheet,
    chosen: Bools,
    only: Bools | None = None,
) -> tuple[Floats, Ints]:
    low_m, high_m = band_m
    lowest, highest = window.spans_m
    inside = (highest[:, 2] > low_m) & (lowest[:, 2] < high_m)
    near = np.flatnonzero(inside if only is None else inside & only)
    near = near[_comes_near(chosen, sheet.grid, lowest[near], highest[near])]
    segments, of = clip_to_band(window.triangles_m[near], low_m, high_m)
    points, segment = sample_segments(segments, SAMPLE_M)
    column, row, is_known = sheet.grid.cells(points)
    kept = is_known & chosen[row, column]
    return points[kept], near[of[segment[kept]]]


def _comes_near(chosen: Bools, grid: Grid, low: Floats, high: Floats) -> Bools:
    """Which boxes in plan have a chosen cell in or beside them."""
    sums = np.pad(chosen.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    origin, size = np.array([grid.x0_m, grid.y0_m]), np.array([grid.columns, grid.rows])
    first = np.floor((low[:, :2] - origin) / grid.cell_m).astype(np.int64) - 1
    last = np.floor((high[:, :2] - origin) / grid.cell_m).astype(np.int64) + 2
    (i0, j0), (i1, j1) = np.clip(first, 0, size).T, np.clip(last, 0, size).T
    return np.asarray(sums[j1, i1] - sums[j0, i1] - sums[j1, i0] + sums[j0, i0] > 0)


def clip_to_band(triangles: Floats, low_m: float, high_m: float) -> tuple[Floats, Ints]:
    """Outline of each triangle between two heights.

    Returns:
        (S, 2, 3) segments, and the triangle of each.
    """
    sides = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    of_side = np.repeat(np.arange(len(triangles)), 3)
    z0, rise = sides[:, 0, 2], sides[:, 1, 2] - sides[:, 0, 2]
    level = np.abs(rise) < 1e-12
    safe = np.where(level, 1.0, rise)
    near, far = (low_m - z0) / safe, (high_m - z0) / safe
    start, end = np.clip(np.minimum(near, far), 0, 1), np.clip(np.maximum(near, far), 0, 1)
    inside = (z0 > low_m) & (z0 < high_m)
    start[level], end[level] = 0.0, 1.0
    kept = np.where(level, inside, end > start)
    along = sides[:, 1] - sides[:, 0]
    cut = np.stack(
        [sides[:, 0] + start[:, None] * along, sides[:, 0] + end[:, None] * along], axis=1
    )
    segments, owners = [cut[kept]], [of_side[kept]]
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
    return segments[of, 0] + share[:, None] * (segments[of, 1] - segments[of, 0]), of


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
