"""Everything a project holds, as one immutable value that undo can swap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeVar

from waypost.domain.causes.replay_book import NO_REPLAY, ReplayBook
from waypost.domain.record.study import NO_STUDY, Study
from waypost.domain.scene.graph import NavigationGraph, describe_node
from waypost.domain.score.score_book import NO_SCORES, ScoreBook
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.passage_drive import PassageDrive
from waypost.domain.traverse.passage_rule import DEFAULT_PASSAGE_RULE, PassageRule
from waypost.domain.traverse.places import places_of, with_place, without_nodes
from waypost.domain.traverse.task import Task
from waypost.domain.traverse.team import NO_TEAM, Team
from waypost.domain.traverse.team_edits import without_passages
from waypost.domain.traverse.traversability import Labels, Passage, with_known_places

T = TypeVar("T")

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
    """What counts for who looks; see ``team_labels`` for passages that two people label."""

    agents: Mapping[str, AgentProfile] = field(default_factory=lambda: MappingProxyType({}))
    """By key, in the order shown."""

    measures: Mapping[Passage, PassageMeasure] = field(default_factory=lambda: MappingProxyType({}))
    """What a machine found, at most one per passage; some may be stale, see ``staleness``."""

    drives: Mapping[Passage, PassageDrive] = field(default_factory=lambda: MappingProxyType({}))
    """What the last drive along each passage showed."""

    tasks: tuple[Task, ...] = ()
    passage_rule: PassageRule = DEFAULT_PASSAGE_RULE
    study: Study = NO_STUDY
    replay: ReplayBook = NO_REPLAY
    scoring: ScoreBook = NO_SCORES
    team: Team = NO_TEAM


def set_graph(project: Project, graph: NavigationGraph) -> Project:
    """Put an edited graph in place; labels, measures and drives of edges that went go with them.

    An id may be given again to another place, which must not inherit the answers, nor be what a
    question was chosen to mean.
    """
    labels = with_known_places(project.labels, project.graph, graph, project.team.doubles)
    if graph.edges is project.graph.edges:
        return replace(project, graph=graph, labels=labels)
    gone = project.graph.joined_pairs() - graph.joined_pairs()
    doubles = [p for p in project.team.doubles if frozenset((p.from_id, p.to_id)) in gone]
    return replace(
        project,
        graph=graph,
        labels=_without(labels, gone),
        measures=_without(project.measures, gone),
        drives=_without(project.drives, gone),
        tasks=without_nodes(project.tasks, project.graph.nodes.keys() - graph.nodes.keys()),
        team=without_passages(project.team, frozenset(doubles)),
    )


def _without(kept: Mapping[Passage, T], gone: set[frozenset[str]]) -> Mapping[Passage, T]:
    """What is kept of passages whose edge is still there; the same mapping if that is all."""
    left = {p: value for p, value in kept.items() if frozenset((p.from_id, p.to_id)) not in gone}
    return kept if len(left) == len(kept) else MappingProxyType(left)


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


def set_scene_file(project: Project, scene_path: str) -> Project:
    """Give the project another file for its scene; corrections of the old file go with it."""
    return replace(project, scene_path=scene_path, scene_up_axis=None, scene_metres_per_unit=None)


def allow_gaps(project: Project, scene_path: str, gaps: Iterable[str]) -> Project:
    """Let agents be driven in a scene despite this missing geometry; without any, not any more."""
    others = {path: names for path, names in project.allowed_gaps.items() if path != scene_path}
    named = tuple(sorted(set(gaps)))
    allowed = {**others, scene_path: named} if named else others
    return replace(project, allowed_gaps=MappingProxyType(allowed))


def set_measures(project: Project, measures: Iterable[PassageMeasure]) -> Project:
    """Put or replace what was measured of some passages; those of others stay.

    A measure of a passage that the graph does not have (any more) is left out: measuring takes
    its time, and the graph may have changed meanwhile.
    """
    joined = project.graph.joined_pairs()
    new = {
        measure.passage: measure
        for measure in measures
        if frozenset((measure.passage.from_id, measure.passage.to_id)) in joined
    }
    if not new:
        return project
    return replace(project, measures=MappingProxyType({**project.measures, **new}))


def set_drive(project: Project, drive: PassageDrive) -> Project:
    """Put or replace the last drive along a passage; see ``set_measures`` for edges that went."""
    if frozenset((drive.passage.from_id, drive.passage.to_id)) not in project.graph.joined_pairs():
        return project
    return replace(project, drives=MappingProxyType({**project.drives, drive.passage: drive}))


def set_agent(project: Project, profile: AgentProfile) -> Project:
    """Put or replace an agent profile."""
    return replace(project, agents=MappingProxyType({**project.agents, profile.key: profile}))


def set_passage_rule(project: Project, rule: PassageRule) -> Project:
    """Choose another rule for what “travels” means; measures of before say nothing about it."""
    return replace(project, passage_rule=rule)


def remove_agent(project: Project, key: str) -> Project:
    """Take an agent out of the project; its labels and measures stay and become stale."""
    kept = {k: v for k, v in project.agents.items() if k != key}
    return replace(project, agents=MappingProxyType(kept))
