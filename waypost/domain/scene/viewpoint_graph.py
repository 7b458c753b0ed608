"""The panorama graph of one scan: which viewpoints join, how far apart they are along it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import FARTHEST_M, TOO_FAR

_FEW_VIEWPOINTS = 400
"""Up to here (all of Matterport3D) Floyd–Warshall is done before scipy would be imported."""


@dataclass(frozen=True, eq=False, slots=True)
class ViewpointGraph:
    """Viewpoints of a scan with all distances; build it with ``build_viewpoint_graph``.

    Excluded viewpoints are ghosts: listed, never routed over.
    """

    scene_id: str
    viewpoint_ids: tuple[str, ...]
    """(N) in the order of the file."""

    positions_m: NDArray[np.float64]
    """(N, 3) of the camera, scene frame. Read-only."""

    heights_m: NDArray[np.float64]
    """(N,) camera above its floor; NaN where unknown. Read-only."""

    is_included: NDArray[np.bool_]
    """(N,) False for ghosts. Read-only."""

    edge_lengths_m: NDArray[np.float64]
    """(N, N) straight-line length of each edge, infinite where there is none. Read-only."""

    geodesics_m: NDArray[np.float64]
    """(N, N) shortest way along edges, infinite where there is none. Read-only."""

    index: Mapping[str, int]
    """Viewpoint id → position in the arrays, ghosts included."""

    geodesic_rows: list[list[float]] = field(repr=False)
    """``geodesics_m`` as lists, which single look-ups read five times faster."""

    neighbours: tuple[frozenset[int], ...] = field(repr=False)
    """(N) Indices that an edge leads to."""

    is_included_list: list[bool] = field(repr=False)
    """``is_included`` as a list, for the same reason."""

    records: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    """The entries of the file as they were, to write it back; empty if made otherwise."""

    @property
    def floor_positions_m(self) -> NDArray[np.float64]:
        """(N, 3) points on the floor under each camera; NaN z where the height is unknown."""
        floor = self.positions_m.copy()
        floor[:, 2] -= self.heights_m
        return floor

    def path_between(self, start: str, end: str) -> tuple[str, ...]:
        """A shortest way, both ends included; empty where there is none.

        Raises:
            KeyError: If a viewpoint is unknown.
        """
        here, goal = self.index[start], self.index[end]
        to_goal = self.geodesics_m[:, goal]
        if not np.isfinite(to_goal[here]):
            return ()
        way = [here]
        while here != goal:
            options = [n for n in self.neighbours[here] if to_goal[n] < to_goal[here]]
            if not options:
                way += self._past_edges_of_no_length(here, goal, to_goal)
                here = way[-1]
                continue
            here = min(options, key=lambda n: (self.edge_lengths_m[way[-1], n] + to_goal[n], n))
            way.append(here)
        return tuple(self.viewpoint_ids[i] for i in way)

    def _past_edges_of_no_length(
        self, here: int, goal: int, to_goal: NDArray[np.float64]
    ) -> list[int]:
        """The fewest hops between viewpoints at one place to where the way goes on."""
        ways = [[here]]
        seen = {here}
        for way in ways:
            for near in sorted(self.neighbours[way[-1]] - seen):
                if to_goal[near] != to_goal[here]:
                    continue
                seen.add(near)
                ways.append([*way, near])
                nearer = (n for n in self.neighbours[near] if to_goal[n] < to_goal[here])
                if near == goal or next(nearer, None) is not None:
                    return ways[-1][1:]
        raise AssertionError("a finite distance has a way")  # pragma: no cover


def build_viewpoint_graph(
    scene_id: str,
    viewpoint_ids: tuple[str, ...],
    positions_m: NDArray[np.float64],
    joined: NDArray[np.bool_],
    *,
    heights_m: NDArray[np.float64] | None = None,
    is_included: NDArray[np.bool_] | None = None,
    records: tuple[Mapping[str, Any], ...] = (),
) -> ViewpointGraph:
    """Compute edges and all-pairs distances.

    Args:
        scene_id: Scan.
        viewpoint_ids: (N) unique.
        positions_m: (N, 3) scene frame.
        joined: (N, N) whether one viewpoint reaches the other; one direction is enough.
        heights_m: (N,) camera above floor; unknown without.
        is_included: (N,) all without.
        records: Entries of the file.

    Raises:
        InputError: If ids repeat, shapes do not fit or a position is beyond ``FARTHEST_M``.
    """
    index, count = {name: i for i, name in enumerate(viewpoint_ids)}, len(viewpoint_ids)
    if len(index) != count:
        raise InputError(f"a viewpoint of {scene_id} is listed twice")
    positions = np.array(positions_m, dtype=np.float64).reshape(-1, 3)
    _check_places(scene_id, positions, joined, count)
    included = np.ones(count, bool) if is_included is None else np.array(is_included, bool)
    heights = np.full(count, np.nan) if heights_m is None else np.array(heights_m, float)
    usable = (joined | joined.T) & included[:, None] & included[None] & ~np.eye(count, dtype=bool)
    edges = np.where(usable, _straight_lines(positions), np.inf)
    geodesics = _shortest_ways(edges, included)
    _freeze(positions, heights, included, edges, geodesics)
    return ViewpointGraph(
        scene_id,
        viewpoint_ids,
        positions,
        heights,
        included,
        edges,
        geodesics,
        MappingProxyType(index),
        geodesics.tolist(),
        tuple(frozenset(np.flatnonzero(row).tolist()) for row in usable),
        included.tolist(),
        records,
    )


def _check_places(
    scene_id: str, positions_m: NDArray[np.float64], joined: NDArray[np.bool_], count: int
) -> None:
    if len(positions_m) != count or joined.shape != (count, count):
        raise InputError(f"{scene_id}: positions or edges do not fit {count} viewpoints")
    if (np.abs(positions_m) > FARTHEST_M).any():
        raise InputError(f"a viewpoint of {scene_id} is {TOO_FAR}")


def _freeze(*arrays: NDArray[Any]) -> None:
    for array in arrays:
        array.flags.writeable = False


def _straight_lines(positions_m: NDArray[np.float64]) -> NDArray[np.float64]:
    gaps: NDArray[np.float64] = np.linalg.norm(positions_m[:, None] - positions_m[None], axis=2)
    return gaps


def _shortest_ways(edges: NDArray[np.float64], included: NDArray[np.bool_]) -> NDArray[np.float64]:
    if len(edges) <= _FEW_VIEWPOINTS:
        return _ways_of_few(edges, included)
    # Imported where it pays: it takes a third of a second.
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415

    rows, columns = np.nonzero(np.isfinite(edges))
    # Stored zeros stay edges in a sparse matrix: two viewpoints may share a place.
    sparse = csr_array((edges[rows, columns], (rows, columns)), shape=edges.shape)
    ways = np.asarray(dijkstra(sparse, directed=False), dtype=np.float64)
    ways[~included] = np.inf
    ways[:, ~included] = np.inf
    return ways


def _ways_of_few(edges: NDArray[np.float64], included: NDArray[np.bool_]) -> NDArray[np.float64]:
    ways = edges.copy()
    np.fill_diagonal(ways, np.where(included, 0.0, np.inf))
    for middle in np.flatnonzero(included):
        np.minimum(ways, ways[:, middle, None] + ways[None, middle], out=ways)
    return ways
