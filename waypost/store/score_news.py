"""What others change of scores while a project is open, read beside it and put in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, select

from waypost.domain.project import Project
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.score_book import ScoreBook
from waypost.store.item_kind import ItemKind, RowValues
from waypost.store.item_kinds import COMPARISON, SCORE_DRAFT, SHEET
from waypost.store.loaded_rows import LoadedRow, surely_older
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_reading import fetch_kind, newest_change, read_rows
from waypost.store.schema import CHANGES, HISTORY
from waypost.store.score_drafts import DraftKind, alone, drafts_of, with_drafts
from waypost.store.shown_scores import is_about

NEWS_KINDS: Final = (SHEET, COMPARISON, SCORE_DRAFT)
"""What raters say, by batch and item, or pair, and what is begun beside it."""

_PLACES_AT_ONCE: Final = 1000
"""Of one question to the server."""

_Key = TypeVar("_Key")


class ScoreNews(NamedTuple):
    """All that its reader may see about some items, or pairs, of which anything changed."""

    since: int
    """Number of a change; it knows of all up to this one."""

    changes: frozenset[int]
    """Numbers of all that it knows of besides."""

    places: frozenset[tuple[str, str]]
    """Batch and item, or pair."""

    rows: Mapping[ItemKind, Sequence[LoadedRow]]
    """Of sheets, comparisons and drafts."""

    def knows(self, change: int) -> bool:
        """Whether a change, by its number, was there when this was read."""
        return change <= self.since or change in self.changes

    def known_of(self, written: Mapping[tuple[str, str], int]) -> ScoreNews:
        """Without what was written here since it was read, of which there are news again.

        Args:
            written: Batch and item, or pair → the change by which it was written here last.
        """
        places = frozenset(p for p in self.places if p not in written or self.knows(written[p]))
        if len(places) == len(self.places):
            return self
        rows = {
            kind: [row for row in read if row.key[:2] in places] for kind, read in self.rows.items()
        }
        return self._replace(places=places, rows=rows)


class ScoreNewsReader:
    """Reads what changed since it last did, over a connection of its own; for one thread at a time.

    Args:
        location: File of the project, or its URL on a server.
        known: Number and time of the newest change of the project as it was loaded; the file is
            recognised by it.
    """

    def __init__(self, location: Path | str, known: tuple[int, str] | None) -> None:
        self._database = ProjectDatabase(location)
        self._database.known_change = known
        self._newest = 0 if known is None else known[0]
        self._seen: frozenset[int] = frozenset()

    def read(self) -> ScoreNews | None:
        """What changed since; ``None`` if nothing did, or nothing of scores that one may see.

        A file is locked only while rows are fetched, not while they are made into values.

        Raises:
            ReadError: If something in the project cannot be used.
            StoreError: If it cannot be reached.
        """
        changes = CHANGES.c.change_id
        with self._database.looking() as connection:
            since = surely_older(connection, self._newest)
            numbers = select(changes).where(changes > since)
            found = frozenset(connection.execute(numbers).scalars())
            new = found - self._seen
            if not new:
                return None
            places = _places_since(connection, min(new))
            fetched = self._fetch_about(connection, sorted(places))
            newest = newest_change(connection)
        rows: dict[ItemKind, list[LoadedRow]] = {}
        for kind, found_rows in fetched.items():
            read_rows(self._database, kind, found_rows, rows.setdefault(kind, []))
        self._seen, self._newest = found, max(self._newest, *found)
        self._database.known_change = newest
        return ScoreNews(since, found, places, rows) if places else None

    def _fetch_about(
        self, connection: Connection, places: Sequence[tuple[str, str]]
    ) -> dict[ItemKind, list[RowValues]]:
        fetched: dict[ItemKind, list[RowValues]] = {kind: [] for kind in NEWS_KINDS}
        for first in range(0, len(places), _PLACES_AT_ONCE):
            some = places[first : first + _PLACES_AT_ONCE]
            for kind in NEWS_KINDS:
                about = is_about(kind, some)
                fetched[kind] += fetch_kind(self._database, connection, kind, about)
        return fetched

    def close(self) -> None:
        """Let go of the file, or the server."""
        self._database.close()


def _places_since(connection: Connection, change: int) -> frozenset[tuple[str, str]]:
    """Items, or pairs, with their batches, of which anything was written or deleted since.

    A begun reason is among them: who returns its sheet takes it away, and must know it as it is.
    What two people begin to write to the same rater is not: a conflict tells them of each other.
    """
    places: set[tuple[str, str]] = set()
    for kind in NEWS_KINDS:
        columns = kind.table.c
        name = columns.pair if kind is COMPARISON else columns.item
        about = select(columns.batch, name).where(columns.row_version >= change)
        if kind is SCORE_DRAFT:
            about = about.where(columns.kind == DraftKind.REASON.value)
        places.update((batch, item) for batch, item in connection.execute(about))
    # No row tells of one that is not there any more.
    history = HISTORY.c
    gone = select(history.kind, history.item).where(
        history.change_id >= change,
        history.kind.in_([kind.name for kind in NEWS_KINDS]),
        history.action == "deleted",
    )
    for kind_name, text in connection.execute(gone):
        batch, item, *others = json.loads(text)
        if kind_name != SCORE_DRAFT.name or others[-1] == DraftKind.REASON:
            places.add((batch, item))
    return frozenset(places)


def with_news(
    project: Project,
    news: ScoreNews,
    versions: Mapping[ItemKind, dict[Any, int]],
    ordinals: Mapping[ItemKind, dict[Any, int]],
) -> Project:
    """The project with news in it; the same one if it knows them.

    News about a batch or a rubric that the project does not know wait until it is loaded again.

    Args:
        project: As it is there otherwise.
        news: As they were read from there; none of what was written here since.
        versions: Kind → key → change by which the project has a row; brought up to date.
        ordinals: Kind → key → place of a row in its kind; brought up to date.
    """
    book = project.scoring
    sheets, said = (
        _merged(book, kind, own, news, _Numbers(versions[kind], ordinals[kind]))
        for kind, own in ((SHEET, book.sheets), (COMPARISON, book.comparisons))
    )
    numbers, drafts = _Numbers(versions[SCORE_DRAFT], ordinals[SCORE_DRAFT]), drafts_of(book)
    begun = _merged(book, SCORE_DRAFT, drafts, news, numbers)
    if sheets is book.sheets and said is book.comparisons and begun is drafts:
        return project
    # Of a sheet that was locked meanwhile the draft was put aside, and is there still.
    aside = {
        row.key: row.value
        for row in news.rows.get(SCORE_DRAFT, ())
        if numbers.versions.get(row.key) == row.version
    }
    without = replace(book, sheets=alone(sheets), comparisons=alone(said))
    return replace(project, scoring=with_drafts(without, {**aside, **begun}))


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
        if key[:2] in news.places and key not in read and news.knows(version)
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
    if kind is SCORE_DRAFT:
        return True
    if kind is COMPARISON:
        return row.key.pair in batch.pairs
    rubric = batch.rubric._replace(version=row.value.rubric_version)
    return BatchItemKey(batch.name, row.key.item) in book.items and rubric in book.rubrics
