"""Has a child do a work, in steps; whatever becomes of the child is one sentence here."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.exit_codes import KILLED, words_of_end
from waypost.domain.base.progress import Progress
from waypost.io.confined.child import Child
from waypost.io.confined.frames import PipeFrame
from waypost.io.confined.limits import (
    ReadingLimits,
    limits_in_force,
    memory_sentence,
    time_sentence,
)
from waypost.io.confined.spare_child import refill, take_child
from waypost.io.confined.works import Handover, Piece, Steps

_LOOK_S: Final = 0.05
"""How often memory, time and a wish to cancel are looked at while the child is silent."""

_END_S: Final = 2.0
_MOST_TEXT: Final = 4000
_LACK_OF_MEMORY: Final = ("bad_alloc", "Cannot allocate memory", "out of memory", "MemoryError")
_ALMOST_ALL: Final = 0.8

_log = logging.getLogger(__name__)


def ask_child(work: str, file: Path, arguments: Mapping[str, Any]) -> Steps:
    """Have a file read in a child of its own.

    Closing the generator ends the child at once. While the child is silent the newest progress is
    reported again and again, so that one long call in it can be cancelled as well.

    Args:
        work: One of ``WORKS``.
        file: As the user named it.
        arguments: JSON values for the function of the work.

    Yields:
        The progress and the pieces of the work.

    Returns:
        What it handed over.

    Raises:
        ReadError: If it refuses the file, takes too much memory or time, or dies.
        InputError: If it refuses an argument.
    """
    yield Progress(0, 0, f"Opening {file.name}")
    try:
        child = take_child(work)
    except OSError as error:
        reason = f"no process can be started to read it: {error.strerror or error}"
        raise ReadError(str(file), "file", reason) from error
    made: Handover | None = None
    try:
        made = yield from _Asking(child, file, limits_in_force()).steps(arguments)
        return made
    finally:
        if made is None:
            _put_away(child, file)
        else:
            # The system takes long to clear its memory, and nobody needs to wait for that.
            threading.Thread(target=_put_away, args=(child, file), daemon=True).start()
        refill()


def _put_away(child: Child, file: Path) -> None:
    child.end()
    if child.last_words:
        _log.debug("%s: its reader said: %s", file, child.last_words)


def progress_of(steps: Steps) -> Generator[Progress, None, Handover]:
    """A work that has no pieces."""
    try:
        while True:
            step = next(steps)
            if isinstance(step, Progress):
                yield step
    except StopIteration as stop:
        made: Handover = stop.value
        return made
    finally:
        steps.close()


def pieces_of(steps: Steps) -> Iterator[Piece]:
    """The pieces of a work whose progress nobody wants."""
    with contextlib.closing(steps):
        for step in steps:
            if isinstance(step, Piece):
                yield step


class _Asking:
    """One request to one child."""

    def __init__(self, child: Child, file: Path, limits: ReadingLimits) -> None:
        self._child = child
        self._file = file
        self._limits = limits
        self._input_bytes = _size_of(file)
        self._waited_s = 0.0
        self._looked = time.monotonic()
        self._most_seen_bytes = 0

    def steps(self, arguments: Mapping[str, Any]) -> Steps:
        self._child.ask(
            {
                "file": str(self._file),
                "folder": os.getcwd(),  # noqa: PTH109 - as text
                "arguments": dict(arguments),
                "limits": asdict(self._limits),
                "input_bytes": self._input_bytes,
            }
        )
        newest = Progress(0, 0, f"Opening {self._file.name}")
        while True:
            frame = yield from self._next_frame(newest)
            kind = frame.values.get("kind")
            try:
                if kind == "progress":
                    newest = _progress(frame)
                    yield newest
                elif kind == "piece":
                    yield Piece(frame.parts)
                elif kind == "input":
                    self._input_bytes += max(0, int(frame.values["bytes"]))
                elif kind == "done":
                    return self._handover(frame)
                elif kind != "ready":
                    raise self._refusal(frame)
            except (KeyError, TypeError, ValueError) as error:
                raise self._nonsense() from error

    def _next_frame(self, newest: Progress) -> Generator[Progress, None, PipeFrame]:
        """Wait for the child, and watch it while it is silent."""
        while True:
            asked = time.monotonic()
            frame: PipeFrame | None = None
            is_silent = False
            try:
                frame = self._child.hear(_LOOK_S)
            except TimeoutError:
                is_silent = True
            heard = time.monotonic()
            self._waited_s += heard - asked
            if is_silent or heard - self._looked > _LOOK_S:
                self._looked = heard
                self._watch()
            if is_silent:
                yield newest
                continue
            if frame is None:
                raise self._end()
            return frame

    def _watch(self) -> None:
        held = self._child.memory_bytes()
        self._most_seen_bytes = max(self._most_seen_bytes, held)
        if held > self._allowed_bytes:
            raise self._error(memory_sentence(self._allowed_bytes))
        if self._waited_s > self._limits.seconds:
            raise self._error(time_sentence(self._limits.seconds))

    @property
    def _allowed_bytes(self) -> int:
        return self._limits.memory_bytes(self._input_bytes)

    def _handover(self, frame: PipeFrame) -> Handover:
        values, places = frame.values["values"], frame.values["arrays"]
        if not isinstance(values, dict) or not isinstance(places, list):
            raise TypeError("no values")
        return Handover(values, self._child.arrays(places))

    def _refusal(self, frame: PipeFrame) -> InputError:
        values = {name: str(value)[:_MOST_TEXT] for name, value in frame.values.items()}
        match values["kind"]:
            case "memory":
                return self._error(memory_sentence(self._allowed_bytes))
            case "read error":
                return ReadError(values["file"], values["place"], values["reason"])
            case "input error":
                return InputError(values["reason"])
            case _:
                return self._nonsense()

    def _end(self) -> ReadError:
        """What the end of a child that did not finish means."""
        code = self._child.wait(_END_S)
        if code is None:
            return self._nonsense()
        self._child.end()
        is_full = self._most_seen_bytes > _ALMOST_ALL * self._allowed_bytes
        if is_full or any(word in self._child.last_words for word in _LACK_OF_MEMORY):
            return self._error(memory_sentence(self._allowed_bytes))
        if code == KILLED:
            return self._error("its reader was ended from outside, perhaps for lack of memory")
        end = words_of_end(code)
        if end == "SIGXCPU":
            return self._error(time_sentence(self._limits.seconds))
        return self._error(f"cannot be read: its reader failed ({end}); it may be damaged")

    def _nonsense(self) -> ReadError:
        return self._error("cannot be read: its reader answered nonsense; it may be damaged")

    def _error(self, reason: str) -> ReadError:
        return ReadError(str(self._file), "file", reason)


def _progress(frame: PipeFrame) -> Progress:
    done, total = float(frame.values["done"]), float(frame.values["total"])
    return Progress(done, total, str(frame.values["message"])[:_MOST_TEXT])


def _size_of(file: Path) -> int:
    """Bytes of a file, or of the files in a folder."""
    try:
        parts = [file, *file.iterdir()] if file.is_dir() else [file]
        return sum(part.stat().st_size for part in parts if part.is_file())
    except OSError:
        return 0
