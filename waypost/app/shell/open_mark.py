"""Says that a project is open in another window, of this computer or of another one."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile

from waypost.app.shell.project_address import open_elsewhere, others_words, place_name

if TYPE_CHECKING:
    from waypost.store.presence import Presence


class OpenMark:
    """A hidden file beside the open project, for as long as it is open here; else a ``Presence``.

    A window that was killed leaves the file; the next one on the same computer finds that nobody
    is there any more. Where the folder cannot be written there is none.
    """

    def __init__(self) -> None:
        self._lock: QLockFile | None = None
        self._presence: Presence | None = None
        self.is_own_twice = False
        """Whether the same person may have it open in another window of this computer."""

    def put(self, location: Path | str, presence: Presence | None = None) -> str:
        """Mark a project as open here, and no other one any more.

        Args:
            location: Of the project.
            presence: On a server, as it was read.

        Returns:
            Who has it open already, as a sentence; empty if nobody has, as far as is known.
        """
        self.take_away()
        if not isinstance(location, Path):
            self._presence = presence
            self.is_own_twice = presence is not None and presence.is_own_twice
            others = () if presence is None else presence.others
            return others_words(place_name(location), others)
        lock = QLockFile(str(location.with_name(f".{location.name}.open")))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            self._lock = lock
            return ""
        if lock.error() is not QLockFile.LockError.LockFailedError:
            return ""
        self.is_own_twice = True
        _, host, _ = lock.getLockInfo()
        where = f" on {host}" if host and host != socket.gethostname() else ""
        return open_elsewhere(location.name, where)

    def take_away(self) -> None:
        """The project is not open here any more."""
        self.is_own_twice = False
        if self._presence is not None:
            self._presence.close()
            self._presence = None
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
