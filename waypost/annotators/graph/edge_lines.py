"""The lines that tell the kinds of edges and their two directions apart without colour."""

from __future__ import annotations

import math
from typing import NamedTuple

from waypost.domain.base.frames import Vec3, between
from waypost.domain.scene.graph import EdgeKind
from waypost.viewers.scene.drawing import Color, PolyLine

OFFSET_M = 0.06
"""Each direction runs this far to the right of the middle, like traffic."""

_GAP_PX = 9.0
"""The line of a direction ends before the disc of the node, so that its arrow head shows."""

_DASH_PX = {EdgeKind.WALK: 0.0, EdgeKind.STAIRS: 0.0, EdgeKind.DOOR: 9.0, EdgeKind.ELEVATOR: 3.0}
_STALE_DASH_PX = 5.0
_TICK_SPACING_M = 0.35
_MAX_TICKS = 24
_TICK_HALF_M = 0.16
_SIGN_SHARE = 0.62
_UPRIGHT_M = 1e-9


def edge_lines(
    kind: EdgeKind, start: Vec3, end: Vec3, color: Color, width_px: float, outline: Color | None
) -> list[PolyLine]:
    """One line for an edge, with ticks across if it is a flight of stairs."""
    line = PolyLine((start, end), color, width_px, _DASH_PX[kind], outline=outline)
    if kind is not EdgeKind.STAIRS:
        return [line]
    return [line, *stair_ticks(start, end, color)]


class DirectionMark(NamedTuple):
    """One direction of an edge, beside its middle."""

    points: tuple[Vec3, Vec3]
    sign_at: Vec3
    """Where the sign of its state goes: nearer to its end than to its start."""


def both_ways(start: Vec3, end: Vec3) -> tuple[DirectionMark, DirectionMark]:
    """The way there and the way back, each on its right-hand side like traffic."""
    return _way(start, end), _way(end, start)


def direction_line(
    kind: EdgeKind, way: DirectionMark, color: Color, width_px: float, is_stale: bool
) -> PolyLine:
    """The line of one direction, with an arrow; broken up if its label is stale."""
    dash = _STALE_DASH_PX if is_stale else _DASH_PX[kind]
    return PolyLine(way.points, color, width_px, dash, True, True, _GAP_PX)


def stair_ticks(start: Vec3, end: Vec3, color: Color) -> list[PolyLine]:
    """Short lines across, as stairs are drawn on plans."""
    right_x, right_y, length_m = _right(start, end)
    count = max(2, min(_MAX_TICKS, int(length_m / _TICK_SPACING_M)))
    dx, dy = right_x * _TICK_HALF_M, right_y * _TICK_HALF_M
    ticks = []
    for i in range(1, count + 1):
        x, y, z = between(start, end, i / (count + 1))
        ticks.append(PolyLine(((x - dx, y - dy, z), (x + dx, y + dy, z)), color, 2.0))
    return ticks


def _way(start: Vec3, end: Vec3) -> DirectionMark:
    dx, dy, dz = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    level = math.hypot(dx, dy)
    if level < _UPRIGHT_M:
        # Straight up there is no right; the two directions still must not coincide.
        aside_x, aside_y = math.copysign(OFFSET_M, dz), 0.0
    else:
        aside_x, aside_y = dy / level * OFFSET_M, -dx / level * OFFSET_M
    first = (start[0] + aside_x, start[1] + aside_y, start[2])
    last = (end[0] + aside_x, end[1] + aside_y, end[2])
    return DirectionMark((first, last), between(first, last, _SIGN_SHARE))


def _right(start: Vec3, end: Vec3) -> tuple[float, float, float]:
    """Level unit vector to the right of the way, and the way's length in metres."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    level = math.hypot(dx, dy)
    length = math.hypot(level, end[2] - start[2])
    if level < _UPRIGHT_M:
        return (1.0, 0.0, length)
    return (dy / level, -dx / level, length)
