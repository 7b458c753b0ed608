"""Projects as earlier versions of Waypost kept them."""

from __future__ import annotations

import shutil
from pathlib import Path

from stored_rows import change_rows

from waypost.store.database import for_writing, sqlite_engine
from waypost.store.migration import MIGRATIONS, upgrade

STORE = Path(__file__).parent / "store"


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
    return _rows_of_version(4, folder)


def rows_of_version_9(folder: Path) -> Path:
    """A project with scores and a team as version 9 kept it.

    Of four passages that two label one had a label of ana before, one a label without author.
    """
    return _rows_of_version(9, folder)


def _rows_of_version(version: int, folder: Path) -> Path:
    file = tables_of_version(version, folder)
    rows = STORE / f"version_{version}.sql"
    for statement in rows.read_text(encoding="utf-8").splitlines():
        change_rows(file, statement)
    return file
