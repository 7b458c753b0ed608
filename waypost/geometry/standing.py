"""Whether something can be put down at a node: how high it is above the floor, what is in the way.

Beside the checks of the graph's shape in `graph_checks`: these ask the scene about single places.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.findings import Finding, FindingKind
from waypost.domain.scene.graph import EdgeKind, NavigationGraph, Node
from waypost.domain.scene.scene import Storey
from waypost.geometry.ray_index import Hit, RayIndex
from waypost.geometry.walking_down import STOREY_TOLERANCE_M, is_floor

FLOATS_FROM_M: Final = 0.05
"""Uneven floors and coarse meshes leave nodes a little above; an agent is put down that far."""

NEAR_FLOOR_M: Final = 0.5
"""Further above it a node has no floor under it; see ``graph_checks``."""

_SEARCHED_BELOW_M: Final = 3.0
"""As far down a node is put onto a floor."""

PROBE_DROP_M: Final = 2.5
"""As far down a probe that is put down at a node is dropped, as engines drop an agent."""

_FURNITURE_M: Final = 1.4
"""What is higher is a gallery or a wall."""

_MOST_NAME: Final = 30

_RISING: Final = frozenset({EdgeKind.STAIRS, EdgeKind.ELEVATOR})

_RISER_M: Final = 0.3
"""What is lower stands on the floor like a step, and something can stand upon it."""

PROBE_M: Final = 1.0
"""The probe reaches from a step above the floor up to here: a door frame or lamp above is no reason
that nobody stands there."""

PROBE_RADIUS_M: Final = 0.04
"""Every agent is wider: where the probe does not land, the node is wrong, whoever is asked about.
Whether one agent has room at its ends is for the label to say."""

_AROUND: Final[tuple[Vec3, ...]] = tuple(
    (math.cos(k * math.tau / 8), math.sin(k * math.tau / 8), 0.0) for k in range(8)
)
_HEIGHTS: Final = (0.05, 0.5, 1.0)
"""Where a probe feels around, as shares of its length above a step."""

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
    """Every node above the floor by 5 cm to 0.5 m, and every one where an object is in the way.

    Nodes without any floor are found by ``graph_checks.nodes_without_floor``.
    """
    found: list[Finding] = []
    for node, obstacle in zip(nodes, _obstacles(nodes, rays, PROBE_M), strict=True):
        height_m = height_above_floor_m(node, rays)
        if height_m is not None and FLOATS_FROM_M < height_m <= NEAR_FLOOR_M:
            message = f"{node.name} is {height_m:.2f} m above the floor"
            found.append(_finding(FindingKind.ABOVE_FLOOR, message, node))
        if obstacle:
            found.append(_finding(FindingKind.NO_ROOM, _no_room(node, obstacle, PROBE_M), node))
    return found


def nodes_on_furniture(
    graph: NavigationGraph, nodes: Iterable[Node], rays: RayIndex, storeys: Sequence[Storey]
) -> list[Finding]:
    """Every node on a surface up to 1.4 m above its storey from which no steps lead down.

    So a node is that was put onto the surface below it, over a table or a bed. Nodes to which
    stairs or an elevator lead may be on a stage or a gallery.

    Args:
        graph: Has the edges.
        nodes: Those that are looked at.
        rays: The scene.
        storeys: Of the scene; without any nothing is found.
    """
    high = [
        node for node in nodes if _above_storey_m(node.position_m[2], storeys) > STOREY_TOLERANCE_M
    ]
    if not high:  # Nearly always: of a large graph no edge is looked at.
        return []
    risen = [edge for edge in graph.edges.values() if edge.kind in _RISING]
    exempt = {end for edge in risen for end in (edge.from_id, edge.to_id)}
    found: list[Finding] = []
    for node in high:
        under = rays.floor_below(node.position_m, NEAR_FLOOR_M)
        if under is None or node.node_id in exempt:
            continue
        height_m = _above_storey_m(under.point_m[2], storeys)
        is_high = STOREY_TOLERANCE_M < height_m <= _FURNITURE_M
        if is_high and not is_floor(under.point_m, rays, storeys):
            message = (
                f"{node.name} stands on {one_line(under.mesh_name, _MOST_NAME)}, {height_m:.2f} m"
                " above the floor, where no steps lead"
            )
            found.append(_finding(FindingKind.ON_FURNITURE, message, node))
    return found


def _above_storey_m(z_m: float, storeys: Sequence[Storey]) -> float:
    """How far a height is above the storey that it is in; 0 below all of them."""
    below = [storey.floor_z_m for storey in storeys if storey.floor_z_m <= z_m]
    return z_m - max(below) if below else 0.0


def object_in_the_way(node: Node, rays: RayIndex, probe_m: float = PROBE_M) -> str | None:
    """What keeps a probe from landing at a node: furniture over or beside it, or a body around it.

    Args:
        node: Where it is to land.
        rays: The scene.
        probe_m: Height of the probe; a low one lands under a table.

    Returns:
        The name of a mesh; empty if a probe lands, ``None`` if there is no floor within 2.5 m.
    """
    (obstacle,) = _obstacles((node,), rays, probe_m)
    return obstacle


def _obstacles(nodes: Sequence[Node], rays: RayIndex, probe_m: float) -> list[str | None]:
    """``object_in_the_way`` of many nodes; only those that look odd are looked at singly."""
    found: list[str | None] = [None] * len(nodes)
    feet: dict[int, Vec3] = {}
    for number, node in enumerate(nodes):
        x, y, z = node.position_m
        floor = rays.floor_below((x, y, z + _RISER_M), _RISER_M + PROBE_DROP_M)
        if floor is not None:
            feet[number] = (x, y, floor.point_m[2])
    if not feet:
        return found
    felt = _felt_by(probe_m)
    starts = np.array(list(feet.values()))[:, None, :] + felt.starts
    ways = np.broadcast_to(felt.ways, starts.shape)
    met = rays.first_hit_distances(starts.reshape(-1, 3), ways.reshape(-1, 3))
    met = met.reshape(len(feet), -1)
    is_met, sides = met <= felt.reaches_m, met[:, -len(_SIDES) :]
    is_odd = np.asarray(
        is_met[:, : -len(_SIDES)].any(axis=1)
        | is_met[:, -len(_SIDES) :].all(axis=1)
        | (sides[:, :2] <= _WITHIN_M).all(axis=1)
        | (sides[:, 2:4] <= _WITHIN_M).all(axis=1)
    )
    for place, number in enumerate(feet):
        found[number] = _object_at(feet[number], rays, felt) if is_odd[place] else ""
    return found


class _Felt(NamedTuple):
    """The rays by which a probe feels whether it lands; the last five look for bodies around it."""

    starts: NDArray[np.float64]
    """(R, 3) from its foot."""

    ways: NDArray[np.float64]
    """(R, 3) of unit length."""

    reaches_m: NDArray[np.float64]
    """(R,)."""


def _felt_by(probe_m: float) -> _Felt:
    down = (0.0, 0.0, -1.0)
    length_m = probe_m - _RISER_M
    rays: list[tuple[Vec3, Vec3, float]] = []
    if length_m > 0:
        for x, y, _ in ((0.0, 0.0, 0.0), *_AROUND):
            rays.append(((x * PROBE_RADIUS_M, y * PROBE_RADIUS_M, probe_m), down, length_m))
        for share in _HEIGHTS:
            start = (0.0, 0.0, _RISER_M + share * length_m)
            rays += [(start, way, PROBE_RADIUS_M) for way in _AROUND]
    foot = (0.0, 0.0, _RISER_M)
    rays += [(foot, way, reach_m) for way, reach_m in zip(_SIDES, _REACHES_M, strict=True)]
    starts, ways, reaches = zip(*rays, strict=True)
    return _Felt(np.array(starts), np.array(ways), np.array(reaches))


def _object_at(foot: Vec3, rays: RayIndex, felt: _Felt) -> str:
    """What a probe meets, or the body that it is in; empty if neither."""
    hits: list[Hit | None] = []
    for start, way, reach_m in zip(felt.starts + foot, felt.ways, felt.reaches_m, strict=True):
        hit = rays.first_hit(tuple(start), tuple(way), max_distance_m=float(reach_m))
        if hit is not None and len(hits) < len(felt.starts) - len(_SIDES):
            return hit.mesh_name
        hits.append(hit)
    sides = hits[-len(_SIDES) :]
    near = [hit if hit and hit.distance_m <= _WITHIN_M else None for hit in sides]
    return _enclosing(sides) or _enclosing(near[:2]) or _enclosing(near[2:4]) or ""


def standing_refusal(
    graph: NavigationGraph, node_ids: Iterable[str], rays: RayIndex, agent_height_m: float
) -> str:
    """Why a passage between nodes cannot be judged; empty if a probe lands at all of them.

    The probe is 8 cm wide. An engine that drops a body of that size says the same, but for bodies
    that are hollow to it (``tests/simulators/test_landing.py``).

    Args:
        graph: Has the nodes.
        node_ids: The ends of the passage.
        rays: The scene.
        agent_height_m: Of who is to travel it.
    """
    probe_m = min(agent_height_m, PROBE_M)
    for node in (graph.nodes[node_id] for node_id in node_ids):
        name = object_in_the_way(node, rays, probe_m)
        reason = f"There is no floor within {PROBE_DROP_M:g} m under {node.name}"
        if name is not None:
            reason = _no_room(node, name, probe_m) if name else ""
        if reason:
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
