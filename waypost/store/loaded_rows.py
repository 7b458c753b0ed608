"""Rows as they were read, and which of them somebody may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from waypost.domain.traverse.team import Team, hidden_labels
from waypost.store.item_kind import ItemKind, RowValues
from waypost.store.item_kinds import DOUBLE_LABEL, DOUBLE_PASSAGE, FINAL_LABEL, PERSON


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


def team_with(team: Team, rows: Mapping[ItemKind, Sequence[LoadedRow]]) -> Team:
    """The team with the labels and decisions of ``shown_rows``."""
    labels, finals = (
        MappingProxyType({row.key: row.value for row in rows[kind]})
        for kind in (DOUBLE_LABEL, FINAL_LABEL)
    )
    return replace(team, labels=labels, finals=finals)
