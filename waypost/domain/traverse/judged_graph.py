"""A graph with what is known about who can travel it: the ground truth of CapNav's questions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.traversability import (
    Circumstances,
    Labels,
    Passage,
    PassageState,
    TraversabilityLabel,
    state_of,
)


@dataclass(frozen=True, eq=False)
class JudgedGraph:
    """Nodes, edges and the labels that hold."""

    graph: NavigationGraph = field(default_factory=NavigationGraph)
    labels: Labels = field(default_factory=lambda: MappingProxyType({}))
    """Without stale ones, see ``current_labels``."""

    sections: frozenset[str] = frozenset()
    """Agents by the names under which the file has their labels; empty for labels of a project."""

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """Node → nodes that an edge joins it with, whichever way it was drawn."""
        found: dict[str, dict[str, None]] = {node_id: {} for node_id in self.graph.nodes}
        for edge in self.graph.edges.values():
            found[edge.from_id][edge.to_id] = None
            found[edge.to_id][edge.from_id] = None
        return MappingProxyType({node_id: tuple(others) for node_id, others in found.items()})

    def joins(self, from_id: str, to_id: str) -> bool:
        """Whether an edge joins two nodes."""
        return to_id in self.neighbours.get(from_id, ())

    def label(self, from_id: str, to_id: str, agent_key: str) -> TraversabilityLabel | None:
        """The label of a move; where its direction has none, that of the other direction.

        Source: makeabilitylab/CapNav:scripts/capnav_score.py looks labels up in this order.
        """
        passage = Passage(from_id, to_id, agent_key)
        return self.labels.get(passage) or self.labels.get(passage.reverse)

    def state(self, from_id: str, to_id: str, agent_key: str) -> PassageState:
        """What is known about a move, by ``label``."""
        label = self.label(from_id, to_id, agent_key)
        return state_of(None if label is None else label.verdict)

    def feasibility(self, start_id: str, end_id: str, agent_key: str) -> bool | None:
        """Whether an agent can get from one node to another, as far as labels say.

        Args:
            start_id: A node; empty for unknown.
            end_id: A node; empty for unknown.
            agent_key: Whose labels count.

        Returns:
            ``None`` where a node is unknown, or labels are missing that decide it.
        """
        if not start_id or not end_id:
            return None

        def is_open(here: str, there: str) -> bool:
            return self.state(here, there, agent_key) is PassageState.TRAVELS

        def is_not_blocked(here: str, there: str) -> bool:
            return self.state(here, there, agent_key) is not PassageState.DOES_NOT

        if self.is_reachable(start_id, end_id, is_open):
            return True
        return None if self.is_reachable(start_id, end_id, is_not_blocked) else False

    def is_reachable(self, start_id: str, end_id: str, counts: Callable[[str, str], bool]) -> bool:
        """Whether moves that count lead from one node to another; a node reaches itself.

        Args:
            start_id: A node.
            end_id: A node.
            counts: From, to → whether that move along an edge may be used.
        """
        seen, waiting = {start_id}, deque((start_id,))
        while waiting:
            here = waiting.popleft()
            if here == end_id:
                return True
            for there in self.neighbours.get(here, ()):
                if there not in seen and counts(here, there):
                    seen.add(there)
                    waiting.append(there)
        return False


def may_be_one_house(one: NavigationGraph, other: NavigationGraph) -> bool:
    """Whether two graphs may be of the same places, as far as ids that both have can tell.

    Many files call their nodes ``node_1``, ``node_2``, … . Graphs of two houses differ in most of
    the names of such ids, and in most of the edges between them; whoever renames the nodes of one
    graph, or joins them otherwise, does not do both.
    """
    shared = one.nodes.keys() & other.nodes.keys()
    named = [i for i in shared if other.nodes[i].name != i and one.nodes[i].name != i]
    pairs = {pair for pair in one.joined_pairs() | other.joined_pairs() if pair <= shared}
    if not named or not pairs:
        return True
    same = sum(
        one.nodes[i].name.strip().lower() == other.nodes[i].name.strip().lower() for i in named
    )
    alike = len(one.joined_pairs() & other.joined_pairs() & pairs)
    return 2 * same >= len(named) or 2 * alike >= len(pairs)


def current_labels(labels: Labels, now: Circumstances) -> Labels:
    """The labels that hold; stale ones are left out.

    Args:
        labels: Of a project.
        now: What they would be judged on.
    """
    return MappingProxyType(
        {passage: label for passage, label in labels.items() if not label.is_stale(now)}
    )
