"""The node tool: every click on the floor places a node; Ctrl joins it to the selected one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.annotators.graph import previews
from waypost.annotators.graph.context import GraphContext, GraphSelection, ToolResult
from waypost.annotators.graph.floor import pick_floor
from waypost.annotators.graph.joining import place_node, single_selected
from waypost.annotators.graph.picking import pick_node
from waypost.annotators.graph.select_tool import DRAG_THRESHOLD_PX
from waypost.viewers.scene.pointer import LEFT_BUTTON, PointerEvent, PointerPhase


@dataclass(frozen=True, slots=True)
class NodeTool:
    """Place nodes (N)."""

    pressed_px: tuple[float, float] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a gesture is half made, which Esc would drop."""
        return self.pressed_px is not None

    def cancel(self) -> ToolResult:
        """Forget the button that is down."""
        return ToolResult(NodeTool())

    def handle(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        """Answer one pointer event."""
        if event.phase is PointerPhase.HOVER:
            return _hover(event, context)
        if event.button != LEFT_BUTTON:
            return ToolResult(self)
        # The second press of a quick pair of clicks arrives as DOUBLE; here it is a press.
        if event.phase in {PointerPhase.PRESS, PointerPhase.DOUBLE}:
            return ToolResult(NodeTool((event.x_px, event.y_px)))
        if event.phase is PointerPhase.RELEASE and self.pressed_px is not None:
            if math.dist(self.pressed_px, (event.x_px, event.y_px)) < DRAG_THRESHOLD_PX:
                return _click(event, context)
            return ToolResult(NodeTool())
        return ToolResult(self)


def _click(event: PointerEvent, context: GraphContext) -> ToolResult:
    node_id = pick_node(context, event.x_px, event.y_px)
    if node_id is not None:
        return ToolResult(NodeTool(), selection=GraphSelection(frozenset({node_id})))
    floor = pick_floor(event, context)
    if floor.point_m is None:
        return ToolResult(NodeTool(), message=floor.reason, is_refused=True)
    join_from = single_selected(context) if event.control else None
    return ToolResult(NodeTool(), edit=place_node(context, floor.point_m, join_from))


def _hover(event: PointerEvent, context: GraphContext) -> ToolResult:
    nodes = context.graph.nodes
    node_id = pick_node(context, event.x_px, event.y_px)
    if node_id is not None:
        ring = previews.hover_ring(nodes[node_id].position_m)
        message = f"Click selects {nodes[node_id].name}"
        return ToolResult(NodeTool(), ring, message=message, hover_node=node_id)
    floor = pick_floor(event, context)
    if floor.point_m is None:
        return ToolResult(NodeTool(), message=floor.reason, is_refused=True)
    preview = previews.ghost_node(floor.point_m)
    first = single_selected(context)
    if first is None:
        return ToolResult(NodeTool(), preview, message="Click places a node here")
    if not event.control:
        message = f"Click places a node here; Ctrl+click also joins it to {nodes[first].name}"
        return ToolResult(NodeTool(), preview, message=message)
    start_m = nodes[first].position_m
    preview += previews.rubber_line(start_m, floor.point_m)
    message = f"Click places a node joined to {nodes[first].name}"
    return ToolResult(NodeTool(), preview, message=message)
