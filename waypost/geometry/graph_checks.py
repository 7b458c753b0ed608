"""What is wrong with a navigation graph in its scene, fast enough to run at every edit."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.base.progress import exhaust
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.findings import Finding, FindingKind
from waypost.domain.scene.graph import Edge, EdgeKind, NavigationGraph, Node
from waypost.domain.scene.scene import Storey
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.ray_index import Hit, RayIndex
from waypost.geometry.standing import nodes_on_furniture, standing_findings

FLOOR_ABOVE_M = 0.3
"""A node may be sunk this deep into the floor."""

FLOOR_BELOW_M = 0.5
"""A node may float this high above the floor."""

LOWEST_AGENT_M = 0.15
"""Height of the lowest agent that is shipped, the sweeper."""

KNEE_M = 0.4
"""No agent steps over what is this high."""

PARTITION_M = 1.4
"""What is this high is a wall or a partition; furniture and window sills are lower."""

_UNDER_AGENT = 0.9
"""At this share of the lowest agent's height nothing gets under what is in the way."""

_SAME_THING_M = 0.3
"""What is met at two heights this near to each other is one thing."""

_MOST_NAME = 30

_PAUSE_EVERY = 1000
"""Nodes or edges between two moments at which the rest can wait."""

_PROBES_EVERY = 100
"""Nodes at which a probe is put down in some hundredths of a second."""

_EXEMPT = frozenset({EdgeKind.DOOR, EdgeKind.STAIRS, EdgeKind.ELEVATOR})


def lowest_agent_m(agents: Mapping[str, AgentProfile]) -> float:
    """Height of the lowest agent of a project, or of those that are shipped."""
    return min((agent.height_m for agent in agents.values()), default=LOWEST_AGENT_M)


def check_graph(
    graph: NavigationGraph,
    rays: RayIndex | None,
    lowest_m: float = LOWEST_AGENT_M,
    storeys: Sequence[Storey] = (),
) -> tuple[Finding, ...]:
    """All findings of a graph.

    Args:
        graph: Any graph.
        rays: The scene; without it only names and connections are checked.
        lowest_m: Height of the lowest agent; nothing lower can get under an obstacle.
        storeys: Of the scene; without them no node is found to stand on furniture.
    """
    return exhaust(check_graph_steps(graph, rays, lowest_m, storeys))


def check_graph_steps(
    graph: NavigationGraph,
    rays: RayIndex | None,
    lowest_m: float = LOWEST_AGENT_M,
    storeys: Sequence[Storey] = (),
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
    for first in range(0, len(nodes), _PROBES_EVERY):
        yield
        some_nodes = nodes[first : first + _PROBES_EVERY]
        findings += standing_findings(some_nodes, rays)
        findings += nodes_on_furniture(graph, some_nodes, rays, storeys)
    for first in range(0, len(edges), _PAUSE_EVERY):
        yield
        some = edges[first : first + _PAUSE_EVERY]
        findings += blocked_edges(graph, rays, some, lowest_m)
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


def blocked_edges(
    graph: NavigationGraph,
    rays: RayIndex,
    among: Iterable[Edge],
    lowest_m: float = LOWEST_AGENT_M,
) -> list[Finding]:
    """Every walk edge along whose straight line no agent gets under or over what is in the way.

    It is blocked at the height of the lowest agent, and above every step that one takes. How high
    the obstacle is tells a wall or a partition from furniture and the wall under a window.

    Args:
        graph: Has the nodes.
        rays: The scene.
        among: The edges that are looked at.
        lowest_m: Height of the lowest agent.
    """
    edges = [edge for edge in among if edge.kind not in _EXEMPT]
    if not edges:
        return []
    low_m = min(lowest_m * _UNDER_AGENT, KNEE_M)
    starts = _positions([graph.nodes[edge.from_id] for edge in edges])
    ends = _positions([graph.nodes[edge.to_id] for edge in edges])
    lifts = np.array([[0.0, 0.0, low_m], [0.0, 0.0, KNEE_M]])
    origins = (starts[:, None] + lifts).reshape(-1, 3)
    directions = np.repeat(ends - starts, len(lifts), axis=0)
    hits = rays.first_hit_distances(origins, directions).reshape(len(edges), len(lifts))
    lengths = np.linalg.norm(ends - starts, axis=1)
    is_blocked = (hits < lengths[:, None]).all(axis=1)
    return [_obstacle_finding(graph, edges[i], rays) for i in np.flatnonzero(is_blocked)]


def _obstacle_finding(graph: NavigationGraph, edge: Edge, rays: RayIndex) -> Finding:
    """The finding of an edge that is blocked at the height of the knee."""
    nodes = [graph.nodes[edge.from_id], graph.nodes[edge.to_id]]
    start, end = (node.position_m for node in nodes)
    knee, high = (_first_met(rays, start, end, lift_m) for lift_m in (KNEE_M, PARTITION_M))
    is_wall = (
        knee is not None
        and high is not None
        and abs(high.distance_m - knee.distance_m) <= _SAME_THING_M
    )
    what = "a wall" if is_wall else "furniture or the wall under a window"
    name = "" if knee is None else one_line(knee.mesh_name, _MOST_NAME)
    return Finding(
        FindingKind.THROUGH_WALL if is_wall else FindingKind.THROUGH_OBSTACLE,
        f"{nodes[0].name} – {nodes[1].name} goes through {what}{f' ({name})' if name else ''}",
        (edge.from_id, edge.to_id),
        (edge.edge_id,),
        start if knee is None else knee.point_m,
    )


def _first_met(rays: RayIndex, start: Vec3, end: Vec3, lift_m: float) -> Hit | None:
    """What the straight line between two points meets first at a height above them."""
    way = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    return rays.first_hit(
        (start[0], start[1], start[2] + lift_m), way, max_distance_m=math.hypot(*way)
    )


def _finding(
    kind: FindingKind, message: str, nodes: Sequence[Node], edge_ids: Sequence[str]
) -> Finding:
    spot: Vec3 = nodes[0].position_m
    return Finding(kind, message, tuple(node.node_id for node in nodes), tuple(edge_ids), spot)


def _positions(nodes: Sequence[Node]) -> NDArray[np.float64]:
    return np.array([node.position_m for node in nodes], dtype=np.float64).reshape(-1, 3)
