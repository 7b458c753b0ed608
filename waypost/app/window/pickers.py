"""What is found by typing its name: commands (Ctrl+Shift+P), nodes and edges (Ctrl+K)."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from waypost.domain.scene.graph import NavigationGraph
from waypost.widgets.picker import Picker, PickerEntry


class CommandPalette(Picker):
    """Commands with category and key; ``entry_chosen`` carries the action's id."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Search commands", "Type a command, e.g. “top-down”")


class GoTo(Picker):
    """Nodes and edges; ``entry_chosen`` carries the id of either."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "Go to a node or an edge", "Type a name or an id")


def graph_entries(graph: NavigationGraph) -> tuple[PickerEntry, ...]:
    """Every node, then every edge, as rows of a picker."""
    nodes = [PickerEntry(n.node_id, n.name, f"node · {n.node_id}") for n in graph.nodes.values()]
    edges = [
        PickerEntry(
            edge.edge_id,
            f"{graph.nodes[edge.from_id].name} ↔ {graph.nodes[edge.to_id].name}",
            f"{edge.kind} · {edge.edge_id}",
        )
        for edge in graph.edges.values()
    ]
    return (*nodes, *edges)
