"""The navigation graph and its edits, as pure functions that return a new graph."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar

from waypost.domain.base.errors import EditError
from waypost.domain.base.frames import Vec3

Extra = Mapping[str, Any]
"""Keys of the file a value came from that Waypost does not know; kept and written back."""

T = TypeVar("T")

_NO_EXTRA: Extra = MappingProxyType({})


class EdgeKind(StrEnum):
    """What connects two nodes."""

    WALK = "walk"
    DOOR = "door"
    STAIRS = "stairs"
    ELEVATOR = "elevator"


@dataclass(frozen=True, slots=True)
class Node:
    """A place where an agent can stand.

    Raises:
        EditError: If a coordinate is not a finite number.
    """

    node_id: str
    name: str
    position_m: Vec3
    """On the floor, scene frame."""

    description: str = ""
    extra: Extra = field(default_factory=lambda: _NO_EXTRA)

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, self.position_m)):
            raise EditError(f"node {self.node_id!r} has no finite position")


@dataclass(frozen=True, slots=True)
class Edge:
    """A passage between two nodes; travelled in both directions, labelled in each."""

    edge_id: str
    from_id: str
    to_id: str
    kind: EdgeKind = EdgeKind.WALK
    extra: Extra = field(default_factory=lambda: _NO_EXTRA)

    def joins(self, a: str, b: str) -> bool:
        """Whether the edge connects these two nodes, in either order."""
        return {self.from_id, self.to_id} == {a, b}


@dataclass(frozen=True, slots=True)
class NavigationGraph:
    """Nodes and edges by id, in the order they were made.

    Never build the mappings by hand in callers: use the edit functions below.
    """

    nodes: Mapping[str, Node] = field(default_factory=lambda: MappingProxyType({}))
    edges: Mapping[str, Edge] = field(default_factory=lambda: MappingProxyType({}))
    extra: Extra = field(default_factory=lambda: _NO_EXTRA)

    def edge_between(self, a: str, b: str) -> Edge | None:
        """The edge that connects two nodes, whichever way it was drawn."""
        return next((edge for edge in self.edges.values() if edge.joins(a, b)), None)

    def joined_pairs(self) -> set[frozenset[str]]:
        """The two nodes of every edge, whichever way it was drawn."""
        return {frozenset((edge.from_id, edge.to_id)) for edge in self.edges.values()}


def build_graph(
    nodes: Iterable[Node], edges: Iterable[Edge], extra: Extra = _NO_EXTRA
) -> NavigationGraph:
    """Assemble a graph, checking that ids are unique and every edge names known nodes.

    Raises:
        EditError: Naming the first duplicate id or unknown node.
    """
    node_map: dict[str, Node] = {}
    for node in nodes:
        if node.node_id in node_map:
            raise EditError(f"two nodes have the id {node.node_id!r}")
        node_map[node.node_id] = node
    edge_map: dict[str, Edge] = {}
    for edge in edges:
        if edge.edge_id in edge_map:
            raise EditError(f"two edges have the id {edge.edge_id!r}")
        for end in (edge.from_id, edge.to_id):
            if end not in node_map:
                raise EditError(f"edge {edge.edge_id!r} names the unknown node {end!r}")
        edge_map[edge.edge_id] = edge
    return NavigationGraph(MappingProxyType(node_map), MappingProxyType(edge_map), extra)


def next_node_id(graph: NavigationGraph) -> str:
    """``node_<n>``, one above the highest number in use (the CapNav habit)."""
    return _next_id("node_", graph.nodes)


def next_edge_id(graph: NavigationGraph) -> str:
    """``edge_<n>``, one above the highest number in use."""
    return _next_id("edge_", graph.edges)


def add_node(
    graph: NavigationGraph, position_m: Vec3, name: str = "", description: str = ""
) -> tuple[NavigationGraph, Node]:
    """Add a node; an empty name becomes ``Place <n>``."""
    node_id = next_node_id(graph)
    node = Node(node_id, name or f"Place {node_id.removeprefix('node_')}", position_m, description)
    return replace(graph, nodes=_with(graph.nodes, {node_id: node})), node


def move_nodes(graph: NavigationGraph, positions_m: Mapping[str, Vec3]) -> NavigationGraph:
    """Put nodes at new positions.

    Raises:
        EditError: If a node is unknown.
    """
    moved = {
        node_id: replace(_node(graph, node_id), position_m=position)
        for node_id, position in positions_m.items()
    }
    return replace(graph, nodes=_with(graph.nodes, moved))


def describe_node(
    graph: NavigationGraph, node_id: str, *, name: str | None = None, description: str | None = None
) -> NavigationGraph:
    """Change the name or the description of a node.

    Raises:
        EditError: If the node is unknown or the name is blank.
    """
    node = _node(graph, node_id)
    if name is not None:
        if not name.strip():
            raise EditError("a node needs a name")
        node = replace(node, name=name)
    if description is not None:
        node = replace(node, description=description)
    return replace(graph, nodes=_with(graph.nodes, {node_id: node}))


def add_edge(
    graph: NavigationGraph, from_id: str, to_id: str, kind: EdgeKind = EdgeKind.WALK
) -> tuple[NavigationGraph, Edge]:
    """Join two nodes.

    Raises:
        EditError: If a node is unknown, both are the same, or they are joined already.
    """
    start, end = _node(graph, from_id), _node(graph, to_id)
    if from_id == to_id:
        raise EditError("an edge joins two different nodes")
    if graph.edge_between(from_id, to_id):
        raise EditError(f"{start.name} and {end.name} are joined already")
    edge = Edge(next_edge_id(graph), from_id, to_id, kind)
    return replace(graph, edges=_with(graph.edges, {edge.edge_id: edge})), edge


def set_edge_kind(graph: NavigationGraph, edge_id: str, kind: EdgeKind) -> NavigationGraph:
    """Say what an edge is.

    Raises:
        EditError: If the edge is unknown.
    """
    if edge_id not in graph.edges:
        raise EditError(f"there is no edge {edge_id!r}")
    edge = replace(graph.edges[edge_id], kind=kind)
    return replace(graph, edges=_with(graph.edges, {edge_id: edge}))


def delete_items(
    graph: NavigationGraph, node_ids: Iterable[str] = (), edge_ids: Iterable[str] = ()
) -> NavigationGraph:
    """Delete nodes with every edge at them, and edges; unknown ids are ignored."""
    gone_nodes = set(node_ids)
    gone_edges = set(edge_ids)
    nodes = {k: v for k, v in graph.nodes.items() if k not in gone_nodes}
    edges = {
        k: e
        for k, e in graph.edges.items()
        if k not in gone_edges and e.from_id not in gone_nodes and e.to_id not in gone_nodes
    }
    return replace(graph, nodes=MappingProxyType(nodes), edges=MappingProxyType(edges))


def _with(mapping: Mapping[str, T], changed: Mapping[str, T]) -> Mapping[str, T]:
    return MappingProxyType({**mapping, **changed})


def _node(graph: NavigationGraph, node_id: str) -> Node:
    if node_id not in graph.nodes:
        raise EditError(f"there is no node {node_id!r}")
    return graph.nodes[node_id]


def _next_id(prefix: str, mapping: Mapping[str, object]) -> str:
    numbers = (re.fullmatch(prefix + r"(\d+)", key) for key in mapping)
    return f"{prefix}{max((int(m[1]) for m in numbers if m), default=0) + 1}"
