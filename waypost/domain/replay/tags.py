"""What went wrong, as far as geometry and the log tell: tags with the step they start at."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import numpy as np

from waypost.domain.base.counted_words import counted
from waypost.domain.episode.run import EventKind
from waypost.domain.episode.step_checks import teleports
from waypost.domain.replay.columns import level
from waypost.domain.replay.loops import Loop, find_loop
from waypost.domain.replay.replay import Replay

_LIMIT_WORDS: Final = (
    "max_step",
    "max step",
    "step limit",
    "step_limit",
    "time limit",
    "time_limit",
    "timeout",
    "time out",
    "timed out",
    "agent stopped due to",
)


class TagKind(StrEnum):
    """A behaviour that can be computed. ``TAG_RULES`` says how."""

    PERFECT = "perfect"
    SUCCESS_WITH_LOOPING = "success_with_looping"
    LOOPING = "looping"
    WRONG_FIRST_TURN = "wrong_first_turn"
    EARLY_STOP = "early_stop"
    LATE_STOP = "late_stop"
    NEVER_STOPPED = "never_stopped"
    ORACLE_SUCCESS = "oracle_success"
    WRONG_STOREY = "wrong_storey"
    GENERATION_ERROR = "generation_error"
    TELEPORT = "teleport"
    COLLISION = "collision"
    STUCK = "stuck"
    FALL = "fall"
    FORMAT_ERROR = "format_error"
    FALSE_YES = "false_yes"
    FALSE_NO = "false_no"
    UNRESOLVED_NODE = "unresolved_node"
    WRONG_START = "wrong_start"
    WRONG_END = "wrong_end"
    REPEATED_NODE = "repeated_node"
    NON_EDGE = "non_edge"
    BLOCKED_EDGE = "blocked_edge"
    WRONG_REASON = "wrong_reason"
    EMPTY_NO = "empty_no"


TAG_TITLES: Final = MappingProxyType(
    {
        TagKind.PERFECT: "Perfect",
        TagKind.SUCCESS_WITH_LOOPING: "Success with looping",
        TagKind.LOOPING: "Looping",
        TagKind.WRONG_FIRST_TURN: "Wrong first turn",
        TagKind.EARLY_STOP: "Early stop",
        TagKind.LATE_STOP: "Late stop",
        TagKind.NEVER_STOPPED: "Never stopped",
        TagKind.ORACLE_SUCCESS: "Oracle success",
        TagKind.WRONG_STOREY: "Wrong storey",
        TagKind.GENERATION_ERROR: "Generation error",
        TagKind.TELEPORT: "Teleport",
        TagKind.COLLISION: "Collision",
        TagKind.STUCK: "Stuck",
        TagKind.FALL: "Fall",
        TagKind.FORMAT_ERROR: "Format error",
        TagKind.FALSE_YES: "Yes without a way",
        TagKind.FALSE_NO: "No despite a way",
        TagKind.UNRESOLVED_NODE: "Unknown node",
        TagKind.WRONG_START: "Wrong start",
        TagKind.WRONG_END: "Wrong end",
        TagKind.REPEATED_NODE: "Repeated node",
        TagKind.NON_EDGE: "No edge",
        TagKind.BLOCKED_EDGE: "Blocked edge",
        TagKind.WRONG_REASON: "Wrong reason",
        TagKind.EMPTY_NO: "No without a path",
    }
)
"""Names for people."""

TAG_RULES: Final = MappingProxyType(
    {
        TagKind.PERFECT: "Success, from its start, never off the reference, at its end, stopped by"
        " itself, without a loop, a teleport, a collision, a fall, being stuck or a generation"
        " error. Step: the last.",
        TagKind.SUCCESS_WITH_LOOPING: "Success and looping. Step: where the loop begins.",
        TagKind.LOOPING: "The same move made twice in the same direction (A-B-A-B, a round walked"
        " again), or 3 separate visits to one place; a place is a viewpoint, or a disc of 1 m."
        " Step: the arrival from which on it repeats, or the second visit.",
        TagKind.WRONG_FIRST_TURN: "On a graph: the first move leads to another viewpoint than the"
        " reference's second, one that the graph has, and does not shorten the way to the goal. In"
        " space: the direction at 1.5 m from the start is off by more than 90°. Step: the end of"
        " that move.",
        TagKind.EARLY_STOP: "The run ended, not by a limit, a fall or being stuck, at the least"
        " distance to the goal it ever had, 3 m or more. Step: the last.",
        TagKind.LATE_STOP: "It was less than 3 m from the goal, went on, and stopped 3 m or more"
        " away, not by a limit, a fall or being stuck. Step: the first beyond 3 m for good.",
        TagKind.NEVER_STOPPED: "The log says that STOP was not called and names neither a fall"
        " nor being stuck, or names a limit of steps or time. Step: the last.",
        TagKind.ORACLE_SUCCESS: "It was less than 3 m from the goal and ended 3 m or more away."
        " Step: the first within 3 m.",
        TagKind.WRONG_STOREY: "It ended 3 m or more from the goal, at a height that differs by"
        " 1.5 m or more from every goal. Step: the first from which on the height differed.",
        TagKind.GENERATION_ERROR: "The log marks text that names no valid move, or the path names"
        " a viewpoint that the graph does not have or makes a move without an edge. Step: the"
        " first of these.",
        TagKind.TELEPORT: "Every action has a pose (VLN-CE), and two in a row are 0.75 m apart or"
        " more: no action carries an agent so far. Step: the second of the first such two.",
        TagKind.COLLISION: "The log marks a collision or counts one. Step: the first marked; none"
        " where only a count is given.",
        TagKind.STUCK: "The log says so. Step: the last.",
        TagKind.FALL: "The log says so. Step: the last.",
        TagKind.FORMAT_ERROR: "CapNav: there is no answer, it is neither yes nor no, or it is yes"
        " with fewer than two nodes. Step: 0.",
        TagKind.FALSE_YES: "CapNav: yes, but by the labels the agent has no way from start to end."
        " Step: the end of the first blocked edge on its path, else 0.",
        TagKind.FALSE_NO: "CapNav: no, but by the labels there is a way. Step: 0.",
        TagKind.UNRESOLVED_NODE: "CapNav: the path names what is neither id nor name of a node."
        " Step: the first of these.",
        TagKind.WRONG_START: "CapNav: the path does not begin at the question's start. Step: 0.",
        TagKind.WRONG_END: "CapNav: the path does not end at the question's end. Step: the last.",
        TagKind.REPEATED_NODE: "CapNav: the path comes to a node again. Step: the second visit.",
        TagKind.NON_EDGE: "CapNav: two nodes in a row that no edge joins. Step: the second of"
        " them.",
        TagKind.BLOCKED_EDGE: "CapNav: a yes whose path uses an edge that is labelled as one the"
        " agent does not travel; a direction without a label takes that of the other. Step: the"
        " end of the first such edge.",
        TagKind.WRONG_REASON: "CapNav: a right no without a reason, or whose reason the analysts"
        " call invalid. Step: 0.",
        TagKind.EMPTY_NO: "CapNav: no, without a path. Step: 0.",
    }
)
"""How each tag is computed, with the numbers of ``DEFAULT_RULES``."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A behaviour of one run."""

    kind: TagKind
    step: int | None
    """Where it starts; ``None`` where the log does not say."""

    reason: str
    """One sentence about this run."""


