"""The edges of the graph by storey, in step with the view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QWidget

from waypost.app.graph.node_list import storey_of
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Storey
from waypost.services.appearance import EDGE_KIND_MARKS
from waypost.widgets.grouped_list import GroupedList, ListRow


def edge_rows(
    graph: NavigationGraph, storeys: Sequence[Storey], warnings: Mapping[str, str]
) -> tuple[ListRow, ...]:
    """Rows of an edge list, lowest storey first, edges between storeys last.

    Args:
        graph: Whose edges are listed.
        storeys: Of the scene.
        warnings: Edge id → what is wrong with it.
    """
    order = {s.name: i for i, s in enumerate(sorted(storeys, key=lambda s: s.floor_z_m))}
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


class EdgeList(GroupedList):
    """Ends and kinds of edges; ``row_activated`` asks to go to an edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("edge", "edges", parent)
