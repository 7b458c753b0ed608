"""Says when a QObject dies outside its thread: a switch for debugging, always on in the tests.

Python tells when it destroys an object that has a finalizer: QObject gets one, and every class
below inherits it. Objects of PySide's own classes are finalized only if they are part of a cycle;
a weak reference tells of the others.

Qt has hooks for tools that see every QObject (``qtHookData``). They do not serve here: Qt's own
threads would wait in them for Python, which the window's thread holds while it waits for Qt's.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, Final

import shiboken6
from PySide6.QtCore import QObject, QThread

SWITCH: Final = "WAYPOST_DEBUG_QOBJECTS"
"""Environment variable: ``1`` says it on standard error, a path adds it to that file as well."""


@dataclass(frozen=True, slots=True)
class ObjectDeath:
    """A QObject that died outside its thread, with its children if it had any."""

    kind: str
    """Name of its class."""

    made_at: str
    """File, line and function."""

    died_at: str
    """The same of what destroyed it."""

    thread: str
    """Name of the thread it died in."""

    def __str__(self) -> str:
        return (
            f"{self.kind} died outside its thread: made at {self.made_at},"
            f" destroyed in {self.thread} at {self.died_at}"
        )


@dataclass(frozen=True, slots=True)
class _Birth:
    kind: str
    thread: int
    code: CodeType
    line: int
    reference: weakref.ref[QObject] | None
    """Of an object that may die without a finalizer."""

    @property
    def place(self) -> str:
        return _place(self.code, self.line)


class ObjectDeathWatch:
    """Hears of QObjects that Python makes between ``start`` and ``stop``; one at a time.

    Args:
        tell: Called with each `ObjectDeath`, in the thread it happens in.
    """

    def __init__(self, tell: Callable[[ObjectDeath], None]) -> None:
        self._tell = tell
        self._births: dict[int, _Birth] = {}
        self._main = threading.get_ident()
        self._collecting = 0

    def start(self) -> None:
        """Begin to hear.

        Raises:
            RuntimeError: If another one hears already.
        """
        classes: Any = type(QObject)
        if "__call__" in vars(classes):
            raise RuntimeError("QObjects are watched already")
        make = classes.__call__

        # What every class of PySide is called through, QPoint as well as QTimer.
        def made(cls: type, *arguments: object, **keywords: object) -> object:
            thing = make(cls, *arguments, **keywords)
            if isinstance(thing, QObject):
                self._on_made(thing, sys._getframe(1).f_code, sys._getframe(1).f_lineno)  # noqa: SLF001
            return thing

        def finalize(dying: QObject) -> None:
            self._on_finalized(dying)

        gc.callbacks.append(self._on_collection)
        classes.__call__ = made
        QObject.__del__ = finalize  # type: ignore[attr-defined]
        # Nothing may be called while Python goes down.
        atexit.register(self.stop)

    def stop(self) -> None:
        """Hear no more."""
        atexit.unregister(self.stop)
        classes: Any = type(QObject)
        gc.callbacks.remove(self._on_collection)
        del classes.__call__
        del QObject.__del__  # type: ignore[attr-defined]
        self._births.clear()

    def _on_made(self, thing: QObject, code: CodeType, line: int) -> None:
        key, kind = id(thing), type(thing)
        reference = None
        if kind.__module__.startswith("PySide6.") and thing.parent() is None:
            reference = weakref.ref(thing, lambda _: self._on_dropped(key))
        self._births[key] = _Birth(kind.__qualname__, threading.get_ident(), code, line, reference)

    def _on_finalized(self, dying: QObject) -> None:
        birth = self._births.pop(id(dying), None)
        home = self._main if birth is None else birth.thread
        if threading.get_ident() == home or not shiboken6.isValid(dying):
            return
        # What Qt owns outlives what Python knows of it.
        if shiboken6.ownedByPython(dying) and not _is_at_home(dying):
            self._say(birth, type(dying).__qualname__)

    def _on_collection(self, phase: str, _information: dict[str, int]) -> None:
        self._collecting = threading.get_ident() if phase == "start" else 0

    def _on_dropped(self, key: int) -> None:
        if threading.get_ident() == self._collecting:
            # It is finalized next, which tells more.
            return
        birth = self._births.pop(key, None)
        if birth is not None and threading.get_ident() != birth.thread:
            self._say(birth, birth.kind)

    def _say(self, birth: _Birth | None, kind: str) -> None:
        frame = sys._getframe(1)  # noqa: SLF001 - there is no other way to ask who destroys
        while frame.f_back is not None and frame.f_code.co_filename == __file__:
            frame = frame.f_back
        made_at = "a place unknown" if birth is None else birth.place
        died_at = _place(frame.f_code, frame.f_lineno)
        self._tell(ObjectDeath(kind, made_at, died_at, _thread_name()))


def _is_at_home(thing: QObject) -> bool:
    """Whether the thread at hand may destroy an object; any may when its own has ended."""
    owner: QThread | None = thing.thread()
    if owner is None or owner.isFinished():
        return True
    current = QThread.currentThread()
    return bool(shiboken6.getCppPointer(owner) == shiboken6.getCppPointer(current))


def _place(code: CodeType, line: int) -> str:
    return f"{code.co_filename}:{line} ({code.co_qualname})"


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

    watch = ObjectDeathWatch(tell)
    watch.start()
    _WATCHES.append(watch)


def the_watch() -> ObjectDeathWatch | None:
    """The watch of this process, if the environment asked for one."""
    return _WATCHES[0] if _WATCHES else None
