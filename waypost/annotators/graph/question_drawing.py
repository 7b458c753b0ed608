"""A question over the graph: every way it could be gone, and the places it names."""

from __future__ import annotations

from waypost.annotators import palette
from waypost.annotators.graph.previews import lifted
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.questions import QuestionRoute
from waypost.viewers.scene.drawing import (
    Drawing,
    Label3D,
    MarkerShape,
    PolyLine,
    SceneMarker,
    with_alpha,
)

_BAND_PX = 9.0
_RIM_GAP_PX = 16.0


def question_drawing(graph: NavigationGraph, route: QuestionRoute) -> Drawing:
    """Arrows along every move that the question needs, and signs at its places.

    An edge that is gone both ways has two arrow heads.

    Args:
        graph: Has the nodes.
        route: Where the question leads along.
    """
    nodes = graph.nodes
    color = with_alpha(palette.PATH, 0.8)
    lines = tuple(
        PolyLine(
            (lifted(nodes[start].position_m), lifted(nodes[end].position_m)),
            color,
            _BAND_PX,
            has_arrow=True,
            end_gap_px=_RIM_GAP_PX,
        )
        for start, end in sorted(route.moves)
    )
    last = len(route.matches) - 1
    markers, labels = [], []
    for number, match in enumerate(route.matches):
        wanted = (match.node_id,) if match.node_id else match.candidates
        word = {0: "start", last: "end"}.get(number, f"via {number}")
        for node_id in wanted:
            point = lifted(nodes[node_id].position_m)
            shown = word if match.node_id else f"{word}?"
            is_open = palette.PROBLEM if not match.node_id else palette.PATH
            markers.append(SceneMarker(point, is_open, 24.0, MarkerShape.RING, outline_px=3.0))
            labels.append(
                Label3D(
                    point,
                    shown,
                    color=palette.SIGN_TEXT,
                    background=is_open,
                    offset_px=(0.0, 20.0),
                    priority=100,
                    is_bold=True,
                )
            )
    return Drawing(lines, tuple(markers), tuple(labels))
