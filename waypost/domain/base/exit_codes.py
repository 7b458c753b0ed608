"""What the exit code of a process means, in words."""

from __future__ import annotations

import signal
from typing import Final

KILLED: Final = -9
"""Ended from outside without a word: by a person, or by a system that has no memory left."""


def words_of_end(code: int) -> str:
    """How a process ended, in words for brackets: a signal has a name."""
    if code == KILLED:
        return "killed, perhaps out of memory"
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
