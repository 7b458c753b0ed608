"""How a project database is reached: access, connection settings and plain error sentences.

Durability: a rollback journal with ``synchronous=EXTRA`` makes a commit return only when the file
alone holds it, so the one file can be killed, copied or synced at any time. WAL would be faster
but keeps the newest edits in a second file and fails on network drives.
"""

from __future__ import annotations

import os
import re
import sqlite3
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from waypost.domain.base.errors import StoreError
from waypost.domain.base.visible_text import one_line

_MOST_CHARACTERS: Final = 300
"""So much is quoted of what a library says."""

BUSY_TIMEOUT_S: Final = 0.25
"""How long to wait for another window's transaction; short, because the user waits with us."""

_NETWORK_WAITS: Final = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}
"""A server that is gone is given up after half a minute or a minute; libpq by itself waits for a
quarter of an hour, and more. What the address of a project says comes first."""

_SERVER_WAITS: Final = (
    "SET lock_timeout = '2s'; SET tcp_keepalives_idle = 30;"
    " SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
)
"""Nobody waits longer for rows that another one is writing, and who lost power or network in the
middle of that is gone after a minute, not after hours."""

_LOCKED: Final = "55P03"
"""PostgreSQL, appendix A, SQLSTATE lock_not_available."""

_SENTENCES: Final = {
    _LOCKED: "somebody else is writing the same",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "the file or its folder is read-only",
    "SQLITE_CANTOPEN": "the file or its folder cannot be written",
    "SQLITE_PERM": "the file or its folder is read-only",
    "SQLITE_BUSY": "another program is using the file",
    "SQLITE_LOCKED": "another program is using the file",
    "SQLITE_IOERR": "the disk refused to read or write, it may be full",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "the file is not a Waypost project",
}

_PLAIN_TABLE: Final = re.compile(
    r"CREATE TABLE (?!.*\b(?:AS|CHECK|GENERATED)\b)(?!.*\bDEFAULT\b(?!\s+[-+\w'.]))",
    re.DOTALL | re.IGNORECASE,
)
_PLAIN_INDEX: Final = re.compile(r"CREATE (?:UNIQUE )?INDEX [^()]+\([^()]+\)\s*", re.IGNORECASE)


def can_write(file: Path) -> bool:
    """Whether file and folder can be written; the journal needs the folder."""
    effective = os.access in os.supports_effective_ids
    real = file.resolve()
    return os.access(real, os.W_OK, effective_ids=effective) and os.access(
        real.parent, os.W_OK | os.X_OK, effective_ids=effective
    )


def sqlite_engine(file: Path, mode: str) -> Engine:
    """An engine for one SQLite file.

    Args:
        file: Absolute path.
        mode: ``ro``, ``rw`` (never creates) or ``rwc``.
    """
    uri = f"{file.as_uri()}?mode={mode}"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_S
        )

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "connect", _set_pragmas if mode != "ro" else _set_reading_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def image_engine(image: bytes) -> Engine:
    """An engine for one SQLite database in memory.

    Args:
        image: Its bytes, as a file would hold them.
    """

    def connect() -> sqlite3.Connection:
        made = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        made.deserialize(image)
        return made

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "connect", _set_reading_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def image_of(connection: Connection) -> bytes:
    """The bytes of a SQLite database, as a file holds them."""
    raw: Any = connection.connection.dbapi_connection
    return bytes(raw.serialize())


def postgresql_engine(url: str, project: str) -> Engine:
    """An engine for a project on a PostgreSQL server; one for each address, for all threads.

    The first connection asks the server nine things about itself, which take as long as the way
    there; the others do not.

    Args:
        url: Its address.
        project: The same without the password.

    Raises:
        StoreError: If the driver is not installed.
    """
    address = make_url(url)
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    waits = {name: value for name, value in _NETWORK_WAITS.items() if name not in address.query}
    try:
        return _engine_of(address.update_query_dict(waits))
    except ModuleNotFoundError as error:
        reason = "PostgreSQL needs: pip install 'waypost[postgresql]'"
        raise StoreError(project, "driver", reason) from error


