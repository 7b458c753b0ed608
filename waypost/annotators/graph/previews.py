"""The small drawings that say what a click would do: ghost node, ring, rubber line."""

from __future__ import annotations

from waypost.annotators import palette
from waypost.domain.base.frames import Vec3
from waypost.viewers.scene.drawing import (
    Drawing,
    Label3D,
    MarkerShape,
    PolyLine,
    SceneMarker,
    with_alpha,
)

LIFT_M = 0.03
"""Lines run this far above the floor, so that they never flicker against it."""


def lifted(point: Vec3) -> Vec3:
    """A point moved just above the floor it lies on."""
    return (point[0], point[1], point[2] + LIFT_M)


def ghost_node(point_m: Vec3) -> Drawing:
    """The node that a click would make."""
    marker = SceneMarker(
        lifted(point_m), palette.GHOST, 14.0, outline=with_alpha(palette.OUTLINE, 0.6)
    )
    return Drawing(markers=(marker,))


def hover_ring(point_m: Vec3) -> Drawing:
    """A ring around the node that a click would take."""
    ring = SceneMarker(lifted(point_m), palette.HOVER, 22.0, MarkerShape.RING)
    return Drawing(markers=(ring,))


def hover_line(start_m: Vec3, end_m: Vec3) -> Drawing:
    """The edge that a click would take."""
    line = PolyLine((lifted(start_m), lifted(end_m)), with_alpha(palette.HOVER, 0.7), 7.0)
    return Drawing(lines=(line,))


def rubber_line(start_m: Vec3, end_m: Vec3) -> Drawing:
    """The edge that a click would make."""
    color = palette.GHOST
    return Drawing(lines=(PolyLine((lifted(start_m), lifted(end_m)), color, 3.0, dash_px=8.0),))


def measured_line(start_m: Vec3, end_m: Vec3, text: str) -> Drawing:
    """A measured distance with its value at the middle."""
    color = palette.MEASURE
    start, end = lifted(start_m), lifted(end_m)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, (start[2] + end[2]) / 2)
    return Drawing(
        lines=(PolyLine((start, end), color, 2.5),),
        markers=tuple(SceneMarker(p, color, 8.0, MarkerShape.DIAMOND) for p in (start, end)),
        labels=(Label3D(middle, text, priority=110, is_bold=True),),
    )
