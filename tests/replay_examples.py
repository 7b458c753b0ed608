"""Constructed graphs, episodes and runs whose replay is known by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.views import direction_of_angles
from waypost.domain.scene.viewpoint_graph import ViewpointGraph, build_viewpoint_graph


def pose_rotation(heading_rad: float) -> np.ndarray:
    """(3, 3) rotation of a level camera that looks along a heading: right, down, ahead."""
    columns = (
        direction_of_angles(heading_rad + math.pi / 2, 0.0),
        (0.0, 0.0, -1.0),
        direction_of_angles(heading_rad, 0.0),
    )
    return np.array(columns).T


def line_graph() -> ViewpointGraph:
    """A–B–C–D–E along +X, 2 m apart, and U, 3 m above B, joined to B."""
    names = ("A", "B", "C", "D", "E", "U")
    positions = np.array([[2.0 * i, 0.0, 1.5] for i in range(5)] + [[2.0, 0.5, 4.5]])
    joined = np.zeros((6, 6), dtype=bool)
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 4), (1, 5)):
        joined[a, b] = joined[b, a] = True
    return build_viewpoint_graph("line", names, positions, joined, heights_m=np.full(6, 1.5))


def graph_episode(reference: str, **changes: Any) -> Episode:
    """An episode whose reference visits the viewpoints named by letters."""
    values = {
        "dataset": "r2r",
        "split": "val",
        "episode_id": "7_0",
        "scene_id": "line",
        "instruction": Instruction("Walk on."),
        "reference": route(tuple(reference)),
        "goals": (Goal(reference[-1]),),
        "start_viewpoint_id": reference[0],
        "start_yaw_rad": 0.0,
    }
    return Episode(**{**values, **changes})


def graph_replay(walked: str, reference: str = "ABC", **run: Any) -> Replay:
    """A run over the viewpoints named by letters on ``line_graph``."""
    attempt = EpisodeRun("7_0", route(tuple(walked)) if walked else route(), **run)
    return build_replay(graph_episode(reference), attempt, line_graph())


def space_replay(
    points: Any, reference: Any, *, goal: Any = None, end: RunEnd | None = None
) -> Replay:
    """A run through continuous space."""
    reference = np.asarray(reference, dtype=float)
    target = reference[-1] if goal is None else goal
    episode = Episode(
        dataset="vlnverse-fine",
        split="",
        episode_id="k",
        scene_id="s",
        instruction=Instruction("Go."),
        reference=route(positions_m=reference),
        goals=(Goal(position_m=tuple(float(x) for x in target)),),
    )
    run = EpisodeRun("k", route(positions_m=points), end=end or RunEnd())
    return build_replay(episode, run)


def ends_near(replay: Replay) -> bool | None:
    """Whether a run ends strictly within 3 m of its goal; ``None`` where that is unknown."""
    if not len(replay) or math.isnan(replay.to_goal_m[-1]):
        return None
    return bool(replay.to_goal_m[-1] < 3.0)
