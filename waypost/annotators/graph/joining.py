"""Placing and joining nodes: the edits that several tools share, and the words they use."""

from __future__ import annotations

from waypost.annotators.graph.context import GraphContext, GraphEdit
from waypost.domain.base.counted_words import counted
from waypost.domain.base.frames import Vec3
from waypost.domain.project import Project
from waypost.domain.scene.graph import EdgeKind, NavigationGraph, add_edge, add_node, delete_items

STAIRS_RISE_M = 1.0
"""Two nodes further apart in height than this are joined as stairs, not as a walk."""


def place_node(context: GraphContext, point_m: Vec3, join_from: str | None = None) -> GraphEdit:
    """Add a node, joined to another one if that is given; the new node gets selected."""
    graph, node = add_node(context.graph, point_m)
    if join_from is None or join_from not in graph.nodes:
        return GraphEdit(f"Add {node.name}", graph, frozenset({node.node_id}))
    text = f"Add {node.name}, joined to {graph.nodes[join_from].name}"
    graph, _ = add_edge(graph, join_from, node.node_id, likely_kind(graph, join_from, node.node_id))
    return GraphEdit(text, graph, frozenset({node.node_id}))


def join_nodes(context: GraphContext, from_id: str, to_id: str) -> GraphEdit | None:
    """Join two nodes and select the second; ``None`` if they are the same or joined already."""
    graph = context.graph
    if from_id == to_id or graph.edge_between(from_id, to_id) is not None:
        return None
    joined, _ = add_edge(graph, from_id, to_id, likely_kind(graph, from_id, to_id))
    return GraphEdit(f"Join {pair_name(graph, from_id, to_id)}", joined, frozenset({to_id}))


def likely_kind(graph: NavigationGraph, from_id: str, to_id: str) -> EdgeKind:
    """Stairs where the nodes differ by more than a metre in height, else a walk."""
    rise = graph.nodes[from_id].position_m[2] - graph.nodes[to_id].position_m[2]
    return EdgeKind.STAIRS if abs(rise) > STAIRS_RISE_M else EdgeKind.WALK


def delete_selection(context: GraphContext) -> GraphEdit | None:
    """Delete what is selected; ``None`` if that is nothing."""
    graph = context.graph
    nodes = [n for n in context.selection_nodes if n in graph.nodes]
    edges = [e for e in context.selection_edges if e in graph.edges]
    if not nodes and not edges:
        return None
    if len(nodes) == 1 and not edges:
        text = f"Delete {graph.nodes[nodes[0]].name}"
    elif len(edges) == 1 and not nodes:
        edge = graph.edges[edges[0]]
        text = f"Delete edge {pair_name(graph, edge.from_id, edge.to_id)}"
    else:
        text = f"Delete {counted(len(nodes), 'node')} and {counted(len(edges), 'edge')}"
    return GraphEdit(text, delete_items(graph, nodes, edges))


def pair_name(graph: NavigationGraph, from_id: str, to_id: str) -> str:
    """``Hall – Kitchen``."""
    return f"{graph.nodes[from_id].name} – {graph.nodes[to_id].name}"


def single_selected(context: GraphContext) -> str | None:
    """The selected node where exactly one node and no edge is selected."""
    if len(context.selection_nodes) != 1 or context.selection_edges:
        return None
    (node_id,) = context.selection_nodes
    return node_id if node_id in context.graph.nodes else None


def gone_with(before: Project, after: Project) -> str:
    """Edges, labels and measures that are not there any more, in words; empty for none."""
    counts = (
        counted(len(before.graph.edges) - len(after.graph.edges), "edge"),
        counted(len(before.labels) - len(after.labels), "label"),
        counted(len(before.measures) - len(after.measures), "measure"),
    )
    gone = [words for words in counts if not words.startswith("0 ")]
    return " and ".join((", ".join(gone[:-1]), gone[-1])) if len(gone) > 1 else "".join(gone)
