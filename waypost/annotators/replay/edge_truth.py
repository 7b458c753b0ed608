"""The truth about a predicted route as marks on the map and over the scene."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from waypost.annotators import palette
from waypost.annotators.replay.replay_drawing import LIFT_M
from waypost.domain.base.frames import Vec3, between
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.route_truth import RouteEdge
from waypost.domain.traverse.traversability import PassageState
from waypost.viewers.map.content import EdgeMark
from waypost.viewers.scene.drawing import Drawing, Label3D, PolyLine

_WIDTH_PX: Final = 14.0
_OPEN_WIDTH_PX: Final = 11.0
"""Of edges about which nothing is decided."""

_DASH_PX: Final = 12.0
_ALWAYS: Final = 100
"""Priority of labels that are drawn whatever they cover."""

_BEFORE_HALF: Final = 0.4
"""Where on the way the sign stands, so that both directions of an edge can be read."""


def edge_marks(truth: Iterable[RouteEdge], graph: NavigationGraph) -> tuple[EdgeMark, ...]:
    """Marks of the moves whose nodes the graph has; a move made twice is marked once."""
    nodes = graph.nodes
    found = {
        (edge.from_id, edge.to_id): EdgeMark(
            nodes[edge.from_id].position_m,
            nodes[edge.to_id].position_m,
            edge.state,
            edge.text,
            edge.is_edge,
        )
        for edge in truth
        if edge.from_id in nodes and edge.to_id in nodes
    }
    return tuple(found.values())


def edge_drawing(marks: Iterable[EdgeMark]) -> Drawing:
    """The marks over a scene: a wide line beneath the way in the colour of the truth, its sign.

    Moves that the agent does not travel are dashed; nothing decided is a narrower line.
    """
    lines, labels = [], []
    for mark in marks:
        start, end = _lifted(mark.start_m), _lifted(mark.end_m)
        color = palette.STATE_COLORS[mark.state]
        is_decided = mark.state in {PassageState.TRAVELS, PassageState.DOES_NOT}
        lines.append(
            PolyLine(
                (start, end),
                color,
                _WIDTH_PX if is_decided else _OPEN_WIDTH_PX,
                dash_px=_DASH_PX if mark.state is PassageState.DOES_NOT else 0.0,
                outline=palette.OUTLINE,
            )
        )
        labels.append(
            Label3D(
                between(start, end, _BEFORE_HALF),
                mark.sign.mark,
                color=palette.SIGN_TEXT,
                background=color,
                offset_px=(0.0, 0.0),
                priority=_ALWAYS,
                is_bold=True,
            )
        )
    return Drawing(tuple(lines), labels=tuple(labels))


def _lifted(point: Vec3) -> Vec3:
    return point[0], point[1], point[2] + LIFT_M
