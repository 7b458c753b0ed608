"""Whether something can be put down at a node: how high it is above the floor, what is in the way.

Beside the checks of the graph's shape in `graph_checks`: these ask the scene about single places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.findings import Finding, FindingKind
from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.geometry.ray_index import Hit, RayIndex

FLOATS_FROM_M: Final = 0.05
"""Uneven floors and coarse meshes leave nodes a little above; an agent is put down that far."""

NEAR_FLOOR_M: Final = 0.5
"""Further above it a node has no floor under it; see ``graph_checks``."""

_SEARCHED_BELOW_M: Final = 3.0
"""As far down a node is put onto a floor."""

_RISER_M: Final = 0.3
"""What is lower stands on the floor like a step, and something can stand upon it."""

PROBE_M: Final = 1.0
"""The probe is a line from a step above the floor up to here: every agent is wider, and a door
frame or lamp above is no reason that nobody stands there."""

_SIDES: Final[tuple[Vec3, ...]] = (
    (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0),
)  # fmt: skip
_REACHES_M: Final = (1.5, 1.5, 1.5, 1.5, 2.0)
"""Nearer than this on all sides and above, and from behind, the faces of one object enclose a
place; rooms are wider or higher, whichever side their faces are seen from."""

_WITHIN_M: Final = 0.3
"""Nearer than this on two opposite sides, and from behind, they are those of a wall: nobody builds
a corridor of twice that."""


def height_above_floor_m(node: Node, rays: RayIndex) -> float | None:
    """How far a node is above the floor under it; ``None`` if there is none within 3 m."""
    floor = rays.floor_below(node.position_m, _SEARCHED_BELOW_M)
    return None if floor is None else node.position_m[2] - floor.point_m[2]


def standing_findings(nodes: Sequence[Node], rays: RayIndex) -> list[Finding]:
    """Every node above the floor by 5 cm to 0.5 m, and every one at which no probe of 1 m lands.

    All nodes are looked at together by a few rays each; only those that look odd singly.
    """
    if not nodes:
        return []
    places = np.array([node.position_m for node in nodes], dtype=np.float64)
    lifts = np.array([FLOATS_FROM_M, PROBE_M, *[_RISER_M] * len(_SIDES)])
    starts = places[:, None, :] + np.outer(lifts, (0.0, 0.0, 1.0))
    down = (0.0, 0.0, -1.0)
    ways = np.broadcast_to([down, down, *_SIDES], starts.shape)
    met = rays.first_hit_distances(starts.reshape(-1, 3), ways.reshape(-1, 3))
    met = met.reshape(len(nodes), -1)
    floats = met[:, 0] > 2 * FLOATS_FROM_M
    sides = met[:, 2:]
    is_met = (met[:, 1] < PROBE_M - _RISER_M) | (sides <= _REACHES_M).all(axis=1)
    is_met |= (sides[:, :2] <= _WITHIN_M).all(axis=1) | (sides[:, 2:4] <= _WITHIN_M).all(axis=1)
    found: list[Finding] = []
    for number in np.flatnonzero(floats | is_met).tolist():
        found += _findings_at(nodes[number], rays)
    return found


def _findings_at(node: Node, rays: RayIndex) -> Iterator[Finding]:
    height_m = height_above_floor_m(node, rays)
    if height_m is not None and FLOATS_FROM_M < height_m <= NEAR_FLOOR_M:
        message = f"{node.name} is {height_m:.2f} m above the floor"
        yield _finding(FindingKind.ABOVE_FLOOR, message, node)
    name = object_in_the_way(node, rays)
    if name is not None:
        yield _finding(FindingKind.NO_ROOM, _no_room(node, name, PROBE_M), node)


def object_in_the_way(node: Node, rays: RayIndex, probe_m: float = PROBE_M) -> str | None:
    """What keeps a probe from landing at a node: furniture over it, or a body around it.

    Args:
        node: Where it is to land.
        rays: The scene.
        probe_m: Height of the probe; a low one lands under a table.

    Returns:
        The name of a mesh; ``None`` if a probe lands, or if there is no floor at all.
    """
    x, y, z = node.position_m
    floor = rays.floor_below((x, y, z + _RISER_M), _RISER_M + NEAR_FLOOR_M)
    if floor is None:
        return None
    z = floor.point_m[2]
    over = rays.first_hit((x, y, z + probe_m), (0.0, 0.0, -1.0), max_distance_m=probe_m)
    if over is not None and over.point_m[2] > z + _RISER_M:
        return over.mesh_name
    sides = [
        rays.first_hit((x, y, z + _RISER_M), side, max_distance_m=reach_m)
        for side, reach_m in zip(_SIDES, _REACHES_M, strict=True)
    ]
    near = [hit if hit and hit.distance_m <= _WITHIN_M else None for hit in sides]
    return _enclosing(sides) or _enclosing(near[:2]) or _enclosing(near[2:4])


def standing_refusal(
    graph: NavigationGraph, node_ids: Iterable[str], rays: RayIndex, agent_height_m: float
) -> str:
    """Why a passage between nodes cannot be judged; empty if a probe lands at all of them.

    Args:
        graph: Has the nodes.
        node_ids: The ends of the passage.
        rays: The scene.
        agent_height_m: Of who is to travel it.
    """
    probe_m = min(agent_height_m, PROBE_M)
    for node in (graph.nodes[node_id] for node_id in node_ids):
        name = object_in_the_way(node, rays, probe_m)
        if name is not None:
            reason = _no_room(node, name, probe_m)
            return f"{reason}. Move the node before you label this passage."
    return ""


def put_down(graph: NavigationGraph, node_ids: Iterable[str], rays: RayIndex) -> dict[str, Vec3]:
    """New places on the floor, of the nodes that are above one; see ``graph.move_nodes``."""
    places: dict[str, Vec3] = {}
    for node_id in node_ids:
        node = graph.nodes.get(node_id)
        height_m = None if node is None else height_above_floor_m(node, rays)
        if node is not None and height_m is not None and height_m > FLOATS_FROM_M:
            x, y, z = node.position_m
            places[node_id] = (x, y, z - height_m)
    return places


def _enclosing(hits: Sequence[Hit | None]) -> str | None:
    """The one object that all rays leave from within."""
    names = {hit.mesh_name if hit is not None and hit.is_back else None for hit in hits}
    return next(iter(names)) if len(names) == 1 else None


def _no_room(node: Node, name: str, probe_m: float) -> str:
    return f"Nothing {probe_m:.2g} m high can stand at {node.name}: {name} is in the way"


def _finding(kind: FindingKind, message: str, node: Node) -> Finding:
    return Finding(kind, message, (node.node_id,), (), node.position_m)
