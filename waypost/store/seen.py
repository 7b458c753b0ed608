"""What others have said meanwhile: read in one go, and put into a project once that may change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection

from waypost.domain.project import Project
from waypost.domain.team_labels import with_team
from waypost.domain.traverse.traversability import Passage
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import TEAM
from waypost.store.loaded_rows import (
    LoadedRow,
    is_of,
    note_rows,
    shown_rows,
    team_with,
    touched_passages,
)
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_reading import rows_where
from waypost.store.shown_scores import read_shown, with_shown_scores

Rows = Mapping[ItemKind, list[LoadedRow]]
Numbers = Mapping[ItemKind, dict[Any, int]]


class Seen(NamedTuple):
    """Rows as they were read."""

    labels: Rows | None = None
    """Of a team; ``None`` if they were not asked for."""

    touched: frozenset[Passage] | None = None
    """The passages that they are about; ``None`` for all."""

    scores: Rows | None = None
    """Of some items and pairs; ``None`` if they were not asked for."""


def read_seen(
    database: ProjectDatabase,
    connection: Connection,
    known_change: int | None,
    places: Collection[tuple[str, str]],
) -> Seen:
    """Read what was said.

    Args:
        database: Says what an error means.
        connection: Of it, in a transaction.
        known_change: Number of the change since which labels are wanted; ``None`` for no labels.
        places: Batch and item, or pair, of scores.

    Raises:
        ReadError: If something in the project cannot be used.
        StoreError: If it cannot be reached.
    """
    seen = Seen()
    if known_change is not None:
        touched = touched_passages(connection, known_change)
        wanted = {kind: is_of(kind, touched) for kind in TEAM}
        seen = Seen(rows_where(database, connection, wanted), touched)
    return seen._replace(scores=read_shown(database, connection, places)) if places else seen


def with_seen(project: Project, seen: Seen, versions: Numbers, ordinals: Numbers) -> Project:
    """The project with what its viewer may see of it; itself if nothing was read.

    Args:
        project: As it is in the file otherwise.
        seen: What was read.
        versions: The version of each row as last seen; brought up to date.
        ordinals: Likewise the place of each.
    """
    if seen.labels is not None:
        found = shown_rows(seen.labels, project.team)
        for kind, read in found.items():
            note_rows(versions[kind], ordinals[kind], read, seen.touched)
        team = team_with(project.team, found, seen.touched)
        project = project if team == project.team else with_team(project, team)
    if seen.scores is not None:
        for kind, read in seen.scores.items():
            versions[kind].update((row.key, row.version) for row in read)
            ordinals[kind].update((row.key, row.ordinal) for row in read)
        project = with_shown_scores(project, seen.scores)
    return project
