"""One answer to a CapNav question beside the ground truth: format, feasibility, path, edges."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from waypost.domain.base.visible_text import one_line
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.question_places import matched_nodes, named_ends
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.domain.traverse.traversability import PassageState, TraversabilityLabel

_YES: Final = frozenset({"yes", "true", "a", "(a)"})
_NO: Final = frozenset({"no", "false", "b", "(b)"})
_MOST_SAID: Final = 40

NO_PLACES: Final = "the places of the question are not in the graph"
UNDECIDED: Final = "labels are missing that decide whether there is a way"


class AnswerRules(StrEnum):
    """Whose reading of the benchmark counts."""

    DESCRIBED = "described"
    """What is not labelled is unknown; a “no” needs no path; ends as the question file has them."""

    RELEASED = "released"
    """As ``scripts/capnav_score.py`` computes it, oddities included."""


class FaultKind(StrEnum):
    """What makes a path invalid, before any label is looked at."""

    UNRESOLVED_NODE = "unresolved_node"
    WRONG_START = "wrong_start"
    WRONG_END = "wrong_end"
    REPEATED_NODE = "repeated_node"
    NON_EDGE = "non_edge"


class PathFault(NamedTuple):
    """One thing that makes a path invalid."""

    kind: FaultKind
    pose: int
    """Index into the path."""

    reason: str
    """One sentence about this path."""


class PathMove(NamedTuple):
    """One move of the path along an edge of the graph."""

    pose: int
    """Index into the path of where it leads."""

    from_id: str
    to_id: str
    state: PassageState
    label: TraversabilityLabel | None


@dataclass(frozen=True, slots=True)
class AnswerJudgement:
    """What is known about one answer under one reading of the benchmark."""

    says_yes: bool | None
    """``None`` for a format error."""

    format_problem: str
    """What the format error is; empty if there is none."""

    start_id: str
    end_id: str
    """Nodes of the question; empty where they are unknown."""

    is_feasible: bool | None
    """Whether the agent can get from start to end; ``None`` where nothing tells."""

    unknown_because: str
    """Why ``is_feasible`` is ``None``."""

    path: tuple[str | None, ...]
    """The nodes that the answer names; ``None`` for one that the graph does not have."""

    faults: tuple[PathFault, ...]
    """In the order of ``FaultKind``; empty for a path that has none, or no path."""

    moves: tuple[PathMove, ...]
    """Along edges of the graph, in order."""

    @property
    def is_right(self) -> bool | None:
        """Whether yes or no is right; a format error never is; ``None`` where nothing tells."""
        if self.says_yes is None:
            return False
        return None if self.is_feasible is None else self.says_yes is self.is_feasible

    def states(self, state: PassageState) -> tuple[PathMove, ...]:
        """The moves of one state."""
        return tuple(move for move in self.moves if move.state is state)


def judge_answer(
    episode: Episode,
    run: EpisodeRun,
    judged: JudgedGraph,
    rules: AnswerRules = AnswerRules.DESCRIBED,
) -> AnswerJudgement:
    """Compare an answer with graph and labels; without any node nothing is said about its path.

    Places to pass on the way do not count for whether there is a way, as in the released scorer.
    """
    is_released = rules is AnswerRules.RELEASED
    names = {node.node_id: node.name for node in judged.graph.nodes.values()}
    said = run.route.viewpoint_ids
    says_yes, problem = _released_answer(run) if is_released else _answer(run)
    start, end = _ends(episode, run, names, is_released=is_released)
    if is_released and not _has_section(judged, run):
        judged = JudgedGraph(judged.graph)
    is_feasible = judged.feasibility(start, end, run.answer.agent_key)
    if is_released and start and end:
        is_feasible = is_feasible is True
    path = matched_nodes(said, names) if is_released else resolved_path(said, names)
    return AnswerJudgement(
        says_yes=says_yes,
        format_problem=problem,
        start_id=start,
        end_id=end,
        is_feasible=is_feasible,
        unknown_because=""
        if is_feasible is not None
        else UNDECIDED
        if start and end
        else NO_PLACES,
        path=path,
        faults=tuple(_faults(said, path, start, end, judged)) if said and names else (),
        moves=tuple(_moves(path, judged, run.answer.agent_key)),
    )


def _has_section(judged: JudgedGraph, run: EpisodeRun) -> bool:
    """Whether the released scorer finds labels for the agent that an answer names.

    It takes ROBOT's labels for HUMANOID, but not HUMANOID's for ROBOT.
    """
    name = run.answer.agent_name.upper()
    taken = {name, "ROBOT"} if name == "HUMANOID" else {name}
    return not name or not judged.sections or not judged.sections.isdisjoint(taken)


def _answer(run: EpisodeRun) -> tuple[bool | None, str]:
    said = run.answer.says
    if said is None:
        return None, _unreadable(run)
    word = said.strip().lower()
    if word not in _YES | _NO:
        shown = one_line(said, _MOST_SAID)
        return None, f"the answer is {f'“{shown}”' if shown else 'empty'}, neither yes nor no"
    is_yes = word in _YES
    if is_yes and len(run.route.viewpoint_ids) < 2:
        return None, "says yes without a path of two nodes"
    return is_yes, ""


def _released_answer(run: EpisodeRun) -> tuple[bool | None, str]:
    is_yes = (run.answer.says or "").strip().lower() in _YES
    count = len(run.route.viewpoint_ids)
    if not count:
        return None, "the path is empty"
    return (None, "says yes without a path of two nodes") if is_yes and count < 2 else (is_yes, "")


def _unreadable(run: EpisodeRun) -> str:
    events = (event.message for decision in run.decisions for event in decision.events)
    return next(events, "there is no answer")


def _ends(
    episode: Episode, run: EpisodeRun, names: dict[str, str], *, is_released: bool
) -> tuple[str, str]:
    if is_released:
        return named_ends(run.instruction or episode.instruction.text, names) or ("", "")
    end = episode.goals[-1].viewpoint_id if episode.goals else ""
    start = episode.start_viewpoint_id
    return start if start in names else "", end if end in names else ""


def resolved_path(path: tuple[str, ...], names: Mapping[str, str]) -> tuple[str | None, ...]:
    """The nodes that a path means; an entry is an id, or a whole name that only one node has.

    Args:
        path: As the answer has it; names in any case.
        names: Node id → name.

    Returns:
        ``None`` for an entry that is neither.
    """
    by_name: dict[str, str | None] = {}
    for node_id, name in names.items():
        word = name.strip().lower()
        by_name[word] = None if word in by_name else node_id
    return tuple(entry if entry in names else by_name.get(entry.strip().lower()) for entry in path)


def _faults(
    said: tuple[str, ...],
    path: tuple[str | None, ...],
    start: str,
    end: str,
    judged: JudgedGraph,
) -> Iterator[PathFault]:
    shown = [_title(judged, node_id, name) for node_id, name in zip(path, said, strict=True)]
    for pose, node_id in enumerate(path):
        if node_id is None:
            reason = f"names {one_line(said[pose], _MOST_SAID)}, which the graph does not have"
            yield PathFault(FaultKind.UNRESOLVED_NODE, pose, reason)
    if start and path[0] != start:
        asked = _title(judged, start, start)
        yield PathFault(FaultKind.WRONG_START, 0, f"starts at {shown[0]}, not at {asked}")
    if end and path[-1] != end:
        asked = _title(judged, end, end)
        reason = f"ends at {shown[-1]}, not at {asked}"
        yield PathFault(FaultKind.WRONG_END, len(path) - 1, reason)
    seen: set[str] = set()
    for pose, node_id in enumerate(path):
        if node_id in seen:
            yield PathFault(FaultKind.REPEATED_NODE, pose, f"comes to {shown[pose]} again")
        seen |= set() if node_id is None else {node_id}
    for pose, (here, there) in enumerate(itertools.pairwise(path), start=1):
        if here is not None and there is not None and not judged.joins(here, there):
            reason = f"no edge joins {shown[pose - 1]} and {shown[pose]}"
            yield PathFault(FaultKind.NON_EDGE, pose, reason)


def _title(judged: JudgedGraph, node_id: str | None, said: str) -> str:
    node = None if node_id is None else judged.graph.nodes.get(node_id)
    return one_line(node.name if node is not None and node.name else said, _MOST_SAID)


def _moves(path: tuple[str | None, ...], judged: JudgedGraph, agent_key: str) -> Iterator[PathMove]:
    for pose, (here, there) in enumerate(itertools.pairwise(path), start=1):
        if here is not None and there is not None and judged.joins(here, there):
            label = judged.label(here, there, agent_key)
            yield PathMove(pose, here, there, judged.state(here, there, agent_key), label)
