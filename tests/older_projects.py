"""Projects as earlier versions of Waypost kept them."""

from __future__ import annotations

import shutil
from pathlib import Path

from stored_rows import change_rows

from waypost.store.database import for_writing, sqlite_engine
from waypost.store.migration import MIGRATIONS, upgrade

VERSION_4 = Path(__file__).parent / "store" / "version_4.sql"


def migrations_until(version: int, folder: Path) -> Path:
    """The shipped migrations without those that came after a version."""
    first = folder / "only-first"
    shutil.copytree(MIGRATIONS, first, dirs_exist_ok=True)
    for later in (first / "versions").glob("[0-9]*.py"):
        if int(later.name[:4]) > version:
            later.unlink()
    return first


def tables_of_version(version: int, folder: Path) -> Path:
    """A file with the tables of an earlier Waypost, empty."""
    file = folder / "old.waypost"
    engine = sqlite_engine(file, "rwc")
    with for_writing(engine.connect()) as connection, connection.begin():
        upgrade(connection, migrations_until(version, folder))
    engine.dispose()
    return file


def rows_of_version_4(folder: Path) -> Path:
    """A project with an item of every kind as version 4 kept it."""
    file = tables_of_version(4, folder)
    for statement in VERSION_4.read_text().splitlines():
        change_rows(file, statement)
    return file
