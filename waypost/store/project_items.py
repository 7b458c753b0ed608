"""A project as items of each kind, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from waypost.domain.project import Project
from waypost.domain.scene.graph import build_graph
from waypost.domain.team_labels import with_team
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import (
    AGENT,
    ASSIGNMENT,
    BATCH,
    BATCH_ITEM,
    CAUSE_MARK,
    COMPARISON,
    CONSENT_TEXT,
    DRIVE,
    EDGE,
    EDGE_VERDICT,
    FACT,
    ITEM_ORIGIN,
    LABEL,
    MEASURE,
    NODE,
    PARTICIPANT,
    RUBRIC,
    RUN_SOURCE,
    SCORE_DRAFT,
    SHEET,
    STUDY_EPISODE,
    STUDY_SETTING,
    TAKE,
    TASK,
    TAXONOMY,
    TEAM,
    Items,
    facts_of,
    replay_of,
    scoring_of,
    study_of,
    team_of,
)

_GRAPH = (FACT, NODE, EDGE)
_STUDY = (STUDY_SETTING, CONSENT_TEXT, STUDY_EPISODE, PARTICIPANT, ASSIGNMENT, TAKE)
_REPLAY = (RUN_SOURCE, TAXONOMY, CAUSE_MARK, EDGE_VERDICT)
_SCORING = (RUBRIC, BATCH, BATCH_ITEM, ITEM_ORIGIN, SHEET, COMPARISON, SCORE_DRAFT)


class ItemsError(ValueError):
    """Items that do not fit together; its cause says why."""

    def __init__(self, place: str, kinds: tuple[ItemKind, ...], cause: Exception) -> None:
        super().__init__(f"{place}: {cause}")
        self.place = place
        """The table, or ``graph`` and ``study`` for several."""

        self.kinds = kinds
        """Kinds of the items among which those are."""


def items_of(kind: ItemKind, project: Project) -> Mapping[Any, Any]:
    """The items of a kind as they are read from a file: settings are JSON values there."""
    found = kind.items(project)
    if kind.value_type is not Any:
        return found
    return {key: item_as_read(kind, key, value) for key, value in found.items()}


def item_as_read(kind: ItemKind, key: Any, value: Any) -> Any:
    """One of ``items_of``."""
    if kind.value_type is not Any:
        return value
    return kind.item_of({**kind.key_row(key), **kind.to_row(value)})[1]


def with_items(project: Project, items: Items) -> Project:
    """Put items of some kinds in place of those that a project has; other parts stay as they are.

    Args:
        project: Gives the kinds that are not among the items.
        items: Every item of a kind, in order, as ``items_of`` has them.

    Raises:
        ItemsError: If they do not fit together.
    """
    made = project
    single = items[LABEL] if LABEL in items else LABEL.items(project)
    for place, kinds, put in _PARTS:
        if not any(kind in items for kind in kinds):
            continue
        own = {kind: items[kind] if kind in items else items_of(kind, project) for kind in kinds}
        try:
            made = put(made, own)
        except Exception as error:
            raise ItemsError(place, kinds, error) from error
    if AGENT in items:
        made = replace(made, agents=MappingProxyType(items[AGENT]))
    if MEASURE in items:
        made = replace(made, measures=MappingProxyType(items[MEASURE]))
    if DRIVE in items:
        made = replace(made, drives=MappingProxyType(items[DRIVE]))
    if TASK in items:
        made = replace(made, tasks=tuple(items[TASK].values()))
    if LABEL in items or made.team is not project.team:
        made = with_team(made, made.team, MappingProxyType(single))
    return made


def _with_facts(project: Project, items: Items) -> Project:
    facts = facts_of(items)
    return replace(
        project,
        name=facts.name,
        scene_path=facts.scene_path,
        scene_up_axis=facts.scene_up_axis,
        scene_metres_per_unit=facts.scene_metres_per_unit,
        allowed_gaps=facts.allowed_gaps,
        passage_rule=facts.passage_rule,
    )


def _with_graph(project: Project, items: Items) -> Project:
    nodes, edges = items[NODE].values(), items[EDGE].values()
    return replace(project, graph=build_graph(nodes, edges, facts_of(items).graph_extra))


def _with_team(project: Project, items: Items) -> Project:
    return replace(project, team=team_of(items, project.team.viewer))


_Put = Callable[[Project, Items], Project]
_PARTS: Final[Sequence[tuple[str, tuple[ItemKind, ...], _Put]]] = (
    ("study", _STUDY, lambda project, items: replace(project, study=study_of(items))),
    ("facts", (FACT,), _with_facts),
    ("run_sources", _REPLAY, lambda project, items: replace(project, replay=replay_of(items))),
    ("batches", _SCORING, lambda project, items: replace(project, scoring=scoring_of(items))),
    ("graph", _GRAPH, _with_graph),
    ("double_labels", (FACT, *TEAM), _with_team),
)
