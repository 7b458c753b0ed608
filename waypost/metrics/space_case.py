"""One run through continuous space, prepared once for all scores of a profile."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.route import Route
from waypost.domain.episode.run import EpisodeRun
from waypost.metrics import efficiency, fidelity
from waypost.metrics.fastdtw import fastdtw_of_points
from waypost.metrics.profile import Scenery
from waypost.metrics.undefined import (
    NO_GROUND_TRUTH,
    InvalidRunError,
    UndefinedScoreError,
)

NO_NAVMESH: Final = "the navmesh of the scene was not given"
"""Why what is defined over a navmesh is undefined without one."""


class SpaceCase:
    """A path and its reference as points.

    Args:
        episode: What was asked.
        run: What was done.
        dimensions: 2 to measure in plan (x, y), 3 to measure in space.
        dense: Whether fidelity is measured to the expert's dense positions.
    """

    def __init__(
        self, episode: Episode, run: EpisodeRun, *, dimensions: int, dense: bool = False
    ) -> None:
        self.episode = episode
        self.run = run
        if not episode.has_ground_truth:
            raise UndefinedScoreError(NO_GROUND_TRUTH)
        self.dimensions = dimensions
        self.is_dense = dense

    @cached_property
    def positions_m(self) -> NDArray[np.float64]:
        """(N, 3) every pose of the run, scene frame; some scores need none."""
        if len(self.run.route) == 0:
            raise InvalidRunError("the path is empty")
        if self.run.route.positions_m is None:
            raise UndefinedScoreError("the run has no positions")
        return self.run.route.positions_m

    @cached_property
    def path_m(self) -> NDArray[np.float64]:
        """(N, D) the same, measured in plan or in space."""
        points: NDArray[np.float64] = self.positions_m[:, : self.dimensions]
        return points

    def _points(self, route: Route, missing: str) -> NDArray[np.float64]:
        if route.positions_m is None or len(route) == 0:
            raise UndefinedScoreError(missing)
        self._check_heights()
        points: NDArray[np.float64] = route.positions_m[:, : self.dimensions]
        return points

    def _why(self, missing: str) -> str:
        """Why the reference has no positions: what is known of this very episode comes first."""
        placing = self.episode.placing
        return missing if placing is None or placing.is_placed else placing.note

    def _check_heights(self) -> None:
        placing = self.episode.placing
        if self.dimensions > 2 and placing is not None and placing.no_heights:
            raise UndefinedScoreError(placing.no_heights)

    @cached_property
    def reference_points_m(self) -> NDArray[np.float64]:
        """(M, D) the reference path as published."""
        missing = self._why("the episode has no reference path")
        return self._points(self.episode.reference, missing)

    @cached_property
    def fidelity_points_m(self) -> NDArray[np.float64]:
        """(M, D) what nDTW compares with."""
        if self.is_dense:
            return self._points(
                self.episode.dense_reference_m,
                "the expert's dense positions (the _gt file) were not given",
            )
        return without_repeats(self.reference_points_m)

    @cached_property
    def goal_m(self) -> Vec3:
        """Where the episode ends, scene frame."""
        self._check_heights()
        goal = next((g.position_m for g in self.episode.goals if g.position_m is not None), None)
        if goal is not None:
            return goal
        x, y, z = self._last_reference()
        return x, y, z

    def _last_reference(self) -> NDArray[np.float64]:
        positions = self.episode.reference.positions_m
        if positions is None or len(positions) == 0:
            raise UndefinedScoreError(self._why("the episode has no goal position"))
        self._check_heights()
        last: NDArray[np.float64] = positions[-1]
        return last

    @cached_property
    def length_m(self) -> float:
        """TL: length of the line through all poses, metres."""
        return efficiency.polyline_m(self.path_m)

    @cached_property
    def reference_m(self) -> float:
        """Length of the line through the reference, metres."""
        return efficiency.polyline_m(self.reference_points_m)

    @cached_property
    def to_goal_m(self) -> NDArray[np.float64]:
        """(N,) straight line from every pose to the end of the reference, metres."""
        end = self._last_reference()[: self.dimensions]
        gaps: NDArray[np.float64] = np.sqrt(((self.path_m - end) ** 2).sum(axis=1))
        return gaps

    @cached_property
    def error_m(self) -> float:
        """NE: distance from the last pose, metres."""
        return float(self.to_goal_m[-1])

    @cached_property
    def oracle_m(self) -> float:
        """Least distance over all poses, metres."""
        return float(self.to_goal_m.min())

    @cached_property
    def ndtw(self) -> float:
        """Normalised DTW with 3 m over straight lines, repeated poses of the path dropped."""
        reference = self.fidelity_points_m
        cost = fidelity.dtw_of_points(without_repeats(self.path_m), reference)
        return fidelity.ndtw(cost, len(reference))

    def fast_ndtw(self, path_m: NDArray[np.float64]) -> float:
        """Normalised FastDTW with 3 m over straight lines, as VLN-CE reports by default.

        Args:
            path_m: (N, D) poses to compare, metres.
        """
        reference = self.fidelity_points_m
        return fidelity.ndtw(fastdtw_of_points(path_m, reference), len(reference))

    @cached_property
    def ndtw_with_repeats(self) -> float:
        """Normalised DTW with 3 m in which every point of the reference counts, repeated or not."""
        reference = self.reference_points_m
        cost = fidelity.dtw_of_points(without_repeats(self.path_m), reference)
        return fidelity.ndtw(cost, len(reference))

    @cached_property
    def macro_path_m(self) -> NDArray[np.float64]:
        """(K, D) the start and the poses at which a macro action ended."""
        samples = self.run.samples
        return self.path_m if samples is None else self.path_m[[0, *samples]]

    @cached_property
    def stated_m(self) -> float:
        """Shortest way exactly as the file states it, metres; −1 where it says that it is unknown.

        Raises:
            UndefinedScoreError: If the file states none.
        """
        stated = self.episode.geodesic_in_file_m
        if stated is None:
            raise UndefinedScoreError("the file states no distance")
        return stated

    @cached_property
    def action_count(self) -> float:
        """Actions of the agent, STOP included."""
        if self.run.end.action_count is None:
            raise UndefinedScoreError("the run does not say how many actions it took")
        return float(self.run.end.action_count)

    @cached_property
    def shortest_in_space_m(self) -> float:
        """As ``shortest_m``, with the length of the reference in three dimensions, metres."""
        if self.episode.geodesic_m is not None:
            return self.episode.geodesic_m
        # In plan where the heights are unknown.
        positions = self.episode.reference.positions_m
        placing = self.episode.placing
        has_heights = placing is None or not placing.no_heights
        if positions is None or len(positions) == 0 or not has_heights:
            return self.reference_m
        return efficiency.polyline_m(positions)

    @cached_property
    def shortest_m(self) -> float:
        """Shortest way that the file states, or the length of the reference, metres."""
        stated = self.episode.geodesic_m
        return self.reference_m if stated is None else stated


class NavmeshCase(SpaceCase):
    """A case whose distances to the goal follow the floor of the scene."""

    def __init__(self, episode: Episode, run: EpisodeRun, scenery: Scenery) -> None:
        super().__init__(episode, run, dimensions=3, dense=True)
        self._goal_distance = scenery.goal_distance

    @cached_property
    def to_goal_m(self) -> NDArray[np.float64]:
        """(N,) shortest way from every pose to the goal, metres."""
        if self._goal_distance is None:
            raise UndefinedScoreError(NO_NAVMESH)
        ways = self._goal_distance(self.episode.scene_id, self.positions_m, self.goal_m)
        if not np.isfinite(ways).all():
            raise UndefinedScoreError("no way leads to the goal")
        return ways

    @cached_property
    def start_to_goal_m(self) -> float:
        """Geodesic from start to goal that the episode states, else the one of the navmesh."""
        stated = self.episode.geodesic_m
        return float(self.to_goal_m[0]) if stated is None else stated

    @property
    def has_stopped(self) -> bool:
        """Whether the agent called STOP."""
        if self.run.end.called_stop is None:
            raise UndefinedScoreError("the run does not say whether STOP was called")
        return self.run.end.called_stop


def without_repeats(points_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points with those dropped that equal the one before."""
    if len(points_m) < 2:
        return points_m
    moved = np.any(points_m[1:] != points_m[:-1], axis=1)
    if moved.all():
        return points_m
    return points_m[np.concatenate(([True], moved))]


def straight_line(
    scene_id: str, points_m: NDArray[np.float64], goal_m: Vec3
) -> NDArray[np.float64]:
    """Straight lines as a stated stand-in for the navmesh; see ``profile.GoalDistance``."""
    del scene_id
    gaps: NDArray[np.float64] = np.sqrt(((points_m - np.asarray(goal_m)) ** 2).sum(axis=1))
    return gaps
