"""Says what stands in the way: which object, and for which reason of the label list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.traversability import Reason
from waypost.geometry.measuring.body import TOUCH_M, MeasuredBody
from waypost.geometry.measuring.flights import RISER_M
from waypost.geometry.measuring.ground_flood import GroundSheet
from waypost.geometry.measuring.height_field import Floats, Ints
from waypost.geometry.measuring.holes import covers
from waypost.geometry.measuring.scene_ground import GroundWindow

_SILL_M = 0.3
"""What is higher than this is no sill, whatever the agent steps over."""

_OVERHEAD_SHARE = 0.75
_AROUND_M = 0.03
_NEXT_RISER_M = 0.45
_TREAD_M = 0.1
"""What is less deep on average is no tread."""

_LEVEL_M = 0.001


@dataclass(frozen=True, slots=True)
class Obstruction:
    """One thing in the way."""

    reason: Reason
    words: str
    at_m: Vec3
    names: tuple[str, ...]
    margin_m: float | None = None
    """How far its height is beyond the limit, negative; only of sills and overhangs."""


def obstruction_at(
    window: GroundWindow,
    sheet: GroundSheet,
    body: MeasuredBody,
    at: Vec3,
    triangle: int,
    *,
    on_furniture: bool = True,
) -> Obstruction:
    """What a point in the band of heights belongs to.

    Args:
        window: The triangles.
        sheet: The ground beside it.
        body: Its step and height bound the band.
        at: The point.
        triangle: On which it lies.
        on_furniture: Whether furniture is ground; otherwise its height does not matter.
    """
    ground = _ground_near(sheet, at)
    name = window.name_of(triangle)
    low, top = _column(window, at, ground, body)
    if low >= _OVERHEAD_SHARE * body.height_m and low > body.step_up_m + RISER_M:
        words = f"{name} is {low:.2f} m above the ground, the agent is {body.height_m:.2f} m high"
        return Obstruction(Reason.LOW_CLEARANCE, words, at, (name,), low - body.height_m)
    if not on_furniture and window.is_furniture[triangle]:
        return Obstruction(Reason.OBSTACLE, f"{name} stands in the way", at, (name,))
    if top <= max(_SILL_M, body.step_up_m + 0.05) and low <= TOUCH_M + body.step_up_m:
        margin = body.step_up_m - top
        words = (
            f"{name} is {top * 100:.1f} cm high, the step limit is {body.step_up_m * 100:.1f} cm"
        )
        return Obstruction(_riser_reason(window, at, ground, top), words, at, (name,), margin)
    return Obstruction(Reason.OBSTACLE, f"{name} stands in the way", at, (name,))


def _ground_near(sheet: GroundSheet, at: Vec3) -> float:
    column, row, _ = sheet.grid.cells(np.array([[at[0], at[1]]]))
    j, i = int(row[0]), int(column[0])
    for reach in (1, 3, 8):
        part = sheet.z_m[max(0, j - reach) : j + reach + 1, max(0, i - reach) : i + reach + 1]
        if np.isfinite(part).any():
            return float(np.nanmedian(part))
    return at[2]


def _near(window: GroundWindow, at: Vec3, around_m: float) -> Ints:
    """Which triangles have a box in plan that comes near a place."""
    low, high = window.spans_m
    x, y = at[0], at[1]
    near = (low[:, 0] <= x + around_m) & (high[:, 0] >= x - around_m)
    near &= (low[:, 1] <= y + around_m) & (high[:, 1] >= y - around_m)
    return np.flatnonzero(near)


def _column(
    window: GroundWindow, at: Vec3, ground_m: float, body: MeasuredBody
) -> tuple[float, float]:
    """Lower and upper end, above the ground, of what reaches into the band near a place."""
    near = window.triangles_m[_near(window, at, _AROUND_M)]
    low, top = near[:, :, 2].min(axis=1) - ground_m, near[:, :, 2].max(axis=1) - ground_m
    band = (top > body.step_up_m + TOUCH_M) & (low < body.height_m - TOUCH_M)
    if not band.any():
        return 0.0, at[2] - ground_m
    return float(low[band].min()), float(top[band].max())


def _riser_reason(window: GroundWindow, at: Vec3, ground_m: float, top_m: float) -> Reason:
    """Stairs where another riser follows close by, else a step or sill."""
    heights = _treads_m(window, at) - ground_m
    next_riser = (heights > top_m + RISER_M) & (heights < top_m + _SILL_M + RISER_M)
    return Reason.STAIRS if next_riser.any() else Reason.STEP_OR_SILL


def _treads_m(window: GroundWindow, at: Vec3) -> Floats:
    """Heights of what is level close by and deep enough for a foot, unlike a skirting."""
    near = _near(window, at, _NEXT_RISER_M)
    level = near[np.ptp(window.triangles_m[near][:, :, 2], axis=1) < _LEVEL_M]
    corners = window.triangles_m[level]
    height = np.round(corners[:, :, 2].mean(axis=1) / _LEVEL_M)
    of_tread = np.stack([window.object_of[level], height], axis=1)
    found = []
    for tread in np.unique(of_tread, axis=0):
        own = corners[(of_tread == tread).all(axis=1)]
        a, b = own[:, 1, :2] - own[:, 0, :2], own[:, 2, :2] - own[:, 0, :2]
        area_m2 = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2
        if area_m2 >= _TREAD_M * np.hypot(*np.ptp(own[:, :, :2], axis=(0, 1))):
            found.append(float(own[:, :, 2].mean()))
    return np.array(found)


def drop_at(
    window: GroundWindow, sheet: GroundSheet, at: Vec3, width_m: float, gap_m: float
) -> Obstruction:
    """What a place without ground within the drop limit is."""
    ground = _ground_near(sheet, at)
    near = window.triangles_m[_near(window, at, 0.0)]
    near = near[(np.ptp(near[:, :, 2], axis=1) < 0.02) & covers(near, at[0], at[1])]
    below = ground - near[:, :, 2].mean(axis=1)
    below = below[below > 0.02]
    if len(below) and below.min() <= 0.4:
        reason = _falling_reason(window, at, ground, float(below.min()))
        words = f"the ground drops by {below.min() * 100:.1f} cm"
        return Obstruction(reason, words, (at[0], at[1], ground), ())
    words = f"a hole {width_m:.2f} m wide in the ground, the agent bridges {gap_m:.2f} m"
    return Obstruction(Reason.FLOOR_HOLE, words, (at[0], at[1], ground), (), gap_m - width_m)


def _falling_reason(window: GroundWindow, at: Vec3, ground_m: float, drop_m: float) -> Reason:
    below = ground_m - _treads_m(window, at)
    more = (below > drop_m + RISER_M) & (below < drop_m + 0.35)
    return Reason.STAIRS if more.any() else Reason.STEP_OR_SILL
