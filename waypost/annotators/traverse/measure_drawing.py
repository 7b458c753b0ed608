"""What was measured of the passage at hand, over the scene: the path found, the critical place."""

from __future__ import annotations

from waypost.annotators import palette
from waypost.annotators.graph.previews import lifted
from waypost.domain.traverse.measure import PassageMeasure
from waypost.viewers.scene.drawing import Drawing, MarkerShape, PolyLine, SceneMarker
from waypost.viewers.scene.shapes import circle

_SPOT_RADIUS_M = 0.25
_SPOT_SIZE_PX = 16.0


def measure_drawing(measure: PassageMeasure) -> Drawing:
    """The path just above the ground, and a cross in a ring where it is decided."""
    lines = []
    if len(measure.path_m) > 1:
        points = tuple(map(lifted, measure.path_m))
        lines.append(PolyLine(points, palette.PATH, 3.0))
    if measure.at_m is None:
        return Drawing(tuple(lines))
    at = lifted(measure.at_m)
    lines.append(circle(at, _SPOT_RADIUS_M, palette.CONTACT, width_px=2.5))
    spot = SceneMarker(at, palette.CONTACT, _SPOT_SIZE_PX, MarkerShape.CROSS)
    return Drawing(tuple(lines), (spot,))
