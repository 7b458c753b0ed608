"""A recorded take as the attempt that a benchmark's submission file holds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.viewpoint_path import ViewpointPath, viewpoint_path
from waypost.domain.record.recording import Recording, as_run
from waypost.domain.record.take_summary import summarise
from waypost.domain.scene.viewpoint_graph import ViewpointGraph

_ROUNDING_RAD = 1e-9


def run_in_space(recording: Recording) -> EpisodeRun:
    """The take pose by pose, for VLN-CE: the start, then every pose that differs from the last.

    Standing still adds no state, so that the length of the path is exact and the file short.
    Headings lie in [0, 2π) of Habitat.

    Raises:
        InputError: If the recording has no pose.
    """
    run = as_run(recording)
    positions, yaws = run.route.positions_m, run.route.yaws_rad
    if positions is None or len(positions) == 0:
        raise InputError(f"{run.episode_id}: the recording holds no pose")
    poses = positions if yaws is None else np.column_stack([positions, yaws])
    kept = np.concatenate([[True], (np.diff(poses, axis=0) != 0).any(axis=1)])
    path = route(
        positions_m=positions[kept],
        yaws_rad=None if yaws is None else _in_one_turn_of_habitat(yaws[kept]),
    )
    end = replace(
        run.end,
        called_stop=summarise(recording).has_stopped,
        action_count=len(path) - 1,
        collision_count=None,
    )
    return EpisodeRun(run.episode_id, path, end=end)


def _in_one_turn_of_habitat(yaws_rad: NDArray[np.float64]) -> NDArray[np.float64]:
    quarter = math.pi / 2
    headings = (yaws_rad - quarter) % math.tau
    # The rest of a tiny negative angle is rounded up to a whole turn.
    headings[headings > math.tau - _ROUNDING_RAD] = 0.0
    return headings + quarter


def run_on_graph(
    recording: Recording, episode: Episode, graph: ViewpointGraph
) -> tuple[EpisodeRun, ViewpointPath]:
    """The take from viewpoint to viewpoint, with times, for R2R and its family.

    Raises:
        InputError: If the recording has no pose or the graph lacks the episode's start.
    """
    run = as_run(recording)
    path = viewpoint_path(run.route, graph, episode.start_viewpoint_id)
    end = replace(
        run.end,
        called_stop=summarise(recording).has_stopped,
        action_count=len(path.route) - 1,
        collision_count=None,
    )
    own_s = run.times_s
    times_s = None if own_s is None else tuple(own_s[sample] for sample in path.samples)
    return EpisodeRun(run.episode_id, path.route, end=end, times_s=times_s), path
