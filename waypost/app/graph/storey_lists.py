"""The nodes and the edges of the graph by storey, in step with the view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtWidgets import QWidget

from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.domain.scene.scene import Storey
from waypost.services.appearance import EDGE_KIND_MARKS
from waypost.widgets.grouped_list import GroupedList, ListRow

_FLOOR_TOLERANCE_M = 0.3


def storey_of(z_m: float, storeys: Sequence[Storey]) -> str:
    """Name of the storey a point stands in; empty if there are no storeys.

    Args:
        z_m: Height of the point, scene frame.
        storeys: In any order.
    """
    at_or_below = [s for s in storeys if s.floor_z_m <= z_m + _FLOOR_TOLERANCE_M]
    if at_or_below:
        return max(at_or_below, key=lambda s: s.floor_z_m).name
    return min(storeys, key=lambda s: s.floor_z_m).name if storeys else ""


def _order(storeys: Sequence[Storey]) -> dict[str, int]:
    """Name of a storey → its place from below."""
    return {s.name: i for i, s in enumerate(sorted(storeys, key=lambda s: s.floor_z_m))}


def node_rows(
    nodes: Iterable[Node], storeys: Sequence[Storey], warnings: Mapping[str, str]
) -> tuple[ListRow, ...]:
    """Rows of a node list, lowest storey first.

    Args:
        nodes: In the order they are shown within a storey.
        storeys: Of the scene.
        warnings: Node id → what is wrong with it.
    """
    order = _order(storeys)
    rows = [
        ListRow(
            node.node_id,
            node.name,
            node.node_id,
            storey_of(node.position_m[2], storeys),
            warnings.get(node.node_id, ""),
        )
        for node in nodes
    ]
    return tuple(sorted(rows, key=lambda row: order.get(row.group, -1)))


def edge_rows(
    graph: NavigationGraph, storeys: Sequence[Storey], warnings: Mapping[str, str]
) -> tuple[ListRow, ...]:
    """Rows of an edge list, lowest storey first, edges between storeys last.

    Args:
        graph: Whose edges are listed.
        storeys: Of the scene.
        warnings: Edge id → what is wrong with it.
    """
    order = _order(storeys)
    storey = {n.node_id: storey_of(n.position_m[2], storeys) for n in graph.nodes.values()}
    rows: list[ListRow] = []
    for edge in graph.edges.values():
        start, end = graph.nodes[edge.from_id], graph.nodes[edge.to_id]
        group = storey[edge.from_id]
        if group != storey[edge.to_id]:
            group = "between storeys"
        text = f"{start.name} – {end.name}"
        warning = warnings.get(edge.edge_id, "")
        mark = EDGE_KIND_MARKS[edge.kind]
        tip = f"{edge.kind} · {edge.edge_id}"
        rows.append(ListRow(edge.edge_id, text, mark, group, warning, tip))
    return tuple(sorted(rows, key=lambda row: order.get(row.group, len(order))))


class NodeList(GroupedList):
    """Names and ids of nodes; ``row_activated`` asks to go to a node."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("node", "nodes", parent)


class EdgeList(GroupedList):
    """Ends and kinds of edges; ``row_activated`` asks to go to an edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("edge", "edges", parent)
