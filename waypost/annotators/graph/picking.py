"""What lies under the pointer: a node, an edge, or nothing, decided on the screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.annotators.graph.context import GraphContext, active_range, is_active

NODE_REACH_PX = 10.0
EDGE_REACH_PX = 6.0
_PIECES = 8


@dataclass(frozen=True, slots=True)
class Target:
    """The item under the pointer; both are ``None`` over empty space."""

    node_id: str | None = None
    edge_id: str | None = None


def pick(context: GraphContext, x_px: float, y_px: float) -> Target:
    """The nearest node within 10 px, else the nearest edge within 6 px.

    Only nodes of the storey in view count, and edges with at least one end in it.
    """
    node_id = pick_node(context, x_px, y_px)
    if node_id is not None:
        return Target(node_id=node_id)
    return Target(edge_id=_pick_edge(context, x_px, y_px))


def pick_node(context: GraphContext, x_px: float, y_px: float) -> str | None:
    """The nearest node of the storey in view within 10 px."""
    ids = active_nodes(context)
    if not ids:
        return None
    distances = np.linalg.norm(_pixels(context, ids) - (x_px, y_px), axis=1)
    distances[np.isnan(distances)] = np.inf
    best = int(np.argmin(distances))
    return ids[best] if distances[best] <= NODE_REACH_PX else None


def nodes_in_box(
    context: GraphContext, box_px: tuple[float, float, float, float]
) -> frozenset[str]:
    """Nodes of the storey in view whose centre lies in left, top, right, bottom."""
    ids = active_nodes(context)
    if not ids:
        return frozenset()
    x, y = _pixels(context, ids).T
    left, top, right, bottom = box_px
    inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
    return frozenset(ids[i] for i in np.flatnonzero(inside))


def active_nodes(context: GraphContext) -> list[str]:
    """Ids of the nodes in the storey in view."""
    heights = active_range(context.storeys, context.cut_z_m)
    return [n.node_id for n in context.graph.nodes.values() if is_active(n, heights)]


def _pixels(context: GraphContext, ids: list[str]) -> NDArray[np.float64]:
    nodes = context.graph.nodes
    points = np.array([nodes[i].position_m for i in ids], dtype=np.float64)
    return np.asarray(context.project(points), dtype=np.float64)


def _pick_edge(context: GraphContext, x_px: float, y_px: float) -> str | None:
    nodes = context.graph.nodes
    heights = active_range(context.storeys, context.cut_z_m)
    edges = [
        e
        for e in context.graph.edges.values()
        if is_active(nodes[e.from_id], heights) or is_active(nodes[e.to_id], heights)
    ]
    if not edges:
        return None
    starts = np.array([nodes[e.from_id].position_m for e in edges], dtype=np.float64)
    ends = np.array([nodes[e.to_id].position_m for e in edges], dtype=np.float64)
    # Cut into pieces, so that an edge that begins behind the camera can be clicked where it shows.
    shares = np.linspace(0.0, 1.0, _PIECES + 1)[:, None, None]
    points = starts + shares * (ends - starts)
    pixels = np.asarray(context.project(points.reshape(-1, 3))).reshape(_PIECES + 1, -1, 2)
    distances = _segment_distances(pixels[:-1], pixels[1:], np.array([x_px, y_px])).min(axis=0)
    best = int(np.argmin(distances))
    return edges[best].edge_id if distances[best] <= EDGE_REACH_PX else None


def _segment_distances(
    starts: NDArray[np.float64], ends: NDArray[np.float64], point: NDArray[np.float64]
) -> NDArray[np.float64]:
    along = ends - starts
    squared = np.maximum((along**2).sum(axis=-1), 1e-12)
    share = np.clip(((point - starts) * along).sum(axis=-1) / squared, 0.0, 1.0)
    distances = np.linalg.norm(starts + share[..., None] * along - point, axis=-1)
    distances[np.isnan(distances)] = np.inf
    return np.asarray(distances)
