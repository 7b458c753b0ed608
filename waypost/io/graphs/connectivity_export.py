"""Navigation graphs of a project as Matterport3D connectivity files, for agents that read those.

A graph that came from such a file is written as it stood there, but for what was changed.
Source: peteanderson80/Matterport3DSimulator:connectivity/README.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.io.graphs.capnav_source import remembered
from waypost.io.graphs.connectivity_import import remembered_connectivity
from waypost.io.graphs.matterport_graphs import connectivity_path
from waypost.io.json_writing import write_json_file

CAMERA_HEIGHT_M: Final = 1.5
"""Of the panoramas of Waypost above the floor; those of Matterport3D were taken at about this."""


_HIGHEST_CAMERA_M = 100.0
_AHEAD: Final = (1, 0, 0, 0.0, 0, 0, 1, 0.0, 0, -1, 0, 0.0, 0, 0, 0, 1)
"""A camera that looks along +Y: the columns are right, down and ahead, as in Matterport3D."""


def graph_to_connectivity(
    graph: NavigationGraph, camera_height_m: float = CAMERA_HEIGHT_M
) -> list[dict[str, Any]]:
    """The entries of a connectivity file, one per node in the order of the graph.

    The camera of a node that was drawn looks along +Y (heading 0), its edges are unobstructed in
    both directions, and as what else can be seen from it is not known, only its neighbours count
    as visible. Of a graph that came from a connectivity file all entries stay as they were, those
    of excluded viewpoints included, but for cameras of nodes that were moved and edges that were
    drawn or removed.

    Args:
        graph: Its nodes stand on the floor, and their ids become the image ids.
        camera_height_m: Above the floor, of cameras of which no file tells it.

    Raises:
        InputError: If the height is not a finite positive number.
    """
    if not 0 < camera_height_m <= _HIGHEST_CAMERA_M:
        raise InputError(
            f"camera height: {camera_height_m:g} m is not above the floor by"
            f" {_HIGHEST_CAMERA_M:g} m at most"
        )
    ends = graph.joined_pairs()
    places = _places(graph)
    return [_entry(place, places, ends, camera_height_m) for place in places]


def remembered_scan(graph: NavigationGraph) -> str:
    """The scan of the connectivity file that a graph came from; empty for others."""
    return str(remembered_connectivity(graph.extra).get("scan", ""))


def write_graph_as_connectivity(
    folder: Path,
    scan: str,
    graph: NavigationGraph,
    camera_height_m: float = CAMERA_HEIGHT_M,
) -> Path:
    """Write ``<scan>_connectivity.json`` into a folder, which is made if it is missing.

    Returns:
        The file.

    Raises:
        InputError: If the scan cannot name a file, or the height is of no use.
        WriteError: If the file cannot be written.
    """
    if not scan or {"/", "\\"} & set(scan) or scan in {".", ".."}:
        raise InputError(f"scan: {scan!r} cannot name a connectivity file")
    path = connectivity_path(folder, scan)
    write_json_file(path, graph_to_connectivity(graph, camera_height_m))
    return path


@dataclass(frozen=True, slots=True)
class _Place:
    """A viewpoint to write."""

    name: str
    node: Node | None
    """``None`` for an excluded viewpoint."""

    was: Mapping[str, Any]
    """Its entry in the file that the graph came from; empty for a node that was drawn."""

    column: int
    """Its place in that file; −1 for a node that was drawn."""


def _places(graph: NavigationGraph) -> list[_Place]:
    """Viewpoints of the file in its order, then the nodes that were drawn."""
    kept = remembered_connectivity(graph.extra)
    excluded = {entry["image_id"]: entry for entry in kept.get("excluded", ())}
    places = []
    known = set()
    for column, name in enumerate(kept.get("order", ())):
        node = graph.nodes.get(name)
        was = excluded.get(name) if node is None else _kept(node).get("entry")
        if was is not None:
            places.append(_Place(name, node, was, column))
            known.add(name)
    drawn = (node for node in graph.nodes.values() if node.node_id not in known)
    return places + [_Place(node.node_id, node, {}, -1) for node in drawn]


def _kept(node: Node) -> Mapping[str, Any]:
    return remembered_connectivity(node.extra)


def _entry(
    place: _Place, places: list[_Place], ends: set[frozenset[str]], height_m: float
) -> dict[str, Any]:
    joined = [
        other is not place and frozenset((place.name, other.name)) in ends for other in places
    ]
    if place.node is not None and not place.was:
        return {
            "image_id": place.name,
            "pose": _pose(place.node, _AHEAD, height_m),
            "included": True,
            "visible": joined,
            "unobstructed": list(joined),
            "height": height_m,
        }
    entry = dict(place.was)
    row = list(zip(joined, places, strict=True))
    entry["unobstructed"] = [_is_open(place, other, now) for now, other in row]
    if "visible" in entry:
        entry["visible"] = [_is_seen(place, other, now) for now, other in row]
    if place.node is not None and not _stands_still(place.node):
        entry["pose"] = _pose(place.node, entry["pose"], _camera_above(place.node, height_m))
    return entry


def _is_open(place: _Place, other: _Place, now: bool) -> bool:
    """As the file had it, unless the edge between two nodes was drawn or removed since."""
    if not other.was:
        return now
    before: bool = place.was["unobstructed"][other.column]
    if place.node is None or other.node is None or other is place:
        return before
    return before if _was_edge(place, other) == now else now


def _is_seen(place: _Place, other: _Place, now: bool) -> bool:
    """As the file had it, and also what an edge was drawn to since."""
    if not other.was:
        return now
    before: bool = place.was["visible"][other.column]
    return before or (now and not _was_edge(place, other))


def _was_edge(place: _Place, other: _Place) -> bool:
    one, two = place.was["unobstructed"], other.was["unobstructed"]
    return bool(one[other.column] or two[place.column])


def _stands_still(node: Node) -> bool:
    stands = (_kept(node).get("position"), remembered(node.extra).get("floor_m"))
    return list(node.position_m) in stands


def _camera_above(node: Node, height_m: float) -> float:
    """How far the camera of a node that was moved is above it, metres."""
    stated = _kept(node)["entry"].get("height")
    put_down_m = float(remembered(node.extra).get("lift_m", 0.0))
    return (0.0 if stated is None and put_down_m else stated or height_m) + put_down_m


def _pose(node: Node, before: Any, height_m: float) -> list[Any]:
    pose = list(before)
    x, y, z = node.position_m
    pose[3], pose[7], pose[11] = x, y, z + height_m
    return pose
