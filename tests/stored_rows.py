"""What stands in a project file, asked and changed without the program.

Each connection is closed when done: from Python 3.13 on an open one that is dropped warns.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

SET: Final = "UPDATE {} SET payload = json_set(payload, '$.{}', {})"
"""Gives a field of every item in a table another value: table, field, value as SQL has it."""


def stored_rows(file: Path, query: str) -> list[tuple[object, ...]]:
    """The rows of a query."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def change_rows(file: Path, statement: str, values: tuple[object, ...] = ()) -> None:
    """Carry out one statement, and commit it."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)
