"""Check episodes while they are being read: start headings, and the distances they state."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import bearing_rad
from waypost.domain.episode.distance_checks import check_stated_distance
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.heading_checks import HeadingCheck
from waypost.domain.episode.route import Route
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.io.graphs.matterport_graphs import has_graph, load_graph
from waypost.io.read_log import ReadLog

_LEAST_STEP_M = 0.05
"""Steps shorter than this have no direction worth comparing."""

_FIRST_POSITIONS = 64
_FIRST_VIEWPOINTS = 4
"""How far along a path to look for the first step between two places."""


@dataclass(slots=True)
class EpisodeChecks:
    """Looks at episode after episode; bounded in memory.

    Args:
        connectivity: Folder of viewpoint graphs, if any.
        log: Told what is found, about headings only once all episodes were seen.
    """

    connectivity: Path | None
    log: ReadLog
    _headings: HeadingCheck = field(default_factory=HeadingCheck)
    _graphs: dict[str, ViewpointGraph | None] = field(default_factory=dict)

    def add(self, episode: Episode) -> None:
        """Look at one episode."""
        graph = self._graph(episode.scene_id)
        wrong = check_stated_distance(episode, graph)
        if wrong is not None:
            self.log.extend([wrong])
        add_start(self._headings, episode, graph)

    def finish(self) -> None:
        """Say what only all episodes together show."""
        doubt = self._headings.finding()
        if doubt is not None:
            self.log.extend([doubt])

    def _graph(self, scene_id: str) -> ViewpointGraph | None:
        if scene_id not in self._graphs:
            self._graphs[scene_id] = self._found(scene_id)
        return self._graphs[scene_id]

    def _found(self, scene_id: str) -> ViewpointGraph | None:
        folder = self.connectivity
        if folder is None or not scene_id or not has_graph(folder, scene_id):
            return None
        try:
            return load_graph(folder, scene_id)
        except InputError:
            return None  # whoever needs the graph says what is wrong with it


def add_start(check: HeadingCheck, episode: Episode, graph: ViewpointGraph | None) -> None:
    """Take an episode into account if its start heading and its first step are known."""
    if episode.start_yaw_rad is None:
        return
    step = _step_in_space(episode.reference)
    if step is None and graph is not None:
        step = _step_on_graph(episode, graph)
    if step is not None:
        check.add(episode.episode_id, episode.start_yaw_rad, step, episode.other_yaws_rad)


def _step_in_space(reference: Route) -> float | None:
    if reference.positions_m is None:
        return None
    return _first_direction(reference.positions_m[:_FIRST_POSITIONS].tolist())


def _step_on_graph(episode: Episode, graph: ViewpointGraph) -> float | None:
    names = episode.reference.viewpoint_ids[:_FIRST_VIEWPOINTS]
    places = [graph.index[name] for name in names if name in graph.index]
    return _first_direction(graph.positions_m[places].tolist())


def _first_direction(points_m: list[list[float]]) -> float | None:
    for point in points_m[1:]:
        start, end = points_m[0], point
        if abs(end[0] - start[0]) + abs(end[1] - start[1]) > _LEAST_STEP_M:
            return bearing_rad((start[0], start[1], start[2]), (end[0], end[1], end[2]))
    return None
