"""What is wrong with a navigation graph in its scene, fast enough to run at every edit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import exhaust
from waypost.domain.scene.findings import Finding, FindingKind
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.standing import standing_findings

FLOOR_ABOVE_M = 0.3
"""A node may be sunk this deep into the floor."""

FLOOR_BELOW_M = 0.5
"""A node may float this high above the floor."""

WALL_HEIGHTS_M = (0.4, 1.0, 1.6)
"""An edge goes through a wall if it is blocked at all of these heights above the floor."""

_PAUSE_EVERY = 1000
"""Nodes or edges between two moments at which the rest can wait."""

_EXEMPT = frozenset({EdgeKind.DOOR, EdgeKind.STAIRS, EdgeKind.ELEVATOR})


def check_graph(graph: NavigationGraph, rays: RayIndex | None) -> tuple[Finding, ...]:
    """All findings of a graph.

    Args:
        graph: Any graph.
        rays: The scene; without it only names and connections are checked.
    """
    return exhaust(check_graph_steps(graph, rays))


def check_graph_steps(
    graph: NavigationGraph, rays: RayIndex | None
) -> Generator[None, None, tuple[Finding, ...]]:
    """``check_graph`` in steps, between which the rest can wait."""
    findings = yield from isolated_part_steps(graph)
    yield
    findings += duplicate_names(graph)
    if rays is None:
        return tuple(findings)
    nodes, edges = list(graph.nodes.values()), list(graph.edges.values())
    for first in range(0, len(nodes), _PAUSE_EVERY):
        yield
        findings += nodes_without_floor(nodes[first : first + _PAUSE_EVERY], rays)
        yield
        findings += standing_findings(nodes[first : first + _PAUSE_EVERY], rays)
    for first in range(0, len(edges), _PAUSE_EVERY):
        yield
        findings += edges_through_walls(graph, rays, edges[first : first + _PAUSE_EVERY])
    return tuple(findings)


def isolated_part_steps(graph: NavigationGraph) -> Generator[None, None, list[Finding]]:
    """Every connected part but the largest; of equal ones the first drawn is the main part."""
    parts = sorted((yield from _connected_part_steps(graph)), key=len, reverse=True)
    part_of = {node_id: number for number, part in enumerate(parts) for node_id in part}
    yield
    nodes_of: defaultdict[int, list[Node]] = defaultdict(list)
    for node_id, node in graph.nodes.items():
        nodes_of[part_of[node_id]].append(node)
    yield
    edges_of: defaultdict[int, list[str]] = defaultdict(list)
    for edge in graph.edges.values():
        edges_of[part_of[edge.from_id]].append(edge.edge_id)
    yield
    return [_isolated(nodes_of[number], edges_of[number]) for number in range(1, len(parts))]


def _connected_part_steps(graph: NavigationGraph) -> Generator[None, None, list[list[str]]]:
    """The ids of each connected part, the one with the first node first.

    A graph of networkx takes several times as long, at every edit.
    """
    joined: dict[str, list[str]] = {node_id: [] for node_id in graph.nodes}
    for number, edge in enumerate(graph.edges.values()):
        if number % _PAUSE_EVERY == 0:
            yield
        joined[edge.from_id].append(edge.to_id)
        joined[edge.to_id].append(edge.from_id)
    parts: list[list[str]] = []
    seen: set[str] = set()
    pause_at = _PAUSE_EVERY
    for first in joined:
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for node_id in part:
            if len(seen) >= pause_at:
                pause_at += _PAUSE_EVERY
                yield
            found = [other for other in joined[node_id] if other not in seen]
            seen.update(found)
            part += dict.fromkeys(found)
        parts.append(part)
    return parts


def _isolated(nodes: Sequence[Node], edge_ids: Sequence[str]) -> Finding:
    if len(nodes) == 1:
        message = f"{nodes[0].name} is not joined to anything"
    else:
        message = f"{nodes[0].name} and {len(nodes) - 1} more are cut off from the rest"
    return _finding(FindingKind.ISOLATED_PART, message, nodes, edge_ids)


def duplicate_names(graph: NavigationGraph) -> list[Finding]:
    """Every name that several nodes share; upper and lower case are the same."""
    by_name: defaultdict[str, list[Node]] = defaultdict(list)
    for node in graph.nodes.values():
        by_name[node.name.strip().casefold()].append(node)
    return [
        _finding(
            FindingKind.DUPLICATE_NAME, f"{len(nodes)} nodes are named {nodes[0].name}", nodes, []
        )
        for nodes in by_name.values()
        if len(nodes) > 1
    ]


def nodes_without_floor(nodes: Sequence[Node], rays: RayIndex) -> list[Finding]:
    """Every node with no surface from 0.3 m above it to 0.5 m below it."""
    if not nodes:
        return []
    starts = _positions(nodes) + np.array([0.0, 0.0, FLOOR_ABOVE_M])
    down = np.broadcast_to([0.0, 0.0, -1.0], starts.shape)
    reach = FLOOR_ABOVE_M + FLOOR_BELOW_M + 1e-4
    distances = rays.first_hit_distances(starts, down)
    return [
        _finding(FindingKind.NO_FLOOR, f"{node.name} has no floor under it", [node], [])
        for node, distance in zip(nodes, distances, strict=True)
        if distance > reach
    ]


def edges_through_walls(
    graph: NavigationGraph, rays: RayIndex, among: Iterable[Edge]
) -> list[Finding]:
    """Every walk edge whose straight line is blocked at all of the heights tried.

    Args:
        graph: Has the nodes.
        rays: The scene.
        among: The edges that are looked at.
    """
    edges = [edge for edge in among if edge.kind not in _EXEMPT]
    if not edges:
        return []
    starts = _positions([graph.nodes[edge.from_id] for edge in edges])
    ends = _positions([graph.nodes[edge.to_id] for edge in edges])
    lifts = np.array([[0.0, 0.0, height] for height in WALL_HEIGHTS_M])
    origins = (starts[:, None] + lifts).reshape(-1, 3)
    directions = np.repeat(ends - starts, len(lifts), axis=0)
    hits = rays.first_hit_distances(origins, directions).reshape(len(edges), len(lifts))
    lengths = np.linalg.norm(ends - starts, axis=1)
    blocked = (hits < lengths[:, None]).all(axis=1)
    return [
        _wall_finding(graph, edges[i], float(hits[i].min() / lengths[i]))
        for i in np.flatnonzero(blocked)
    ]


def _wall_finding(graph: NavigationGraph, edge: Edge, share: float) -> Finding:
    """The finding of an edge that is blocked at a share of its length."""
    nodes = [graph.nodes[edge.from_id], graph.nodes[edge.to_id]]
    (ax, ay, az), (bx, by, bz) = (node.position_m for node in nodes)
    spot = (ax + (bx - ax) * share, ay + (by - ay) * share, az + (bz - az) * share)
    return Finding(
        FindingKind.THROUGH_WALL,
        f"{nodes[0].name} – {nodes[1].name} goes through a wall",
        (edge.from_id, edge.to_id),
        (edge.edge_id,),
        (spot[0], spot[1], spot[2] + WALL_HEIGHTS_M[1]),
    )


def _finding(
    kind: FindingKind, message: str, nodes: Sequence[Node], edge_ids: Sequence[str]
) -> Finding:
    spot: Vec3 = nodes[0].position_m
    return Finding(kind, message, tuple(node.node_id for node in nodes), tuple(edge_ids), spot)


def _positions(nodes: Sequence[Node]) -> NDArray[np.float64]:
    return np.array([node.position_m for node in nodes], dtype=np.float64).reshape(-1, 3)
