"""Says when a QObject dies outside its thread: a switch for debugging, always on in the tests.

Qt tells of every QObject that is made or destroyed through two hooks meant for tools that look
into programs (``qtHookData``). They see all of them: those that Python's collector destroys, those
whose last reference goes on another thread, and the children that go with them.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

import PySide6.QtCore

SWITCH: Final = "WAYPOST_DEBUG_QOBJECTS"
"""Environment variable: ``1`` says it on standard error, a path adds it to that file as well."""

_VERSION, _SIZE, _ADD, _REMOVE = 0, 1, 3, 4
_HOOK_COUNT: Final = 7
_KNOWN_VERSION: Final = 3
_HOOK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class ObjectDeath:
    """A QObject that died outside its thread."""

    made_at: str
    """File, line and function; empty if Python did not make it."""

    died_at: str
    """The same of what destroyed it; empty if that was not Python."""

    thread: str
    """Name of the thread it died in."""

    def __str__(self) -> str:
        return (
            f"a QObject died outside its thread: made at {self.made_at or 'a place unknown'},"
            f" destroyed in {self.thread} at {self.died_at or 'a place unknown'}"
        )


class ObjectDeathWatch:
    """Hears of every QObject between ``start`` and ``stop``; there can be one at a time.

    Args:
        tell: Called with each `ObjectDeath`, in the thread it happens in.
    """

    def __init__(self, tell: Callable[[ObjectDeath], None]) -> None:
        self._tell = tell
        self._made: dict[int, str] = {}
        self._qt = _Qt()
        # Held, because Qt calls them for as long as they are in force.
        self._hooks = (_HOOK(self._on_made), _HOOK(self._on_destroyed))

    @property
    def made_alive(self) -> dict[int, str]:
        """Every QObject made by Python that lives: its address, and where it was made."""
        return dict(self._made)

    def start(self) -> None:
        """Begin to hear.

        Raises:
            OSError: If this Qt has no such hooks, or something else uses them.
        """
        self._qt.hook(*(ctypes.cast(hook, ctypes.c_void_p).value or 0 for hook in self._hooks))
        # A hook that is called while Python goes down would crash it.
        atexit.register(self.stop)

    def stop(self) -> None:
        """Hear no more."""
        atexit.unregister(self.stop)
        self._qt.hook(0, 0)
        self._made.clear()

    def _on_made(self, address: int) -> None:
        place = _place(_caller())
        if place:
            self._made[address] = place

    def _on_destroyed(self, address: int) -> None:
        made_at = self._made.pop(address, "")
        if self._qt.is_in_its_thread(address):
            return
        died_at = _place(_caller())
        if made_at or died_at:
            self._tell(ObjectDeath(made_at, died_at, _thread_name()))


class _Qt:
    """The few functions of Qt that work on an address.

    Raises:
        OSError: If this Qt does not have them under these names.
    """

    def __init__(self) -> None:
        # Names are looked up in the libraries it is linked with as well. Only what takes a lock
        # of Qt lets other threads have Python meanwhile.
        library, patient = (load(PySide6.QtCore.__file__) for load in (ctypes.PyDLL, ctypes.CDLL))
        try:
            self._data = (ctypes.c_size_t * _HOOK_COUNT).in_dll(library, "qtHookData")
            self._thread_of = library["_ZNK7QObject6threadEv"]
            self._current_thread = library["_ZN7QThread13currentThreadEv"]
            self._is_finished = patient["_ZNK7QThread10isFinishedEv"]
        except (AttributeError, ValueError) as error:
            raise OSError(f"this Qt cannot be watched: {error}") from error
        self._thread_of.argtypes = self._is_finished.argtypes = [ctypes.c_void_p]
        self._thread_of.restype = self._current_thread.restype = ctypes.c_void_p
        self._is_finished.restype = ctypes.c_bool

    def hook(self, add: int, remove: int) -> None:
        """Put functions in force by their addresses; 0 for none."""
        if self._data[_VERSION] != _KNOWN_VERSION or self._data[_SIZE] < _HOOK_COUNT:
            raise OSError(f"this Qt cannot be watched: hooks of version {self._data[_VERSION]}")
        if add and (self._data[_ADD] or self._data[_REMOVE]):
            raise OSError("this Qt is watched by something else already")
        self._data[_ADD], self._data[_REMOVE] = add, remove

    def is_in_its_thread(self, address: int) -> bool:
        """Whether the thread at hand may destroy an object; any may when its own has ended."""
        owner = self._thread_of(address)
        return owner is None or owner == self._current_thread() or self._is_finished(owner)


def _caller() -> FrameType | None:
    """What Python was doing in this thread when Qt called."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to ask in C's callback
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame


def _place(frame: FrameType | None) -> str:
    if frame is None:
        return ""
    return f"{frame.f_code.co_filename}:{frame.f_lineno} ({frame.f_code.co_qualname})"


def _thread_name() -> str:
    # Asking for the current thread would make a record of one that Python did not start.
    number = threading.get_ident()
    names = [thread.name for thread in threading.enumerate() if thread.ident == number]
    return names[0] if names else f"thread {threading.get_native_id()}"


_WATCHES: list[ObjectDeathWatch] = []


def watch_deaths_if_asked() -> None:
    """Begin to watch if the environment asks for it and nobody does yet."""
    wanted = os.environ.get(SWITCH, "")
    if wanted in {"", "0"} or _WATCHES:
        return
    path = None if wanted == "1" else Path(wanted)

    def tell(death: ObjectDeath) -> None:
        sys.stderr.write(f"{death}\n")
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{death}\n")

    try:
        watch = ObjectDeathWatch(tell)
        watch.start()
    except OSError as error:
        sys.stderr.write(f"{SWITCH}: {error}\n")
        return
    _WATCHES.append(watch)


def the_watch() -> ObjectDeathWatch | None:
    """The watch of this process, if the environment asked for one."""
    return _WATCHES[0] if _WATCHES else None
