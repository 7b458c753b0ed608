"""A walk through space as a path on a viewpoint graph, as R2R-style submissions need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.episode.route import Route, route
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

HYSTERESIS_M: Final = 0.25
"""How much nearer another viewpoint must be before the path moves on, so that a walk along the
middle between two viewpoints does not go to and fro."""

DETOUR: Final = 2.0
"""How many times longer than a walk the way along the graph may be before it counts as a wall."""

CAMERA_HEIGHT_M: Final = 1.5
"""Of a viewpoint above its floor where the graph knows no height at all."""


@dataclass(frozen=True, slots=True)
class FilledMove:
    """A move between viewpoints that no edge joins, replaced by a shortest way."""

    sample: int
    """Index of the pose at which the far viewpoint became the nearest."""

    from_id: str
    to_id: str
    inserted: tuple[str, ...]
    """Viewpoints in between, which the walk was never nearest to."""


@dataclass(frozen=True, slots=True)
class ViewpointPath:
    """What a walk comes to on a graph."""

    route: Route
    """Viewpoints, start first, each joined to the next by an edge; yaw and elevation on arrival."""

    samples: tuple[int, ...]
    """Index of the pose at which each viewpoint was entered."""

    filled: tuple[FilledMove, ...]


def viewpoint_path(
    walk: Route,
    graph: ViewpointGraph,
    start_id: str = "",
    hysteresis_m: float = HYSTERESIS_M,
) -> ViewpointPath:
    """Follow a walk from viewpoint to viewpoint along edges.

    A pose belongs to the nearest viewpoint that can be reached from the start. Nearness counts
    what the graph makes longer: a viewpoint behind a wall is farther by what the way along the
    graph exceeds ``DETOUR`` times the walk since the current viewpoint was entered. The last pose
    decides without hysteresis.

    Args:
        walk: Poses on the floor, scene frame, start first.
        graph: Of the scan.
        start_id: Viewpoint where the episode starts; the nearest without.
        hysteresis_m: See ``HYSTERESIS_M``.

    Raises:
        InputError: If the walk has no position, or the start is unknown or excluded.
    """
    if walk.positions_m is None or len(walk) == 0:
        raise InputError("a walk without positions has no viewpoints")
    spots = _floor_spots(graph)
    positions = walk.positions_m
    current = _start(graph, spots, positions[0], start_id)
    is_reachable = np.isfinite(graph.geodesics_m[current])
    steps = np.linalg.norm(np.diff(positions, axis=0, prepend=positions[:1]), axis=1)
    visited, samples, filled = [current], [0], []
    entry_m = float(np.linalg.norm(spots[current] - positions[0]))
    walked_m = 0.0
    for sample, position in enumerate(positions):
        walked_m += float(steps[sample])
        direct = np.linalg.norm(spots - position, axis=1)
        excess = graph.geodesics_m[current] - DETOUR * (entry_m + walked_m + direct)
        costs = np.where(is_reachable, direct + np.maximum(excess, 0.0), np.inf)
        nearest = int(np.argmin(costs))
        margin = 0.0 if sample == len(steps) - 1 else hysteresis_m
        if nearest != current and costs[nearest] + margin < direct[current]:
            way = _way(graph, current, nearest)
            if len(way) > 1:
                names = [graph.viewpoint_ids[i] for i in (current, *way)]
                filled.append(FilledMove(sample, names[0], names[-1], tuple(names[1:-1])))
            visited += way
            samples += [sample] * len(way)
            current, entry_m, walked_m = nearest, float(direct[nearest]), 0.0
    path = _on_graph(walk, graph, visited, samples)
    return ViewpointPath(path, tuple(samples), tuple(filled))


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


def _way(graph: ViewpointGraph, here: int, there: int) -> list[int]:
    names = graph.path_between(graph.viewpoint_ids[here], graph.viewpoint_ids[there])
    return [graph.index[name] for name in names[1:]]


def _on_graph(walk: Route, graph: ViewpointGraph, visited: list[int], samples: list[int]) -> Route:
    return route(
        [graph.viewpoint_ids[i] for i in visited],
        yaws_rad=None if walk.yaws_rad is None else walk.yaws_rad[samples],
        elevations_rad=None if walk.elevations_rad is None else walk.elevations_rad[samples],
    )
