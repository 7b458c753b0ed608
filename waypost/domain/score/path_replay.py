"""The path that an instruction describes, as a run that follows it: what a map can draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import Route, route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.replay.rules import DEFAULT_RULES
from waypost.domain.scene.viewpoint_graph import ViewpointGraph
from waypost.domain.score.instruction_text import InstructionText

_SAME_PLACE_M: Final = 0.01
"""A path over viewpoints was made of their positions; only rounding lies between."""

_NO_CIRCLE: Final = replace(DEFAULT_RULES, success_radius_m=0.0)
"""Nobody runs here, so that nothing succeeds."""


def path_replay(instruction: InstructionText, graph: ViewpointGraph | None) -> Replay:
    """A run along the path of an instruction, which is its reference as well.

    Args:
        instruction: With a path.
        graph: Of the scan that the path lies in, if there is one; where every point of the path
            is a viewpoint of it the run goes over viewpoints.

    Raises:
        InputError: If a point of the path is not finite or too far away.
    """
    path = _route(instruction, graph)
    end = instruction.path_m[-1]
    goal = Goal(path.viewpoint_ids[-1]) if path.viewpoint_ids else Goal(position_m=end)
    episode = Episode(
        instruction.dataset,
        "",
        instruction.episode_id or instruction.item,
        instruction.scene_id,
        Instruction(instruction.text),
        reference=path,
        goals=(goal,),
    )
    return build_replay(episode, EpisodeRun(episode.episode_id, path), graph, _NO_CIRCLE)


def _route(instruction: InstructionText, graph: ViewpointGraph | None) -> Route:
    points = np.array(instruction.path_m, dtype=np.float64).reshape(-1, 3)
    if graph is not None and len(graph.viewpoint_ids):
        away = np.linalg.norm(graph.positions_m[None] - points[:, None], axis=2)
        nearest = away.argmin(axis=1)
        if (away.min(axis=1) <= _SAME_PLACE_M).all():
            return route([graph.viewpoint_ids[place] for place in nearest])
    return route(positions_m=points)
