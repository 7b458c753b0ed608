"""Everything a project holds, as one immutable value that undo can swap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from waypost.domain.causes.replay_book import NO_REPLAY, ReplayBook
from waypost.domain.record.study import NO_STUDY, Study
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.score.score_book import NO_SCORES, ScoreBook
from waypost.domain.traverse.agent import AgentProfile
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

    allowed_gaps: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Path of a scene, as ``scene_path`` states it → the missing geometry despite which a person
    allowed agents to be driven there. What is missing besides still forbids it."""

    graph: NavigationGraph = field(default_factory=NavigationGraph)
    labels: Labels = field(default_factory=lambda: MappingProxyType({}))
    agents: Mapping[str, AgentProfile] = field(default_factory=lambda: MappingProxyType({}))
    """By key, in the order shown."""

    tasks: tuple[Task, ...] = ()
    study: Study = NO_STUDY
    replay: ReplayBook = NO_REPLAY
    scoring: ScoreBook = NO_SCORES


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


def set_scene_file(project: Project, scene_path: str) -> Project:
    """Give the project another file for its scene; corrections of the old file go with it."""
    return replace(project, scene_path=scene_path, scene_up_axis=None, scene_metres_per_unit=None)


def allow_gaps(project: Project, scene_path: str, gaps: Iterable[str]) -> Project:
    """Let agents be driven in a scene despite this missing geometry; without any, not any more."""
    others = {path: names for path, names in project.allowed_gaps.items() if path != scene_path}
    named = tuple(sorted(set(gaps)))
    allowed = {**others, scene_path: named} if named else others
    return replace(project, allowed_gaps=MappingProxyType(allowed))


def set_agent(project: Project, profile: AgentProfile) -> Project:
    """Put or replace an agent profile."""
    return replace(project, agents=MappingProxyType({**project.agents, profile.key: profile}))


def remove_agent(project: Project, key: str) -> Project:
    """Take an agent out of the project; its labels stay and become stale."""
    kept = {k: v for k, v in project.agents.items() if k != key}
    return replace(project, agents=MappingProxyType(kept))
