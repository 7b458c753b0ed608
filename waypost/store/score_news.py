"""What others change of scores on a server while a project is open, read beside it and put in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, select

from waypost.domain.project import Project
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.score_book import ScoreBook
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import COMPARISON, SCORE_DRAFT, SHEET
from waypost.store.loaded_rows import AT_ONCE, LoadedRow
from waypost.store.project_database import ProjectDatabase
from waypost.store.schema import CHANGES
from waypost.store.score_drafts import drafts_of, with_drafts
from waypost.store.shown_scores import read_shown

_SAID: Final = (SHEET, COMPARISON)
_READ: Final = (*_SAID, SCORE_DRAFT)
_PLACES_AT_ONCE: Final = 1000
"""Of one question to the server."""

_Key = TypeVar("_Key")


class ScoreNews(NamedTuple):
    """All that its reader may see about some items, or pairs, of which anything changed."""

    newest: int
    """Number of the newest change that it knows of."""

    places: frozenset[tuple[str, str]]
    """Batch and item, or pair."""

    rows: Mapping[ItemKind, Sequence[LoadedRow]]
    """Of sheets, comparisons and drafts."""


class ScoreNewsReader:
    """Reads what changed since it last did, over a connection of its own; for one thread at a time.

    Args:
        location: URL of the project on a server.
        known: Number of the newest change of the project as it was loaded.
    """

    def __init__(self, location: str, known: int) -> None:
        self._database = ProjectDatabase(location)
        self._newest = known
        self._seen: frozenset[int] = frozenset()

    def read(self) -> ScoreNews | None:
        """What changed since; ``None`` if nothing did, or nothing of scores that one may see.

        Raises:
            ReadError: If something in the project cannot be used.
            StoreError: If it cannot be reached.
        """
        changes = CHANGES.c.change_id
        with self._database.reading() as connection:
            # One that has a smaller number may have been written after it.
            numbers = select(changes).where(changes > self._newest - AT_ONCE)
            found = frozenset(connection.execute(numbers).scalars())
            new = found - self._seen
            if not new:
                return None
            places: set[tuple[str, str]] = set()
            for kind in _SAID:
                columns = kind.table.c
                name = columns.pair if kind is COMPARISON else columns.item
                about = select(columns.batch, name).where(columns.row_version >= min(new))
                places.update((batch, item) for batch, item in connection.execute(about))
            rows = self._rows_about(connection, sorted(places))
        self._seen, self._newest = found, max(self._newest, *found)
        return ScoreNews(self._newest, frozenset(places), rows) if places else None

    def _rows_about(
        self, connection: Connection, places: Sequence[tuple[str, str]]
    ) -> dict[ItemKind, list[LoadedRow]]:
        rows: dict[ItemKind, list[LoadedRow]] = {kind: [] for kind in _READ}
        for first in range(0, len(places), _PLACES_AT_ONCE):
            some = places[first : first + _PLACES_AT_ONCE]
            for kind, read in read_shown(self._database, connection, _READ, some).items():
                rows[kind] += read
        return rows

    def close(self) -> None:
        """Let go of the server."""
        self._database.close()


def with_news(
    project: Project,
    news: ScoreNews,
    versions: Mapping[ItemKind, dict[Any, int]],
    ordinals: Mapping[ItemKind, dict[Any, int]],
) -> Project:
    """The project with news in it; the same one if it knows them.

    What is written here since the news were read is newer, and stays. News about a batch or a
    rubric that the project does not know wait until it is loaded again.

    Args:
        project: As it is on the server otherwise.
        news: As they were read from there.
        versions: Kind → key → change by which the project has a row; brought up to date.
        ordinals: Kind → key → place of a row in its kind; brought up to date.
    """
    book = project.scoring
    sheets, said = (
        _merged(book, kind, own, news, _Numbers(versions[kind], ordinals[kind]))
        for kind, own in ((SHEET, book.sheets), (COMPARISON, book.comparisons))
    )
    if sheets is book.sheets and said is book.comparisons:
        return project
    # Of a sheet that was locked meanwhile the draft was put aside, and is there still.
    drafts = {
        row.key: row.value
        for row in news.rows.get(SCORE_DRAFT, ())
        if versions[SCORE_DRAFT].get(row.key) == row.version
    }
    told = with_drafts(
        replace(book, sheets=sheets, comparisons=said), {**drafts, **drafts_of(book)}
    )
    return replace(project, scoring=told)


class _Numbers(NamedTuple):
    """Of the rows of a kind that a project has, by their keys."""

    versions: dict[Any, int]
    ordinals: dict[Any, int]


def _merged(
    book: ScoreBook, kind: ItemKind, own: Mapping[_Key, Any], news: ScoreNews, numbers: _Numbers
) -> Mapping[_Key, Any]:
    """Sheets, or comparisons, with news in them; the same ones if they know them."""
    known, read = numbers.versions, {row.key: row for row in news.rows.get(kind, ())}
    gone = {
        key
        for key, version in known.items()
        if key[:2] in news.places and key not in read and version <= news.newest
    }
    newer = [
        row
        for key, row in read.items()
        if row.version > known.get(key, 0) and _fits(book, kind, row)
    ]
    if not gone and not newer:
        return own
    for key in gone:
        del known[key], numbers.ordinals[key]
    for row in newer:
        known[row.key], numbers.ordinals[row.key] = row.version, row.ordinal
    kept = {key: value for key, value in own.items() if key not in gone}
    return MappingProxyType({**kept, **{row.key: row.value for row in newer}})


def _fits(book: ScoreBook, kind: ItemKind, row: LoadedRow) -> bool:
    """Whether the project knows what a sheet or a comparison is about."""
    batch = book.batches.get(row.key.batch)
    if batch is None:
        return False
    if kind is COMPARISON:
        return row.key.pair in batch.pairs
    rubric = batch.rubric._replace(version=row.value.rubric_version)
    return BatchItemKey(batch.name, row.key.item) in book.items and rubric in book.rubrics
