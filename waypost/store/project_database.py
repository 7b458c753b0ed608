"""The open connection to one project: who may write, which file it is, what an error means."""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

from sqlalchemy import Connection, make_url, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from waypost.domain.base.errors import ConflictError, ReadError, StoreError, WaypostError
from waypost.domain.base.visible_text import one_line
from waypost.store import schema
from waypost.store.conflicts import StaleRowsError
from waypost.store.database import (
    acting_part,
    can_write,
    damage,
    for_reading,
    for_writing,
    image_engine,
    postgresql_engine,
    sentence,
    sqlite_code,
    sqlite_engine,
)

_log = logging.getLogger(__name__)

_TURN_S: Final = 2.0
"""A look takes some milliseconds; whoever waits longer goes on, and may find the file in use."""

_TURNS: Final = defaultdict[Path, Lock](Lock)
_UNREADABLE: Final = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", ""}
"""The empty one: a value that is no UTF-8."""


class ProjectDatabase:
    """One project database and at most one connection to it.

    After any failure the connection is closed and the next use opens a new one, so that a disk
    that comes back, or a file that becomes writable, is found without restarting.

    Args:
        location: The absolute path of a SQLite file, or a ``postgresql://`` URL.
        title: What errors call it; by default the location.
        may_create: Whether a missing file is made.

    Raises:
        StoreError: If the URL is none.
    """

    def __init__(self, location: Path | str, *, title: str = "", may_create: bool = False) -> None:
        self.location: Final = location
        self.title: Final = title or _title_of(location)
        """The project as the user named it; of a server the address without the password."""

        self.known_change: tuple[int, str] | None = None
        """Number and time of the newest change known here, to recognise the file by."""

        self._file: Final = location if isinstance(location, Path) else None
        self._may_create = may_create
        self._connection: Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._image: bytes | None = None
        self._mode = ""

    @property
    def is_read_only(self) -> bool:
        """Whether the last connection could only read."""
        return self._mode == "ro"

    def read_image(self, image: bytes) -> None:
        """Read from now on a database in memory in place of the file, which is never written then.

        Args:
            image: Bytes of the database: of a read-only file of an older version, brought up to
                date.
        """
        self.close()
        self._image = image

    def again(self) -> ProjectDatabase:
        """The same database, with a connection of its own."""
        other = ProjectDatabase(self.location, title=self.title)
        other._image = self._image
        return other

    def close(self) -> None:
        """Close the connection; a transaction in progress is rolled back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except Exception:  # whatever its driver finds wrong with it
                # The connection is broken already; its file handle goes with it.
                connection.invalidate()
            connection.engine.dispose()

    def check_file(self) -> None:
        """Refuse what cannot be a project before the database opens it.

        Raises:
            ReadError: If the file is missing, a folder, empty, damaged or no database, or holds
                what acts by itself.
            StoreError: If another program keeps it locked.
        """
        if self._file is not None:
            if not self._file.exists():
                raise self._unreadable("there is no such file")
            if not self._file.is_file():
                raise self._unreadable("is not a file")
            if self._file.stat().st_size == 0:
                raise self._unreadable("the file is empty, it is not a Waypost project")
            if not os.access(self._file, os.R_OK):
                raise self._unreadable("you are not allowed to read it")
        with self.reading() as connection:
            acting = acting_part(connection)
            # The check of a file computes what it says is to be computed.
            found = damage(connection) if acting is None else None
        if acting is not None:
            reason = "is a view, a trigger or something else that acts by itself; no project has it"
            raise ReadError(self.title, one_line(acting), reason)
        if found is not None:
            raise self._unreadable(f"the file is damaged ({' '.join(found.split())})")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One transaction that reads; whatever fails in it is one of Waypost's own errors.

        Raises:
            ReadError: If the file is damaged or no database.
            StoreError: If the database cannot be reached.
        """
        try:
            connection = for_reading(self._connected())
            with connection.begin():
                yield connection
        except WaypostError:
            raise
        except Exception as error:
            self.close()
            raise self.read_failure(error) from error

    @contextmanager
    def looking(self) -> Iterator[Connection]:
        """As ``reading``, for what nobody has asked for: a save in this process waits for its end.

        To a save that is under way meanwhile the file would be in use by another program.
        """
        with _turn(self._file), self.reading() as connection:
            yield connection

    def read_failure(self, error: Exception, place: str = "file") -> ReadError | StoreError:
        """What to raise for an error that SQLite, SQLAlchemy, JSON or a codec raised in reading.

        Args:
            error: Of any kind; its traceback goes to the log.
            place: Where in the project, as far as it is known.
        """
        _log.debug("%s: %s: cannot be read", self.title, place, exc_info=error)
        code = sqlite_code(error)
        is_of_server = self._file is None and isinstance(error, SQLAlchemyError)
        if is_of_server or (code is not None and code not in _UNREADABLE):
            return StoreError(self.title, place, sentence(error))
        return ReadError(self.title, place, sentence(error))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that writes, committed at the end, rolled back on any error.

        Whatever fails in it is one of the errors below.

        Raises:
            StoreError: If nothing could be written; the file is as before.
            ConflictError: If the file was replaced by another one.
            StaleRowsError: As raised inside.
            sqlalchemy.exc.IntegrityError: If the rows no longer fit what is in the file.
        """
        try:
            with _turn(self._file):
                connection = for_writing(self._connected(for_writing=True))
                with connection.begin():
                    yield connection
        except (WaypostError, StaleRowsError):
            raise
        except IntegrityError:
            self.close()
            raise
        except Exception as error:
            self.close()
            _log.debug("%s: cannot be written", self.title, exc_info=error)
            raise StoreError(self.title, "file", sentence(error)) from error

    def _connected(self, *, for_writing: bool = False) -> Connection:
        if self._image is not None and for_writing:
            reason = "is read-only and of an older version; open it again once it can be written"
            raise StoreError(self.title, "file", reason)
        if self._file is not None and self._image is None:
            self._follow_file(self._file, for_writing=for_writing)
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _connect(self) -> Connection:
        if self._image is not None:
            self._mode = "ro"
            return image_engine(self._image).connect()
        if self._file is None:
            return postgresql_engine(str(self.location), self.title).connect()
        if self._may_create:
            self._mode = "rwc"
        else:
            self._mode = "rw" if can_write(self._file) else "ro"
        return sqlite_engine(self._file, self._mode).connect()

    def _follow_file(self, file: Path, *, for_writing: bool) -> None:
        if self._may_create:
            return
        try:
            status = os.stat(file)  # noqa: PTH116 - one call for both numbers
        except OSError as error:
            self.close()
            reason = "the file was moved or deleted while it was open"
            raise StoreError(self.title, "file", reason) from error
        identity = (status.st_dev, status.st_ino)
        if identity != self._identity:
            self.close()
            self._connection = self._connect()
            self._check_is_ours(self._connection)
        self._identity = identity
        if for_writing and self.is_read_only:
            if not can_write(file):
                raise StoreError(self.title, "file", "the file or its folder is read-only")
            self.close()

    def _check_is_ours(self, connection: Connection) -> None:
        """A file with our newest change in it is ours even if it was copied back."""
        if self.known_change is None:
            return
        number, time_utc = self.known_change
        changes = schema.CHANGES.c
        with for_reading(connection).begin():
            found = connection.scalar(select(changes.time_utc).where(changes.change_id == number))
        if found != time_utc:
            self.close()
            reason = "another file took its place while it was open"
            raise ConflictError(self.title, "file", reason)

    def _unreadable(self, reason: str) -> ReadError:
        return ReadError(self.title, "file", reason)


@contextmanager
def _turn(file: Path | None) -> Iterator[None]:
    """One at a time of the looks at a file and the saves to it that this process makes."""
    if file is None:
        yield
        return
    turns = _TURNS[file]
    is_ours = turns.acquire(timeout=_TURN_S)
    try:
        yield
    finally:
        if is_ours:
            turns.release()


def _title_of(location: Path | str) -> str:
    if isinstance(location, Path):
        return str(location)
    try:
        return make_url(location).render_as_string()
    except Exception as error:  # what it says of an address quotes its password
        reason = "is no address like postgresql://USER@HOST/DATABASE"
        raise StoreError("postgresql://…", "address", reason) from error
