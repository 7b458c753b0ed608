"""Which nodes and edges are selected; shared by every view, no part of undo."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from waypost.domain.scene.graph import NavigationGraph


class Selection(QObject):
    """The selected ids.

    Signals:
        changed: The selection differs from what it was.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._node_ids: frozenset[str] = frozenset()
        self._edge_ids: frozenset[str] = frozenset()

    @property
    def node_ids(self) -> frozenset[str]:
        """Ids of the selected nodes."""
        return self._node_ids

    @property
    def edge_ids(self) -> frozenset[str]:
        """Ids of the selected edges."""
        return self._edge_ids

    def set(self, node_ids: Iterable[str] = (), edge_ids: Iterable[str] = ()) -> None:
        """Select exactly these."""
        nodes, edges = frozenset(node_ids), frozenset(edge_ids)
        if (nodes, edges) != (self._node_ids, self._edge_ids):
            self._node_ids, self._edge_ids = nodes, edges
            self.changed.emit()

    def keep_existing(self, graph: NavigationGraph) -> None:
        """Let go of what the graph no longer holds."""
        self.set(self._node_ids & graph.nodes.keys(), self._edge_ids & graph.edges.keys())