def find_tags(replay: Replay, is_success: bool | None) -> tuple[Tag, ...]:
    """All tags of a run, in the order of ``TagKind``; ``TAG_RULES`` says how each is found.

    Args:
        replay: The run.
        is_success: By the metric profile in use, e.g. REVERIE's visibility; ``None`` where it
            leaves that undefined.
    """
    if not len(replay):
        return ()
    found = [*_generation_errors(replay), *_teleports(replay), *_physical(replay)]
    loop = find_loop(replay.moves, replay.rules.loop_visits)
    found += _loops(loop, is_success)
    if replay.episode.has_ground_truth:
        found += _first_turns(replay)
        found += _endings(replay, is_success)
    bad = {
        TagKind.LOOPING,
        TagKind.GENERATION_ERROR,
        TagKind.TELEPORT,
        TagKind.COLLISION,
        TagKind.STUCK,
        TagKind.FALL,
        TagKind.NEVER_STOPPED,
    }
    is_whole = _begins_at_start(replay) and _ends_on_reference(replay)
    if is_success and is_whole and not any(tag.kind in bad for tag in found):
        found.append(Tag(TagKind.PERFECT, len(replay) - 1, "follows the reference to its end"))
    order = list(TagKind)
    return tuple(sorted(found, key=lambda tag: order.index(tag.kind)))


