"""The boundary around every family of readers: whatever they raise becomes one sentence.

A reader checks what it can name. What it did not think of, and what the libraries under it raise
(there is no list of that which would ever be whole), ends here: the log keeps the traceback, the
user reads which file cannot be used.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from waypost.domain.base.errors import InputError, ReadError, WaypostError
from waypost.domain.base.visible_text import one_line

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)

_MOST_CHARACTERS: Final = 160
"""So much is quoted of what a library says."""


@contextlib.contextmanager
def reading(file: Path | str, place: str = "file") -> Iterator[None]:
    """Turn every exception inside the block that is not Waypost's own into a ``ReadError``.

    A generator puts its whole body into the block, ``yield`` included: what fails at any later
    step is caught as well, while what its consumer raises is not. ``GeneratorExit``,
    ``KeyboardInterrupt`` and Waypost's own errors pass as they are.

    Args:
        file: As the user named it.
        place: Where in the file, as far as it is known.

    Raises:
        ReadError: In place of a foreign exception, which is its cause and stands in the log.
    """
    try:
        yield
    except WaypostError:
        raise
    except Exception as error:
        raise _foreign_error(error, file, place) from error


def reader(read: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
    """``reading`` around a function that takes the path of a file first; for no generator."""
    if inspect.isgeneratorfunction(read):
        raise TypeError("a generator has read nothing yet when it returns; use reading inside it")

    @functools.wraps(read)
    def named(path: Path, /, *arguments: P.args, **options: P.kwargs) -> T:
        with reading(path):
            return read(path, *arguments, **options)

    return named


def input_error(error: Exception, file: Path | str, place: str = "file") -> InputError:
    """What ``reading`` would make of an exception, for loops over the items of a file.

    There a ``try`` costs nothing and a block per item would; one bad item stops no other.

    Args:
        error: What was raised while an item was read.
        file: As the user named it.
        place: Where in the file, as far as it is known.

    Raises:
        WaypostError: The exception itself, if it says something else than that the input is bad.
    """
    if isinstance(error, InputError):
        return error
    if isinstance(error, WaypostError):
        raise error
    return _foreign_error(error, file, place)


def _foreign_error(error: Exception, file: Path | str, place: str) -> ReadError:
    _log.debug("%s: %s: %s while reading", file, place, type(error).__name__, exc_info=error)
    return ReadError(str(file), place, _reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "needs more memory than there is"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {one_line(error.strerror, _MOST_CHARACTERS)}"
    kind = type(error).__name__
    said = one_line(_text(error), _MOST_CHARACTERS)
    return f"cannot be read: {kind}: {said}" if said else f"cannot be read: {kind}"


def _text(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # some quote the file, whatever its bytes are
        return ""
