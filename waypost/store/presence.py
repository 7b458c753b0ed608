"""Who else has a project on a server open: a lock that the server lets go of with a connection."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

from waypost.store.database import login_of, postgresql_engine, sentence

_LOG = logging.getLogger(__name__)

_LOCKS: Final = 0x57617970
"""First number of the advisory locks that mean that a project is open."""

_MOST_NAME_BYTES: Final = 63
"""PostgreSQL cuts longer names of programs."""

_PROJECT: Final = "hashtext(current_schema()) & 2147483647"
_OTHERS: Final = f"""
SELECT DISTINCT usename::text FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'advisory' AND classid = {_LOCKS} AND objid::bigint = {_PROJECT} AND objsubid = 2
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND application_name <> current_setting('application_name') ORDER BY 1
"""  # noqa: S608 - numbers of ours


class Presence:
    """That a project on a server is open here, as long as this object lives and is not closed.

    It has a connection of its own, which does nothing; the server notices when it breaks.

    Args:
        connection: Open, outside a transaction; closed with this.
        program: What the server is to call this program; its own other connections do not count.
    """

    def __init__(self, connection: Connection, program: str) -> None:
        self._connection: Connection | None = connection
        connection.execute(
            text("SELECT set_config('application_name', :program, false)"), {"program": program}
        )
        connection.exec_driver_sql(f"SELECT pg_try_advisory_lock_shared({_LOCKS}, {_PROJECT})")
        # Looked up after saying that one is here: of two that come at once one sees the other.
        self.others: Final = tuple(connection.exec_driver_sql(_OTHERS).scalars())
        """Logins that had it open when it was opened here, by name."""

        self.is_own_twice: Final = login_of(connection) in self.others
        """Whether the same login had it open."""

    @classmethod
    def at(cls, location: Path | str, program: str = "") -> Presence | None:
        """Say that a project is open here; ``None`` for a file, or where the server refuses.

        Args:
            location: Of the project.
            program: See the class; by default this computer and process.
        """
        if isinstance(location, Path):
            return None
        name = program or f"waypost {os.getpid()} {socket.gethostname()}"
        short = name.encode()[:_MOST_NAME_BYTES].decode(errors="ignore")
        try:
            connection = postgresql_engine(location, "the project").connect()
            try:
                return cls(connection.execution_options(isolation_level="AUTOCOMMIT"), short)
            except BaseException:
                connection.close()
                raise
        except Exception as error:  # whatever the server refuses: nobody needs it to work
            reason = sentence(error)
            _LOG.warning("it cannot be told who else has the project open: %s", reason)
            return None

    def close(self) -> None:
        """It is not open here any more."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.close()
            connection.engine.dispose()

    def __del__(self) -> None:
        # What was read may be given up before anybody takes it over.
        self.close()