def _begins_at_start(replay: Replay) -> bool:
    """Whether a run through space sets out where its episode does, as far as both are known.

    On viewpoints a run that begins further on is off the reference.
    """
    if replay.viewpoint_ids or not replay.has_positions:
        return True
    points = replay.reference_points_m
    start = replay.episode.start_position_m
    if start is None and not len(points):
        return True
    gap = replay.positions_m[0, :2] - (points[0] if start is None else np.array(start))[:2]
    return float(np.hypot(*gap)) <= replay.rules.off_reference_m


def _ends_on_reference(replay: Replay) -> bool:
    flags = replay.on_reference
    if flags is None or replay.first_deviation_step is not None:
        return False
    reference = replay.episode.reference.viewpoint_ids
    return not (replay.viewpoint_ids and reference) or replay.viewpoint_ids[-1] == reference[-1]


def _loops(loop: Loop | None, success: bool | None) -> Iterator[Tag]:
    if loop is None:
        return
    yield Tag(TagKind.LOOPING, loop.step, loop.reason)
    if success:
        yield Tag(TagKind.SUCCESS_WITH_LOOPING, loop.step, f"reaches the goal but {loop.reason}")


def _generation_errors(replay: Replay) -> Iterator[Tag]:
    errors = [error for error in (_unparsable(replay), _off_graph(replay)) if error]
    if errors:
        step, reason = min(errors)
        yield Tag(TagKind.GENERATION_ERROR, step, reason)


def _unparsable(replay: Replay) -> tuple[int, str] | None:
    event = _first_event(replay, EventKind.NO_MOVE)
    return None if event is None else (event[0], event[1])


def _first_event(replay: Replay, kind: EventKind) -> tuple[int, str] | None:
    for step, index in enumerate(replay.decisions.tolist()):
        if index >= 0:
            for event in replay.run.decisions[index].events:
                if event.kind is kind:
                    return step, event.message
    return None


def _off_graph(replay: Replay) -> tuple[int, str] | None:
    graph = replay.graph
    if graph is None or not replay.viewpoint_ids:
        return None
    places = [graph.index.get(name) for name in replay.viewpoint_ids]
    before = places[0]
    for step, here in enumerate(places):
        if here is None:
            return step, f"names {replay.viewpoint_ids[step]}, which the graph does not have"
        if step and before is not None and here != before and here not in graph.neighbours[before]:
            return step, "moves between two viewpoints that no edge joins"
        before = here
    return None


def _teleports(replay: Replay) -> Iterator[Tag]:
    jumps = teleports(replay.run)
    if not jumps:
        return
    step = int(np.flatnonzero(replay.poses == jumps[0].step)[0])
    longest = max(jump.distance_m for jump in jumps)
    reason = f"{counted(len(jumps), 'step')} no action can make, the longest {longest:.2f} m"
    yield Tag(TagKind.TELEPORT, step, reason)


def _physical(replay: Replay) -> Iterator[Tag]:
    end, last = replay.run.end, len(replay) - 1
    marked = _first_event(replay, EventKind.COLLISION)
    if marked is not None:
        yield Tag(TagKind.COLLISION, *marked)
    elif end.collision_count:
        yield Tag(TagKind.COLLISION, None, f"touched obstacles in {end.collision_count} actions")
    if _is_stuck(replay):
        yield Tag(TagKind.STUCK, last, "the log says that it was stuck")
    if _has_fallen(replay):
        yield Tag(TagKind.FALL, last, "the log says that it fell")


def _is_stuck(replay: Replay) -> bool:
    return bool(replay.run.end.is_stuck) or replay.run.end.reason.strip().lower() == "stuck"


def _has_fallen(replay: Replay) -> bool:
    return bool(replay.run.end.has_fallen) or replay.run.end.reason.strip().lower() == "fall"


def _hit_limit(replay: Replay) -> bool:
    reason = replay.run.end.reason.lower()
    if any(word in reason for word in _LIMIT_WORDS):
        return True
    is_physical = _is_stuck(replay) or _has_fallen(replay)
    return replay.run.end.called_stop is False and not is_physical


