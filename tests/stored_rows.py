"""What stands in a project file, asked without the program."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def stored_rows(file: Path, query: str) -> list[tuple[object, ...]]:
    """The rows of a query."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()
