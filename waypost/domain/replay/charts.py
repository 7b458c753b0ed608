"""What charts of a failure analysis show: plain values whose every bar knows its episodes."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

import numpy as np

from waypost.domain.episode.episode import may_be_one_scene
from waypost.domain.episode.run_ids import own_id, scene_and_id
from waypost.domain.replay.columns import Floats, distinct
from waypost.domain.replay.replay import Replay
from waypost.domain.replay.tags import TAG_TITLES, Tag, TagKind

TURN_RAD: Final = math.radians(45.0)
"""A change of direction in plan that counts as a turn of the reference."""

LENGTH_EDGES_M: Final = (0.0, 5.0, 7.5, 10.0, 12.5, 15.0, 20.0, 30.0)
"""Lower ends of the buckets of reference length."""

_PATH_FAULTS: Final = (
    TagKind.UNRESOLVED_NODE,
    TagKind.NON_EDGE,
    TagKind.BLOCKED_EDGE,
    TagKind.WRONG_START,
    TagKind.WRONG_END,
    TagKind.REPEATED_NODE,
)

_BEHAVIOURS: Final = (
    TagKind.GENERATION_ERROR,
    TagKind.TELEPORT,
    TagKind.FALL,
    TagKind.STUCK,
    TagKind.NEVER_STOPPED,
    TagKind.LOOPING,
    TagKind.LATE_STOP,
    TagKind.EARLY_STOP,
    TagKind.WRONG_STOREY,
    TagKind.WRONG_FIRST_TURN,
    TagKind.FORMAT_ERROR,
    *_PATH_FAULTS,
    TagKind.FALSE_NO,
    TagKind.FALSE_YES,
)

_GOOD_BEHAVIOURS: Final = (
    TagKind.PERFECT,
    TagKind.TELEPORT,
    TagKind.SUCCESS_WITH_LOOPING,
    TagKind.FALL,
    TagKind.STUCK,
    TagKind.GENERATION_ERROR,
    TagKind.NEVER_STOPPED,
    TagKind.COLLISION,
    TagKind.WRONG_REASON,
    TagKind.EMPTY_NO,
    *_PATH_FAULTS,
)

OUTPUT_ERRORS: Final = frozenset({TagKind.GENERATION_ERROR, TagKind.FORMAT_ERROR})
"""Failures with one of these are generation errors."""


@dataclass(frozen=True, slots=True)
class EpisodeOutcome:
    """What charts need to know about one run of one episode."""

    episode_id: str
    scene_id: str
    is_success: bool | None
    """``None`` where it cannot be told."""

    reference_m: float | None
    """Length of the reference, see ``reference_length_m``."""

    turn_count: int | None
    """Turns of the reference, see ``count_turns``."""

    tags: tuple[Tag, ...] = ()
    causes: tuple[str, ...] = ()
    """Titles of root causes that analysts set."""

    which: str = ""
    """Which of several runs of the episode it is, in words; empty for the only one that counts."""

    @property
    def chart_id(self) -> str:
        """What bars, bands and marks hold it by: the episode, of people with whose take of it."""
        return f"{self.episode_id} · {self.which}" if self.which else self.episode_id

    @property
    def outcome(self) -> str:
        """``Success``, ``Generation error``, ``Incorrect navigation`` or ``Unknown``."""
        return outcome_title(self.is_success, tuple([tag.kind for tag in self.tags]))

    @property
    def behaviour(self) -> str:
        """One behaviour that stands for the run: the first that applies.

        Success: perfect, teleport, success with looping, fall, stuck, generation error, never
        stopped, collision, otherwise imperfect. Failure: generation error, teleport, fall, stuck,
        never stopped, looping, late stop, early stop, wrong storey, wrong first turn, otherwise
        wrong way; the same where success is unknown, otherwise not judged. Answers of CapNav:
        format error, then what is wrong with the path, then with yes or no; of a right one the
        reason and the path.
        """
        return _behaviour(self.is_success, tuple([tag.kind for tag in self.tags]))


# Hundreds of thousands of runs share few sets of tags.
@lru_cache(maxsize=4096)
def outcome_title(is_success: bool | None, kinds: tuple[TagKind, ...]) -> str:
    """How a run with tags of these kinds ended, as charts and tables name it."""
    if is_success is None:
        return "Unknown"
    if is_success:
        return "Success"
    return "Incorrect navigation" if OUTPUT_ERRORS.isdisjoint(kinds) else "Generation error"


def failing_tags(tags: Sequence[Tag]) -> tuple[Tag, ...]:
    """The tags that say how a run failed, the one first that names its behaviour in charts."""
    found = {tag.kind: tag for tag in tags}
    return tuple(found[kind] for kind in _BEHAVIOURS if kind in found)


@lru_cache(maxsize=4096)
def _behaviour(is_success: bool | None, kinds: tuple[TagKind, ...]) -> str:
    if is_success:
        found = (TAG_TITLES[kind] for kind in _GOOD_BEHAVIOURS if kind in kinds)
        return next(found, "Imperfect")
    otherwise = "Not judged" if is_success is None else "Wrong way"
    return next((TAG_TITLES[kind] for kind in _BEHAVIOURS if kind in kinds), otherwise)


def outcome_of(
    replay: Replay,
    tags: tuple[Tag, ...],
    is_success: bool | None,
    causes: Sequence[str] = (),
    which: str = "",
) -> EpisodeOutcome:
    """What charts need of a replay; ``is_success`` is ``None`` if unknown, ``which`` of people."""
    points = replay.reference_points_m
    return EpisodeOutcome(
        replay.episode.episode_id,
        replay.episode.scene_id,
        is_success,
        reference_length_m(points),
        count_turns(points) if len(points) else None,
        tags,
        tuple(causes),
        which,
    )


def reference_length_m(points_m: Floats) -> float | None:
    """Length of the line through a reference, metres; ``None`` without points."""
    if not len(points_m):
        return None
    return float(np.sqrt((np.diff(points_m, axis=0) ** 2).sum(axis=1)).sum())


def count_turns(points_m: Floats) -> int:
    """Interior points at which a line changes its direction in plan by 45° or more.

    Repeated points are dropped first, and so are points straight above each other.
    """
    steps = np.diff(distinct(points_m[:, :2]), axis=0)
    bearings = np.arctan2(steps[:, 1], steps[:, 0])
    changes = (np.diff(bearings) + math.pi) % math.tau - math.pi
    return int((np.abs(changes) >= TURN_RAD - 1e-12).sum())


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart."""

    label: str
    episode_ids: tuple[str, ...]
    """Everything counted here, in the order of the run."""

    success_ids: tuple[str, ...] = ()
    unknown_ids: tuple[str, ...] = ()
    """Those whose success cannot be told; they are left out of the rate."""

    @property
    def rate(self) -> float | None:
        """Share of successes among those known; ``None`` where none is known."""
        known = len(self.episode_ids) - len(self.unknown_ids)
        return len(self.success_ids) / known if known else None


