"""The columns of a replay as functions of routes and graphs: positions, distances, fidelity."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.domain.episode.route import Route
from waypost.domain.episode.viewpoint_path import CAMERA_HEIGHT_M
from waypost.domain.replay.curves import dtw_of_points_so_far, dtw_so_far, ndtw_of
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

Floats = NDArray[np.float64]


def positions_of(route: Route, graph: ViewpointGraph | None) -> Floats:
    """(N, 3) positions of a route, of its viewpoints if it has none itself; NaN where unknown."""
    if route.positions_m is not None:
        return route.positions_m
    points = np.full((len(route), 3), np.nan)
    if graph is not None and len(route):
        known = np.array([graph.index.get(name, -1) for name in route.viewpoint_ids])
        points[known >= 0] = graph.positions_m[known[known >= 0]]
    return points


def lies_at_cameras(names: Sequence[str], points_m: Floats, graph: ViewpointGraph) -> bool:
    """Whether most points at viewpoints are nearer to the camera there than to its floor.

    Args:
        names: (N) viewpoint of each point.
        points_m: (N, 3) scene frame.
        graph: Cameras of unknown height are taken to be ``CAMERA_HEIGHT_M`` up.
    """
    found = np.array([graph.index.get(name, -1) for name in names])
    places = found[found >= 0]
    below_m = graph.positions_m[places, 2] - points_m[found >= 0, 2]
    heights_m = np.where(
        np.isfinite(graph.heights_m[places]), graph.heights_m[places], CAMERA_HEIGHT_M
    )
    is_nearer = np.abs(below_m) < np.abs(below_m - heights_m)
    return bool(len(places)) and bool(2 * is_nearer.sum() > len(places))


def taken(values: Floats, poses: NDArray[np.int64]) -> Floats:
    """(T, …) the value of each step's pose; NaN without poses."""
    if len(values):
        return values[poses]
    return np.full((len(poses), *values.shape[1:]), np.nan)


def level(points_m: Floats) -> Floats:
    """Heights relative to the first point: logs differ in whether z is of floor, body or eye."""
    moved = points_m.copy()
    moved[:, 2] -= points_m[0, 2]
    return moved


def distinct(points_m: Floats) -> Floats:
    """Points with those dropped that equal the one before."""
    if len(points_m) < 2:
        return points_m
    return points_m[np.concatenate(([True], np.any(points_m[1:] != points_m[:-1], axis=1)))]


def frozen(array: Floats) -> Floats:
    """The array, read-only from now on."""
    array.flags.writeable = False
    return array


def ways_to_goal(
    viewpoint_ids: Sequence[str], goals: Sequence[str], graph: ViewpointGraph
) -> Floats | None:
    """(T,) shortest way along the graph to the nearest goal; ``None`` if it knows no goal.

    NaN at viewpoints that the graph does not know, infinite where no way leads.
    """
    known = [graph.index[name] for name in goals if name in graph.index]
    if not known:
        return None
    ways = {
        name: min(graph.geodesic_rows[graph.index[name]][goal] for goal in known)
        for name in set(viewpoint_ids)
        if name in graph.index
    }
    return np.array([ways.get(name, np.nan) for name in viewpoint_ids])


def lines_to_goal(positions_m: Floats, goals_m: Floats, start_height_m: float) -> Floats:
    """(T,) straight line to the nearest goal.

    Args:
        positions_m: (T, 3) of the run; its heights are taken relative to its first pose.
        goals_m: (G, 3).
        start_height_m: Height of the episode's start; the goals' are taken relative to it.
    """
    path = level(positions_m)
    targets = goals_m - np.array([0.0, 0.0, start_height_m])
    best = np.full(len(path), np.inf)
    for target in targets:
        np.minimum(best, np.sqrt(((path - target) ** 2).sum(axis=1)), out=best)
    return best


def graph_lengths(viewpoint_ids: Sequence[str], graph: ViewpointGraph) -> Floats:
    """(T,) sum of the shortest ways between viewpoints in a row up to each step."""
    places = [graph.index.get(name) for name in viewpoint_ids]
    rows = graph.geodesic_rows
    lengths = [
        np.nan if a is None or b is None else rows[a][b] for a, b in itertools.pairwise(places)
    ]
    return np.asarray(np.cumsum([0.0, *lengths]))[: len(viewpoint_ids)]


def line_lengths(positions_m: Floats) -> Floats:
    """(T,) length of the line through the poses up to each step."""
    gaps = np.sqrt((np.diff(positions_m, axis=0) ** 2).sum(axis=1))
    return np.concatenate((np.zeros(1), np.cumsum(gaps)))[: len(positions_m)]


def graph_ndtw(
    viewpoint_ids: Sequence[str],
    arrives: NDArray[np.bool_],
    reference: Sequence[str],
    graph: ViewpointGraph,
) -> Floats:
    """(T,) nDTW along the graph up to each step; NaN if a viewpoint is unknown."""
    index, rows = graph.index, graph.geodesic_rows
    if any(name not in index for name in (*viewpoint_ids, *reference)):
        return np.full(len(viewpoint_ids), np.nan)
    columns = [index[name] for name in reference]
    arrived = np.flatnonzero(arrives)
    costs = ([rows[index[viewpoint_ids[step]]][j] for j in columns] for step in arrived.tolist())
    return _held(ndtw_of(np.array(dtw_so_far(costs)), len(reference)), arrived, len(arrives))


def line_ndtw(positions_m: Floats, reference_m: Floats) -> Floats:
    """(T,) nDTW over straight lines up to each step; repeats dropped in run and reference.

    Args:
        positions_m: (T, 3), heights relative to the first.
        reference_m: (M, 3), likewise, M ≥ 1.
    """
    changed = np.concatenate(([True], np.any(positions_m[1:] != positions_m[:-1], axis=1)))
    arrived = np.flatnonzero(changed)
    reference = distinct(reference_m)
    costs = dtw_of_points_so_far(positions_m[arrived], reference)
    return _held(ndtw_of(costs, len(reference)), arrived, len(positions_m))


def _held(values: Floats, at: NDArray[np.int64], count: int) -> Floats:
    """Values at some steps, each held until the next."""
    return np.asarray(values[np.searchsorted(at, np.arange(count), side="right") - 1])


def headings_to_show(
    yaws_rad: Floats, positions_m: Floats, arrives: NDArray[np.bool_], start_rad: float
) -> Floats:
    """(T,) scene yaw as logged, else the way it came, else the start's; NaN where nothing tells."""
    facing = yaws_rad.copy()
    last = start_rad
    for index in np.flatnonzero(np.isnan(facing) | arrives):
        if index and arrives[index] and np.isnan(yaws_rad[index]):
            gap = positions_m[index] - positions_m[index - 1]
            last = float(np.arctan2(gap[1], gap[0])) if np.isfinite(gap).all() else np.nan
        elif index and not np.isnan(facing[index - 1]):
            last = float(facing[index - 1])
        if np.isnan(facing[index]):
            facing[index] = last
    return facing
