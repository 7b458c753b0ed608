"""The Graph workspace as the window knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from waypost.app.graph.actions import GRAPH_SCOPE, graph_actions
from waypost.app.shell.exercise import KeyedWords
from waypost.app.shell.workspace import WorkspaceSpec, WorkspaceWords

if TYPE_CHECKING:
    from waypost.app.graph.workspace import GraphWorkspace


def _load() -> type[GraphWorkspace]:
    from waypost.app.graph.workspace import GraphWorkspace  # noqa: PLC0415 - when it is shown

    return GraphWorkspace


GRAPH: Final = WorkspaceSpec(
    GRAPH_SCOPE,
    "Graph",
    "Ctrl+1",
    WorkspaceWords(
        "draw places and the ways between them",
        "The nodes, edges and questions of your graph, and below them what looks wrong in it.",
        (
            KeyedWords(("graph.search",), "Search the lists"),
            KeyedWords(("graph.propose",), "Have nodes and edges proposed"),
        ),
        "What you select, in the scene or in a list, is described here and can be named.",
        (
            KeyedWords(("graph.node",), "Place nodes"),
            KeyedWords(("graph.rename",), "Name the selected node"),
        ),
    ),
    _load,
    graph_actions,
)
