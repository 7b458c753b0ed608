"""The workspace in which navigation graphs are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from waypost.annotators.graph.context import GraphContext, GraphEdit, ToolResult
from waypost.annotators.graph.drawing import GraphLook, graph_drawing
from waypost.annotators.graph.joining import pair_name
from waypost.annotators.graph.tool import ToolName, delete_selection, start_tool
from waypost.app.stage import Stage
from waypost.app.workbench import Workbench
from waypost.domain.errors import EditError
from waypost.domain.findings import Finding, FindingKind
from waypost.domain.frames import Vec3, distance_m
from waypost.domain.graph import EdgeKind, NavigationGraph, describe_node, set_edge_kind
from waypost.domain.project import Project, set_graph
from waypost.geometry.graph_checks import check_graph
from waypost.viewers.drawing import NOTHING
from waypost.viewers.pointer import PointerEvent
from waypost.widgets.edge_list import EdgeList, edge_rows
from waypost.widgets.findings_list import FindingRow, FindingsList
from waypost.widgets.node_form import EdgeForm, NodeForm
from waypost.widgets.node_list import NodeList, node_rows, storey_of
from waypost.widgets.parts import scroll_panel
from waypost.widgets.scene_facts import SceneFacts

GRAPH_SCOPE = "graph"

_FINDING_TITLES = {
    FindingKind.ISOLATED_PART: "Not connected",
    FindingKind.DUPLICATE_NAME: "Same name twice",
    FindingKind.NO_FLOOR: "No floor under the node",
    FindingKind.THROUGH_WALL: "Edge through a wall",
}


class GraphWorkspace(QObject):
    """Turns gestures on the stage and in the lists into edits of the graph.

    Args:
        bench: What is open.
        stage: Where it is shown.
        parent: Qt owner.
    """

    def __init__(self, bench: Workbench, stage: Stage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._stage = stage
        self._tool_name = ToolName.SELECT
        self._tool = start_tool(self._tool_name)
        self._is_active = False
        self._look = GraphLook()
        self._findings: tuple[Finding, ...] = ()
        self._make_panels()
        self._check_soon = QTimer(self)
        self._check_soon.setSingleShot(True)
        self._check_soon.setInterval(0)
        self._check_soon.timeout.connect(self._check)
        self._connect()

    @property
    def tool_name(self) -> ToolName:
        """The tool in hand."""
        return self._tool_name

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What looks wrong in the graph now."""
        return self._findings

    def activate(self) -> None:
        """Take over the stage."""
        self._is_active = True
        self._stage.set_hint("")
        self._draw()

    def deactivate(self) -> None:
        """Let go of the stage; a half-made gesture is dropped."""
        self.cancel()
        self._is_active = False
        self._stage.view.set_drawing("graph", NOTHING)

    def choose_tool(self, name: ToolName) -> None:
        """Take another tool in hand."""
        self.cancel()
        self._tool_name = name
        self._tool = start_tool(name)

    def cancel(self) -> None:
        """Esc: drop the half-made gesture, or else the selection."""
        if self._tool.is_busy:
            self._apply(self._tool.cancel())
        elif self._is_active:
            self._bench.selection.set()

    def handle_pointer(self, event: PointerEvent) -> None:
        """Let the tool answer one pointer event of the stage."""
        if self._is_active and self._bench.document:
            self._apply(self._tool.handle(event, self._context()))

    def delete_selected(self) -> None:
        """Delete the selected nodes and edges."""
        edit = delete_selection(self._context())
        if edit:
            self._make(edit)

    def rename_selected(self) -> None:
        """Put the cursor into the name of the selected node."""
        self._node_form.focus_name()

    def set_selected_kind(self, kind: EdgeKind) -> None:
        """Say what the selected edges are."""
        self._set_kind(self._bench.selection.edge_ids, kind)

    def select_all(self) -> None:
        """Select every node."""
        self._bench.selection.set(self._graph.nodes)

    def focus_search(self) -> None:
        """Put the cursor into the search field of the list that is shown."""
        self._lists.currentWidget().focus_search()  # type: ignore[attr-defined]

    def frame_selected(self) -> None:
        """Bring the selection into view, or the whole graph, or the scene."""
        selection = self._bench.selection
        edges = (self._graph.edges[e] for e in selection.edge_ids)
        ids = {*selection.node_ids, *(i for e in edges for i in (e.from_id, e.to_id))}
        points = [self._graph.nodes[i].position_m for i in ids or self._graph.nodes]
        if points:
            self._stage.go_to(points[0])
            self._stage.view.frame_bounds(*_box_around(points))
        elif self._bench.scene:
            self._stage.view.frame_bounds(*self._bench.scene.bounds_m)

    def go_to_item(self, key: str) -> None:
        """Select and show a node or edge by id."""
        if key in self._graph.nodes:
            self._bench.selection.set({key})
        elif key in self._graph.edges:
            self._bench.selection.set((), {key})
        self.frame_selected()

    @property
    def _graph(self) -> NavigationGraph:
        return self._bench.project.graph

    def _make_panels(self) -> None:
        self._nodes, self._edges = NodeList(), EdgeList()
        self._lists = QTabWidget()
        self._lists.setDocumentMode(True)
        self._lists.tabBar().setDrawBase(False)
        self._lists.addTab(self._nodes, "Nodes")
        self._lists.addTab(self._edges, "Edges")
        self._problems = FindingsList()
        self.left = _column((self._lists, 3), (self._problems, 1))
        self._node_form, self._edge_form = NodeForm(), EdgeForm()
        self._facts = SceneFacts()
        self.right = scroll_panel(
            _column((self._node_form, 0), (self._edge_form, 0), (self._facts, 0))
        )

    def _connect(self) -> None:
        bench = self._bench
        bench.document_replaced.connect(self._on_document)
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._on_scene)
        bench.selection.changed.connect(self._on_selection)
        bench.settings_changed.connect(self._draw)
        self._stage.slider.cut_changed.connect(self._draw)
        self._nodes.selection_changed.connect(bench.selection.set)
        self._edges.selection_changed.connect(lambda keys: bench.selection.set((), keys))
        self._nodes.row_activated.connect(self.go_to_item)
        self._edges.row_activated.connect(self.go_to_item)
        self._problems.finding_activated.connect(self._go_to_finding)
        self._node_form.name_changed.connect(self._rename)
        self._node_form.description_changed.connect(self._describe)
        self._edge_form.kind_changed.connect(self._set_kind)

    def _context(self) -> GraphContext:
        selection, opened = self._bench.selection, self._bench.opened
        return GraphContext(
            self._graph,
            selection.node_ids,
            selection.edge_ids,
            opened.rays if opened else None,
            self._stage.view.cut_z,
            self._bench.storeys,
            self._stage.view.project,
        )

    def _apply(self, result: ToolResult) -> None:
        self._tool = result.tool
        was_moved = bool(self._look.moved_m)
        if result.edit:
            self._make(result.edit)
        elif result.selection:
            self._bench.selection.set(result.selection.nodes, result.selection.edges)
        self._look = replace(
            self._look,
            hover_node=result.hover_node,
            hover_edge=result.hover_edge,
            moved_m=result.moved_m,
        )
        self._stage.view.set_drawing("preview", result.preview)
        self._stage.show_box(result.box_px)
        self._stage.set_hint(result.message or self._idle_hint(), is_refused=result.is_refused)
        if result.moved_m or was_moved:
            self._draw()

    def _make(self, edit: GraphEdit) -> None:
        self._edit(edit.text, edit.graph, edit.merge_key)
        self._bench.selection.set(edit.selection_nodes, edit.selection_edges)

    def _edit(self, text: str, graph: NavigationGraph, merge_key: object | None = None) -> None:
        document = self._bench.document
        if document:
            document.edit(text, set_graph(document.project, graph), merge_key)

    def _rename(self, node_id: str, name: str) -> None:
        self._attempt(f"Rename to {name}", node_id, name=name)

    def _describe(self, node_id: str, description: str) -> None:
        self._attempt("Describe node", node_id, description=description)

    def _attempt(self, text: str, node_id: str, **change: str) -> None:
        try:
            self._edit(text, describe_node(self._graph, node_id, **change))
        except EditError as error:
            self._bench.refused.emit(str(error))

    def _set_kind(self, edge_ids: frozenset[str], kind: EdgeKind) -> None:
        graph = self._graph
        for edge_id in edge_ids & graph.edges.keys():
            graph = set_edge_kind(graph, edge_id, kind)
        self._edit(f"Set edge kind to {kind}", graph)

    def _on_document(self) -> None:
        self._tool = start_tool(self._tool_name)
        self._fill_lists()
        self._on_selection()
        self._check_soon.start()
        self._draw()

    def _on_scene(self) -> None:
        self._facts.set_scene(self._bench.scene)
        self._on_document()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.graph is not new.graph:
            self._fill_lists()
            self._on_selection()
            self._check_soon.start()
            self._draw()

    def _on_selection(self) -> None:
        selection, graph = self._bench.selection, self._graph
        self._nodes.set_selected(selection.node_ids)
        self._edges.set_selected(selection.edge_ids)
        only = next(iter(selection.node_ids), "") if len(selection.node_ids) == 1 else ""
        node = graph.nodes.get(only)
        self._node_form.set_node(
            node, storey_of(node.position_m[2], self._bench.storeys) if node else ""
        )
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
        self._draw()

    def _check(self) -> None:
        opened = self._bench.opened
        self._findings = check_graph(self._graph, opened.rays if opened else None)
        counts = Counter(finding.kind for finding in self._findings)
        self._problems.set_findings(
            tuple(
                FindingRow(_FINDING_TITLES[finding.kind], finding.message, finding)
                for kind in counts
                for finding in self._findings
                if finding.kind is kind
            )
        )
        self._fill_lists()
        self._on_selection()

    def _fill_lists(self) -> None:
        graph, storeys = self._graph, self._bench.storeys
        nodes: dict[str, str] = {}
        edges: dict[str, str] = {}
        for finding in self._findings:
            nodes |= dict.fromkeys(finding.node_ids, finding.message)
            edges |= dict.fromkeys(finding.edge_ids, finding.message)
        self._nodes.set_rows(node_rows(graph.nodes.values(), storeys, _known(nodes, graph.nodes)))
        self._edges.set_rows(edge_rows(graph, storeys, _known(edges, graph.edges)))

    def _go_to_finding(self, finding: object) -> None:
        if isinstance(finding, Finding):
            self._bench.selection.set(
                _known(dict.fromkeys(finding.node_ids, ""), self._graph.nodes),
                _known(dict.fromkeys(finding.edge_ids, ""), self._graph.edges),
            )
            self._stage.go_to(finding.spot_m)

    def _idle_hint(self) -> str:
        if not self._graph.nodes:
            return "Double-click the floor to place the first node"
        return ""

    def _draw(self, *_: object) -> None:
        if not self._is_active:
            return
        bench = self._bench
        self._look = replace(
            self._look,
            selection_nodes=bench.selection.node_ids,
            selection_edges=bench.selection.edge_ids,
            findings=self._findings,
            storeys=bench.storeys,
            cut_z_m=self._stage.view.cut_z,
        )
        self._stage.view.set_drawing("graph", graph_drawing(self._graph, self._look))


def _known(messages: Mapping[str, str], items: Mapping[str, Any]) -> dict[str, str]:
    return {key: message for key, message in messages.items() if key in items}


def _box_around(points: list[Vec3], margin_m: float = 1.5) -> tuple[Vec3, Vec3]:
    xs, ys, zs = zip(*points, strict=True)
    low = (min(xs) - margin_m, min(ys) - margin_m, min(zs))
    return low, (max(xs) + margin_m, max(ys) + margin_m, max(zs) + 1.0)


def _column(*parts: tuple[QWidget, int]) -> QWidget:
    panel = QWidget()
    layout = QVBoxLayout(panel)
    layout.setContentsMargins(10, 10, 10, 10)
    layout.setSpacing(10)
    for widget, stretch in parts:
        layout.addWidget(widget, stretch)
    if not any(stretch for _, stretch in parts):
        layout.addStretch(1)
    return panel
