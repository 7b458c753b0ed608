"""What the questions of a project ask of its graph, and what its labels answer to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.judged_graph import JudgedGraph
from waypost.domain.traverse.places import PlaceMatch, places_of
from waypost.domain.traverse.task import Task

if TYPE_CHECKING:
    from waypost.domain.traverse.needed_moves import Move

FEASIBLE_WORDS: Final[Mapping[bool | None, str]] = MappingProxyType(
    {True: "yes", False: "no", None: "open"}
)
"""What is said of a question that an agent can do, cannot do, or of which labels do not tell."""


@dataclass(frozen=True, slots=True)
class QuestionRoute:
    """One question on a graph."""

    matches: tuple[PlaceMatch, ...]
    moves: frozenset[Move]
    """Every move on some simple path between its places; empty if a place is no node."""

    problem: str
    """Why it leads nowhere, in words; empty if it does not."""

    @property
    def ends(self) -> tuple[str, str]:
        """Nodes at which it starts and ends; empty where a place is none."""
        return self.matches[0].node_id, self.matches[-1].node_id


@dataclass(frozen=True, slots=True)
class FeasibilityShare:
    """How many questions one agent can do, over those that are not hallucinated."""

    feasible: int = 0
    infeasible: int = 0
    undecided: int = 0
    """Questions that the labels do not decide, or whose places are no nodes."""

    @property
    def share(self) -> float | None:
        """Feasible ones among those decided, 0 to 1; ``None`` if none is."""
        decided = self.feasible + self.infeasible
        return self.feasible / decided if decided else None


def feasibility(task: Task, judged: JudgedGraph, agent_key: str) -> bool | None:
    """Whether an agent can get from start to end; ``None`` where places or labels do not tell.

    Places to pass on the way do not count, as for the scores of answers.
    """
    return judged.feasibility(*_ends(task, judged.graph), agent_key)


def feasibility_shares(
    tasks: Iterable[Task], judged: JudgedGraph, agent_keys: Iterable[str]
) -> Mapping[str, FeasibilityShare]:
    """How many questions each agent can do; hallucinated ones count nowhere."""
    asked = [_ends(task, judged.graph) for task in tasks if not task.is_hallucinated]
    return {key: _share([judged.feasibility(*ends, key) for ends in asked]) for key in agent_keys}


def _ends(task: Task, graph: NavigationGraph) -> tuple[str, str]:
    first, *_, last = places_of(task, graph)
    return first.node_id, last.node_id


def _share(found: list[bool | None]) -> FeasibilityShare:
    return FeasibilityShare(found.count(True), found.count(False), found.count(None))
