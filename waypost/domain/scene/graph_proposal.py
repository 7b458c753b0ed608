"""Nodes and edges that free space speaks for; each is a person's to accept or reject."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.base.frames import Vec3, distance_m
from waypost.domain.scene.graph import EdgeKind, NavigationGraph, add_edge, add_node

_REJECTED_KEY = "waypost_rejected"
"""Key of the graph's ``extra``: places of rejected nodes, pairs of places of rejected edges."""

SAME_PLACE_M = 0.3
"""A node this near to a proposed one is the same place, unless another proposed one is nearer."""


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

    def is_at(self, place_m: Vec3, proposed: ProposedNode) -> bool:
        """Whether a place is that of a proposed node, and of no other one."""
        away_m = distance_m(proposed.position_m, place_m)
        # Hardly any place is: only then it is compared with all others.
        return away_m <= SAME_PLACE_M and all(
            away_m <= distance_m(node.position_m, place_m) for node in self.nodes
        )


def node_there(
    graph: NavigationGraph, proposal: GraphProposal, proposed: ProposedNode
) -> str | None:
    """Id of the node that a graph has at a proposed place, the nearest; ``None`` without one."""
    away = (
        (distance_m(node.position_m, proposed.position_m), node) for node in graph.nodes.values()
    )
    near = [
        (distance, node.node_id)
        for distance, node in away
        if distance <= SAME_PLACE_M and proposal.is_at(node.position_m, proposed)
    ]
    return min(near)[1] if near else None


def is_there(graph: NavigationGraph, proposal: GraphProposal, key: str) -> bool:
    """Whether a graph has a proposed node or edge already."""
    node = proposal.node(key)
    if node is not None:
        return node_there(graph, proposal, node) is not None
    ends = [proposal.node(end) for end in key.split("|")]
    ids = [None if end is None else node_there(graph, proposal, end) for end in ends]
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
            there = node_there(graph, proposal, node)
            if there is None:
                graph, made = add_node(graph, node.position_m, node.name)
                there = made.node_id
            ids[node.key] = there
    for edge in edges:
        start, end = ids[edge.from_key], ids[edge.to_key]
        if start != end and graph.edge_between(start, end) is None:
            graph, _ = add_edge(graph, start, end, edge.kind)
    return graph


def is_rejected(graph: NavigationGraph, proposal: GraphProposal, key: str) -> bool:
    """Whether somebody rejected a node or an edge, or an end of an edge."""
    meant = _with_ends(proposal, [key])
    return any(_are_at(proposal, nodes, spots) for spots in _rejections(graph) for nodes in meant)


def with_rejected(
    graph: NavigationGraph, proposal: GraphProposal, keys: Iterable[str]
) -> NavigationGraph:
    """The graph that remembers by their places what was rejected, so that it stays so."""
    new = [_spots(proposal, key) for key in keys if not is_rejected(graph, proposal, key)]
    return _remembering(graph, [*_rejections(graph), *new])


def without_rejected(
    graph: NavigationGraph, proposal: GraphProposal, keys: Iterable[str]
) -> NavigationGraph:
    """The graph that offers again what was rejected; an edge also its ends."""
    meant = _with_ends(proposal, keys)
    kept = [
        spots
        for spots in _rejections(graph)
        if not any(_are_at(proposal, back, spots) for back in meant)
    ]
    return _remembering(graph, kept)


def pending(graph: NavigationGraph, proposal: GraphProposal) -> tuple[str, ...]:
    """Keys of what is neither there nor rejected, in the order of the proposal."""
    return tuple(
        key
        for key in proposal.keys
        if not is_there(graph, proposal, key) and not is_rejected(graph, proposal, key)
    )


_Spots = list[list[float]]


def _spots(proposal: GraphProposal, key: str) -> _Spots:
    """The place of a node, or those of both ends of an edge."""
    return [list(node.position_m) for node in _nodes(proposal, key)]


def _nodes(proposal: GraphProposal, key: str) -> list[ProposedNode]:
    found = (proposal.node(part) for part in key.split("|"))
    return [node for node in found if node is not None]


def _rejections(graph: NavigationGraph) -> list[_Spots]:
    kept = graph.extra.get(_REJECTED_KEY, [])
    return list(kept) if isinstance(kept, list | tuple) else []


def _with_ends(proposal: GraphProposal, keys: Iterable[str]) -> list[list[ProposedNode]]:
    """Of each key the node, or both nodes of the edge and each of them alone."""
    parts = [_nodes(proposal, key) for key in keys]
    return parts + [[end] for both in parts if len(both) > 1 for end in both]


def _are_at(proposal: GraphProposal, nodes: list[ProposedNode], spots: _Spots) -> bool:
    """Whether kept places are those of proposed nodes, in either order."""
    return len(nodes) == len(spots) and any(
        all(proposal.is_at((x, y, z), node) for (x, y, z), node in zip(spots, order, strict=True))
        for order in (nodes, nodes[::-1])
    )


def _remembering(graph: NavigationGraph, rejections: list[_Spots]) -> NavigationGraph:
    rest = {key: value for key, value in graph.extra.items() if key != _REJECTED_KEY}
    extra = {**rest, _REJECTED_KEY: rejections} if rejections else rest
    return replace(graph, extra=MappingProxyType(extra))
