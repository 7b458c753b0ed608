"""The edge tool: click one node after the other, each is joined to the one before."""

from __future__ import annotations

from dataclasses import dataclass

from waypost.annotators.graph import previews
from waypost.annotators.graph.context import (
    GraphContext,
    GraphSelection,
    ToolResult,
    hover_or_click,
)
from waypost.annotators.graph.floor import pick_floor
from waypost.annotators.graph.joining import join_nodes, pair_name
from waypost.annotators.graph.picking import pick_node
from waypost.viewers.scene.drawing import NOTHING, Drawing
from waypost.viewers.scene.pointer import PointerEvent


@dataclass(frozen=True, slots=True)
class EdgeTool:
    """Join nodes (E)."""

    start_id: str | None = None
    """The node that the next one is joined to."""

    @property
    def is_busy(self) -> bool:
        """Whether an edge is half made, which Esc would drop."""
        return self.start_id is not None

    def cancel(self) -> ToolResult:
        """Drop the half-made edge."""
        return ToolResult(EdgeTool())

    def handle(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        """Answer one pointer event."""
        if self.start_id is not None and self.start_id not in context.graph.nodes:
            return EdgeTool().handle(event, context)
        return hover_or_click(self, event, context, self._hover, self._click)

    def _click(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        node_id = pick_node(context, event.x_px, event.y_px)
        if node_id is None:
            message = "An edge joins two nodes: click a node."
            return ToolResult(self, message=message, is_refused=True)
        edit = join_nodes(context, self.start_id, node_id) if self.start_id is not None else None
        if edit is not None:
            return ToolResult(EdgeTool(node_id), edit=edit)
        selection = GraphSelection(frozenset({node_id}))
        if self.start_id is None or self.start_id == node_id:
            return ToolResult(EdgeTool(node_id), selection=selection)
        message = f"{pair_name(context.graph, self.start_id, node_id)} are joined already."
        return ToolResult(EdgeTool(node_id), selection=selection, message=message, is_refused=True)

    def _hover(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        node_id = pick_node(context, event.x_px, event.y_px)
        ring = NOTHING
        if node_id is not None:
            position_m = context.graph.nodes[node_id].position_m
            ring = previews.hover_ring(position_m)
        return ToolResult(
            self,
            ring + self._line(node_id, event, context),
            message=self._hint(node_id, context),
            hover_node=node_id,
        )

    def _line(self, node_id: str | None, event: PointerEvent, context: GraphContext) -> Drawing:
        nodes = context.graph.nodes
        if self.start_id is None or self.start_id == node_id:
            return NOTHING
        end_m = (
            nodes[node_id].position_m if node_id is not None else pick_floor(event, context).point_m
        )
        if end_m is None:
            return NOTHING
        return previews.rubber_line(nodes[self.start_id].position_m, end_m)

    def _hint(self, node_id: str | None, context: GraphContext) -> str:
        graph = context.graph
        if self.start_id is None:
            if node_id is None:
                return "Click the node where the edge begins"
            return f"Click begins an edge at {graph.nodes[node_id].name}"
        if node_id is None or node_id == self.start_id:
            start = graph.nodes[self.start_id].name
            return f"Click the node to join to {start}; Esc ends the chain"
        pair = pair_name(graph, self.start_id, node_id)
        if graph.edge_between(self.start_id, node_id) is not None:
            return f"{pair} are joined already"
        return f"Click joins {pair}"
