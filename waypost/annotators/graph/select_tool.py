"""The default tool: select, join with Alt, move by dragging, select by a box."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from waypost.annotators.graph import previews
from waypost.annotators.graph.context import (
    GraphContext,
    GraphEdit,
    GraphSelection,
    ToolResult,
)
from waypost.annotators.graph.floor import pick_floor, snap_to_floor
from waypost.annotators.graph.joining import (
    join_nodes,
    pair_name,
    place_node,
    single_selected,
)
from waypost.annotators.graph.picking import Target, active_nodes, nodes_in_box, pick
from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import move_nodes
from waypost.viewers.scene.drawing import NOTHING, Drawing
from waypost.viewers.scene.pointer import LEFT_BUTTON, PointerEvent, PointerPhase

DRAG_THRESHOLD_PX = 4.0
"""A hand trembles less than this between press and release of a click."""


@dataclass(frozen=True, slots=True)
class _Press:
    """The button is down and has not moved far."""

    target: Target
    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True)
class _Drag:
    """Nodes follow the pointer."""

    anchor_id: str
    start_m: Mapping[str, Vec3]
    moved_m: Mapping[str, Vec3]


@dataclass(frozen=True, slots=True)
class _Box:
    """A rubber band is being drawn."""

    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True)
class SelectTool:
    """Select and move (V)."""

    gesture: _Press | _Drag | _Box | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a gesture is half made, which Esc would drop."""
        return self.gesture is not None

    def cancel(self) -> ToolResult:
        """Put dragged nodes back; nothing was edited yet."""
        return ToolResult(SelectTool())

    def handle(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        """Answer one pointer event."""
        if event.phase is PointerPhase.HOVER:
            return _hover(event, context)
        if event.phase is PointerPhase.MOVE:
            return self._move(event, context)
        if event.button != LEFT_BUTTON:
            return ToolResult(self)
        if event.phase is PointerPhase.DOUBLE:
            return _place(event, context)
        if event.phase is PointerPhase.PRESS:
            target = pick(context, event.x_px, event.y_px)
            return ToolResult(SelectTool(_Press(target, event.x_px, event.y_px)))
        return self._release(event, context)

    def _move(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        gesture = self.gesture
        if isinstance(gesture, _Press):
            moved_px = math.dist((gesture.x_px, gesture.y_px), (event.x_px, event.y_px))
            if moved_px < DRAG_THRESHOLD_PX:
                return ToolResult(self)
            gesture = _begin_drag(gesture, context)
        if isinstance(gesture, _Drag):
            return _drag(gesture, event, context)
        if isinstance(gesture, _Box):
            return ToolResult(SelectTool(gesture), box_px=_box(gesture, event))
        return ToolResult(self)

    def _release(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        gesture = self.gesture
        if isinstance(gesture, _Press):
            return _click(gesture.target, event, context)
        if isinstance(gesture, _Drag):
            return ToolResult(SelectTool(), edit=_drop(gesture, context))
        if isinstance(gesture, _Box):
            inside = nodes_in_box(context, _box(gesture, event))
            is_added = event.shift or event.control
            nodes = inside | context.selection_nodes if is_added else inside
            edges = context.selection_edges if is_added else frozenset()
            message = f"{counted(len(nodes), 'node')} selected"
            return ToolResult(SelectTool(), selection=GraphSelection(nodes, edges), message=message)
        # The end of a double-click: why nothing was placed is to stay readable.
        return _hover(event, context)


def _begin_drag(press: _Press, context: GraphContext) -> _Drag | _Box:
    nodes = context.graph.nodes
    anchor_id = press.target.node_id
    if anchor_id is None or anchor_id not in nodes:
        return _Box(press.x_px, press.y_px)
    together = {anchor_id}
    if anchor_id in context.selection_nodes:
        # What lies on another storey is out of sight and stays where it is.
        together |= context.selection_nodes.intersection(active_nodes(context))
    start = {i: nodes[i].position_m for i in nodes if i in together}
    return _Drag(anchor_id, start, start)


def _drag(drag: _Drag, event: PointerEvent, context: GraphContext) -> ToolResult:
    if drag.anchor_id not in context.graph.nodes:
        return ToolResult(SelectTool(), message="The node was deleted meanwhile.", is_refused=True)
    floor = pick_floor(event, context)
    if floor.point_m is None:
        return ToolResult(
            SelectTool(drag), message=floor.reason, moved_m=drag.moved_m, is_refused=True
        )
    origin = drag.start_m[drag.anchor_id]
    shift = tuple(b - a for a, b in zip(origin, floor.point_m, strict=True))
    wanted = {
        node_id: (p[0] + shift[0], p[1] + shift[1], p[2] + shift[2])
        for node_id, p in drag.start_m.items()
        if node_id != drag.anchor_id
    }
    moved = {**snap_to_floor(wanted, context.rays), drag.anchor_id: floor.point_m}
    distance = math.dist(origin, floor.point_m)
    message = f"Move {counted(len(moved), 'node')} by {distance:.2f} m; Esc puts back"
    return ToolResult(SelectTool(replace(drag, moved_m=moved)), message=message, moved_m=moved)


def _drop(drag: _Drag, context: GraphContext) -> GraphEdit | None:
    nodes = context.graph.nodes
    moved = {i: p for i, p in drag.moved_m.items() if i in nodes and nodes[i].position_m != p}
    if not moved:
        return None
    only = next(iter(moved))
    what = nodes[only].name if len(moved) == 1 else counted(len(moved), "node")
    is_selected = drag.anchor_id in context.selection_nodes
    selection = context.selection_nodes if is_selected else frozenset({drag.anchor_id})
    edges = context.selection_edges if is_selected else frozenset()
    return GraphEdit(f"Move {what}", move_nodes(context.graph, moved), selection, edges)


def _click(target: Target, event: PointerEvent, context: GraphContext) -> ToolResult:
    nodes, edges = context.selection_nodes, context.selection_edges
    tool = SelectTool()
    node_id = target.node_id if target.node_id in context.graph.nodes else None
    edge_id = target.edge_id if target.edge_id in context.graph.edges else None
    if event.shift or event.control:
        toggled = GraphSelection(
            nodes ^ {node_id} if node_id is not None else nodes,
            edges ^ {edge_id} if edge_id is not None else edges,
        )
        return ToolResult(tool, selection=toggled)
    first = single_selected(context)
    if event.alt and node_id is not None and first is not None:
        edit = join_nodes(context, first, node_id)
        if edit is not None:
            return ToolResult(tool, edit=edit)
    selection = GraphSelection(
        frozenset({node_id}) if node_id is not None else frozenset(),
        frozenset({edge_id}) if edge_id is not None else frozenset(),
    )
    return ToolResult(tool, selection=selection)


def _place(event: PointerEvent, context: GraphContext) -> ToolResult:
    if pick(context, event.x_px, event.y_px).node_id is not None:
        message = "There is a node here already; F2 renames it."
        return ToolResult(SelectTool(), message=message, is_refused=True)
    floor = pick_floor(event, context)
    if floor.point_m is None:
        return ToolResult(SelectTool(), message=floor.reason, is_refused=True)
    return ToolResult(SelectTool(), edit=place_node(context, floor.point_m))


def _hover(event: PointerEvent, context: GraphContext) -> ToolResult:
    target = pick(context, event.x_px, event.y_px)
    message, preview = _hint(target, event, context)
    return ToolResult(
        SelectTool(),
        preview,
        message=message,
        hover_node=target.node_id,
        hover_edge=target.edge_id,
    )


def _hint(target: Target, event: PointerEvent, context: GraphContext) -> tuple[str, Drawing]:
    if target.node_id is not None:
        return _node_hint(target.node_id, event, context)
    if target.edge_id is not None:
        graph = context.graph
        edge = graph.edges[target.edge_id]
        ends = (graph.nodes[edge.from_id].position_m, graph.nodes[edge.to_id].position_m)
        line = previews.hover_line(*ends)
        return f"Click selects the edge {pair_name(graph, edge.from_id, edge.to_id)}", line
    floor = pick_floor(event, context)
    if floor.point_m is None:
        return floor.reason, NOTHING
    ghost = previews.ghost_node(floor.point_m)
    return "Double-click places a node here", ghost


def _node_hint(node_id: str, event: PointerEvent, context: GraphContext) -> tuple[str, Drawing]:
    graph = context.graph
    node = graph.nodes[node_id]
    ring = previews.hover_ring(node.position_m)
    if event.shift or event.control:
        return f"Click adds {node.name} to the selection, or takes it out", ring
    first = single_selected(context)
    can_join = first is not None and first != node_id
    if first is None or not can_join or graph.edge_between(first, node_id) is not None:
        return f"Click selects {node.name}; drag moves it", ring
    pair = pair_name(graph, first, node_id)
    if not event.alt:
        return f"Click selects {node.name}; drag moves it; Alt+click joins {pair}", ring
    line = previews.rubber_line(graph.nodes[first].position_m, node.position_m)
    return f"Alt+click joins {pair}", ring + line


def _box(box: _Box, event: PointerEvent) -> tuple[float, float, float, float]:
    x, y = sorted((box.x_px, event.x_px)), sorted((box.y_px, event.y_px))
    return (x[0], y[0], x[1], y[1])
