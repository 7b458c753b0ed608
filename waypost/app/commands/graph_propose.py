"""``waypost graph propose``: nodes and edges that the free space of a scene speaks for."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import Any, Final

from waypost.app.commands.arguments.asset_options import (
    add_asset_options,
    add_correction_options,
    asset_options,
    given_scene,
    note_outside,
    refuse_corrections,
)
from waypost.app.commands.arguments.path_types import file_to_read, project_to_open
from waypost.app.commands.arguments.project_files import (
    add_author_argument,
    author_of,
    opened_project,
    project_scene,
)
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.graph_proposal import (
    GraphProposal,
    is_rejected,
    is_there,
    pending,
    with_proposed,
)
from waypost.domain.scene.scene import Scene
from waypost.geometry.ray_index import RayIndex

PROPOSE_HELP: Final = "propose nodes and edges from free space: rooms, doorways, junctions"


def add_propose_arguments(parser: ArgumentParser) -> None:
    """Declare what the action takes."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--project", type=project_to_open, metavar="P", help="project file or URL")
    what.add_argument("--scene", type=file_to_read, metavar="S", help="scene file, without project")
    add_correction_options(parser)
    add_asset_options(parser)
    parser.add_argument(
        "--apply",
        action="store_true",
        help="put all of them into the project's graph but those that somebody rejected",
    )
    add_author_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def propose(options: Namespace) -> int:
    """Propose, and apply where that is asked for.

    Returns:
        0 done, 1 there is nothing to propose.
    """
    if options.scene:
        if options.apply:
            raise InputError("--apply: there is no project; name one with --project")
        return _report(options, _found(given_scene(options)), NavigationGraph())
    refuse_corrections(options)
    with opened_project(options.project, author_of(options)) as (store, before):
        read = project_scene(store, before, **asset_options(options))
        if read is None:
            raise InputError(f"{options.project}: scene: there is none to look for rooms in")
        proposal = _found(note_outside(read))
        if options.apply:
            graph = with_proposed(before.graph, proposal, pending(before.graph, proposal))
            after = set_graph(before, graph)
            store.save(before, after, author_of(options), "Take the proposed graph over")
    return _report(options, proposal, before.graph)


def _found(scene: Scene) -> GraphProposal:
    from waypost.geometry.graph_proposals import propose_graph  # noqa: PLC0415 - SciPy waits

    return exhaust_shown(propose_graph(scene, RayIndex.build(scene)))


def _report(options: Namespace, proposal: GraphProposal, graph: NavigationGraph) -> int:
    if options.json:
        write_json(_document(proposal, graph))
    else:
        for node in proposal.nodes:
            x, y, z = node.position_m
            there = _state(graph, proposal, node.key)
            write_line(f"{node.kind}: {node.name} at {x:.2f}, {y:.2f}, {z:.2f}{there}")
        left = frozenset(pending(graph, proposal))
        nodes = [node for node in proposal.nodes if node.key in left]
        kinds = Counter(node.kind for node in nodes)
        told = ", ".join(counted(count, str(kind)) for kind, count in kinds.items())
        told = f" ({told})" if told else ""
        done = "added" if options.apply else "proposed"
        edges = counted(len(left) - len(nodes), "edge")
        write_line(f"{done} {counted(len(nodes), 'node')}{told} and {edges}")
    return 0 if proposal.nodes else 1


def _state(graph: NavigationGraph, proposal: GraphProposal, key: str) -> str:
    if is_there(graph, proposal, key):
        return " (there already)"
    return " (rejected)" if is_rejected(graph, proposal, key) else ""


def _document(proposal: GraphProposal, graph: NavigationGraph) -> dict[str, Any]:
    return {
        "nodes": [
            {
                "key": node.key,
                "kind": str(node.kind),
                "name": node.name,
                "position_m": list(node.position_m),
                "is_there": is_there(graph, proposal, node.key),
                "is_rejected": is_rejected(graph, proposal, node.key),
            }
            for node in proposal.nodes
        ],
        "edges": [
            {
                "from": edge.from_key,
                "to": edge.to_key,
                "kind": str(edge.kind),
                "is_there": is_there(graph, proposal, edge.key),
                "is_rejected": is_rejected(graph, proposal, edge.key),
            }
            for edge in proposal.edges
        ],
    }