def _first_turns(replay: Replay) -> Iterator[Tag]:
    step = _wrong_move(replay) if replay.viewpoint_ids else _wrong_direction(replay)
    if step is not None:
        yield Tag(
            TagKind.WRONG_FIRST_TURN, step, "sets out in another direction than the reference"
        )


def _wrong_move(replay: Replay) -> int | None:
    reference = replay.episode.reference.viewpoint_ids
    second = next((name for name in reference if name != reference[0]), None)
    if second is None or len(replay.moves) < 2 or replay.viewpoint_ids[0] != reference[0]:
        return None
    step = replay.moves[1][1]
    if replay.viewpoint_ids[step] == second:
        return None
    before_m, after_m = float(replay.to_goal_m[0]), float(replay.to_goal_m[step])
    # A viewpoint that the graph does not have, or no graph at all, leaves the direction unknown.
    if np.isnan(before_m) or np.isnan(after_m):
        return None
    return None if after_m < before_m else step


def _wrong_direction(replay: Replay) -> int | None:
    if not replay.has_positions or len(replay.reference_points_m) < 2:
        return None
    reach = replay.rules.first_turn_m
    path, reference = replay.positions_m[:, :2], replay.reference_points_m[:, :2]
    step, other = (_first_beyond(points, reach) for points in (path, reference))
    if step is None or other is None:
        return None
    way, wanted = path[step] - path[0], reference[other] - reference[0]
    cosine = float(way @ wanted) / (float(np.hypot(*way)) * float(np.hypot(*wanted)))
    return step if cosine < np.cos(replay.rules.first_turn_rad) - 1e-12 else None


def _first_beyond(points_m: np.ndarray, reach_m: float) -> int | None:
    gaps = points_m - points_m[0]
    is_beyond = np.hypot(gaps[:, 0], gaps[:, 1]) >= reach_m
    return int(is_beyond.argmax()) if is_beyond.any() else None


def _endings(replay: Replay, success: bool | None) -> Iterator[Tag]:
    last, radius = len(replay) - 1, replay.rules.success_radius_m
    is_limit = _hit_limit(replay)
    if is_limit:
        reason = replay.run.end.reason or "STOP was not called"
        yield Tag(TagKind.NEVER_STOPPED, last, f"did not stop by itself: {reason}")
    distances = replay.to_goal_m
    is_inside = distances < radius
    if success is not False or not np.isfinite(distances[-1]) or is_inside[-1]:
        return
    is_own_stop = not (is_limit or _is_stuck(replay) or _has_fallen(replay))
    end = float(distances[-1])
    if is_inside.any():
        first = int(is_inside.argmax())
        yield Tag(
            TagKind.ORACLE_SUCCESS,
            first,
            f"was {distances[first]:.1f} m from the goal and ended {end:.1f} m away",
        )
        if is_own_stop:
            left = int(np.flatnonzero(is_inside)[-1]) + 1
            yield Tag(TagKind.LATE_STOP, left, f"walked on and stopped {end:.1f} m from the goal")
    elif is_own_stop and end <= float(np.nanmin(distances)):
        yield Tag(TagKind.EARLY_STOP, last, f"stopped {end:.1f} m before the goal")
    yield from _storeys(replay)


def _storeys(replay: Replay) -> Iterator[Tag]:
    if not replay.has_positions or not len(replay.goal_points_m):
        return
    heights = level(replay.positions_m)[:, 2]
    goals = replay.goal_points_m[:, 2] - replay.base_height_m
    gaps = np.abs(heights[:, None] - goals[None]).min(axis=1)
    is_wrong = gaps >= replay.rules.storey_m
    if not is_wrong[-1]:
        return
    right = np.flatnonzero(~is_wrong)
    step = int(right[-1]) + 1 if len(right) else 0
    yield Tag(TagKind.WRONG_STOREY, step, f"ended {gaps[-1]:.1f} m above or below the goal")


def tag_counts(tagged: dict[str, tuple[Tag, ...]]) -> dict[TagKind, tuple[str, ...]]:
    """Tag → ids of the episodes that have it, in the order of ``TagKind``."""
    pairs = itertools.chain.from_iterable(
        ((tag.kind, name) for tag in tags) for name, tags in tagged.items()
    )
    found: dict[TagKind, list[str]] = {kind: [] for kind in TagKind}
    for kind, name in pairs:
        found[kind].append(name)
    return {kind: tuple(names) for kind, names in found.items() if names}
