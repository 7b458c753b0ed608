"""Scores of others that a server shows once one's own are in, put into a project that is open."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from sqlalchemy import ColumnElement, Connection, tuple_

from waypost.domain.project import Project
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import COMPARISON, ITEM_ORIGIN, SCORE_DRAFT, SHEET
from waypost.store.item_origins import with_origins
from waypost.store.loaded_rows import LoadedRow
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_reading import rows_where
from waypost.store.score_drafts import with_drafts

SHOWN_KINDS: Final = (SHEET, COMPARISON, ITEM_ORIGIN, SCORE_DRAFT)
"""What a server hides of scores."""


def is_about(kind: ItemKind, places: Collection[tuple[str, str]]) -> ColumnElement[bool]:
    """Whether a row is about one of some items, or pairs, each with its batch.

    Origins are shown of a whole batch at once.
    """
    columns = kind.table.c
    if kind is ITEM_ORIGIN:
        return columns.batch.in_({batch for batch, _ in places})
    name = columns.pair if kind is COMPARISON else columns.item
    return tuple_(columns.batch, name).in_(list(places))


def read_shown(
    database: ProjectDatabase,
    connection: Connection,
    places: Collection[tuple[str, str]],
) -> dict[ItemKind, list[LoadedRow]]:
    """The rows of ``SHOWN_KINDS`` about some items, or pairs, that who is logged in may see.

    Args:
        database: Says what an error means.
        connection: Of it, in a transaction.
        places: Batch and item, or pair, of each.

    Raises:
        ReadError: If something in the project cannot be used.
        StoreError: If it cannot be reached.
    """
    wanted = {kind: is_about(kind, places) for kind in SHOWN_KINDS}
    return rows_where(database, connection, wanted)


def with_shown_scores(project: Project, rows: Mapping[ItemKind, Sequence[LoadedRow]]) -> Project:
    """The project with rows of ``SHOWN_KINDS`` in place of those of the same keys."""
    book = project.scoring
    sheets, said, origins, drafts = (
        {row.key: row.value for row in rows[kind]} for kind in SHOWN_KINDS
    )
    shown = replace(
        book,
        sheets=MappingProxyType({**book.sheets, **sheets}),
        comparisons=MappingProxyType({**book.comparisons, **said}),
        items=with_origins(book.items, origins) if origins else book.items,
    )
    return replace(project, scoring=with_drafts(shown, drafts))
