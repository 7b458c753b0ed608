"""Where the turns of a dialogue were said, and whether a run comes by there."""

from __future__ import annotations

from functools import lru_cache

from waypost.domain.replay.replay import Replay


@lru_cache(maxsize=16)
def turn_steps(replay: Replay) -> tuple[int | None, ...]:
    """First step of a run at the viewpoint of each turn; ``None`` if none or nothing tells."""
    first: dict[str, int] = {}
    for step, name in enumerate(replay.viewpoint_ids):
        first.setdefault(name, step)
    first.pop("", None)
    return tuple(first.get(turn.viewpoint_id) for turn in replay.episode.instruction.dialogue)


def is_said_here(replay: Replay, number: int, step: int) -> bool:
    """Whether a run stands at a step where a turn was said; never if nothing tells."""
    said_at = replay.episode.instruction.dialogue[number].viewpoint_id
    return bool(said_at and replay.viewpoint_ids) and replay.viewpoint_ids[step] == said_at


def turn_place_words(replay: Replay, number: int, step: int) -> str:
    """Where a turn was said, and what the run has to do with that place at a step."""
    turn = replay.episode.instruction.dialogue[number]
    if turn.at_pose is None:
        return ""
    told = f"said at place {turn.at_pose} of the walk in the data set"
    if not turn.viewpoint_id:
        return told
    told += f", {turn.viewpoint_id[:8]}"
    reached = turn_steps(replay)[number]
    if is_said_here(replay, number, step):
        return f"{told}: here"
    if reached is not None:
        return f"{told}: the run is there first at step {reached}"
    return f"{told}: the run is never there" if replay.viewpoint_ids else told
