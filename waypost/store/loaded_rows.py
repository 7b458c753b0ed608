"""Rows as they were read, and which of them somebody may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from waypost.domain.traverse.team import hidden_labels
from waypost.store.item_kind import ItemKind, RowValues
from waypost.store.item_kinds import DOUBLE_LABEL, DOUBLE_PASSAGE, PERSON


class LoadedRow(NamedTuple):
    """One row, read."""

    key: Any
    value: Any
    version: int
    ordinal: int


def loaded_row(kind: ItemKind, row: RowValues) -> LoadedRow:
    """Make a row of what was fetched; see ``ItemKind.item_of`` for the errors."""
    return LoadedRow(*kind.item_of(row), int(row["row_version"]), int(row["ordinal"]))


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
