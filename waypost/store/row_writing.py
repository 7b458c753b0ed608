"""The statements of one save: only rows in the version last seen are changed or deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Delete, Update, and_, bindparam, delete, insert, update

from waypost.domain.errors import StoreError
from waypost.store import schema
from waypost.store.conflicts import StaleRowsError
from waypost.store.difference import KindDifference
from waypost.store.rows import ItemKind


def add_change(connection: Connection, author: str, time_utc: str, text: str) -> int:
    """Begin the record of a change; returns its number, the version of the rows it writes."""
    values = {"author": author, "time_utc": time_utc, "text": text}
    statement = insert(schema.CHANGES).values(values).returning(schema.CHANGES.c.change_id)
    change_id: int = connection.execute(statement).scalar_one()
    return change_id


def put_rows(
    connection: Connection,
    part: KindDifference,
    stamp: Mapping[str, Any],
    versions: Mapping[Any, int],
) -> None:
    """Add and change the rows of one kind.

    Args:
        connection: In a transaction.
        part: What to write.
        stamp: Version, author and time of each row written.
        versions: The version of each row as this writer last saw it.

    Raises:
        StaleRowsError: If a row is not in that version.
        StoreError: If a value has no place in the database.
    """
    kind = part.kind
    if part.added:
        new = [
            {
                **kind.key_row(key),
                **_columns(kind, key, value),
                **stamp,
                "ordinal": part.ordinals[key],
            }
            for key, value in part.added.items()
        ]
        connection.execute(insert(kind.table), new)
    if part.changed:
        rows = [
            {**_known(kind, key, versions), **_columns(kind, key, value), **stamp}
            for key, value in part.changed.items()
        ]
        _exactly(connection, _update_statement(kind), rows)
    moved = [
        {**_bound_key(kind, key), "ordinal": ordinal}
        for key, ordinal in part.ordinals.items()
        if key not in part.added
    ]
    if moved:
        # The order is no content of a row: its version stays, nobody is refused for it.
        connection.execute(_order_statement(kind), moved)


def remove_rows(connection: Connection, part: KindDifference, versions: Mapping[Any, int]) -> None:
    """Delete the removed rows of one kind; raises as `put_rows`."""
    if part.removed:
        rows = [_known(part.kind, key, versions) for key in part.removed]
        _exactly(connection, _delete_statement(part.kind), rows)


def _exactly(
    connection: Connection, statement: Update | Delete, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Run a statement that must meet one row for each set of values."""
    if connection.execute(statement, rows).rowcount != len(rows):
        raise StaleRowsError


def _columns(kind: ItemKind, key: Any, value: Any) -> dict[str, Any]:
    try:
        return kind.to_row(value)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise StoreError(f"{kind.title(key, value)} cannot be stored: {error}") from error


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


def history(difference: tuple[KindDifference, ...], change_id: int) -> list[dict[str, Any]]:
    """The history rows of a change: which items, and what happened to each."""
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