@lru_cache(maxsize=16)
def _engine_of(address: URL) -> Engine:
    engine = create_engine(address, isolation_level="REPEATABLE READ", poolclass=NullPool)
    event.listen(engine, "connect", _bound_waits)
    return engine


def for_writing(connection: Connection) -> Connection:
    """Make the next transaction take the write lock when it begins.

    A lock taken later, after reading, could not wait for another writer.
    """
    return connection.execution_options(waypost_writes=True)


def for_reading(connection: Connection) -> Connection:
    """Make the next transaction only read."""
    return connection.execution_options(waypost_writes=False)


def _bound_waits(connection: Any, _: object) -> None:
    # Without a transaction it is one question, not three.
    connection.autocommit = True
    connection.execute(_SERVER_WAITS)
    connection.autocommit = False


def _set_reading_pragmas(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA cell_size_check=ON")


def _set_pragmas(connection: sqlite3.Connection, _: object) -> None:
    for pragma in (
        "cell_size_check=ON",
        "foreign_keys=ON",
        "journal_mode=DELETE",
        "synchronous=EXTRA",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("waypost_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def login_of(connection: Connection) -> str:
    """Who is logged in on a server; empty for a file."""
    if connection.dialect.name != "postgresql":
        return ""
    return str(connection.exec_driver_sql("SELECT current_user").scalar())


def is_not_allowed(error: BaseException | None) -> bool:
    """Whether a server refuses this to who is logged in there.

    Source:
        PostgreSQL, appendix A, SQLSTATE 42501 insufficient_privilege: tables and policies of rows.
    """
    return _sqlstate(error) == "42501"


def _sqlstate(error: BaseException | None) -> str | None:
    """What a server calls an error; ``None`` where it is of none."""
    found: str | None = getattr(getattr(error, "orig", None), "sqlstate", None)
    return found


def acting_part(connection: Connection) -> str | None:
    """What in a SQLite file would run something when it is read or written; ``None`` for nothing.

    A view can go on without end, and a trigger writes or deletes what nobody asked for. Projects
    have plain tables and indexes only, so whatever computes was put there by a stranger. What runs
    is the text alone: the type and the page beside it can say anything.

    Returns:
        Its name.
    """
    if connection.dialect.name != "sqlite":
        return None
    parts = connection.exec_driver_sql("SELECT name, sql, rootpage FROM sqlite_master")
    for name, statement, page in parts:
        made = str(statement)
        is_plain = _PLAIN_TABLE.match(made) or _PLAIN_INDEX.fullmatch(made)
        if not page or not (statement is None or is_plain):
            return str(name)
    return None


def damage(connection: Connection) -> str | None:
    """What SQLite's integrity check finds wrong with the file; ``None`` if nothing."""
    if connection.dialect.name != "sqlite":
        return None
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar()
    return None if found == "ok" else str(found)


def sqlite_code(error: Exception) -> str | None:
    """The primary SQLite error name, e.g. ``SQLITE_BUSY``.

    Returns:
        Empty where Python's own module refused a value; ``None`` for errors of other origin.
    """
    if isinstance(error, UnicodeDecodeError):
        # SQLite quotes a damaged schema in its message, which Python then cannot decode.
        return "SQLITE_CORRUPT"
    original = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(original, sqlite3.Error):
        return None
    name = getattr(original, "sqlite_errorname", "")
    return "_".join(str(name).split("_")[:2])


def sentence(error: Exception) -> str:
    """Why work with a database failed, in words for the user, whatever was raised."""
    known = _SENTENCES.get(sqlite_code(error) or _sqlstate(error) or "")
    if known is not None:
        return known
    if isinstance(error, MemoryError):
        return "this needs more memory than there is"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, DBAPIError):
        return one_line(str(error.orig), _MOST_CHARACTERS)
    if isinstance(error, ValueError | TypeError | sqlite3.Error):
        return one_line(str(error), _MOST_CHARACTERS)
    return one_line(f"{type(error).__name__}: {error}", _MOST_CHARACTERS)
