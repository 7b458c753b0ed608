"""The lines that tell the kinds of edges and their two directions apart without colour."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.domain.frames import Vec3
from waypost.domain.graph import EdgeKind
from waypost.viewers.drawing import Color, PolyLine

OFFSET_M = 0.06
"""Each direction runs this far to the right of the middle, like traffic."""

_GAP_PX = 9.0
"""The line of a direction ends before the disc of the node, so that its arrow head shows."""

_DASH_PX = {EdgeKind.WALK: 0.0, EdgeKind.STAIRS: 0.0, EdgeKind.DOOR: 9.0, EdgeKind.ELEVATOR: 3.0}
_STALE_DASH_PX = 5.0
_TICK_SPACING_M = 0.35
_MAX_TICKS = 24


@dataclass(frozen=True, slots=True)
class EdgeStyle:
    """Where an edge runs and what kind it is."""

    kind: EdgeKind
    start: Vec3
    end: Vec3
    is_on_top: bool

    @property
    def middle(self) -> Vec3:
        """Half way."""
        return _between(self.start, self.end, 0.5)


def edge_lines(
    style: EdgeStyle, color: Color, width_px: float, outline: Color | None = None
) -> list[PolyLine]:
    """One line for an edge, with ticks across if it is a flight of stairs."""
    points = (style.start, style.end)
    dash = _DASH_PX[style.kind]
    lines = [PolyLine(points, color, width_px, dash, is_on_top=style.is_on_top, outline=outline)]
    if style.kind is EdgeKind.STAIRS:
        lines += _ticks(style, color)
    return lines


def direction_lines(
    style: EdgeStyle, is_forward: bool, color: Color, width_px: float, is_stale: bool
) -> tuple[list[PolyLine], Vec3]:
    """One direction of an edge, and the point where its sign goes.

    Args:
        style: The edge.
        is_forward: From its start to its end, or back.
        color: Of the direction's state.
        width_px: Of its line.
        is_stale: Draws the line broken up, whatever the kind.
    """
    start, end = (style.start, style.end) if is_forward else (style.end, style.start)
    right_x, right_y, _ = _right(start, end)
    dx, dy = right_x * OFFSET_M, right_y * OFFSET_M
    first = (start[0] + dx, start[1] + dy, start[2])
    last = (end[0] + dx, end[1] + dy, end[2])
    dash = _STALE_DASH_PX if is_stale else _DASH_PX[style.kind]
    line = PolyLine(
        (first, last),
        color,
        width_px,
        dash,
        is_on_top=style.is_on_top,
        has_arrow=True,
        end_gap_px=_GAP_PX,
    )
    lines = [line]
    if style.kind is EdgeKind.STAIRS and is_forward:
        lines += _ticks(style, color)
    return lines, _between(first, last, 0.62)


def _ticks(style: EdgeStyle, color: Color) -> list[PolyLine]:
    """Short lines across, as stairs are drawn on plans."""
    start, end = style.start, style.end
    right_x, right_y, length_m = _right(start, end)
    count = max(2, min(_MAX_TICKS, int(length_m / _TICK_SPACING_M)))
    half = 2.2 * OFFSET_M
    ticks = []
    for i in range(1, count + 1):
        x, y, z = _between(start, end, i / (count + 1))
        dx, dy = right_x * half, right_y * half
        points = ((x - dx, y - dy, z), (x + dx, y + dy, z))
        ticks.append(PolyLine(points, color, 1.5, is_on_top=style.is_on_top))
    return ticks


def _right(start: Vec3, end: Vec3) -> tuple[float, float, float]:
    """Level unit vector to the right of the way, and the way's length in metres."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    level = math.hypot(dx, dy)
    length = math.hypot(level, end[2] - start[2])
    if level < 1e-9:
        # Straight up there is no right; the two directions still must not coincide.
        return (math.copysign(1.0, end[2] - start[2]), 0.0, length)
    return (dy / level, -dx / level, length)


def _between(a: Vec3, b: Vec3, share: float) -> Vec3:
    rest = 1.0 - share
    return (a[0] * rest + b[0] * share, a[1] * rest + b[1] * share, a[2] * rest + b[2] * share)
