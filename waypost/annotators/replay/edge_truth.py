"""The truth about a predicted route as marks on the plan."""

from __future__ import annotations

from collections.abc import Iterable

from waypost.domain.graph import NavigationGraph
from waypost.domain.route_truth import RouteEdge
from waypost.viewers.plan_content import EdgeMark


def edge_marks(truth: Iterable[RouteEdge], graph: NavigationGraph) -> tuple[EdgeMark, ...]:
    """Marks of the moves whose nodes the graph has; a move made twice is marked once."""
    nodes = graph.nodes
    found = {
        (edge.from_id, edge.to_id): EdgeMark(
            nodes[edge.from_id].position_m, nodes[edge.to_id].position_m, edge.state, edge.text
        )
        for edge in truth
        if edge.from_id in nodes and edge.to_id in nodes
    }
    return tuple(found.values())
