"""Reads a whole project step by step: what its viewer may see, and the rows it was made of."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from waypost.domain.base.progress import Progress
from waypost.domain.project import Project
from waypost.domain.traverse.team import Team
from waypost.store.database import login_of
from waypost.store.item_kind import ItemKind, RowValues
from waypost.store.item_kinds import DOUBLE_LABEL, KINDS, PERSON, TASK
from waypost.store.loaded_rows import LoadedRow, numbered, visible_rows
from waypost.store.project_database import ProjectDatabase
from waypost.store.project_items import ItemsError, with_items
from waypost.store.row_reading import fetch_kind, newest_change, read_rows

_REPORT_EVERY: Final = 1000
"""Rows between two reports while loading."""


class LoadedRows(NamedTuple):
    """What was read."""

    project: Project
    rows: Mapping[ItemKind, list[LoadedRow]]
    places: Sequence[int]
    """Where each question stands."""


def loading_rows(database: ProjectDatabase, viewer: str) -> Generator[Progress, None, LoadedRows]:
    """Read a project; its newest change is known to the database then.

    Args:
        database: Closed if it fails, or is given up.
        viewer: Who looks, unless somebody is logged in who is one of the people of the project.

    Yields:
        Rows read and rows in all.

    Raises:
        ReadError: If something in it cannot be used; nothing is left out silently.
        StoreError: If the file cannot be reached.
    """
    fetched: dict[ItemKind, list[RowValues]] = {}
    rows: dict[ItemKind, list[LoadedRow]] = {}
    try:
        with database.reading() as connection:
            for kind in KINDS:
                fetched[kind] = fetch_kind(database, connection, kind)
            login = login_of(connection)
            database.known_change = newest_change(connection)
        total, done = sum(map(len, fetched.values())), 0
        for kind, found in fetched.items():
            rows[kind] = []
            for first in range(0, len(found), _REPORT_EVERY):
                yield Progress(done + first, total, f"Reading {database.title}")
                read_rows(database, kind, found[first : first + _REPORT_EVERY], rows[kind])
            done += len(found)
        yield Progress(total, total, f"Reading {database.title}")
        viewer = login if login in {row.key for row in rows[PERSON]} else viewer
        rows[DOUBLE_LABEL] = visible_rows(rows, viewer)
        places, rows[TASK] = numbered(rows[TASK])
        items = {kind: {row.key: row.value for row in read} for kind, read in rows.items()}
        return LoadedRows(_assembled(database, items, viewer), rows, places)
    except BaseException:
        database.close()
        raise


def _assembled(
    database: ProjectDatabase, items: Mapping[ItemKind, dict[Any, Any]], viewer: str
) -> Project:
    try:
        return with_items(Project(team=Team(viewer=viewer)), items)
    except ItemsError as error:
        why = error.__cause__ if isinstance(error.__cause__, Exception) else error
        raise database.read_failure(why, error.place) from error
