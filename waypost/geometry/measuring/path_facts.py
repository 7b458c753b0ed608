"""What lies under and over a path: steps, slope, head-room, what it stands on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.ground_flood import GroundSheet
from waypost.geometry.measuring.height_field import LAYERS_M, Floats, HeightField, Ints
from waypost.geometry.measuring.scene_ground import RAISED_M, SMALL_M2, GroundWindow

_STEP_M = 0.005
_JUMP_M = 0.015
"""A change of height within a cell that is no slope."""

_BASE_M = 0.3
"""A slope is measured over this length."""


@dataclass(frozen=True, slots=True)
class PathFacts:
    """Lengths in metres."""

    step_up_m: float = 0.0
    step_up_at_m: Vec3 | None = None
    step_down_m: float = 0.0
    step_down_at_m: Vec3 | None = None
    slope_deg: float = 0.0
    head_room_m: float | None = None
    furniture: tuple[str, ...] = ()
    """Objects underfoot that are no floor: higher than both nodes' ground, and small."""


def along(path: Floats, offset_m: float = 0.0) -> Floats:
    """(N, 2) places every 5 mm on the line that runs beside a path at an offset."""
    made = []
    for a, b in pairwise(path):
        step = b[:2] - a[:2]
        length = float(np.hypot(*step))
        if length == 0:
            continue
        left = np.array([-step[1], step[0]]) / length
        share = np.linspace(0, 1, max(2, math.ceil(length / _STEP_M)))[:, None]
        made.append(a[:2] + share * step + offset_m * left)
    return np.concatenate(made) if made else path[:1, :2]


def path_facts(
    window: GroundWindow, sheet: GroundSheet, path: Floats, body: MeasuredBody, floor_m: float
) -> PathFacts:
    """Measure the ground of a path.

    Args:
        window: The triangles.
        sheet: The ground that was reached.
        path: (N, 3) x, y, heading.
        body: Heights are taken under its middle and on both sides.
        floor_m: The higher of the two nodes' ground.
    """
    up: tuple[float, Vec3 | None] = (0.0, None)
    down: tuple[float, Vec3 | None] = (0.0, None)
    slope = 0.0
    for share in (0.0, 0.4, -0.4):
        places = along(path, share * body.width_m)
        column, row, inside = sheet.grid.cells(places)
        z = np.where(inside, sheet.z_m[row, column], np.nan)
        known = np.isfinite(z)
        places, z = places[known], z[known]
        if len(z) < 2:
            continue
        change = np.diff(z)
        for sign, best in ((1, up), (-1, down)):
            k = int(np.argmax(sign * change))
            if sign * change[k] > best[0]:
                x, y = places[k + 1]
                found = (float(sign * change[k]), (float(x), float(y), float(z[k + 1])))
                up, down = (found, down) if sign > 0 else (up, found)
        if share == 0.0:
            slope = _slope_deg(change)
    return PathFacts(
        *up,
        *down,
        slope,
        _head_room_m(window.field, sheet, path, body),
        _furniture(window, sheet, path, floor_m),
    )


def _slope_deg(change: Floats) -> float:
    """The steepest slope over 0.3 m, steps left out."""
    count = int(_BASE_M / _STEP_M)
    smooth = np.where(np.abs(change) < _JUMP_M, change, 0.0)
    if len(smooth) < count:
        return 0.0
    total = np.abs(np.convolve(smooth, np.ones(count), mode="valid"))
    return math.degrees(math.atan(float(total.max()) / _BASE_M))


def _head_room_m(
    field: HeightField, sheet: GroundSheet, path: Floats, body: MeasuredBody
) -> float | None:
    """The lowest thing over the ground of the path, above the step that the body takes."""
    least = math.inf
    half = 0.45 * body.narrow_m
    for offset in (-half, -half / 2, 0.0, half / 2, half):
        column, row, inside = sheet.grid.cells(along(path, offset))
        column, row = column[inside], row[inside]
        cell = np.unique(row * sheet.grid.columns + column)
        z = sheet.z_m.ravel()[cell]
        cell, z = cell[np.isfinite(z)], z[np.isfinite(z)]
        key = cell * LAYERS_M + (z + body.step_up_m + 0.01 - field.floor_m)
        index = np.searchsorted(field.low_key, key, side="left")
        index = np.minimum(index, len(field.cell) - 1)
        same = (field.cell[index] == cell) & (field.low_m[index] > z + body.step_up_m)
        room = (field.low_m[index] - z)[same]
        least = min(least, float(room.min()) if len(room) else math.inf)
    return least if math.isfinite(least) else None


def _furniture(
    window: GroundWindow, sheet: GroundSheet, path: Floats, floor_m: float
) -> tuple[str, ...]:
    column, row, inside = sheet.grid.cells(along(path))
    row, column = row[inside], column[inside]
    high = np.nan_to_num(sheet.z_m[row, column], nan=-np.inf) > floor_m + RAISED_M
    triangle: Ints = sheet.triangle[row[high], column[high]]
    objects = window.object_of[triangle]
    kept: list[str] = []
    for number in dict.fromkeys(objects.tolist()):
        own = window.triangles_m[window.object_of == number]
        z = sheet.z_m[row[high], column[high]][objects == number].max()
        level = own[np.abs(own[:, :, 2] - z).max(axis=1) < RAISED_M]
        a, b = level[:, 1] - level[:, 0], level[:, 2] - level[:, 0]
        area_m2 = float(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()) / 2
        if area_m2 < SMALL_M2:
            kept.append(window.names[number])
    return tuple(kept)
