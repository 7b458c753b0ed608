"""Whether the shortest way that an episode states can be one: SPL rests on it."""

from __future__ import annotations

import itertools
import math

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportFinding, ImportKind
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

TOLERANCE_M = 0.1
TOLERANCE_SHARE = 0.02
"""A stated way may be shorter than it can be by the larger of both: starts and goals are moved
onto navmeshes and grids after they were measured."""

FAR_M = 0.25
FAR_SHARE = 0.05
"""A stated way that is off the graph's by more than the larger of both is far from it."""

NEAR_VIEWPOINT_M = 1.0
"""A position no further than this from the floor under a viewpoint stands for it."""

FLOOR_FACTOR = 1.25
FLOOR_SLACK_M = 2 * NEAR_VIEWPOINT_M + 1.0
"""The way over the floor may be longer than that between the nearest viewpoints by both: edges
lead over floor, but not every path over it is as straight."""


def check_stated_distance(
    episode: Episode, graph: ViewpointGraph | None = None
) -> ImportFinding | None:
    """What is wrong with the stated shortest way of an episode, if anything.

    It must not be shorter than the straight line from start to goal. Between viewpoints it must
    be what the graph says; R2R states the length of its path instead, which is one too
    (peteanderson80/Matterport3DSimulator:tasks/R2R/data). Over the floor it must not be much longer
    than between the nearest viewpoints.

    Args:
        episode: With several goals the nearest counts.
        graph: Of its scan, where known.
    """
    stated = episode.geodesic_m
    if stated is None or not episode.has_ground_truth:
        return None
    problem = _under_straight_line(episode, stated)
    if not problem and graph is not None:
        problem = _off_graph(episode, stated, graph)
    if not problem:
        return None
    return ImportFinding(
        ImportKind.WRONG_DISTANCE,
        episode.episode_id,
        None,
        f"{stated:.2f} m",
        f"{episode.episode_id} states a shortest way of {stated:.2f} m, {problem}",
    )


def _under_straight_line(episode: Episode, stated_m: float) -> str:
    start = _start(episode)
    ends = _ends(episode)
    if start is None or not ends:
        return ""
    straight = min(math.dist(start, end) for end in ends)
    if stated_m >= straight - max(TOLERANCE_M, TOLERANCE_SHARE * straight):
        return ""
    return f"but the straight line from start to goal is {straight:.2f} m"


def _start(episode: Episode) -> Vec3 | None:
    if episode.start_position_m is not None:
        return episode.start_position_m
    points = episode.reference.positions_m
    return None if points is None or not len(points) else _vector(points[0])


def _ends(episode: Episode) -> list[Vec3]:
    placed = [goal.position_m for goal in episode.goals if goal.position_m is not None]
    points = episode.reference.positions_m
    if placed or points is None or not len(points):
        return placed
    return [_vector(points[-1])]


def _vector(point: np.ndarray) -> Vec3:
    x, y, z = (float(value) for value in point)
    return x, y, z


def _off_graph(episode: Episode, stated_m: float, graph: ViewpointGraph) -> str:
    reference = [graph.index.get(name) for name in episode.reference.viewpoint_ids]
    start = graph.index.get(episode.start_viewpoint_id) if episode.start_viewpoint_id else None
    start = reference[0] if start is None and reference else start
    goals = [graph.index.get(goal.viewpoint_id) for goal in episode.goals if goal.viewpoint_id]
    if start is None or not goals or None in goals:
        return _off_floor(episode, stated_m, graph)
    way = min(graph.geodesic_rows[start][goal] for goal in goals if goal is not None)
    ways = [way]
    if reference and None not in reference:
        pairs = itertools.pairwise(at for at in reference if at is not None)
        ways.append(sum(graph.geodesic_rows[a][b] for a, b in pairs))
    known = [one for one in ways if math.isfinite(one)]
    if any(abs(stated_m - one) <= max(FAR_M, FAR_SHARE * one) for one in known):
        return ""
    if math.isinf(way):
        return f"but no way in {graph.scene_id} leads from start to goal"
    return f"but the graph of {graph.scene_id} says {way:.2f} m"


def _off_floor(episode: Episode, stated_m: float, graph: ViewpointGraph) -> str:
    start = _start(episode)
    ends = _ends(episode)
    if start is None or not ends:
        return ""
    here, *there = (_nearest(point, graph) for point in (start, *ends))
    if here is None or None in there:
        return ""
    way = min(graph.geodesic_rows[here][end] for end in there if end is not None)
    if stated_m <= way * FLOOR_FACTOR + FLOOR_SLACK_M:
        return ""
    return f"but between the nearest viewpoints of {graph.scene_id} it is {way:.2f} m"


def _nearest(point: Vec3, graph: ViewpointGraph) -> int | None:
    gaps = np.linalg.norm(graph.floor_positions_m - np.asarray(point), axis=1)
    gaps = np.where(graph.is_included & np.isfinite(gaps), gaps, np.inf)
    at = int(np.argmin(gaps)) if len(gaps) else -1
    return at if at >= 0 and gaps[at] <= NEAR_VIEWPOINT_M else None
