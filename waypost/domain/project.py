"""Everything a project holds, as one immutable value that undo can swap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from waypost.domain.causes.replay_book import NO_REPLAY, ReplayBook
from waypost.domain.record.study import NO_STUDY, Study
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.traversability import Labels

SUFFIX: Final = ".waypost"
"""Of project files."""


@dataclass(frozen=True, slots=True)
class Project:
    """The open document. Views compare its parts with ``is`` and redraw what differs."""

    name: str = "untitled"
    scene_path: str = ""
    """POSIX path of the scene file relative to the project's folder; empty if none."""

    scene_up_axis: str | None = None
    """``Y`` or ``Z`` where the user corrected what the file says."""

    scene_metres_per_unit: float | None = None
    """Set where the user corrected what the file says."""

    graph: NavigationGraph = field(default_factory=NavigationGraph)
    labels: Labels = field(default_factory=lambda: MappingProxyType({}))
    agents: Mapping[str, AgentProfile] = field(default_factory=lambda: MappingProxyType({}))
    """By key, in the order shown."""

    tasks: tuple[Task, ...] = ()
    passage_rule: PassageRule = DEFAULT_PASSAGE_RULE
    study: Study = NO_STUDY
    replay: ReplayBook = NO_REPLAY


def set_graph(project: Project, graph: NavigationGraph) -> Project:
    """Put an edited graph in place; the labels of edges that went go with them.

    An id may be given again to another place, which must not inherit the answers.
    """
    if graph.edges is project.graph.edges or not project.labels:
        return replace(project, graph=graph)
    gone = _joined(project.graph) - _joined(graph)
    kept = {
        passage: label
        for passage, label in project.labels.items()
        if frozenset((passage.from_id, passage.to_id)) not in gone
    }
    if len(kept) == len(project.labels):
        return replace(project, graph=graph)
    return replace(project, graph=graph, labels=MappingProxyType(kept))


def _joined(graph: NavigationGraph) -> set[frozenset[str]]:
    return {frozenset((edge.from_id, edge.to_id)) for edge in graph.edges.values()}


def set_agent(project: Project, profile: AgentProfile) -> Project:
    """Put or replace an agent profile."""
    return replace(project, agents=MappingProxyType({**project.agents, profile.key: profile}))


def set_passage_rule(project: Project, rule: PassageRule) -> Project:
    """Choose another rule for what “travels” means; measures of before say nothing about it."""
    return replace(project, passage_rule=rule)


def remove_agent(project: Project, key: str) -> Project:
    """Take an agent out of the project; its labels stay and become stale."""
    kept = {k: v for k, v in project.agents.items() if k != key}
    return replace(project, agents=MappingProxyType(kept))
