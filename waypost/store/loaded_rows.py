"""Rows as they were read, and which of them somebody may see."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, select, true, tuple_

from waypost.domain.traverse.team import Team, hidden_labels
from waypost.domain.traverse.traversability import Passage
from waypost.store.item_kind import ItemKind, RowValues
from waypost.store.item_kinds import DOUBLE_LABEL, DOUBLE_PASSAGE, FINAL_LABEL, PERSON
from waypost.store.schema import HISTORY

_AT_ONCE: Final = 20
"""Changes that may be under way at once on a server."""

_MOST_PASSAGES: Final = 500
"""Passages of one question."""


class LoadedRow(NamedTuple):
    """One row, read."""

    key: Any
    value: Any
    version: int
    ordinal: int


def loaded_row(kind: ItemKind, row: RowValues) -> LoadedRow:
    """Make a row of what was fetched; see ``ItemKind.item_of`` for the errors."""
    return LoadedRow(*kind.item_of(row), int(row["row_version"]), int(row["ordinal"]))


def numbered(rows: Sequence[LoadedRow]) -> tuple[list[int], list[LoadedRow]]:
    """Where rows stand that are known by their place, and the same rows numbered from 0.

    They have gaps where one writer took rows out while another added some behind them.
    """
    return [row.key for row in rows], [row._replace(key=n) for n, row in enumerate(rows)]


def visible_rows(rows: Mapping[ItemKind, Sequence[LoadedRow]], viewer: str) -> list[LoadedRow]:
    """The labels of passages that two label which somebody may see.

    The others go no further than here: no view, export or order can show what is not in memory.
    """
    people, doubles, labels = (
        {row.key: row.value for row in rows[kind]}
        for kind in (PERSON, DOUBLE_PASSAGE, DOUBLE_LABEL)
    )
    hidden = hidden_labels(people, doubles, labels, viewer)
    return [row for row in rows[DOUBLE_LABEL] if row.key not in hidden]


def shown_rows(
    rows: Mapping[ItemKind, Sequence[LoadedRow]], team: Team
) -> Mapping[ItemKind, list[LoadedRow]]:
    """What the viewer of a team may see now of labels and decisions about its passages.

    Args:
        rows: Of the team's kinds, as they are in the file now.
        team: As it was read before.
    """
    labels = visible_rows(rows, team.viewer)
    return {
        DOUBLE_LABEL: [row for row in labels if row.key.passage in team.doubles],
        FINAL_LABEL: [row for row in rows[FINAL_LABEL] if row.key in team.doubles],
    }


def surely_older(connection: Connection, change_id: int) -> int:
    """Number of a change after which all are that were written after a change.

    On a server one that has a smaller number may have been written after it.
    """
    return change_id - (_AT_ONCE if connection.dialect.name == "postgresql" else 0)


def touched_passages(connection: Connection, change_id: int) -> frozenset[Passage] | None:
    """The passages about which one of two said something, or somebody decided, after a change.

    Args:
        connection: In a transaction.
        change_id: Number of the change.

    Returns:
        ``None`` where it may be about any: people or dealing changed, or there are very many.
    """
    history, others = HISTORY.c, (PERSON.name, DOUBLE_PASSAGE.name)
    kinds = (DOUBLE_LABEL.name, FINAL_LABEL.name, *others)
    later = history.change_id > surely_older(connection, change_id)
    rows = select(history.kind, history.item).where(later, history.kind.in_(kinds))
    found = connection.execute(rows).all()
    passages = frozenset(
        Passage(*json.loads(item)[:3]) for kind, item in found if kind not in others
    )
    is_any = len(passages) > _MOST_PASSAGES or any(kind in others for kind, _ in found)
    return None if is_any else passages


def is_of(kind: ItemKind, passages: Collection[Passage] | None) -> ColumnElement[bool]:
    """Whether a row is about one of some passages; people are about all, and ``None`` is all."""
    if passages is None or kind is PERSON:
        return true()
    return tuple_(*(kind.table.c[name] for name in Passage._fields)).in_(list(passages))


def note_rows(
    versions: dict[Any, int],
    ordinals: dict[Any, int],
    rows: Sequence[LoadedRow],
    passages: Collection[Passage] | None = None,
) -> None:
    """Note the numbers of rows in place of those of a kind that were there; see ``team_with``."""
    for numbers in (versions, ordinals):
        _drop(numbers, passages)
    versions.update((row.key, row.version) for row in rows)
    ordinals.update((row.key, row.ordinal) for row in rows)


def _drop(items: dict[Any, Any], passages: Collection[Passage] | None) -> None:
    # The passage is the first three parts of its key.
    for key in [key for key in items if passages is None or Passage(*key[:3]) in passages]:
        del items[key]


def team_with(
    team: Team, rows: Mapping[ItemKind, Sequence[LoadedRow]], passages: Collection[Passage] | None
) -> Team:
    """The team with the labels and decisions of ``shown_rows``.

    Args:
        team: As it was read before.
        rows: All of some passages.
        passages: Which; ``None`` for all.
    """
    labels, finals = dict(team.labels), dict(team.finals)
    for items, kind in ((labels, DOUBLE_LABEL), (finals, FINAL_LABEL)):
        _drop(items, passages)
        items.update((row.key, row.value) for row in rows[kind])
    return replace(team, labels=MappingProxyType(labels), finals=MappingProxyType(finals))
