"""A walk through space as a path on a viewpoint graph, as R2R-style submissions need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.walk_matching import MatchedWalk, match_walk
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

ARRIVAL_M: Final = 0.5
"""How near to the far end of an edge somebody must come, along the edge, to have been there before
turning back; on an edge shorter than 2 m, the last quarter."""

RESOLUTION_M: Final = 0.1
"""How far somebody walks between two poses that are looked at."""

CAMERA_HEIGHT_M: Final = 1.5
"""Of a viewpoint above its floor where the graph knows no height at all."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class FilledMove:
    """A step of the walk between viewpoints that no edge joins, replaced by a shortest way."""

    sample: int
    """Index of the pose at which the far viewpoint was entered."""

    from_id: str
    to_id: str
    inserted: tuple[str, ...]
    """Viewpoints in between, which the walk went past in this one step."""


@dataclass(frozen=True, slots=True)
class ViewpointPath:
    """What a walk comes to on a graph."""

    route: Route
    """Viewpoints, start first, each joined to the next by an edge; yaw and elevation on arrival."""

    samples: tuple[int, ...]
    """Index of the pose at which each viewpoint was entered."""

    filled: tuple[FilledMove, ...]


def viewpoint_path(walk: Route, graph: ViewpointGraph, start_id: str = "") -> ViewpointPath:
    """Follow a walk from viewpoint to viewpoint along edges.

    The walk is matched to the edges of the graph. A viewpoint is on the path where the matched walk
    passes it, or turns back within ``ARRIVAL_M`` of it; the path ends at the viewpoint that is
    nearest to the last pose, both straight and along the graph.

    Args:
        walk: Poses on the floor, scene frame, start first.
        graph: Of the scan.
        start_id: Viewpoint where the episode starts; the nearest without.

    Raises:
        InputError: If the walk has no position, or the start is unknown or excluded.
    """
    if walk.positions_m is None or len(walk) == 0:
        raise InputError("a walk without positions has no viewpoints")
    spots = _floor_spots(graph)
    positions = walk.positions_m
    start = _start(graph, spots, positions[0], start_id)
    kept, steps_m = _kept(positions)
    matched = match_walk(positions[kept], steps_m, graph, spots, start)
    follower = _Follower(graph, start)
    if matched is not None:
        follower.follow(matched, kept)
    path = _on_graph(walk, graph, follower.visited, follower.samples)
    return ViewpointPath(path, tuple(follower.samples), tuple(follower.filled))


def _kept(positions_m: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Poses ``RESOLUTION_M`` apart, first and last included, and what was walked between them."""
    steps = np.linalg.norm(np.diff(positions_m, axis=0), axis=1)
    walked = np.concatenate([[0.0], np.cumsum(steps)])
    marks = np.floor(walked / RESOLUTION_M + _ROUNDING)
    kept = np.flatnonzero(np.diff(marks, prepend=-1.0) > 0.0)
    if walked[kept[-1]] < walked[-1]:
        kept = np.append(kept, len(walked) - 1)
    return kept, np.diff(walked[kept], prepend=0.0)


class _Follower:
    """Reads the viewpoints off a matched walk."""

    def __init__(self, graph: ViewpointGraph, start: int) -> None:
        self._graph = graph
        self._edge: tuple[int, int] | None = None
        self._along_m = 0.0
        self.visited = [start]
        self.samples = [0]
        self.filled: list[FilledMove] = []

    def follow(self, matched: MatchedWalk, kept: NDArray[np.int64]) -> None:
        """Visit what the walk passes, then where it ends."""
        places = zip(matched.edges.tolist(), matched.along_m.tolist(), kept.tolist(), strict=True)
        last = int(kept[-1])
        for (a, b), along_m, sample in places:
            known = len(self.visited)
            if self._edge != (a, b):
                self._go((a, b), along_m, sample)
            self._edge, self._along_m = (a, b), along_m
            self._arrive((a, b), along_m, sample)
            if sample == last:
                self._go((matched.end, matched.end), 0.0, sample)
            self._note_filled(known, sample)

    def _go(self, then: tuple[int, int], at_m: float, sample: int) -> None:
        """Take the shortest way from the place so far to another, or to a viewpoint."""
        here = self._edge
        leaving = [(self.visited[-1], 0.0)] if here is None else self._ends(here, self._along_m)
        entering = [(then[0], 0.0)] if then[0] == then[1] else self._ends(then, at_m)
        ways = self._graph.geodesic_rows
        _, out, into = min(
            (out_m + ways[out][into] + into_m, out, into)
            for out, out_m in leaving
            for into, into_m in entering
        )
        self._add(out, sample)
        ids = self._graph.viewpoint_ids
        for name in self._graph.path_between(ids[out], ids[into])[1:]:
            self._add(self._graph.index[name], sample)

    def _ends(self, edge: tuple[int, int], along_m: float) -> list[tuple[int, float]]:
        a, b = edge
        return [(a, along_m), (b, float(self._graph.edge_lengths_m[a, b]) - along_m)]

    def _arrive(self, edge: tuple[int, int], along_m: float, sample: int) -> None:
        length_m = float(self._graph.edge_lengths_m[edge])
        near_m = min(ARRIVAL_M, length_m / 4)
        for end, to_end_m in self._ends(edge, along_m):
            if end != self.visited[-1] and to_end_m <= near_m + _ROUNDING:
                self._add(end, sample)

    def _note_filled(self, known: int, sample: int) -> None:
        """A step over several viewpoints was not walked along edges."""
        here, *between, there = self.visited[known - 1 :] if len(self.visited) > known else (-1, -1)
        if between and there != here and there not in self._graph.neighbours[here]:
            names = [self._graph.viewpoint_ids[i] for i in (here, *between, there)]
            self.filled.append(FilledMove(sample, names[0], names[-1], tuple(names[1:-1])))

    def _add(self, viewpoint: int, sample: int) -> None:
        if viewpoint != self.visited[-1]:
            self.visited.append(viewpoint)
            self.samples.append(sample)


def _floor_spots(graph: ViewpointGraph) -> NDArray[np.float64]:
    spots = graph.floor_positions_m
    is_known = np.isfinite(graph.heights_m)
    usual = float(np.median(graph.heights_m[is_known])) if is_known.any() else CAMERA_HEIGHT_M
    spots[~is_known, 2] = graph.positions_m[~is_known, 2] - usual
    return spots


def _start(
    graph: ViewpointGraph,
    spots: NDArray[np.float64],
    position: NDArray[np.float64],
    start_id: str,
) -> int:
    if not start_id:
        if not graph.is_included.any():
            raise InputError(f"{graph.scene_id} has no viewpoint")
        offsets = np.linalg.norm(spots - position, axis=1)
        return int(np.argmin(np.where(graph.is_included, offsets, np.inf)))
    found = graph.index.get(start_id)
    if found is None or not graph.is_included[found]:
        raise InputError(f"{graph.scene_id} has no viewpoint {start_id}")
    return found


def _on_graph(walk: Route, graph: ViewpointGraph, visited: list[int], samples: list[int]) -> Route:
    return route(
        [graph.viewpoint_ids[i] for i in visited],
        yaws_rad=None if walk.yaws_rad is None else walk.yaws_rad[samples],
        elevations_rad=None if walk.elevations_rad is None else walk.elevations_rad[samples],
    )
