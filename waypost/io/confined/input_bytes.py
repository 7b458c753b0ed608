"""Readers say which files they open, so that the memory they may take grows with them.

Where nobody listens, which is everywhere but in a child, saying so does nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

_listeners: list[Callable[[int], None]] = []
_known: set[str] = set()


def listen(announce: Callable[[int], None], but_not: str) -> None:
    """Hear the size of every further file in bytes, each once.

    Args:
        announce: Called with the size.
        but_not: A file that is known already.
    """
    _listeners.append(announce)
    _known.add(os.path.realpath(but_not))


def will_read(path: Path) -> None:
    """Say that a file is about to be read as part of another."""
    if not _listeners:
        return
    real = os.path.realpath(path)
    if real in _known:
        return
    _known.add(real)
    try:
        size_bytes = Path(real).stat().st_size
    except (OSError, ValueError):
        return
    for announce in _listeners:
        announce(size_bytes)
