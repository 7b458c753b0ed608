"""One child that waits with its libraries loaded, for a window in which people open much."""

from __future__ import annotations

import atexit
import threading
from contextlib import suppress
from typing import Final

from waypost.io.confined.child import Child

_QUIET_S: Final = 3.0


class _Shelf:
    """Holds at most one waiting child."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: Child | None = None
        self._work = ""

    def keep(self, work: str) -> None:
        """From now on have one ready for this work; empty: for none."""
        with self._lock:
            self._work = work
        if work:
            self.fill()
        else:
            self._end()

    def fill(self, delay_s: float = 0.0) -> None:
        """Start one on a thread of its own, if one is to be kept and none waits."""
        if self._work:
            starting = threading.Timer(delay_s, self._start)
            starting.daemon = True
            starting.start()

    def take(self, work: str) -> Child | None:
        """The one that waits, if it is for this work and lives."""
        with self._lock:
            child = self._waiting
            if child is None or child.work != work:
                return None
            self._waiting = None
        if child.is_alive:
            return child
        child.end()
        return None

    @property
    def is_ready(self) -> bool:
        """Whether one waits with its libraries loaded."""
        with self._lock:
            return self._waiting is not None and self._waiting.is_ready

    def _start(self) -> None:
        with self._lock:
            if not self._work or self._waiting is not None:
                return
            with suppress(OSError):
                self._waiting = Child(self._work, loads_ahead=True)

    def _end(self) -> None:
        with self._lock:
            child, self._waiting = self._waiting, None
        if child is not None:
            child.end()


_SHELF: Final = _Shelf()


def take_child(work: str) -> Child:
    """The child that waits for this work, or a new one.

    Raises:
        OSError: If no process can be started.
    """
    return _SHELF.take(work) or Child(work)


def keep_spare_child(work: str) -> None:
    """Have a child with loaded libraries ready for a work from now on; nothing waits for it."""
    _SHELF.keep(work)


def refill() -> None:
    """Start the next one a little later: first a window makes ready what was read."""
    _SHELF.fill(_QUIET_S)


def is_spare_child_ready() -> bool:
    """Whether one waits with its libraries loaded, for measurements and tests."""
    return _SHELF.is_ready


def end_spare_child() -> None:
    """End the child that waits, and keep none from now on."""
    _SHELF.keep("")


atexit.register(end_spare_child)
