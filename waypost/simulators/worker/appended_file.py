"""A file that only grows: what the disk refuses is kept in memory and offered again."""

from __future__ import annotations

import os
import threading
import time

SYNC_EVERY_S = 1.0
"""What was written reaches the disk itself at least this often, for the sake of power cuts."""


_DELETED = "the file was deleted while it was being written"


class AppendedFile:
    """A new file, open for appending; safe to use from two threads.

    ``add`` never waits for the disk. ``write`` gives everything added so far to the operating
    system, which keeps it even if this process is killed.
    """

    def __init__(self, path: str) -> None:
        """Create the file.

        Raises:
            FileExistsError: If there is one of that name; it is left alone.
            OSError: If it cannot be created.
        """
        self.path = path
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._descriptor = os.open(path, flags, 0o666)
        self._pending = bytearray()
        self._pending_lock = threading.Lock()
        self._write_lock = threading.Lock()
        self._problem = ""
        self._sync_problem = ""
        self._is_synced = True
        self._synced_s = time.monotonic()
        self._is_open = True

    @property
    def problem(self) -> str:
        """Why not everything is in the file, or empty."""
        return self._problem or self._sync_problem

    @property
    def unsaved_lines(self) -> int:
        """Line ends that are not in the file yet."""
        with self._pending_lock:
            return self._pending.count(b"\n")

    @property
    def is_saved(self) -> bool:
        """Whether everything added is in the file."""
        with self._pending_lock:
            return not self._pending

    def add(self, data: bytes) -> None:
        """Append these bytes with the next ``write``."""
        with self._pending_lock:
            self._pending += data

    def write(self) -> bool:
        """Write what is pending and, when it is time, have it reach the disk.

        Returns:
            Whether everything is in the file; if not, ``problem`` says why.
        """
        with self._write_lock:
            if not self._is_open:
                return self.is_saved
            try:
                self._write_pending()
                is_deleted = os.fstat(self._descriptor).st_nlink == 0
                self._problem = _DELETED if is_deleted else ""
            except OSError as error:
                self._problem = error.strerror or str(error)
            if time.monotonic() - self._synced_s >= SYNC_EVERY_S:
                self._sync()
            return self.is_saved

    def close(self) -> None:
        """Have everything written reach the disk and close the file."""
        with self._write_lock:
            if self._is_open:
                self._sync()
                self._is_open = False
                os.close(self._descriptor)

    def _write_pending(self) -> None:
        while True:
            with self._pending_lock:
                data = bytes(self._pending)
            if not data:
                return
            # A full disk may take a part of a row; the rest follows later.
            count = os.write(self._descriptor, data)
            self._is_synced = False
            with self._pending_lock:
                del self._pending[:count]

    def _sync(self) -> None:
        self._synced_s = time.monotonic()
        if self._is_synced:
            return
        try:
            os.fsync(self._descriptor)
            self._is_synced = True
        except OSError as error:
            # What the disk lost here cannot be known: the doubt stays for the whole take.
            self._sync_problem = f"the disk did not confirm what was written: {error.strerror}"
