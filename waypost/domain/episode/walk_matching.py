"""Where on the edges of a viewpoint graph somebody was during a walk through space.

Map matching as of Newson and Krumm, *Hidden Markov map matching through noise and sparseness*
(ACM GIS 2009): of all ways along the graph, the one that stays near the walk and is not longer than
it. The nearest viewpoint of each pose alone would leave the edge for a viewpoint in the next room
wherever that is nearer than both ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.viewpoint_graph import ViewpointGraph

OFFSET_M: Final = 1.0
"""Distance from an edge at which a metre walked costs one metre."""

DETOUR_COST: Final = 2.0
"""Cost of each metre by which the way along the graph is longer than the walk. One metre beside an
edge for two metres is as bad as one metre of detour."""

MOST_EDGES: Final = 32
"""How many edges, the nearest of a pose, somebody may be on."""


@dataclass(frozen=True, slots=True)
class MatchedWalk:
    """A point on an edge for each pose of a walk, and the viewpoint where it ends."""

    edges: NDArray[np.int64]
    """(n, 2) Indices of the viewpoints that the edge of each pose joins."""

    along_m: NDArray[np.float64]
    """(n) From the first of them, along the edge."""

    end: int
    """Index of the viewpoint nearest to the last pose, straight and along the graph."""


@dataclass(frozen=True, slots=True)
class _Edges:
    ends: NDArray[np.int64]
    starts_m: NDArray[np.float64]
    spans_m: NDArray[np.float64]
    lengths_m: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Places:
    """Points on the nearest edges of one pose."""

    ids: NDArray[np.int64]
    ends: NDArray[np.int64]
    to_ends_m: NDArray[np.float64]
    offsets_m: NDArray[np.float64]


def match_walk(
    positions_m: NDArray[np.float64],
    steps_m: NDArray[np.float64],
    graph: ViewpointGraph,
    spots_m: NDArray[np.float64],
    start: int,
) -> MatchedWalk | None:
    """Find the way along the graph that explains a walk best.

    Args:
        positions_m: (n, 3) poses on the floor, scene frame.
        steps_m: (n) walked since the pose before; 0 for the first.
        graph: Of the scan.
        spots_m: (N, 3) floor under each viewpoint.
        start: Index of the viewpoint where the walk begins.

    Returns:
        ``None`` if no edge leads away from the start.
    """
    edges = _edges_from(graph, spots_m, start)
    if len(edges.ends) == 0:
        return None
    here = _places(edges, positions_m[0])
    entry_m = float(np.linalg.norm(spots_m[start] - positions_m[0]))
    from_start = (graph.geodesics_m[start][here.ends] + here.to_ends_m).min(axis=1)
    costs = DETOUR_COST * np.maximum(from_start - entry_m, 0.0)
    all_places, origins = [here], []
    for position, step_m in zip(positions_m[1:], steps_m[1:], strict=True):
        there = _places(edges, position)
        excess = np.maximum(_ways(graph, here, there) - step_m, 0.0)
        sums = costs[:, None] + DETOUR_COST * excess
        best = sums.argmin(axis=0)
        costs = sums[best, np.arange(len(best))] + step_m * (there.offsets_m / OFFSET_M) ** 2
        all_places.append(there)
        origins.append(best)
        here = there
    last, end = _end(graph, here, costs, np.linalg.norm(spots_m - positions_m[-1], axis=1))
    chosen = [last]
    for best in reversed(origins):
        chosen.append(int(best[chosen[-1]]))
    pairs = list(zip(all_places, reversed(chosen), strict=True))
    return MatchedWalk(
        np.array([places.ends[i] for places, i in pairs]),
        np.array([places.to_ends_m[i, 0] for places, i in pairs]),
        end,
    )


def _edges_from(graph: ViewpointGraph, spots_m: NDArray[np.float64], start: int) -> _Edges:
    """The edges that can be reached."""
    is_edge = np.isfinite(graph.edge_lengths_m) & np.isfinite(graph.geodesics_m[start])[:, None]
    ends = np.argwhere(np.triu(is_edge))
    starts, goals = spots_m[ends[:, 0]], spots_m[ends[:, 1]]
    return _Edges(ends, starts, goals - starts, graph.edge_lengths_m[ends[:, 0], ends[:, 1]])


def _places(edges: _Edges, position: NDArray[np.float64]) -> _Places:
    beside = position - edges.starts_m
    squares = np.einsum("ij,ij->i", edges.spans_m, edges.spans_m)
    dots = np.einsum("ij,ij->i", beside, edges.spans_m)
    shares = np.clip(dots / np.where(squares > 0.0, squares, 1.0), 0.0, 1.0)
    offsets = np.linalg.norm(beside - shares[:, None] * edges.spans_m, axis=1)
    ids = np.arange(len(offsets))
    if len(ids) > MOST_EDGES:
        ids = np.sort(np.argpartition(offsets, MOST_EDGES)[:MOST_EDGES])
    along = (shares * edges.lengths_m)[ids]
    to_ends = np.column_stack([along, edges.lengths_m[ids] - along])
    return _Places(ids, edges.ends[ids], to_ends, offsets[ids])


def _ways(graph: ViewpointGraph, here: _Places, there: _Places) -> NDArray[np.float64]:
    """(k, l) lengths along the graph from each place to each other."""
    between = graph.geodesics_m[here.ends[:, :, None, None], there.ends[None, None]]
    by_ends = here.to_ends_m[:, :, None, None] + between + there.to_ends_m[None, None]
    ways: NDArray[np.float64] = by_ends.min(axis=(1, 3))
    on_edge = np.abs(here.to_ends_m[:, None, 0] - there.to_ends_m[None, :, 0])
    return np.where(here.ids[:, None] == there.ids[None], on_edge, ways)


def _end(
    graph: ViewpointGraph,
    places: _Places,
    costs: NDArray[np.float64],
    straight_m: NDArray[np.float64],
) -> tuple[int, int]:
    """The place of the last pose, and the viewpoint that is nearest from there."""
    ways = (places.to_ends_m[:, :, None] + graph.geodesics_m[places.ends]).min(axis=1)
    sums = costs[:, None] + DETOUR_COST * np.maximum(ways, straight_m[None])
    place, viewpoint = np.unravel_index(int(sums.argmin()), sums.shape)
    return int(place), int(viewpoint)
