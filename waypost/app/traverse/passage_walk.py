"""Which passage is at hand, and how one goes from one to another."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from waypost.annotators.traverse.passage_list import PassageList
from waypost.annotators.traverse.proposals import measure_of
from waypost.annotators.traverse.queue import PassageQueue, open_queue, openness
from waypost.app.shell.workbench import Workbench
from waypost.app.traverse.needed_passages import NeededPassages
from waypost.domain.traverse.traversability import Circumstances, Passage
from waypost.services.judging import circumstances


class PassageWalk(QObject):
    """Goes through the queue of the agent at hand.

    Args:
        bench: What is open.
        shown: What the queue is narrowed to.
        needed: Which moves are asked about.
        parent: Qt owner.
    """

    moved = Signal(bool)
    """The queue is another; whether the passage at hand is, too."""

    def __init__(
        self,
        bench: Workbench,
        shown: PassageList,
        needed: NeededPassages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bench, self._shown, self._needed = bench, shown, needed
        self._queue = PassageQueue()
        self._visited: list[Passage] = []
        self._is_uncertain_first = False

    @property
    def queue(self) -> PassageQueue:
        """Every question, and the one at hand."""
        return self._queue

    @property
    def current(self) -> Passage | None:
        """The passage at hand."""
        return self._queue.current

    @property
    def selected(self) -> tuple[Passage, ...]:
        """The passages that the next answer is for: the one at hand, or several with it."""
        selected, current = self._shown.selected, self._queue.current
        if current in selected:
            return selected
        return (current,) if current else ()

    @property
    def left(self) -> tuple[Passage, ...]:
        """What is to be answered: of several that are selected, else of all."""
        among = self.selected if len(self.selected) > 1 else self._queue.passages
        return tuple(filter(self._openness(), among))

    @property
    def has_proposal(self) -> bool:
        """Whether something selected has a measure that holds and is to be answered."""
        measures, now, is_open = self._bench.project.measures, self._now(), self._openness()
        return any(measure_of(measures, p, now) is not None and is_open(p) for p in self.selected)

    def is_open(self, passage: Passage) -> bool:
        """Whether a passage of the agent at hand is to be answered."""
        return self._openness()(passage)

    def start(self, at: Passage | None = None) -> None:
        """Begin the queue of the agent at hand: at a passage, or at the first one to answer."""
        agent, bench = self._bench.agent, self._bench
        queue = PassageQueue()
        if agent is not None:
            project, moves = bench.project, self._needed.moves
            queue = open_queue(project.labels, agent.key, self._now(), moves, project.team)
            if self._is_uncertain_first:
                queue = queue.uncertain_first(bench.project.measures)
            queue = queue.at(at) if at else queue
        self._take(queue)

    def forget(self) -> None:
        """Another project, or nobody, has the queue; nothing is told."""
        self._queue = PassageQueue()
        self._visited.clear()

    def forget_visited(self) -> None:
        """There is no way back."""
        self._visited.clear()

    def follow_graph(self) -> None:
        """Ask about the graph as it is now, at the same place if that exists; tells nothing."""
        agent, graph = self._bench.agent, self._bench.project.graph
        if agent:
            self._queue = self._queue.follow(graph, agent.key, self._needed.moves)

    def toggle_uncertain_first(self) -> None:
        """Put uncertain passages first, or everything in the order of the graph again."""
        self._is_uncertain_first = not self._is_uncertain_first
        self.start(self.current)

    def sort_again(self) -> None:
        """Follow new measures, where uncertain passages come first."""
        if self._is_uncertain_first:
            self.start(self.current)

    def go_to(self, passage: Passage) -> None:
        """Take another passage to hand."""
        self.remember()
        self._take(self._queue.at(passage))

    def go_to_item(self, key: str) -> None:
        """Take the first passage at a node, or along an edge, to hand."""
        edge = self._bench.project.graph.edges.get(key)
        found = (
            p
            for p in self._queue.passages
            if key in (p.from_id, p.to_id) or (edge and edge.joins(p.from_id, p.to_id))
        )
        passage = next(found, None)
        if passage:
            self.go_to(passage)

    def next(self) -> None:
        """The next passage of what the queue shows."""
        self._take(self._queue.next(self._narrowed()))

    def previous(self) -> None:
        """The previous passage of what the queue shows."""
        self._take(self._queue.previous(self._narrowed()))

    def next_open(self) -> bool:
        """The next passage to answer, stale ones too.

        Returns:
            Whether there is one.
        """
        is_open = self._openness()
        found = self._queue.next_of(is_open)
        has_one = found.current is None or is_open(found.current)
        self._take(found)
        return has_one

    def remember(self) -> None:
        """Let ``back`` come here."""
        if self._queue.current:
            self._visited.append(self._queue.current)

    def back(self) -> None:
        """To the passage that was at hand before."""
        if self._visited:
            self._take(self._queue.at(self._visited.pop()))

    def return_to(self, passage: Passage) -> None:
        """Take a passage to hand without a way back."""
        self._take(self._queue.at(passage))

    def _now(self) -> Circumstances:
        return circumstances(self._bench.project, self._bench.scene_hash)

    def _openness(self) -> Callable[[Passage], bool]:
        project = self._bench.project
        return openness(project.labels, self._now(), project.team)

    def _narrowed(self) -> tuple[Passage, ...]:
        return self._shown.shown if self._shown.is_narrowed else ()

    def _take(self, queue: PassageQueue) -> None:
        is_other = queue.current != self._queue.current
        self._queue = queue
        self.moved.emit(is_other)
