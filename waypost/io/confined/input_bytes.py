"""Readers say which files they open, so that the memory they may take grows with them.

Where nobody listens, which is everywhere but in a child, saying so does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

_listeners: list[Callable[[int], None]] = []
_known: set[tuple[int, int]] = set()


def listen(announce: Callable[[int], None], but_not: Path) -> None:
    """Hear the size of every further file in bytes, each once.

    Args:
        announce: Called with the size.
        but_not: A file that is known already.
    """
    _listeners.append(announce)
    if but_not.exists():
        _known.add(_identity(but_not.stat()))


def will_read(status: os.stat_result) -> None:
    """Say that a file is about to be read as part of another.

    Args:
        status: What the system says of the file.
    """
    if not _listeners or _identity(status) in _known:
        return
    _known.add(_identity(status))
    for announce in _listeners:
        announce(status.st_size)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
