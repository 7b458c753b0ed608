"""The workspace in which navigation graphs are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from waypost.annotators.graph.context import GraphContext, GraphEdit, ToolResult
from waypost.annotators.graph.drawing import GraphLook
from waypost.annotators.graph.joining import gone_with
from waypost.annotators.graph.tool import TOOL_TITLES, ToolName, delete_selection, start_tool
from waypost.app.graph.inspector import GraphInspector
from waypost.app.graph.lists import GraphLists
from waypost.app.graph.proposals import GraphProposals
from waypost.app.graph.questions import GraphQuestions
from waypost.app.shell.graph_layer import GraphLayer
from waypost.app.shell.project_edits import edit_project
from waypost.app.shell.workspace import Surroundings, Workspace
from waypost.domain.base.frames import Vec3
from waypost.domain.project import Project, rename_node, set_graph
from waypost.domain.scene.findings import Finding
from waypost.domain.scene.graph import (
    EdgeKind,
    NavigationGraph,
    describe_node,
    move_nodes,
    set_edge_kind,
)
from waypost.geometry.standing import put_down
from waypost.services.input.shortcuts import ShortcutMap
from waypost.viewers.scene.drawing import NOTHING
from waypost.viewers.scene.pointer import PointerEvent
from waypost.widgets.parts import scroll_panel

_TOOL_WORDS = {
    ToolName.SELECT: "Select",
    ToolName.NODE: "Node",
    ToolName.EDGE: "Edge",
    ToolName.MEASURE: "Measure",
    ToolName.QUESTION: "Question",
}


_WITHOUT_SCENE: Final = (
    "Open a scene to draw a graph",
    "It opens with a project of its own.",
    "Open scene …",
)


class GraphWorkspace(Workspace):
    """Turns gestures on the stage and in the lists into edits of the graph.

    Args:
        around: What it finds in its window.
    """

    def __init__(self, around: Surroundings) -> None:
        super().__init__(around)
        self._bench, self._say = around.bench, around.say
        bench = self._bench
        self._stage = stage = around.stage
        self._tool_name = ToolName.SELECT
        self._tool = start_tool(self._tool_name)
        self._is_active = False
        self._look = GraphLook()
        self._is_due = False
        self._layer = GraphLayer(stage.view, self)
        self.left = self._lists = lists = GraphLists(bench)
        self._inspector = GraphInspector()
        self.questions = GraphQuestions(around, self)
        self.proposals = GraphProposals(around, self)
        lists.add_tab(self.questions.list, "Questions")
        lists.add_panel(self.proposals.panel)
        self.right = scroll_panel(_stacked(self.questions.form, self._inspector))
        self._connect()
        self._inspector.repair_chosen.connect(around.trigger)
        stage.empty.action_chosen.connect(lambda: self._open_scene(around.trigger))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What looks wrong in the graph now."""
        return self._lists.findings

    def activate(self) -> None:
        """Take over the stage."""
        self._is_active = True
        self._stage.set_hint("")
        self._stage.show_tools(is_shown=True)
        self._stage.tools.set_current(self._tool_name)
        self.questions.set_active(is_active=True)
        self.proposals.set_active(is_active=True)
        self._invite()
        if self._is_due:
            self._show_graph()
        self._draw()

    def deactivate(self) -> None:
        """Let go of the stage; a half-made gesture is dropped."""
        self.cancel()
        self._is_active = False
        self.questions.set_active(is_active=False)
        self.proposals.set_active(is_active=False)
        self._layer.clear()
        self._stage.show_tools(is_shown=False)
        self._stage.empty.invite("")
        self._stage.view.set_drawing("preview", NOTHING)

    def choose_tool(self, name: ToolName) -> None:
        """Take another tool in hand."""
        self.cancel()
        self._tool_name = name
        self._tool = start_tool(name)
        self._stage.tools.set_current(name)
        self._invite()

    def set_keys(self, shortcuts: ShortcutMap) -> None:
        """Write the keys in force on the tools and on what decides about proposals."""
        keys = shortcuts.keys()
        self.proposals.panel.set_keys(keys)
        self._stage.tools.set_choices(
            (name, _TOOL_WORDS[name], keys[f"graph.{name}"], TOOL_TITLES[name]) for name in ToolName
        )

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
        edit, before = delete_selection(self._context()), self._bench.project
        if edit:
            self._make(edit)
            gone = gone_with(before, self._bench.project)
            if gone:
                self._say(f"{edit.text}: {gone} went with it.")

    def rename_selected(self) -> None:
        """Put the cursor into the name of the selected node."""
        self._inspector.focus_name()

    def rename_beside(self, step: int) -> None:
        """Name the next node of the list, or the one before; beyond the ends goes to the stage."""
        (node_id, *_) = (*self._bench.selection.node_ids, "")
        beside = self._lists.node_beside(node_id, step)
        if not beside:
            self._stage.view.setFocus()
            return
        self._bench.selection.set({beside})
        self._stage.go_to(self._graph.nodes[beside].position_m)
        self._inspector.focus_name()

    def set_selected_kind(self, kind: EdgeKind) -> None:
        """Say what the selected edges are."""
        self._set_kind(self._bench.selection.edge_ids, kind)

    def select_all(self) -> None:
        """Select every node."""
        self._bench.selection.set(self._graph.nodes)

    def focus_search(self) -> None:
        """Put the cursor into the search field of the list that is shown."""
        self._lists.focus_search()

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

    def _connect(self) -> None:
        bench = self._bench
        bench.project_changed.connect(self._on_changed)
        bench.scene_replaced.connect(self._on_scene)
        bench.selection.changed.connect(self._on_selection)
        bench.settings_changed.connect(self._draw)
        self._stage.view.pointer.connect(self.handle_pointer)
        self._stage.slider.cut_changed.connect(self._draw)
        self._stage.tools.chosen.connect(lambda name: self.choose_tool(ToolName(name)))
        lists = self._lists
        lists.nodes_chosen.connect(bench.selection.set)
        lists.edges_chosen.connect(lambda keys: bench.selection.set((), keys))
        lists.item_activated.connect(self.go_to_item)
        lists.finding_activated.connect(self._go_to_finding)
        lists.findings_changed.connect(self._draw)
        lists.put_down_wanted.connect(self._put_down)
        self.questions.shown.connect(self._on_question)
        self.proposals.shown.connect(self._invite)
        self._inspector.renamed.connect(self._rename)
        self._inspector.described.connect(self._describe)
        self._inspector.neighbour_wanted.connect(self.rename_beside)
        self._inspector.kind_chosen.connect(self._set_kind)

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
        if result.asked:
            self.questions.ask(result.asked)
            self._lists.show_tab(self.questions.list)
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
        self._stage.set_hint(result.message, is_refused=result.is_refused)
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
        """Rename a node; questions that meant it go on to mean it."""
        edit_project(self._bench, f"Rename to {name}", lambda now: rename_node(now, node_id, name))

    def _describe(self, node_id: str, description: str) -> None:
        def change(now: Project) -> Project:
            return set_graph(now, describe_node(now.graph, node_id, description=description))

        edit_project(self._bench, "Describe node", change)

    def _set_kind(self, edge_ids: frozenset[str], kind: EdgeKind) -> None:
        graph = self._graph
        for edge_id in edge_ids & graph.edges.keys():
            graph = set_edge_kind(graph, edge_id, kind)
        self._edit(f"Set edge kind to {kind}", graph)

    def _put_down(self, node_ids: frozenset[str]) -> None:
        opened, graph = self._bench.opened, self._graph
        places = put_down(graph, node_ids, opened.rays) if opened else {}
        if places:
            what = "a node" if len(places) == 1 else f"{len(places):,} nodes"
            self._edit(f"Put {what} down on the floor", move_nodes(graph, places))

    def _on_scene(self) -> None:
        """Another scene, which every other project brings with it."""
        self._inspector.set_scene(self._bench.scene)
        self._tool = start_tool(self._tool_name)
        self._lists.drop()
        self._show_graph()

    def _on_changed(self, old: Project, new: Project) -> None:
        if old.graph is not new.graph:
            self._show_graph()

    def _show_graph(self) -> None:
        """Show another graph; while another workspace has the window, once this one has it."""
        self._is_due = not self._is_active
        if self._is_active:
            self._lists.show_graph()
            self._on_selection()
            self._invite()

    def _on_question(self, is_shown: bool) -> None:
        """One thing at a time is described on the right: a question, or what is selected."""
        self.questions.form.setVisible(is_shown)
        self._inspector.setHidden(is_shown)
        if is_shown:
            self._bench.selection.set()

    def _on_selection(self) -> None:
        if self._bench.selection.node_ids or self._bench.selection.edge_ids:
            self.questions.take(None)
        selection, graph = self._bench.selection, self._graph
        self._lists.set_selected(selection.node_ids, selection.edge_ids)
        self._inspector.show_selection(graph, selection, self._bench.storeys)
        self._draw()

    def _go_to_finding(self, finding: object) -> None:
        if isinstance(finding, Finding):
            self._bench.selection.set(
                _known(dict.fromkeys(finding.node_ids, ""), self._graph.nodes),
                _known(dict.fromkeys(finding.edge_ids, ""), self._graph.edges),
            )
            self._stage.go_to(finding.spot_m)

    def _open_scene(self, trigger: Callable[[str], object]) -> None:
        if self._is_active:
            trigger("file.open_scene")

    def _invite(self) -> None:
        if not self._is_active:
            return
        invitation: tuple[str, ...] = ("",)
        if not self._graph.nodes and not self.proposals.pending:
            has_scene = self._bench.scene is not None
            invitation = _invitation(self._tool_name) if has_scene else _WITHOUT_SCENE
        self._stage.empty.invite(*invitation)

    def _draw(self, *_: object) -> None:
        if not self._is_active:
            return
        bench = self._bench
        self._look = replace(
            self._look,
            selection_nodes=bench.selection.node_ids,
            selection_edges=bench.selection.edge_ids,
            findings=self.findings,
            storeys=bench.storeys,
            cut_z_m=self._stage.view.cut_z,
        )
        self._layer.show(self._graph, self._look)


def _invitation(tool: ToolName) -> tuple[str, str]:
    """What comes first while there is no node, and what then."""
    if tool is ToolName.NODE:
        return "Click the floor to place the first node", "Take the edge tool to join nodes."
    then = "Then the next one; Alt+click a node joins it. Both can be proposed from free space."
    return "Double-click the floor to place the first node", then


def _stacked(*parts: QWidget) -> QWidget:
    """Parts from the top down, of which one is shown at a time."""
    made = QWidget()
    layout = QVBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    for part in parts:
        layout.addWidget(part)
    layout.addStretch(1)
    return made


def _known(messages: Mapping[str, str], items: Mapping[str, Any]) -> dict[str, str]:
    return {key: message for key, message in messages.items() if key in items}


def _box_around(points: list[Vec3], margin_m: float = 1.5) -> tuple[Vec3, Vec3]:
    xs, ys, zs = zip(*points, strict=True)
    low = (min(xs) - margin_m, min(ys) - margin_m, min(zs))
    return low, (max(xs) + margin_m, max(ys) + margin_m, max(zs) + 1.0)
