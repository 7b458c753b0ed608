"""Reads the records of an LMDB database: what the child does for ``vlnpe_lmdb``.

The only module that reads with the library of LMDB, which maps the file and dies of what is wrong
in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import lmdb

from waypost.domain.base.errors import ReadError
from waypost.io.confined.works import Handover, Piece, Steps
from waypost.io.logs.lmdb_pages import check_pages

DATA: Final = "data.mdb"


def hand_over_records(path: Path) -> Steps:
    """Yield key and value of every record, in the order of the keys.

    Args:
        path: The folder of the database.

    Raises:
        ReadError: If it is no LMDB database, or not whole.
    """
    check_pages(path, path / DATA)
    try:
        with (
            lmdb.open(str(path), readonly=True, lock=False, subdir=True) as database,
            database.begin() as transaction,
        ):
            for key, value in transaction.cursor():
                yield Piece((bytes(key), bytes(value)))
    except lmdb.Error as error:
        raise ReadError(str(path), "file", f"is no whole LMDB database: {error}") from error
    return Handover({})
