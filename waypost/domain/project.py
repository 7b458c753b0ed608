"""Everything a project holds, as one immutable value that undo can swap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from waypost.domain.causes.replay_book import NO_REPLAY, ReplayBook
from waypost.domain.record.study import NO_STUDY, Study
from waypost.domain.scene.graph import NavigationGraph, describe_node
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.places import places_of, with_place
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


def rename_node(project: Project, node_id: str, name: str) -> Project:
    """Give a node another name; questions that meant it by its name go on to mean it.

    Raises:
        EditError: If the node is unknown or the name is blank.
    """
    graph = describe_node(project.graph, node_id, name=name)
    tasks = tuple(_still_meaning(task, project.graph, graph) for task in project.tasks)
    is_same = all(new is old for new, old in zip(tasks, project.tasks, strict=True))
    return replace(project, graph=graph, tasks=project.tasks if is_same else tasks)


def _still_meaning(task: Task, before: NavigationGraph, after: NavigationGraph) -> Task:
    """The question, with what its places meant said where their names no longer say it."""
    meant, found = places_of(task, before), places_of(task, after)
    for index, (old, new) in enumerate(zip(meant, found, strict=True)):
        if old.node_id and old.node_id != new.node_id:
            task = with_place(task, index, old.node_id)
    return task


def _joined(graph: NavigationGraph) -> set[frozenset[str]]:
    return {frozenset((edge.from_id, edge.to_id)) for edge in graph.edges.values()}


def set_agent(project: Project, profile: AgentProfile) -> Project:
    """Put or replace an agent profile."""
    return replace(project, agents=MappingProxyType({**project.agents, profile.key: profile}))


def remove_agent(project: Project, key: str) -> Project:
    """Take an agent out of the project; its labels stay and become stale."""
    kept = {k: v for k, v in project.agents.items() if k != key}
    return replace(project, agents=MappingProxyType(kept))
