"""Compare the start headings of episodes with their first steps while they are being read."""

from __future__ import annotations

from pathlib import Path

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import bearing_rad
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.heading_checks import HeadingCheck
from waypost.domain.episode.route import Route
from waypost.io.graphs.matterport_graphs import has_graph, load_graph

_LEAST_STEP_M = 0.05
"""Steps shorter than this have no direction worth comparing."""

_FIRST_POSITIONS = 64
_FIRST_VIEWPOINTS = 4
"""How far along a path to look for the first step between two places."""


def add_episode(check: HeadingCheck, episode: Episode, connectivity: Path | None) -> None:
    """Take an episode into account if its start heading and its first step are known."""
    if episode.start_yaw_rad is None:
        return
    step = _step_in_space(episode.reference)
    if step is None and connectivity is not None:
        step = _step_on_graph(episode, connectivity)
    if step is not None:
        check.add(episode.episode_id, episode.start_yaw_rad, step, episode.other_yaws_rad)


def _step_in_space(reference: Route) -> float | None:
    if reference.positions_m is None:
        return None
    return _first_direction(reference.positions_m[:_FIRST_POSITIONS].tolist())


def _step_on_graph(episode: Episode, connectivity: Path) -> float | None:
    if not has_graph(connectivity, episode.scene_id):
        return None
    try:
        graph = load_graph(connectivity, episode.scene_id)
    except InputError:
        return None  # whoever needs the graph says what is wrong with it
    names = episode.reference.viewpoint_ids[:_FIRST_VIEWPOINTS]
    places = [graph.index[name] for name in names if name in graph.index]
    return _first_direction(graph.positions_m[places].tolist())


def _first_direction(points_m: list[list[float]]) -> float | None:
    for point in points_m[1:]:
        start, end = points_m[0], point
        if abs(end[0] - start[0]) + abs(end[1] - start[1]) > _LEAST_STEP_M:
            return bearing_rad((start[0], start[1], start[2]), (end[0], end[1], end[2]))
    return None
