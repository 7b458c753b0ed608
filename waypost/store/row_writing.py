"""The statements of one save: only rows in the version last seen are changed or deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Delete, Update, and_, bindparam, delete, insert, update

from waypost.domain.base.errors import StoreError
from waypost.domain.score.batch import ScoreBatch
from waypost.store import schema
from waypost.store.conflicts import StaleRowsError, labels_of_one_and_two
from waypost.store.database import sentence
from waypost.store.difference import KindDifference
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import BATCH


class Change(NamedTuple):
    """Who changes what, and when."""

    author: str
    time_utc: str
    text: str
    """What the change is called."""


def close_gaps(connection: Connection, places: Sequence[int]) -> None:
    """Number questions from 0 in the order in which they were read.

    Args:
        connection: In a transaction.
        places: Where each of them stands.

    Raises:
        sqlalchemy.exc.IntegrityError: If somebody has put another one there since.
    """
    table = schema.TASKS
    for number, place in enumerate(places):
        if number != place:
            moved = update(table).where(table.c.place == place).values(place=number)
            connection.execute(moved)


def write_change(
    connection: Connection,
    project: str,
    difference: tuple[KindDifference, ...],
    versions: Mapping[ItemKind, Mapping[Any, int]],
    change: Change,
) -> int:
    """Write every row of a difference, and the record of it.

    Args:
        connection: In a transaction.
        project: The file as the user named it.
        difference: What to write.
        versions: The version of each row as this writer last saw it.
        change: Recorded in the history and in each row.

    Returns:
        The number of the change, which is the version of the rows it wrote.

    Raises:
        StaleRowsError: If a row is not in the version last seen, or a label would be lost.
        StoreError: If a value has no place in the database.
        sqlalchemy.exc.IntegrityError: If rows are there already, or needed by others.
    """
    statement = insert(schema.CHANGES).values(change._asdict())
    added = connection.execute(statement.returning(schema.CHANGES.c.change_id))
    change_id: int = added.scalar_one()
    stamp = {
        "row_version": change_id,
        "changed_by": change.author,
        "changed_utc": change.time_utc,
    }
    for part in difference:
        _put_rows(connection, project, part, stamp, versions[part.kind])
    for part in reversed(difference):
        _remove_rows(connection, part, versions[part.kind])
    if next(labels_of_one_and_two(connection, difference), None) is not None:
        raise StaleRowsError
    connection.execute(insert(schema.HISTORY), _history(difference, change_id))
    return change_id


def _put_rows(
    connection: Connection,
    project: str,
    part: KindDifference,
    stamp: Mapping[str, Any],
    versions: Mapping[Any, int],
) -> None:
    kind = part.kind
    if part.added:
        new = [
            {
                **kind.key_row(key),
                **_columns(project, kind, key, value),
                **stamp,
                "ordinal": part.ordinals[key],
            }
            for key, value in part.added.items()
        ]
        connection.execute(insert(kind.table), new)
    if part.changed:
        rows = [
            {**_known(kind, key, versions), **_columns(project, kind, key, value), **stamp}
            for key, value in part.changed.items()
        ]
        _exactly(connection, _update_statement(kind), rows)
    if kind is BATCH:
        _put_dealing(connection, {**part.added, **part.changed})
    moved = [
        {**_bound_key(kind, key), "ordinal": ordinal}
        for key, ordinal in part.ordinals.items()
        if key not in part.added
    ]
    if moved:
        # The order is no content of a row: its version stays, nobody is refused for it.
        connection.execute(_order_statement(kind), moved)


def _put_dealing(connection: Connection, batches: Mapping[str, ScoreBatch]) -> None:
    """Write beside some batches who is dealt what; it goes with its batch."""
    table = schema.DEALT_ITEMS
    rows = [
        {"batch": name, "item": item, "rater": rater}
        for name, batch in batches.items()
        for rater, own in batch.assigned.items()
        for item in dict.fromkeys(own)
    ]
    if batches:
        connection.execute(delete(table).where(table.c.batch.in_(list(batches))))
    if rows:
        connection.execute(insert(table), rows)


def _remove_rows(connection: Connection, part: KindDifference, versions: Mapping[Any, int]) -> None:
    if part.removed:
        rows = [_known(part.kind, key, versions) for key in part.removed]
        _exactly(connection, _delete_statement(part.kind), rows)


def _exactly(
    connection: Connection, statement: Update | Delete, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Run a statement that must meet one row for each set of values."""
    if connection.execute(statement, rows).rowcount != len(rows):
        raise StaleRowsError


def _columns(project: str, kind: ItemKind, key: Any, value: Any) -> dict[str, Any]:
    try:
        return kind.to_row(value)
    except Exception as error:
        reason = f"{kind.title(key, value)} cannot be stored: {sentence(error)}"
        raise StoreError(project, kind.table.name, reason) from error


def _bound_key(kind: ItemKind, key: Any) -> dict[str, Any]:
    return {f"key_{column}": part for column, part in kind.key_row(key).items()}


def _known(kind: ItemKind, key: Any, versions: Mapping[Any, int]) -> dict[str, Any]:
    return {**_bound_key(kind, key), "known_version": versions.get(key)}


@cache
def _update_statement(kind: ItemKind) -> Update:
    table = kind.table
    values = [c.name for c in table.c if c.name not in {*kind.key_columns, "ordinal"}]
    known = and_(_key_matches(kind), table.c.row_version == bindparam("known_version"))
    return update(table).where(known).values({name: bindparam(name) for name in values})


@cache
def _delete_statement(kind: ItemKind) -> Delete:
    return delete(kind.table).where(
        and_(_key_matches(kind), kind.table.c.row_version == bindparam("known_version"))
    )


@cache
def _order_statement(kind: ItemKind) -> Update:
    return update(kind.table).where(_key_matches(kind)).values(ordinal=bindparam("ordinal"))


def _key_matches(kind: ItemKind) -> Any:
    return and_(*(kind.table.c[name] == bindparam(f"key_{name}") for name in kind.key_columns))


def _history(difference: tuple[KindDifference, ...], change_id: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for part in difference:
        actions = {
            **dict.fromkeys((k for k in part.ordinals if k not in part.added), "reordered"),
            **dict.fromkeys(part.added, "added"),
            **dict.fromkeys(part.changed, "changed"),
            **dict.fromkeys(part.removed, "deleted"),
        }
        rows += [
            {
                "change_id": change_id,
                "kind": part.kind.name,
                "item": part.kind.item_text(key),
                "action": action,
            }
            for key, action in actions.items()
        ]
    return rows
