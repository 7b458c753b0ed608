"""The right side of the graph workspace: what is selected, and the facts of the scene."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.annotators.graph.joining import pair_name
from waypost.app.graph.node_form import EdgeForm, NodeForm
from waypost.app.graph.scene_facts import SceneFacts
from waypost.app.graph.storey_lists import storey_of
from waypost.documents.selection import Selection
from waypost.domain.base.frames import distance_m
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Scene, Storey


class GraphInspector(QWidget):
    """Forms of the selected node or edges above the facts of the scene."""

    renamed = Signal(str, str)
    """Node id and its new name."""

    described = Signal(str, str)
    """Node id and its new description."""

    neighbour_wanted = Signal(int)
    """1 to name the next node, -1 the one before."""

    kind_chosen = Signal(object, object)
    """``frozenset`` of edge ids and their new ``EdgeKind``."""

    repair_chosen = Signal(str)
    """The id of an action that does something about the scene."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._node_form, self._edge_form = NodeForm(), EdgeForm()
        self._facts = SceneFacts()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 10, 10, 10)
        layout.setSpacing(10)
        for widget in (self._node_form, self._edge_form, self._facts):
            layout.addWidget(widget)
        layout.addStretch(1)
        self._node_form.name_changed.connect(self.renamed)
        self._node_form.description_changed.connect(self.described)
        self._node_form.neighbour_wanted.connect(self.neighbour_wanted)
        self._edge_form.kind_changed.connect(self.kind_chosen)
        self._facts.repair_chosen.connect(self.repair_chosen)

    def set_scene(self, scene: Scene | None) -> None:
        """Show the facts of another scene."""
        self._facts.set_scene(scene)

    def focus_name(self) -> None:
        """Put the cursor into the name of the node."""
        self._node_form.focus_name()

    def show_selection(
        self, graph: NavigationGraph, selection: Selection, storeys: Sequence[Storey]
    ) -> None:
        """Show the one node that is selected, or the edges."""
        only = next(iter(selection.node_ids), "") if len(selection.node_ids) == 1 else ""
        node = graph.nodes.get(only)
        storey = storey_of(node.position_m[2], storeys) if node else ""
        self._node_form.set_node(node, storey)
        edges = tuple(graph.edges[e] for e in selection.edge_ids if e in graph.edges)
        title, facts = (f"{len(edges)} edges" if edges else "", "")
        if len(edges) == 1:
            edge = edges[0]
            ends = graph.nodes[edge.from_id].position_m, graph.nodes[edge.to_id].position_m
            title = pair_name(graph, edge.from_id, edge.to_id)
            facts = f"{distance_m(*ends):.2f} m · {edge.edge_id}"
        self._edge_form.set_edges(edges, title, facts)
        self._node_form.setVisible(node is not None or not edges)
        self._edge_form.setVisible(bool(edges))
