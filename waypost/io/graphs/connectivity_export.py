"""Navigation graphs of a project as Matterport3D connectivity files, for agents that read those.

Source: peteanderson80/Matterport3DSimulator:connectivity/README.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError
from waypost.domain.scene.graph import NavigationGraph, Node
from waypost.io.graphs.matterport_graphs import connectivity_path
from waypost.io.json_writing import write_json_file

CAMERA_HEIGHT_M: Final = 1.5
"""Of the panoramas of Waypost above the floor; those of Matterport3D were taken at about this."""


_HIGHEST_CAMERA_M = 100.0


def graph_to_connectivity(
    graph: NavigationGraph, camera_height_m: float = CAMERA_HEIGHT_M
) -> list[dict[str, Any]]:
    """The entries of a connectivity file, one per node in the order of the graph.

    Every camera looks along +Y (heading 0): the columns of its pose are right, down and ahead, as
    in Matterport3D. An edge is unobstructed in both directions. What else can be seen from a node
    is not known, so only its neighbours count as visible.

    Args:
        graph: Its nodes stand on the floor, and their ids become the image ids.
        camera_height_m: Above the floor.

    Raises:
        InputError: If the height is not a finite positive number.
    """
    if not 0 < camera_height_m <= _HIGHEST_CAMERA_M:
        raise InputError(f"a camera cannot be {camera_height_m:g} m above the floor")
    ends = {frozenset((edge.from_id, edge.to_id)) for edge in graph.edges.values()}
    return [_entry(node, graph, ends, camera_height_m) for node in graph.nodes.values()]


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
        raise InputError(f"{scan!r} cannot name a connectivity file")
    path = connectivity_path(folder, scan)
    write_json_file(path, graph_to_connectivity(graph, camera_height_m))
    return path


def _entry(
    node: Node, graph: NavigationGraph, ends: set[frozenset[str]], height_m: float
) -> dict[str, Any]:
    x, y, z = node.position_m
    joined = [
        other != node.node_id and frozenset((node.node_id, other)) in ends for other in graph.nodes
    ]
    return {
        "image_id": node.node_id,
        "pose": [1, 0, 0, x, 0, 0, 1, y, 0, -1, 0, z + height_m, 0, 0, 0, 1],
        "included": True,
        "visible": joined,
        "unobstructed": list(joined),
        "height": height_m,
    }
