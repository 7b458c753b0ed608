"""Nodes and edges that free space speaks for; each is a person's to accept or reject."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.base.frames import Vec3, distance_m
from waypost.domain.scene.graph import EdgeKind, NavigationGraph, add_edge, add_node

_REJECTED_KEY = "waypost_rejected"
"""Key of the graph's ``extra``: places of rejected nodes, pairs of places of rejected edges."""

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


def is_rejected(graph: NavigationGraph, proposal: GraphProposal, key: str) -> bool:
    """Whether somebody rejected a node or an edge, or an end of an edge."""
    spots = _spots(proposal, key)
    kept = _rejections(graph)
    if len(spots) == 1:
        return any(len(other) == 1 and _are_same(spots, other) for other in kept)
    ends = [[spot] for spot in spots]
    return any(
        _are_same(spots, other) or any(_are_same(end, other) for end in ends) for other in kept
    )


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
    spots = [_spots(proposal, key) for key in keys]
    ends = [[spot] for both in spots for spot in both]
    kept = [
        other
        for other in _rejections(graph)
        if not any(_are_same(back, other) for back in (*spots, *ends))
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
    found = (proposal.node(part) for part in key.split("|"))
    return [list(node.position_m) for node in found if node is not None]


def _rejections(graph: NavigationGraph) -> list[_Spots]:
    kept = graph.extra.get(_REJECTED_KEY, [])
    return list(kept) if isinstance(kept, list | tuple) else []


def _are_same(some: _Spots, others: _Spots) -> bool:
    if len(some) != len(others):
        return False
    orders = (others, others[::-1])
    return any(
        all(math.dist(a, b) <= SAME_PLACE_M for a, b in zip(some, order, strict=True))
        for order in orders
    )


def _remembering(graph: NavigationGraph, rejections: list[_Spots]) -> NavigationGraph:
    rest = {key: value for key, value in graph.extra.items() if key != _REJECTED_KEY}
    extra = {**rest, _REJECTED_KEY: rejections} if rejections else rest
    return replace(graph, extra=MappingProxyType(extra))