@dataclass(frozen=True, slots=True)
class Flow:
    """A band between two columns of a flow chart."""

    source: str
    target: str
    episode_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlowChart:
    """Outcome → behaviour → cause."""

    outcomes: tuple[Bar, ...]
    behaviours: tuple[Bar, ...]
    causes: tuple[Bar, ...]
    outcome_to_behaviour: tuple[Flow, ...]
    behaviour_to_cause: tuple[Flow, ...]
    """An episode with several causes flows to each of them."""


NO_CAUSE: Final = "No cause set"
NO_SCENE: Final = "no scene named"


def flow_chart(
    outcomes: Sequence[EpisodeOutcome], causes: Mapping[str, tuple[str, ...]] | None = None
) -> FlowChart:
    """Count the ways from outcome over behaviour to the causes people set, largest first.

    Whatever somebody set a cause for flows to it, and failures nobody has looked at to
    ``NO_CAUSE``; other successes and unknown ones end at their behaviour.

    Args:
        outcomes: One per episode.
        causes: Episode → titles of causes, instead of those of the outcomes.
    """
    first: dict[tuple[str, str], list[str]] = {}
    second: dict[tuple[str, str], list[str]] = {}
    groups: dict[str, list[EpisodeOutcome]] = {}
    behaviours: dict[str, list[EpisodeOutcome]] = {}
    reasons: dict[str, list[EpisodeOutcome]] = {}
    for entry in outcomes:
        outcome, behaviour = entry.outcome, entry.behaviour
        groups.setdefault(outcome, []).append(entry)
        behaviours.setdefault(behaviour, []).append(entry)
        first.setdefault((outcome, behaviour), []).append(entry.chart_id)
        given = entry.causes if causes is None else causes.get(entry.chart_id, ())
        for cause in given or ((NO_CAUSE,) if entry.is_success is False else ()):
            reasons.setdefault(cause, []).append(entry)
            second.setdefault((behaviour, cause), []).append(entry.chart_id)
    return FlowChart(
        _sorted_bars(groups),
        _sorted_bars(behaviours),
        _sorted_bars(reasons),
        _flows(first),
        _flows(second),
    )


def _flows(pairs: Mapping[tuple[str, str], list[str]]) -> tuple[Flow, ...]:
    flows = (Flow(a, b, tuple(ids)) for (a, b), ids in pairs.items())
    return tuple(sorted(flows, key=lambda flow: (-len(flow.episode_ids), flow.source, flow.target)))


def _sorted_bars(groups: Mapping[str, Sequence[EpisodeOutcome]]) -> tuple[Bar, ...]:
    """A bar per label, largest first."""
    bars = (_bar(label, group) for label, group in groups.items())
    return tuple(sorted(bars, key=lambda bar: (-len(bar.episode_ids), bar.label)))


def _bar(label: str, group: Sequence[EpisodeOutcome]) -> Bar:
    return Bar(
        label,
        tuple(entry.chart_id for entry in group),
        tuple(entry.chart_id for entry in group if entry.is_success),
        tuple(entry.chart_id for entry in group if entry.is_success is None),
    )


