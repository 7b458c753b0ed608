"""The question tool: click where a question starts, then where it ends."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from waypost.annotators.graph import previews
from waypost.annotators.graph.context import GraphContext, ToolResult, hover_or_click
from waypost.annotators.graph.picking import pick_node
from waypost.viewers.scene.drawing import NOTHING, Drawing
from waypost.viewers.scene.pointer import PointerEvent


@dataclass(frozen=True, slots=True)
class QuestionTool:
    """Ask from where to where (Q); Shift+click passes a place on the way."""

    passed: tuple[str, ...] = ()
    """The start, and what is passed so far."""

    @property
    def is_busy(self) -> bool:
        """Whether a question is half asked, which Esc would drop."""
        return bool(self.passed)

    def cancel(self) -> ToolResult:
        """Drop the half-asked question."""
        return ToolResult(QuestionTool())

    def handle(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        """Answer one pointer event."""
        if not all(node_id in context.graph.nodes for node_id in self.passed):
            return QuestionTool().handle(event, context)
        return hover_or_click(self, event, context, self._hover, self._click)

    def _click(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        node_id = pick_node(context, event.x_px, event.y_px)
        if node_id is None:
            message = "A question leads from node to node: click a node."
            return ToolResult(self, message=message, is_refused=True)
        if node_id in self.passed[-1:]:
            name = context.graph.nodes[node_id].name
            return ToolResult(self, message=f"{name} is taken: click the next place.")
        passed = (*self.passed, node_id)
        if len(passed) == 1 or event.shift:
            return ToolResult(QuestionTool(passed))
        return ToolResult(QuestionTool(), asked=passed)

    def _hover(self, event: PointerEvent, context: GraphContext) -> ToolResult:
        node_id = pick_node(context, event.x_px, event.y_px)
        nodes = context.graph.nodes
        preview: Drawing = NOTHING
        if node_id is not None:
            preview = previews.hover_ring(nodes[node_id].position_m)
        places = (*self.passed, node_id) if node_id is not None else self.passed
        for start, end in itertools.pairwise(places):
            preview += previews.rubber_line(nodes[start].position_m, nodes[end].position_m)
        return ToolResult(self, preview, message=self._hint(node_id, context), hover_node=node_id)

    def _hint(self, node_id: str | None, context: GraphContext) -> str:
        nodes = context.graph.nodes
        if not self.passed:
            if node_id is None:
                return "Click the node where the question starts"
            return f"Click starts a question at {nodes[node_id].name}"
        told = " → ".join(nodes[passed].name for passed in self.passed)
        if node_id is None or node_id == self.passed[-1]:
            return f"{told} → …: click where it ends, Shift+click passes a place; Esc drops it"
        return f"Click asks: {told} → {nodes[node_id].name}; Shift+click passes it"
