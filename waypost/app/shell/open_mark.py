"""Says that a project is open in another window, of this computer or of another one."""

from __future__ import annotations

import socket
from pathlib import Path

from PySide6.QtCore import QLockFile


class OpenMark:
    """A hidden file beside the open project, for as long as it is open here.

    A window that was killed leaves it; the next one on the same computer finds that nobody is
    there any more. Where the folder cannot be written, or the project is on a server, there is
    none.
    """

    def __init__(self) -> None:
        self._lock: QLockFile | None = None

    def put(self, location: Path | str) -> str:
        """Mark a project as open here, and no other one any more.

        Returns:
            Who has it open already, as a sentence; empty if nobody has, as far as is known.
        """
        self.take_away()
        if not isinstance(location, Path):
            return ""
        lock = QLockFile(str(location.with_name(f".{location.name}.open")))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            self._lock = lock
            return ""
        if lock.error() is not QLockFile.LockError.LockFailedError:
            return ""
        _, host, _ = lock.getLockInfo()
        where = f" on {host}" if host and host != socket.gethostname() else ""
        return (
            f"{location.name} is open in another window of Waypost{where} as well. Both save; where"
            " both change the same item, the second one is told"
        )

    def take_away(self) -> None:
        """The project is not open here any more."""
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
