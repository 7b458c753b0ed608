"""Whether a file begins as a project: a glance that loads no database and no formats."""

from __future__ import annotations

from pathlib import Path

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import open_for_reading
from waypost.io.foreign_errors import reader
from waypost.store.sqlite_header import SQLITE_HEADER


@reader
def begins_as_project(path: Path) -> bool:
    """Whether the first bytes are those of a project; damage further in shows on opening.

    Raises:
        ReadError: If the file cannot be read.
    """
    with open_for_reading(path) as file:
        return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER


def require_project(path: Path) -> None:
    """Refuse a file that does not begin as a project.

    Raises:
        ReadError: If it does not, or cannot be read.
    """
    if not begins_as_project(path):
        raise ReadError(str(path), "header", "this is no Waypost project")
