"""Rows of one kind as they are fetched and then read; what fails names its table and row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy import ColumnElement, Connection, select, true

from waypost.store.database import sqlite_code
from waypost.store.item_kind import ItemKind, RowValues
from waypost.store.loaded_rows import LoadedRow, loaded_row, surely_older
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_writing import Change
from waypost.store.schema import CHANGES


def fetch_kind(
    database: ProjectDatabase,
    connection: Connection,
    kind: ItemKind,
    where: ColumnElement[bool] | None = None,
) -> list[RowValues]:
    """The rows of a kind, in order.

    Args:
        database: Says what an error means.
        connection: Of it, in a transaction.
        kind: Which.
        where: Only these rows; all by default.

    Raises:
        ReadError: If they cannot be used.
        StoreError: If the database cannot be reached.
    """
    table = kind.table
    order = [table.c.ordinal, *(table.c[column] for column in kind.key_columns)]
    rows = select(table).where(true() if where is None else where).order_by(*order)
    fetched: list[RowValues] = []
    try:
        fetched.extend(connection.execute(rows).mappings())
    except Exception as error:
        is_of_table = sqlite_code(error) is not None
        place = table.name if is_of_table else f"{table.name}, row {len(fetched) + 1}"
        raise database.read_failure(error, place) from error
    return fetched


def read_rows(
    database: ProjectDatabase,
    kind: ItemKind,
    fetched: Sequence[RowValues],
    loaded: list[LoadedRow],
) -> None:
    """Make values of rows that were fetched, and add them to those that were made before.

    Raises:
        ReadError: If one cannot be used; names it.
    """
    try:
        loaded.extend(map(partial(loaded_row, kind), fetched))
    except Exception as error:
        place = f"{kind.table.name}, row {len(loaded) + 1}"
        raise database.read_failure(error, place) from error


def rows_where(
    database: ProjectDatabase,
    connection: Connection,
    wanted: Mapping[ItemKind, ColumnElement[bool]],
) -> dict[ItemKind, list[LoadedRow]]:
    """Some rows of some kinds as values, each kind in order.

    Args:
        database: Says what an error means.
        connection: Of it, in a transaction.
        wanted: Kind → only these rows of it.

    Raises:
        ReadError: If one cannot be used; names it.
        StoreError: If the database cannot be reached.
    """
    rows: dict[ItemKind, list[LoadedRow]] = {kind: [] for kind in wanted}
    for kind, where in wanted.items():
        read_rows(database, kind, fetch_kind(database, connection, kind, where), rows[kind])
    return rows


def newest_change(connection: Connection) -> tuple[int, str] | None:
    """Number and time of the newest change; ``None`` if there is none."""
    changes = CHANGES.c
    newest = connection.execute(
        select(changes.change_id, changes.time_utc).order_by(changes.change_id.desc()).limit(1)
    ).first()
    return None if newest is None else (newest[0], newest[1])


def changes_after(connection: Connection, change_id: int) -> tuple[Change, ...]:
    """What was changed after a change, by anybody, in order."""
    changes = CHANGES.c
    later = (
        select(changes.author, changes.time_utc, changes.text)
        .where(changes.change_id > change_id)
        .order_by(changes.change_id)
    )
    return tuple(Change(*row) for row in connection.execute(later))


def number_of(connection: Connection, change: Change, since: int) -> int | None:
    """The number of a change, if it is there.

    Args:
        connection: In a transaction.
        change: Its time tells it from all others.
        since: Number of a change that is older.
    """
    columns = CHANGES.c
    same = [columns[name] == value for name, value in change._asdict().items()]
    recent = columns.change_id > surely_older(connection, since)
    return connection.scalar(select(columns.change_id).where(recent, *same))
