"""Nodes and edges that free space speaks for; each is a person's to accept or reject."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.base.frames import Vec3, distance_m
from waypost.domain.scene.graph import EdgeKind, NavigationGraph, add_edge, add_node

SAME_PLACE_M = 0.3
"""A node this near to a proposed one is the same place."""


class PlaceKind(StrEnum):
    """What a proposed node stands for."""

    ROOM = "room"
    """The widest spot of a room, or of a part of a large one."""

    DOORWAY = "doorway"
    """In the middle of an opening between two rooms."""

    JUNCTION = "junction"
    """Where the way between two others bends, or meets another."""


@dataclass(frozen=True, slots=True)
class ProposedNode:
    """A place that a node could have."""

    key: str
    """Of this proposal among the others."""

    kind: PlaceKind
    name: str
    position_m: Vec3
    """On the floor, scene frame."""


@dataclass(frozen=True, slots=True)
class ProposedEdge:
    """A way that is free in a straight line between two proposed places."""

    from_key: str
    to_key: str
    kind: EdgeKind = EdgeKind.WALK

    @property
    def key(self) -> str:
        """Of this proposal among the others."""
        return f"{self.from_key}|{self.to_key}"


@dataclass(frozen=True, slots=True)
class GraphProposal:
    """Everything that free space speaks for."""

    nodes: tuple[ProposedNode, ...] = ()
    edges: tuple[ProposedEdge, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Of all nodes, then of all edges."""
        return (*(node.key for node in self.nodes), *(edge.key for edge in self.edges))

    def node(self, key: str) -> ProposedNode | None:
        """The proposed node of a key."""
        return next((node for node in self.nodes if node.key == key), None)


def node_there(graph: NavigationGraph, proposed: ProposedNode) -> str | None:
    """Id of the node that a graph has at a proposed place, the nearest; ``None`` without one."""
    near = [
        (distance_m(node.position_m, proposed.position_m), node.node_id)
        for node in graph.nodes.values()
    ]
    distance, node_id = min(near, default=(float("inf"), ""))
    return node_id if distance <= SAME_PLACE_M else None


def is_there(graph: NavigationGraph, proposal: GraphProposal, key: str) -> bool:
    """Whether a graph has a proposed node or edge already."""
    node = proposal.node(key)
    if node is not None:
        return node_there(graph, node) is not None
    ends = [proposal.node(end) for end in key.split("|")]
    ids = [None if end is None else node_there(graph, end) for end in ends]
    if len(ids) != 2 or ids[0] is None or ids[1] is None:
        return False
    return ids[0] == ids[1] or graph.edge_between(ids[0], ids[1]) is not None


def with_proposed(
    graph: NavigationGraph, proposal: GraphProposal, keys: Iterable[str]
) -> NavigationGraph:
    """The graph with proposed nodes and edges; an edge brings its ends along.

    What the graph has already is not made again.

    Args:
        graph: The graph.
        proposal: Has the nodes and edges.
        keys: Of nodes and edges, in any order.
    """
    wanted = set(keys)
    edges = [edge for edge in proposal.edges if edge.key in wanted]
    ends = {end for edge in edges for end in (edge.from_key, edge.to_key)}
    ids: dict[str, str] = {}
    for node in proposal.nodes:
        if node.key in wanted | ends:
            there = node_there(graph, node)
            if there is None:
                graph, made = add_node(graph, node.position_m, node.name)
                there = made.node_id
            ids[node.key] = there
    for edge in edges:
        start, end = ids[edge.from_key], ids[edge.to_key]
        if start != end and graph.edge_between(start, end) is None:
            graph, _ = add_edge(graph, start, end, edge.kind)
    return graph
