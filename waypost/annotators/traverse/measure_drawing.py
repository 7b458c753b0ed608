"""What was measured of the passage at hand, over the scene: the path found, the critical place."""

from __future__ import annotations

from waypost.annotators import palette
from waypost.annotators.graph.previews import lifted
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Verdict, state_of
from waypost.viewers.scene.drawing import Drawing, MarkerShape, PolyLine, SceneMarker
from waypost.viewers.scene.shapes import circle

_SPOT_RADIUS_M = 0.25
_SPOT_SIZE_PX = 16.0


def measure_drawing(measure: PassageMeasure) -> Drawing:
    """The path just above the ground, and a mark of the answer in a ring where it is decided.

    Only “does not” has a red cross: on what travels it would read as the answer.
    """
    lines = []
    if len(measure.path_m) > 1:
        points = tuple(map(lifted, measure.path_m))
        lines.append(PolyLine(points, palette.PATH, 3.0))
    if measure.at_m is None:
        return Drawing(tuple(lines))
    at = lifted(measure.at_m)
    colour = palette.STATE_COLORS[state_of(measure.answer)]
    is_blocked = measure.answer is Verdict.DOES_NOT
    shape = MarkerShape.CROSS if is_blocked else MarkerShape.DIAMOND
    lines.append(circle(at, _SPOT_RADIUS_M, colour, width_px=2.5))
    spot = SceneMarker(at, colour, _SPOT_SIZE_PX, shape)
    return Drawing(tuple(lines), (spot,))
