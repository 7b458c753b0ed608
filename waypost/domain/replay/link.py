"""Which step of another run stands beside a step: by number, by time, or by the way still to go."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from waypost.domain.replay.replay import Replay


class LinkKind(StrEnum):
    """How runs of one episode are held beside each other."""

    STEP = "step"
    """The same number; a shorter run stays at its end."""

    TIME = "time"
    """The same time since the start, where both runs have times."""

    DISTANCE = "distance"
    """The first step that had come as near to the goal as the leading run has by then."""


def linked_step(leading: Replay, step: int, other: Replay, kind: LinkKind) -> int:
    """The step of another run that belongs to a step of the leading one.

    Args:
        leading: The run under the cursor.
        step: Its step.
        other: The other run.
        kind: Where it needs what one of the runs does not have, the number counts.

    Returns:
        A step of the other run; its last where it never gets so far; 0 where one has no steps.
    """
    if not len(leading) or not len(other):
        return 0
    if kind is LinkKind.TIME:
        ours, theirs = leading.times_s, other.times_s
        if ours is not None and theirs is not None:
            time_s = float(ours[step]) + 1e-9
            return max(int(np.searchsorted(theirs, time_s, side="right")) - 1, 0)
    if kind is LinkKind.DISTANCE:
        nearest = leading.oracle_m[step]
        if np.isfinite(nearest) and np.isfinite(other.oracle_m).any():
            is_there = other.oracle_m <= nearest + 1e-9
            return int(is_there.argmax()) if is_there.any() else len(other) - 1
    return min(step, len(other) - 1)


def can_link(replays: tuple[Replay, ...], kind: LinkKind) -> bool:
    """Whether every run has what this way of linking needs."""
    if kind is LinkKind.TIME:
        return all(replay.times_s is not None for replay in replays)
    if kind is LinkKind.DISTANCE:
        return all(bool(np.isfinite(replay.to_goal_m).any()) for replay in replays)
    return True
