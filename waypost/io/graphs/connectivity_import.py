"""Viewpoint graphs of Matterport3D as navigation graphs that know what stood in their file.

What the file says is remembered under the key ``connectivity`` of ``extra``, as plain JSON: on a
node its entry and where the node was put, on the graph the scan, the order of all viewpoints and
the entries of those that are excluded, which become no nodes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import Edge, Extra, NavigationGraph, Node, build_graph
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

KEY: Final = "connectivity"
"""The key of ``extra`` under which the entries of the file are kept."""


def remembered_connectivity(extra: Extra) -> Mapping[str, Any]:
    """What is kept of a connectivity file; empty for what came from elsewhere."""
    kept = extra.get(KEY, {})
    return kept if isinstance(kept, Mapping) else {}


def adopt_connectivity(before: NavigationGraph, added: NavigationGraph) -> NavigationGraph:
    """A graph whose nodes are to stand in another one; of two scans the first is remembered."""
    first = remembered_connectivity(before.extra)
    if not first or first.get("scan") == remembered_connectivity(added.extra).get("scan"):
        return added
    nodes = {
        key: replace(
            node, extra=MappingProxyType({k: v for k, v in node.extra.items() if k != KEY})
        )
        for key, node in added.nodes.items()
    }
    return replace(added, nodes=MappingProxyType(nodes))


def graph_from_viewpoints(viewpoints: ViewpointGraph) -> NavigationGraph:
    """The included viewpoints as nodes on the floor under their cameras, joined as in the file.

    A viewpoint whose camera states no height becomes a node at the camera: its floor is unknown.
    """
    names, places = viewpoints.viewpoint_ids, np.flatnonzero(viewpoints.is_included).tolist()
    nodes = [_node(viewpoints, place) for place in places]
    pairs = [(a, b) for a in places for b in sorted(viewpoints.neighbours[a]) if a < b]
    edges = [Edge(f"edge_{n}", names[a], names[b]) for n, (a, b) in enumerate(pairs, start=1)]
    excluded = np.flatnonzero(~viewpoints.is_included).tolist()
    kept = {
        "scan": viewpoints.scene_id,
        "order": list(names),
        "excluded": [dict(viewpoints.records[place]) for place in excluded],
    }
    return build_graph(nodes, edges, MappingProxyType({KEY: kept}))


def _node(viewpoints: ViewpointGraph, place: int) -> Node:
    x, y, z = (float(value) for value in viewpoints.positions_m[place])
    height_m = float(viewpoints.heights_m[place])
    stands: Vec3 = (x, y, z - height_m if math.isfinite(height_m) else z)
    name = viewpoints.viewpoint_ids[place]
    kept = {"entry": dict(viewpoints.records[place]), "position": list(stands)}
    return Node(name, name, stands, extra=MappingProxyType({KEY: kept}))
