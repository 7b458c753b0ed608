"""The questions still to answer for one agent, in order, and how far one has come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass, replace

from waypost.annotators.traverse.passage_rows import PassageRow
from waypost.annotators.traverse.proposals import (
    NO_MEASURES,
    OPEN_STATES,
    Measures,
    margin_words,
    measure_of,
    proposal_note,
    uncertain_first,
)
from waypost.domain.scene.graph import EdgeKind, NavigationGraph
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.needed_moves import Move
from waypost.domain.traverse.team import NO_TEAM, Team
from waypost.domain.traverse.traversability import (
    REASON_TITLES,
    Circumstances,
    Labels,
    Passage,
    PassageState,
    TraversabilityLabel,
    Verdict,
    next_of,
    passage_state,
    passage_states,
    passages,
)
from waypost.services.judging import MOVER_HASH

_PAUSE_EVERY = 1000


@dataclass(frozen=True, slots=True)
class QueueProgress:
    """How many passages of one agent are answered."""

    total: int
    travels: int = 0
    does_not: int = 0
    uncertain: int = 0
    stale: int = 0

    @property
    def done(self) -> int:
        """Passages with a label that still holds."""
        return self.travels + self.does_not + self.uncertain

    @property
    def undecided(self) -> int:
        """Passages without a label."""
        return self.total - self.done - self.stale


@dataclass(frozen=True, slots=True)
class PassageQueue:
    """Every directed edge for one agent, and the one at hand; immutable."""

    passages: tuple[Passage, ...] = ()
    current: Passage | None = None

    @property
    def position(self) -> int | None:
        """Index of the passage at hand."""
        return self.passages.index(self.current) if self.current in self.passages else None

    def at(self, passage: Passage) -> PassageQueue:
        """Take another passage to hand; an unknown one changes nothing."""
        return replace(self, current=passage) if passage in self.passages else self

    def next(self, among: tuple[Passage, ...] = ()) -> PassageQueue:
        """One further, of these or of all; stays at the last one."""
        return self._moved(1, among)

    def previous(self, among: tuple[Passage, ...] = ()) -> PassageQueue:
        """One back, of these or of all; stays at the first one."""
        return self._moved(-1, among)

    def next_of(self, is_wanted: Callable[[Passage], bool]) -> PassageQueue:
        """The next one of a kind, from the start again after the end; stays if there is none."""
        found = next_of(self.passages, is_wanted, self.current)
        return self if found is None else replace(self, current=found)

    def uncertain_first(self, measures: Measures) -> PassageQueue:
        """The same questions, those first whose measures are uncertain."""
        return replace(self, passages=uncertain_first(self.passages, measures))

    def follow(
        self, graph: NavigationGraph, agent_key: str, moves: frozenset[Move] | None = None
    ) -> PassageQueue:
        """The queue of a changed graph, or of another agent, at the same place if that exists.

        If the passage at hand is gone its place in the order is kept. See ``open_queue``.
        """
        queue = _asked(graph, agent_key, moves)
        if not queue:
            return PassageQueue()
        if self.current is not None:
            same = Passage(self.current.from_id, self.current.to_id, agent_key)
            if same in queue:
                return PassageQueue(queue, same)
        index = min(self.position or 0, len(queue) - 1)
        return PassageQueue(queue, queue[index])

    def _moved(self, steps: int, among: tuple[Passage, ...]) -> PassageQueue:
        order = among or self.passages
        if not order:
            return self
        index = order.index(self.current) if self.current in order else None
        wanted = 0 if index is None else min(max(index + steps, 0), len(order) - 1)
        return replace(self, current=order[wanted])


def open_queue(
    labels: Labels,
    agent_key: str,
    now: Circumstances,
    moves: frozenset[Move] | None = None,
    team: Team = NO_TEAM,
) -> PassageQueue:
    """The queue of an agent at its first passage to answer, or at the first of all.

    Args:
        labels: Given so far.
        agent_key: Whose queue.
        now: Has the graph.
        moves: Only these are asked about; ``None`` for all.
        team: Says what two label.
    """
    queue = _asked(now.graph, agent_key, moves)
    if not queue:
        return PassageQueue()
    return PassageQueue(queue, next_of(queue, openness(labels, now, team), None) or queue[0])


def openness(labels: Labels, now: Circumstances, team: Team = NO_TEAM) -> Callable[[Passage], bool]:
    """What tells whether a passage is to be answered: it has no label that holds.

    Of passages that two label only those that the viewer is to label, now or again.
    """

    def is_open(passage: Passage) -> bool:
        if passage in team.doubles:
            is_stale = passage_state(labels, passage, now) is PassageState.STALE
            can_change = team.both(passage) is None and passage not in team.finals
            is_mine = team.viewer in team.doubles[passage].annotators
            return team.is_to_answer(passage, team.viewer) or (is_stale and is_mine and can_change)
        return passage_state(labels, passage, now) in OPEN_STATES

    return is_open


def passages_of_others(labels: Labels, agent_key: str, now: Circumstances, team: Team) -> int:
    """How many passages that two label have no label that holds, and wait for somebody else."""
    is_open = openness(labels, now, team)
    return sum(
        passage_state(labels, passage, now) in OPEN_STATES
        and not is_open(passage)
        and not (team.decides(passage) and team.both(passage) is not None)
        for passage in team.doubles
        if passage.agent_key == agent_key
    )


def _asked(
    graph: NavigationGraph, agent_key: str, moves: frozenset[Move] | None
) -> tuple[Passage, ...]:
    found = passages(graph, agent_key)
    if moves is None:
        return found
    return tuple(passage for passage in found if (passage.from_id, passage.to_id) in moves)


def queue_row_steps(
    queue: PassageQueue,
    labels: Labels,
    now: Circumstances,
    measures: Measures = NO_MEASURES,
    contradicts: Callable[[Passage, Verdict], Collection[str]] = lambda *_: (),
    team: Team = NO_TEAM,
) -> Generator[None, None, tuple[PassageRow, ...]]:
    """What the list shows; passages whose edge is gone are left out.

    Args:
        queue: Whose passages are shown.
        labels: Given so far.
        now: Has the graph, and what labels and measures are judged on.
        measures: What was measured.
        contradicts: What the evidence says against an answer that holds.
        team: Says what two label.

    Yields:
        Often, so that the rest can wait.
    """
    kinds, rows, nodes = (yield from _kind_steps(now.graph)), list[PassageRow](), now.graph.nodes
    for first in range(0, len(queue.passages), _PAUSE_EVERY):
        yield
        some = queue.passages[first : first + _PAUSE_EVERY]
        for passage, state in zip(some, passage_states(labels, some, now), strict=True):
            if (kind := kinds.get(passage[:2])) is None:
                continue
            label, is_open = labels.get(passage), state in OPEN_STATES
            proposed = measure_of(measures, passage, now) if is_open else None
            row = PassageRow(
                passage,
                nodes[passage.from_id].name,
                nodes[passage.to_id].name,
                state,
                proposal_note(proposed) if proposed else _row_note(label, kind),
                label.verdict if label else None,
                proposed.answer if proposed else None,
                bool(label and not is_open and contradicts(passage, label.verdict)),
                margin=margin_words(proposed) if proposed else "",
            )
            rows.append(_of_two(row, team) if passage in team.doubles else row)
    return tuple(rows)


def _of_two(row: PassageRow, team: Team) -> PassageRow:
    is_of_others = not team.is_to_answer(row.passage, team.viewer)
    return replace(row, standing=team.standing(row.passage), is_of_others=is_of_others)


def _kind_steps(graph: NavigationGraph) -> Generator[None, None, dict[Move, EdgeKind]]:
    kinds: dict[Move, EdgeKind] = {}
    for number, edge in enumerate(graph.edges.values()):
        if number % _PAUSE_EVERY == 0:
            yield
        kinds[edge.from_id, edge.to_id] = kinds[edge.to_id, edge.from_id] = edge.kind
    return kinds


def _row_note(label: TraversabilityLabel | None, kind: EdgeKind) -> str:
    """The reason of a “does not”, else what kind of edge it is unless that is a walk."""
    if label is not None and label.reason is not None:
        return REASON_TITLES[label.reason]
    return "" if kind is EdgeKind.WALK else kind.value


def queue_progress(
    graph: NavigationGraph, labels: Labels, scene_hash: str, profile: AgentProfile
) -> QueueProgress:
    """How far one agent has come over the whole graph."""
    # Pairs alone: passages of every agent would take their time.
    asked = {(edge.from_id, edge.to_id) for edge in graph.edges.values()}
    asked |= {(end, start) for start, end in asked}
    answered = [p for p in labels if p.agent_key == profile.key and p[:2] in asked]
    now = Circumstances(graph, {profile.key: profile}, scene_hash, MOVER_HASH)
    states = Counter(passage_states(labels, answered, now))
    return QueueProgress(
        len(asked),
        states[PassageState.TRAVELS],
        states[PassageState.DOES_NOT],
        states[PassageState.UNCERTAIN],
        states[PassageState.STALE],
    )
