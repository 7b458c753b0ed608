"""Holes in the ground that are wide enough for a wheel or a foot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.ndimage import binary_dilation, binary_erosion, distance_transform_edt, label

from waypost.geometry.measuring.body import TOUCH_M, MeasuredBody
from waypost.geometry.measuring.ground_flood import GroundSheet
from waypost.geometry.measuring.height_field import Bools, Floats, HeightField, Ints

_FINE = 4
"""Fine cells along a cell: 5 mm around voids."""


@dataclass(frozen=True, eq=False, slots=True)
class Holes:
    """Where a disc of the widest gap fits into nothing."""

    xy_m: Floats
    """(N, 2) middles of cells of 5 mm."""

    width_m: Floats
    """Diameter of the widest disc that fits into the hole each cell belongs to."""

    is_rim: Bools
    """Which cells lie at the edge of their hole."""


_POSE_M = 0.02
"""Distance of the poses that are looked at on a path."""

_POSES_AT_ONCE = 16
"""They follow one another, so that the same cells are near."""

NO_HOLES = Holes(np.empty((0, 2)), np.empty(0), np.empty(0, bool))


def find_holes(
    triangles: Floats, field: HeightField, sheet: GroundSheet, body: MeasuredBody
) -> Holes:
    """The holes beside the ground that was reached.

    Void is every place without ground within the drop limit and with nothing in the way above;
    a hole is the part of it that a disc of the body's largest gap can cover.
    """
    if not sheet.is_void.any():
        return NO_HOLES
    void, nearest = _void_cells(field, sheet, body)
    fine = _fine_void(triangles, field, sheet, body, void, nearest)
    part = _part_around(fine)
    if part is None:
        return NO_HOLES
    fine = fine[_fine_slices(part)]
    # Beyond the window all is void.
    depth = _distance(np.pad(fine, 1, constant_values=True))[1:-1, 1:-1]
    step = field.grid.cell_m / _FINE
    # The nearest middle outside is half a cell beyond the edge.
    depth -= 0.5
    depth *= step * 2
    wide = depth > body.contact.largest_gap_m
    if not wide.any():
        return NO_HOLES
    covered = _distance(~wide) * step <= body.contact.largest_gap_m / 2
    beside = binary_dilation(sheet.is_ground | sheet.is_void, iterations=25)
    covered &= fine & _fine_cells(beside[part])
    parts, count = label(covered)
    widths = np.zeros(count + 1)
    np.maximum.at(widths, parts.ravel(), depth.ravel())
    rim = covered & ~binary_erosion(covered, border_value=True)
    rim &= _fine_cells(binary_dilation(sheet.is_ground, iterations=2)[part])
    j, i = np.nonzero(covered)
    y, x = j + part[0].start * _FINE, i + part[1].start * _FINE
    xy = np.stack([field.grid.x0_m + (x + 0.5) * step, field.grid.y0_m + (y + 0.5) * step], axis=1)
    return Holes(xy, widths[parts[j, i]], rim[j, i])


def _distance(cells: Bools) -> Floats:
    """From each cell to the nearest one that is not set, in cells.

    As SciPy computes it, but within a third of the memory, which is much for millions of cells.
    """
    row, column = distance_transform_edt(cells, return_distances=False, return_indices=True)
    row -= np.arange(cells.shape[0], dtype=row.dtype)[:, None]
    column -= np.arange(cells.shape[1], dtype=column.dtype)
    row *= row
    column *= column
    row += column
    depth: Floats = np.sqrt(row)
    return depth


def _part_around(fine: Bools) -> tuple[slice, slice] | None:
    """The rows and columns of whole cells with void in them, and one more on every side."""
    sides = []
    for axis in (1, 0):
        own = np.flatnonzero(fine.any(axis=axis)) // _FINE
        if not len(own):
            return None
        most = fine.shape[1 - axis] // _FINE
        sides.append(slice(max(0, int(own[0]) - 1), min(most, int(own[-1]) + 2)))
    return sides[0], sides[1]


def _fine_slices(part: tuple[slice, slice]) -> tuple[slice, slice]:
    rows, columns = (slice(side.start * _FINE, side.stop * _FINE) for side in part)
    return rows, columns


def _fine_cells(cells: Bools) -> Bools:
    return np.repeat(np.repeat(cells, _FINE, axis=0), _FINE, axis=1)


def _void_cells(field: HeightField, sheet: GroundSheet, body: MeasuredBody) -> tuple[Bools, Floats]:
    """Cells that may be void, and the height of the nearest ground of every cell."""
    ground = sheet.is_ground
    _, (row, column) = distance_transform_edt(~ground, return_indices=True)
    nearest = sheet.z_m[row, column]
    cell = np.flatnonzero(~ground.ravel())
    z = nearest.ravel()[cell]
    top = field.highest_from_below(cell, z + body.height_m - TOUCH_M)
    void = np.zeros(ground.size, dtype=bool)
    void[cell] = top <= z + body.step_up_m + TOUCH_M
    void = void.reshape(ground.shape) | sheet.is_void
    parts, _ = label(void)
    known = np.unique(parts[sheet.is_void])
    return np.isin(parts, known[known > 0]), nearest


def _fine_void(
    triangles: Floats,
    field: HeightField,
    sheet: GroundSheet,
    body: MeasuredBody,
    void: Bools,
    nearest: Floats,
) -> Bools:
    """Void in cells of 5 mm: those whose middle has no ground under it."""
    fine = _fine_cells(void)
    beside = binary_dilation(void, structure=np.ones((3, 3), bool)) & (sheet.is_ground | void)
    j, i = np.nonzero(beside)
    cell = j * field.grid.columns + i
    first = np.searchsorted(field.cell, cell, side="left")
    count = np.searchsorted(field.cell, cell, side="right") - first
    of = np.repeat(np.arange(len(cell)), count)
    span = np.repeat(first, count) + np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
    z = nearest[j, i][of]
    near = (
        field.is_upward[span]
        & (field.high_m[span] >= z - body.step_down_m - TOUCH_M)
        & (field.low_m[span] <= z + body.step_up_m + TOUCH_M)
    )
    of, triangle = of[near], triangles[field.triangle[span[near]]]
    step = field.grid.cell_m / _FINE
    for dj in range(_FINE):
        for di in range(_FINE):
            x = field.grid.x0_m + i * field.grid.cell_m + (di + 0.5) * step
            y = field.grid.y0_m + j * field.grid.cell_m + (dj + 0.5) * step
            covered = np.zeros(len(cell), dtype=bool)
            covered[of[covers(triangle, x[of], y[of])]] = True
            fine[j * _FINE + dj, i * _FINE + di] = ~covered
    return fine


def covers(triangle: Floats, x: Floats | float, y: Floats | float) -> Bools:
    """Whether each triangle covers its place in plan."""
    sides = []
    for k in range(3):
        a, b = triangle[:, k], triangle[:, (k + 1) % 3]
        sides.append((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0]))
    low = np.minimum(np.minimum(sides[0], sides[1]), sides[2])
    high = np.maximum(np.maximum(sides[0], sides[1]), sides[2])
    return np.asarray((low >= 0) | (high <= 0))


def contacts_over(holes: Holes, poses: Floats, body: MeasuredBody) -> tuple[Ints, Ints]:
    """Cells of holes that wheels or feet pass on a path, and those under the body alone.

    Args:
        holes: In the window.
        poses: (N, 3) x, y, heading of the path.
        body: With its contacts.
    """
    near = np.flatnonzero(near_path(holes.xy_m, poses, body.reach_m))
    touched = np.zeros(len(near), dtype=bool)
    under = np.zeros(len(near), dtype=bool)
    places = holes.xy_m[near]
    looked_at = _every(poses, _POSE_M) if len(near) else poses[:0]
    reach_m = _reach_of_contacts_m(body)
    for first in range(0, len(looked_at), _POSES_AT_ONCE):
        some = looked_at[first : first + _POSES_AT_ONCE]
        low, high = some[:, :2].min(axis=0) - reach_m, some[:, :2].max(axis=0) + reach_m
        beside = np.flatnonzero(((places >= low) & (places <= high)).all(axis=1))
        for pose in some:
            is_touched, is_under = _is_met(places[beside] - pose[:2], float(pose[2]), body)
            touched[beside] |= is_touched
            under[beside] |= is_under
    return near[touched], near[under & ~touched]


def _half_width_m(body: MeasuredBody) -> float:
    """Of what a wheel or a foot passes over."""
    return max(body.contact.width_m / 2, 0.008)


def _reach_of_contacts_m(body: MeasuredBody) -> float:
    """No cell that a body or its contacts meet lies farther from its middle, and 1 cm more."""
    half = _half_width_m(body)
    contacts = [math.hypot(abs(x) + _POSE_M, abs(y) + half) for x, y in body.contact.places]
    return max([body.reach_m, *contacts]) + 0.01


def _is_met(offset: Floats, heading_rad: float, body: MeasuredBody) -> tuple[Bools, Bools]:
    """Which cells the contacts pass at a pose, and which lie under the body.

    Args:
        offset: (N, 2) from the pose to the cells.
        heading_rad: Of the pose.
        body: With its contacts.
    """
    cos, sin = np.cos(heading_rad), np.sin(heading_rad)
    along = offset[:, 0] * cos + offset[:, 1] * sin
    across = offset[:, 1] * cos - offset[:, 0] * sin
    if body.is_round:
        under = np.hypot(along, across) < body.width_m / 2
    else:
        under = (np.abs(along) < body.length_m / 2) & (np.abs(across) < body.width_m / 2)
    touched = np.zeros(len(offset), dtype=bool)
    for forward, left in body.contact.places:
        touched |= (np.abs(across - left) <= _half_width_m(body)) & (
            np.abs(along - forward) <= _POSE_M
        )
    return touched, under


def near_path(places: Floats, poses: Floats, reach_m: float) -> Bools:
    """Places that a body may cover on its way."""
    near = np.zeros(len(places), dtype=bool)
    for a, b in pairwise(poses[:, :2]):
        step = b - a
        square = max(float(step @ step), 1e-12)
        share = np.clip((places - a) @ step / square, 0, 1)
        offset = places - a - share[:, None] * step
        near |= np.hypot(offset[:, 0], offset[:, 1]) <= reach_m
    return near


def _every(poses: Floats, distance_m: float) -> Floats:
    """Poses no farther apart than a distance in plan."""
    made = [poses[:1]]
    for a, b in pairwise(poses):
        count = max(1, int(np.ceil(np.hypot(*(b - a)[:2]) / distance_m)))
        made.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(made)
