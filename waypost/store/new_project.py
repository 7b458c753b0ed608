"""Writes the tables and the first rows of a new project, whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from waypost.domain.base.errors import StoreError
from waypost.domain.project import Project
from waypost.store.difference import project_difference
from waypost.store.item_kind import ItemKind
from waypost.store.item_kinds import KINDS
from waypost.store.migration import make_tables
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_writing import Change, write_change

Clock = Callable[[], datetime]
"""Returns the time now, with a time zone."""


def fill(database: ProjectDatabase, project: Project, author: str, clock: Clock) -> None:
    """Make the tables and the first rows, in one transaction."""
    time_utc = clock().astimezone(UTC).isoformat()
    nothing: dict[ItemKind, dict[Any, int]] = {kind: {} for kind in KINDS}
    try:
        with database.writing() as connection:
            make_tables(connection)
            difference = project_difference(None, project, nothing)
            change = Change(author, time_utc, "Create")
            write_change(connection, database.title, difference, nothing, change)
    finally:
        database.close()


def create_file(
    location: Path, project: Project, author: str, clock: Clock, *, overwrite: bool
) -> None:
    """Write a project into a file of its own.

    Raises:
        StoreError: If there is one already and ``overwrite`` is not set, or it cannot be written.
    """
    path = location.absolute()
    if path.exists() and not overwrite:
        raise StoreError(str(location), "file", "the file exists already")
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    database = ProjectDatabase(draft, title=str(location), may_create=True)
    try:
        fill(database, project, author, clock)
        # A journal left by a killed program at this name would be replayed into our file.
        path.with_name(path.name + "-journal").unlink(missing_ok=True)
        draft.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(str(location), "file", f"cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut; Windows cannot open folders and does it itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
