"""What can be done with a graph, as data; the keys of the Graph workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from waypost.annotators.graph.tool import TOOL_KEYS, TOOL_TITLES, ToolName
from waypost.app.shell.actions import ActionSpec
from waypost.app.shell.menu_columns import in_groups
from waypost.app.shell.workspace import LazyWorkspace, Surroundings
from waypost.domain.scene.graph import EdgeKind

if TYPE_CHECKING:
    from waypost.app.graph.workspace import GraphWorkspace

GRAPH_SCOPE: Final = "graph"

_Run = Callable[["GraphWorkspace"], object]


def graph_actions(
    the: LazyWorkspace[GraphWorkspace], around: Surroundings
) -> tuple[ActionSpec, ...]:
    """The actions of the workspace, in the order of the menu."""

    def spec(key: str, text: str, shortcut: str, run: _Run) -> ActionSpec:
        has_project = around.bench.has_project
        return ActionSpec(
            f"graph.{key}", text, shortcut, "Graph", has_project, the.doing(run), scope=GRAPH_SCOPE
        )

    def choose(name: ToolName) -> _Run:
        return lambda graph: graph.choose_tool(name)

    def set_kind(kind: EdgeKind) -> _Run:
        return lambda graph: graph.set_selected_kind(kind)

    specs = (
        *(spec(name, TOOL_TITLES[name], TOOL_KEYS[name], choose(name)) for name in ToolName),
        spec("delete", "Delete the selection", "Del", lambda graph: graph.delete_selected()),
        spec("rename", "Rename the node", "F2", lambda graph: graph.rename_selected()),
        spec("select_all", "Select every node", "Ctrl+A", lambda graph: graph.select_all()),
        spec("search", "Search the lists", "Ctrl+F", lambda graph: graph.focus_search()),
        *(
            spec(f"kind_{kind}", f"Edge is {kind}", str(number + 1), set_kind(kind))
            for number, kind in enumerate(EdgeKind)
        ),
        *(spec(*row) for row in (*_PROPOSALS, *_QUESTIONS)),
        spec(
            "cancel",
            "Drop the gesture or the selection",
            "Esc",
            lambda graph: graph.cancel(),
        ),
    )
    tools, kinds = tuple(ToolName), tuple(EdgeKind)
    return in_groups(
        specs,
        ("Tools", f"graph.{tools[0]}", f"graph.{tools[-1]}"),
        ("Proposals", "graph.propose", "graph.accept_all"),
        ("Questions", "graph.hallucinated", "graph.export_prompts"),
        ("Kind of the edge", f"graph.kind_{kinds[0]}", f"graph.kind_{kinds[-1]}"),
    )


_PROPOSALS: Final[tuple[tuple[str, str, str, _Run], ...]] = (
    ("propose", "Propose nodes and edges from free space", "P", lambda g: g.proposals.look()),
    ("accept", "Accept the proposal", "A", lambda g: g.proposals.accept()),
    ("reject", "Reject the proposal, or offer it again", "X", lambda g: g.proposals.reject()),
    ("accept_all", "Accept every proposal", "Shift+A", lambda g: g.proposals.accept_all()),
)
"""Key, words, shortcut, and what is done."""

_QUESTIONS: Final[tuple[tuple[str, str, str, _Run], ...]] = (
    (
        "hallucinated",
        "Leave the question out, or count it again",
        "H",
        lambda g: g.questions.toggle_hallucinated(),
    ),
    ("import_questions", "Import questions …", "", lambda g: g.questions.ask_import()),
    ("export_questions", "Export questions …", "", lambda g: g.questions.ask_export()),
    (
        "export_prompts",
        "Export prompts for language models …",
        "",
        lambda g: g.questions.ask_export_prompts(),
    ),
)
"""As ``_PROPOSALS``."""
