"""The tools of the graph annotator by name; each is a state machine without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from waypost.annotators.graph.context import GraphContext, GraphEdit, GraphTool, ToolResult
from waypost.annotators.graph.edge_tool import EdgeTool
from waypost.annotators.graph.joining import delete_selection
from waypost.annotators.graph.measure_tool import MeasureTool
from waypost.annotators.graph.node_tool import NodeTool
from waypost.annotators.graph.question_tool import QuestionTool
from waypost.annotators.graph.select_tool import SelectTool

__all__ = [
    "TOOL_KEYS",
    "TOOL_TITLES",
    "GraphContext",
    "GraphEdit",
    "GraphTool",
    "ToolName",
    "ToolResult",
    "delete_selection",
    "start_tool",
]


class ToolName(StrEnum):
    """The tools, in the order of the toolbar."""

    SELECT = "select"
    NODE = "node"
    EDGE = "edge"
    MEASURE = "measure"
    QUESTION = "question"


def start_tool(name: ToolName) -> GraphTool:
    """A tool in its first state."""
    return _TOOLS[name]()


TOOL_TITLES: Mapping[ToolName, str] = MappingProxyType(
    {
        ToolName.SELECT: "Select and move",
        ToolName.NODE: "Place nodes",
        ToolName.EDGE: "Join nodes",
        ToolName.MEASURE: "Measure distance and width",
        ToolName.QUESTION: "Ask a question from node to node",
    }
)
"""What the toolbar says."""

TOOL_KEYS: Mapping[ToolName, str] = MappingProxyType(
    {
        ToolName.SELECT: "V",
        ToolName.NODE: "N",
        ToolName.EDGE: "E",
        ToolName.MEASURE: "M",
        ToolName.QUESTION: "Q",
    }
)
"""The key that picks each tool unless the user changed it."""

_TOOLS: Mapping[ToolName, type[SelectTool | NodeTool | EdgeTool | MeasureTool | QuestionTool]] = (
    MappingProxyType(
        {
            ToolName.SELECT: SelectTool,
            ToolName.NODE: NodeTool,
            ToolName.EDGE: EdgeTool,
            ToolName.MEASURE: MeasureTool,
            ToolName.QUESTION: QuestionTool,
        }
    )
)