def tag_bars(outcomes: Iterable[EpisodeOutcome]) -> tuple[Bar, ...]:
    """A bar per tag, in the order of ``TagKind``; an episode stands in each of its tags."""
    groups: dict[TagKind, list[EpisodeOutcome]] = {kind: [] for kind in TagKind}
    for entry in outcomes:
        for kind in {tag.kind for tag in entry.tags}:
            groups[kind].append(entry)
    return tuple(_bar(TAG_TITLES[kind], group) for kind, group in groups.items() if group)


def success_by_length(
    outcomes: Iterable[EpisodeOutcome], edges_m: Sequence[float] = LENGTH_EDGES_M
) -> tuple[Bar, ...]:
    """A bar per bucket of reference length, [low, high), the last one open; empty ones kept."""
    groups: list[list[EpisodeOutcome]] = [[] for _ in edges_m]
    for entry in outcomes:
        if entry.reference_m is not None and entry.reference_m >= edges_m[0]:
            groups[bisect_right(edges_m, entry.reference_m) - 1].append(entry)
    labels = [f"{low:g}–{high:g} m" for low, high in itertools.pairwise(edges_m)]
    labels.append(f"≥ {edges_m[-1]:g} m")
    return tuple(_bar(label, group) for label, group in zip(labels, groups, strict=True))


def success_by_scene(outcomes: Iterable[EpisodeOutcome]) -> tuple[Bar, ...]:
    """A bar per scene, by name."""
    groups: dict[str, list[EpisodeOutcome]] = {}
    for entry in outcomes:
        groups.setdefault(entry.scene_id or NO_SCENE, []).append(entry)
    return tuple(_bar(scene, groups[scene]) for scene in sorted(groups))


def success_by_turns(outcomes: Iterable[EpisodeOutcome]) -> tuple[Bar, ...]:
    """A bar per number of turns of the reference, ascending."""
    groups: dict[int, list[EpisodeOutcome]] = {}
    for entry in outcomes:
        if entry.turn_count is not None:
            groups.setdefault(entry.turn_count, []).append(entry)
    return tuple(_bar(str(count), groups[count]) for count in sorted(groups))


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two runs on the episodes where the success of both is known."""

    both: tuple[str, ...]
    first_only: tuple[str, ...]
    second_only: tuple[str, ...]
    neither: tuple[str, ...]
    left_out: tuple[str, ...]
    """Episodes that one of the runs lacks or whose success cannot be told."""

    behaviours: Mapping[tuple[str, str], tuple[str, ...]]
    """(behaviour of the first, of the second) → episodes."""


def _by_episode(outcomes: Iterable[EpisodeOutcome]) -> dict[str, list[EpisodeOutcome]]:
    found: dict[str, list[EpisodeOutcome]] = {}
    for entry in outcomes:
        found.setdefault(own_id(entry.episode_id, entry.scene_id), []).append(entry)
    return found


def _beside(entry: EpisodeOutcome, taken: Container[str]) -> str:
    """What a run is held by beside another one that may have its id, of another scene."""
    if entry.episode_id not in taken or not entry.scene_id:
        return entry.chart_id
    return replace(entry, episode_id=scene_and_id(entry.episode_id, entry.scene_id)).chart_id


def confusion(first: Iterable[EpisodeOutcome], second: Iterable[EpisodeOutcome]) -> Confusion:
    """Pair two runs by episode, in the order of the first.

    Where people drove an episode several times, each of their takes is paired with the other run.
    """
    ours, theirs = _by_episode(first), _by_episode(second)
    cells: dict[tuple[bool, bool], list[str]] = {}
    behaviours: dict[tuple[str, str], list[str]] = {}
    left_out = []
    taken = {entry.episode_id for group in ours.values() for entry in group}
    for name in dict.fromkeys((*ours, *theirs)):
        mine, others = ours.get(name, []), theirs.get(name, [])
        pairs = [
            (a, b)
            for a, b in itertools.product(mine, others)
            if may_be_one_scene(a.scene_id, b.scene_id)
        ]
        paired = {id(entry) for pair in pairs for entry in pair}
        left_out += [entry.chart_id for entry in mine if id(entry) not in paired]
        left_out += [_beside(entry, taken) for entry in others if id(entry) not in paired]
        for a, b in pairs:
            if a.is_success is None or b.is_success is None:
                left_out.append(a.chart_id)
                continue
            cells.setdefault((a.is_success, b.is_success), []).append(a.chart_id)
            behaviours.setdefault((a.behaviour, b.behaviour), []).append(a.chart_id)
    return Confusion(
        tuple(cells.get((True, True), ())),
        tuple(cells.get((True, False), ())),
        tuple(cells.get((False, True), ())),
        tuple(cells.get((False, False), ())),
        tuple(left_out),
        MappingProxyType({pair: tuple(ids) for pair, ids in behaviours.items()}),
    )
