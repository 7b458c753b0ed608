"""Turns a graph and what is known about it into lines, discs and signs over the scene."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from waypost.annotators import palette
from waypost.annotators.graph.context import active_range, is_active
from waypost.annotators.graph.directions import DirectionTone, edge_directions
from waypost.annotators.graph.edge_lines import edge_lines, stair_ticks
from waypost.annotators.graph.previews import LIFT_M
from waypost.domain.base.frames import Vec3, between
from waypost.domain.scene.findings import Finding
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node
from waypost.domain.scene.scene import Storey
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Circumstances, Labels, Passage, passage_states
from waypost.services.judging import MOVER_HASH
from waypost.viewers.scene.drawing import (
    Color,
    Drawing,
    Label3D,
    MarkerShape,
    PolyLine,
    SceneMarker,
    with_alpha,
)

NODE_PX = 13.0
GHOST_ALPHA = 0.22
"""Opacity of what belongs to another storey."""

DIMMED_ALPHA = 0.6
"""Opacity of what is not the task at hand."""

_HALO_PX = 12.0
_NAME_PRIORITY = 10
_PROBLEM_PRIORITY = 90
_ALWAYS = 100
_PAUSE_EVERY = 200
"""Edges or nodes between two moments at which the rest can wait."""


@dataclass(frozen=True, slots=True)
class GraphLook:
    """How a graph is shown at the moment; none of it is part of the document."""

    selection_nodes: frozenset[str] = frozenset()
    selection_edges: frozenset[str] = frozenset()
    hover_node: str | None = None
    hover_edge: str | None = None
    findings: tuple[Finding, ...] = ()
    storeys: tuple[Storey, ...] = ()
    cut_z_m: float | None = None
    has_names: bool = True
    moved_m: Mapping[str, Vec3] = field(default_factory=lambda: MappingProxyType({}))
    """Positions of nodes that are being dragged."""

    agent: AgentProfile | None = None
    """Whose labels colour the edges; ``None`` draws the kinds of the edges only."""

    labels: Labels = field(default_factory=lambda: MappingProxyType({}))
    scene_hash: str = ""
    focus: Passage | None = None
    """The passage being judged; everything else is dimmed."""


def graph_drawing_steps(graph: NavigationGraph, look: GraphLook) -> Generator[None, None, Drawing]:
    """Everything of a graph that is drawn.

    Nodes are discs. Walks are solid lines, doors dashed, stairs ticked, elevators dotted with a
    square. With an agent each edge becomes two lines, one per direction on its right-hand side,
    in the colour of that direction's label and with its sign. What belongs to another storey
    than the one in view is a ghost without name or sign.

    Yields:
        Often, so that the rest can wait.
    """
    sketch = _Sketch(graph, look)
    yield
    yield from sketch.draw_edges()
    yield from sketch.draw_nodes()
    sketch.draw_findings()
    return Drawing(tuple(sketch.lines), tuple(sketch.markers), tuple(sketch.labels))


class _Sketch:
    """Collects what is drawn."""

    def __init__(self, graph: NavigationGraph, look: GraphLook) -> None:
        self._graph = graph
        self._look = look
        self._heights = active_range(look.storeys, look.cut_z_m)
        self._active = {n.node_id for n in graph.nodes.values() if is_active(n, self._heights)}
        self._points = {
            i: (p[0], p[1], p[2] + LIFT_M)
            for i, p in ((n.node_id, n.position_m) for n in graph.nodes.values())
        }
        for node_id, position in look.moved_m.items():
            if node_id in self._points:
                self._points[node_id] = (position[0], position[1], position[2] + LIFT_M)
        self._problem_nodes = {i for f in look.findings for i in f.node_ids}
        self._problem_edges = {i for f in look.findings for i in f.edge_ids}
        self.lines: list[PolyLine] = []
        self.markers: list[SceneMarker] = []
        self.labels: list[Label3D] = []

    def draw_edges(self) -> Generator[None, None, None]:
        ghost = with_alpha(palette.EDGE, GHOST_ALPHA)
        shown: list[Edge] = []
        for number, edge in enumerate(self._graph.edges.values()):
            if number % _PAUSE_EVERY == 0:
                yield
            if edge.from_id in self._active or edge.to_id in self._active:
                shown.append(edge)
            else:
                start, end = self._points[edge.from_id], self._points[edge.to_id]
                self.lines += edge_lines(edge.kind, start, end, ghost, 2.0, None)
        parts = [shown[n : n + _PAUSE_EVERY] for n in range(0, len(shown), _PAUSE_EVERY)]
        for some in parts:
            self._draw_halos(some)
            yield
        for some in parts:
            if self._look.agent is None:
                self._draw_kinds(some)
            else:
                self._draw_directions(some, self._look.agent)
            yield
        self._draw_shafts(shown)

    def draw_nodes(self) -> Generator[None, None, None]:
        focus = self._look.focus
        at_hand = {focus.from_id, focus.to_id} if focus is not None else set()
        for number, (node_id, node) in enumerate(self._graph.nodes.items()):
            if number % _PAUSE_EVERY == 0:
                yield
            if node_id not in self._active:
                self._draw_faint(node_id, 9.0, GHOST_ALPHA)
            elif at_hand and node_id not in at_hand:
                self._draw_faint(node_id, NODE_PX, DIMMED_ALPHA)
            else:
                self._draw_node(node, is_at_hand=node_id in at_hand)

    def _draw_faint(self, node_id: str, size_px: float, alpha: float) -> None:
        fill, outline = with_alpha(palette.NODE, alpha), with_alpha(palette.OUTLINE, alpha)
        self.markers.append(SceneMarker(self._points[node_id], fill, size_px, outline=outline))

    def _draw_node(self, node: Node, *, is_at_hand: bool) -> None:
        look, node_id, point = self._look, node.node_id, self._points[node.node_id]
        fill = palette.PROBLEM if node_id in self._problem_nodes else palette.NODE
        is_selected = node_id in look.selection_nodes or is_at_hand
        size_px, outline, outline_px = NODE_PX, palette.OUTLINE, 2.0
        if is_selected:
            size_px, outline, outline_px = NODE_PX + 3.0, palette.SELECTION, 4.0
        elif node_id == look.hover_node:
            size_px, outline, outline_px = NODE_PX + 2.0, palette.HOVER, 3.0
        self.markers.append(
            SceneMarker(point, fill, size_px, outline=outline, outline_px=outline_px)
        )
        if node_id in self._problem_nodes:
            # The mark is part of the name: beside it, it would take its place.
            self._draw_problem(point, f"! {node.name}", (0.0, -20.0), _PROBLEM_PRIORITY)
        elif is_selected or node_id == look.hover_node:
            self.labels.append(Label3D(point, node.name, priority=_ALWAYS, is_bold=is_selected))
        elif look.has_names:
            self.labels.append(Label3D(point, node.name, priority=_NAME_PRIORITY))

    def draw_findings(self) -> None:
        for finding in self._look.findings:
            if finding.edge_ids and self._heights[0] <= finding.spot_m[2] <= self._heights[1]:
                self._draw_problem(finding.spot_m, "!", (14.0, 0.0), _NAME_PRIORITY - 1)

    def _draw_problem(
        self, spot: Vec3, text: str, offset_px: tuple[float, float], priority: int
    ) -> None:
        self.labels.append(
            Label3D(
                spot,
                text,
                color=palette.SIGN_TEXT,
                background=palette.PROBLEM,
                offset_px=offset_px,
                priority=priority,
                is_bold=True,
            )
        )

    def _draw_halos(self, edges: list[Edge]) -> None:
        """Broad bands under the lines of what is selected, hovered over or wrong."""
        look = self._look
        wrong = with_alpha(palette.PROBLEM, 0.85)
        focus = look.focus
        for edge in edges:
            points = (self._points[edge.from_id], self._points[edge.to_id])
            is_at_hand = focus is not None and edge.joins(focus.from_id, focus.to_id)
            if is_at_hand or edge.edge_id in look.selection_edges:
                self.lines.append(PolyLine(points, palette.SELECTION, _HALO_PX))
            elif edge.edge_id == look.hover_edge:
                self.lines.append(PolyLine(points, with_alpha(palette.HOVER, 0.6), _HALO_PX))
            elif edge.edge_id in self._problem_edges:
                self.lines.append(PolyLine(points, wrong, 10.0, dash_px=4.0))

    def _draw_kinds(self, edges: list[Edge]) -> None:
        color = self._edge_color()
        for edge in edges:
            start, end = self._points[edge.from_id], self._points[edge.to_id]
            self.lines += edge_lines(edge.kind, start, end, color, 3.0, palette.OUTLINE)

    def _draw_directions(self, edges: list[Edge], agent: AgentProfile) -> None:
        look = self._look
        ways = (
            [Passage(e.from_id, e.to_id, agent.key) for e in edges],
            [Passage(e.to_id, e.from_id, agent.key) for e in edges],
        )
        now = Circumstances(self._graph, {agent.key: agent}, look.scene_hash, MOVER_HASH)
        states = (passage_states(look.labels, way, now) for way in ways)
        tones = (
            (DirectionTone.PLAIN, DirectionTone.PLAIN)
            if look.focus is None
            else (DirectionTone.DIMMED, DirectionTone.DIMMED)
        )
        for edge, found in zip(edges, zip(*states, strict=True), strict=True):
            ends = (self._points[edge.from_id], self._points[edge.to_id])
            is_near = look.focus is not None and edge.joins(look.focus.from_id, look.focus.to_id)
            own = self._tones(edge, agent) if is_near else tones
            drawn = edge_directions(edge.kind, ends, found, own, DIMMED_ALPHA)
            self.lines += drawn.lines
            self.labels += drawn.labels
            self.markers += drawn.markers
            if edge.kind is EdgeKind.STAIRS:
                self.lines += stair_ticks(*ends, self._edge_color())

    def _tones(self, edge: Edge, agent: AgentProfile) -> tuple[DirectionTone, DirectionTone]:
        """Of the edge at hand, in one direction of which an agent is asked about."""
        there = Passage(edge.from_id, edge.to_id, agent.key)
        dimmed, at_hand = DirectionTone.DIMMED, DirectionTone.AT_HAND
        return (
            at_hand if there == self._look.focus else dimmed,
            at_hand if there.reverse == self._look.focus else dimmed,
        )

    def _draw_shafts(self, edges: list[Edge]) -> None:
        color = self._edge_color()
        outline = with_alpha(palette.OUTLINE, color[3])
        for edge in edges:
            if edge.kind is EdgeKind.ELEVATOR:
                middle = between(self._points[edge.from_id], self._points[edge.to_id], 0.5)
                self.markers.append(
                    SceneMarker(middle, color, 10.0, MarkerShape.SQUARE, outline=outline)
                )

    def _edge_color(self) -> Color:
        color = palette.EDGE
        return with_alpha(color, DIMMED_ALPHA) if self._look.focus is not None else color
