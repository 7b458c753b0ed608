"""Saves of which a server has not said how they ended: it may have them, or get them yet."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from sqlalchemy import Connection, text

from waypost.domain.project import Project
from waypost.store.difference import KindDifference
from waypost.store.project_database import ProjectDatabase
from waypost.store.row_reading import number_of
from waypost.store.row_writing import Change


class UntoldWrite(NamedTuple):
    """What was to be written."""

    after: Project
    difference: tuple[KindDifference, ...]
    change: Change


class UntoldWrites:
    """Those of one writer, the oldest first."""

    def __init__(self) -> None:
        self._saves: list[UntoldWrite] = []
        self._lock = secrets.randbits(62)

    def __bool__(self) -> bool:
        return bool(self._saves)

    def begin(self, connection: Connection, save: UntoldWrite) -> None:
        """Note a save, and let others see for how long its transaction is under way.

        Args:
            connection: Of a server, in the transaction that writes.
            save: What is to be written.
        """
        self._saves.append(save)
        self._wait_for_others(connection)

    def refuse(self) -> None:
        """The server has said that it has not taken the last one."""
        del self._saves[-1:]

    def clear(self) -> None:
        """The server has said that it has the last one; those before have failed by that."""
        self._saves.clear()

    def settle(self, database: ProjectDatabase, since: int) -> tuple[UntoldWrite, int] | None:
        """Find out which of them the server has; none is left afterwards.

        Args:
            database: Where to ask.
            since: Number of a change that is older.

        Returns:
            The save, and the number of its change; ``None`` if it has none.

        Raises:
            ReadError: If the project cannot be read.
            StoreError: If it cannot be reached, or one is still under way there.
        """
        found = None
        with database.reading() as connection:
            self._wait_for_others(connection)
        # What a transaction sees is what was there when it began.
        with database.reading() as connection:
            for save in self._saves:
                number = number_of(connection, save.change, since)
                found = found if number is None else (save, number)
        # Not before: the connection may break at the end as well.
        self._saves.clear()
        return found

    def _wait_for_others(self, connection: Connection) -> None:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": self._lock})
