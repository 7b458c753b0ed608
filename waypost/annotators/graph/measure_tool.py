"""The measure tool: distance between two points, and the width that is free at a point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from waypost.annotators.graph import previews
from waypost.annotators.graph.context import GraphContext, SceneRays, ToolResult
from waypost.domain.base.frames import Vec3, vec3
from waypost.viewers.scene.drawing import NOTHING, Drawing
from waypost.viewers.scene.pointer import LEFT_BUTTON, PointerEvent, PointerPhase

PROBE_HEIGHTS_M = (0.10, 0.30, 0.60, 0.90, 1.20)
"""Above the floor: from a sweeper's body to a wheelchair's."""

MAX_WIDTH_M = 10.0
"""Nothing wider than this is called a passage."""

_DIRECTIONS = 90
_SAME_HEIGHT_M = 0.005


@dataclass(frozen=True, slots=True)
class FreeWidth:
    """The narrowest straight line through a point that touches nothing."""

    left_m: Vec3
    right_m: Vec3
    """Both ends on the floor's height."""

    width_m: float


@dataclass(frozen=True, slots=True)
class MeasureTool:
    """Measure distance and width (M)."""

    start_m: Vec3 | None = None
    end_m: Vec3 | None = None
    """Set once the second point is clicked; the third click begins anew."""

    @property
    def is_busy(self) -> bool:
        """Whether something is measured, which Esc would drop."""
        return self.start_m is not None

    def cancel(self) -> ToolResult:
        """Drop both points."""
        return ToolResult(MeasureTool())

    def handle(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        """Answer one pointer event; a measure never edits."""
        if context.rays is None:
            message = "The scene is still being prepared; try again in a moment."
            return ToolResult(self, message=message, is_refused=True)
        hit = context.rays.first_hit(event.ray_origin, event.ray_direction, cut_z_m=context.cut_z_m)
        point_m = hit.point_m if hit is not None else None
        is_press = event.phase in {PointerPhase.PRESS, PointerPhase.DOUBLE}
        tool = self
        if is_press and event.button == LEFT_BUTTON and point_m is not None:
            is_second = self.start_m is not None and self.end_m is None
            tool = MeasureTool(self.start_m, point_m) if is_second else MeasureTool(point_m)
        shown_m = tool.end_m or point_m
        if shown_m is None:
            message = "There is nothing to measure under the pointer."
            return ToolResult(tool, message=message, is_refused=True)
        message, preview = _measured(tool.start_m, shown_m, context.rays)
        return ToolResult(tool, preview, message=message)


def _measured(start_m: Vec3 | None, point_m: Vec3, rays: SceneRays) -> tuple[str, Drawing]:
    words: list[str] = []
    drawing = NOTHING
    toward = None
    if start_m is not None and start_m != point_m:
        toward = (point_m[0] - start_m[0], point_m[1] - start_m[1])
        words.append(distance_text(start_m, point_m))
        text = f"{math.dist(start_m, point_m):.2f} m"
        drawing += previews.measured_line(start_m, point_m, text)
    width = free_width(point_m, rays, toward)
    if width is not None:
        words.append(f"{width.width_m:.2f} m free {'across' if toward else 'at its narrowest'}")
        text = f"{width.width_m:.2f} m free"
        drawing += previews.measured_line(width.left_m, width.right_m, text)
    else:
        words.append(f"nothing within {MAX_WIDTH_M:.0f} m across")
    if start_m is None:
        words.append("click to measure from here")
    return " · ".join(words), drawing


def distance_text(start_m: Vec3, end_m: Vec3) -> str:
    """The straight distance, and level and vertical ones where points are not at one height.

    In few words, which fit under a narrow stage.
    """
    straight_m = math.dist(start_m, end_m)
    level_m = math.dist(start_m[:2], end_m[:2])
    rise_m = end_m[2] - start_m[2]
    if abs(rise_m) < _SAME_HEIGHT_M:
        return f"{straight_m:.2f} m"
    return f"{straight_m:.2f} m (level {level_m:.2f} m, height {rise_m:+.2f} m)"


def free_width(
    floor_m: Vec3, rays: SceneRays, toward: tuple[float, float] | None = None
) -> FreeWidth | None:
    """The width of the free passage across a point of the floor.

    Horizontal rays leave the point at several heights, both ways; of each direction the nearest
    obstacle on either side counts, and of all directions the narrowest.

    Args:
        floor_m: A point on the floor, scene frame.
        rays: The scene.
        toward: Level direction of travel; only lines within 10° of square to it are tried.
            Without it every direction is, and a corner of a room measures as narrow.

    Returns:
        The narrowest width, or ``None`` if nothing narrower than 10 m was found.
    """
    if toward is None or toward == (0.0, 0.0):
        angles = np.arange(_DIRECTIONS) * (math.pi / _DIRECTIONS)
    else:
        square = math.atan2(toward[1], toward[0]) + math.pi / 2
        angles = square + np.radians(np.arange(-10.0, 11.0, 1.0))
    away = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))])
    both = np.vstack([away, -away])
    heights = np.asarray(PROBE_HEIGHTS_M)
    origins = np.asarray(floor_m) + np.column_stack([np.zeros((len(heights), 2)), heights])
    distances = rays.first_hit_distances(
        np.repeat(origins, len(both), axis=0), np.tile(both, (len(heights), 1))
    )
    nearest = distances.reshape(len(heights), 2, len(angles)).min(axis=0)
    widths = nearest.sum(axis=0)
    best = int(np.argmin(widths))
    if not widths[best] <= MAX_WIDTH_M:
        return None
    ends = np.asarray(floor_m) + np.array(
        [away[best] * nearest[0, best], -away[best] * nearest[1, best]]
    )
    left, right = (vec3(end) for end in ends.tolist())
    return FreeWidth(left, right, float(widths[best]))
