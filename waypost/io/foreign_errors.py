"""The boundary around every family of readers: whatever they raise becomes one sentence.

A reader checks what it can name. What it did not think of, and what the libraries under it raise
(there is no list of that which would ever be whole), ends here: the log keeps the traceback, the
user reads which file cannot be used.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from waypost.domain.errors import ReadError, WaypostError
from waypost.domain.visible_text import one_line

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
        raise foreign_error(error, file, place) from error


def foreign_error(error: Exception, file: Path | str, place: str = "file") -> ReadError:
    """The sentence for an exception that no reader foresaw; its traceback goes to the log.

    For loops over many items, where an ``except`` costs nothing and a block per item would.

    Args:
        error: Of any kind; one of Waypost's own is for whoever caught it.
        file: As the user named it.
        place: Where in the file, as far as it is known.
    """
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
