"""Which stage of a long-horizon task a run is at, step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.episode import Goal
from waypost.domain.replay.columns import Floats, lines_to_goal, ways_to_goal
from waypost.domain.replay.replay import Replay


@dataclass(frozen=True, slots=True)
class StageState:
    """One stage of a task."""

    number: int
    """From 1."""

    title: str
    """What the data calls it, else where it is."""

    radius_m: float
    """It counts as reached strictly within this distance."""

    reached_step: int | None
    """First step at which it was reached, all stages before it done; ``None`` if never."""


def stage_states(replay: Replay) -> tuple[StageState, ...]:
    """The stages in order; each is looked for from the step on at which the one before was reached.

    The radius is the file's, else that of the replay's rules. Where distances are unknown no
    stage is ever reached.
    """
    states = []
    start: int | None = 0
    for number, goal in enumerate(replay.episode.stages, start=1):
        radius = replay.rules.success_radius_m if goal.radius_m is None else goal.radius_m
        reached = None
        if start is not None:
            near = np.flatnonzero(_distances(replay, goal)[start:] < radius)
            reached = start + int(near[0]) if len(near) else None
        states.append(StageState(number, _title(goal), radius, reached))
        start = reached
    return tuple(states)


def current_stage(states: tuple[StageState, ...], step: int) -> int | None:
    """Index of the first stage not yet reached at a step; ``None`` when all are."""
    return next(
        (
            index
            for index, state in enumerate(states)
            if state.reached_step is None or state.reached_step > step
        ),
        None,
    )


def _distances(replay: Replay, goal: Goal) -> Floats:
    if goal.viewpoint_id and replay.graph is not None and replay.viewpoint_ids:
        ways = ways_to_goal(replay.viewpoint_ids, (goal.viewpoint_id,), replay.graph)
        if ways is not None:
            return ways
    if goal.position_m is None or not replay.has_positions:
        return np.full(len(replay), math.inf)
    return lines_to_goal(
        replay.positions_m, np.array([goal.position_m], dtype=float), replay.base_height_m
    )


def _title(goal: Goal) -> str:
    texts = (value for value in goal.extra.values() if isinstance(value, str) and value.strip())
    stated = next(texts, "") or (goal.target.name if goal.target else "") or goal.viewpoint_id
    if stated:
        return one_line(stated, 160)
    if goal.position_m is None:
        return "place unknown"
    return "at " + ", ".join(f"{value:.1f}" for value in goal.position_m) + " m"
