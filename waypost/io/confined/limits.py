"""How much memory and time the reading of one file may take, and how a person raises that.

The choice of a person stands in the environment, so that worker processes have it as well.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Final

from waypost.domain.base.errors import InputError

BASE_BYTES: Final = 500_000_000
"""What any file may take. The libraries need 100 MB of it, the largest picture 300 MB."""

BYTES_PER_INPUT_BYTE: Final = 200
"""What a file may take for every byte of it and of the files it names. A house takes 10 to 20, one
packed with Draco 50."""

MOST_BYTES: Final = 8_000_000_000
"""What a file may take however large it is, unless a person allows more."""

_MOST_OF_MACHINE: Final = 0.75
"""No more than this share of the memory of the machine is given by itself."""

DEFAULT_MINUTES: Final = 10.0

_MEMORY_VARIABLE: Final = "WAYPOST_READ_MEMORY_GB"
_MINUTES_VARIABLE: Final = "WAYPOST_READ_MINUTES"
_PLACE_VARIABLE: Final = "WAYPOST_READ_LIMITS_PLACE"


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What the reading of one file may take.

    Raises:
        InputError: If a limit is not a finite number above 0.
    """

    memory_gb: float
    """GB (10^9 bytes) that no file may exceed."""

    minutes: float = DEFAULT_MINUTES
    """Time spent waiting for the reader."""

    grows: bool = True
    """Whether less is allowed to small files; where a person chose the memory, it is the limit."""

    def __post_init__(self) -> None:
        for name, value in (("memory_gb", self.memory_gb), ("minutes", self.minutes)):
            if not (math.isfinite(value) and value > 0):
                raise InputError(f"read_{name}: {value:g} is not above 0")

    @property
    def most_bytes(self) -> int:
        """``memory_gb`` in bytes."""
        return round(self.memory_gb * 1e9)

    def memory_bytes(self, input_bytes: int) -> int:
        """What the reading may take.

        Args:
            input_bytes: Size of the files that are read, as far as they are known.
        """
        if not self.grows:
            return self.most_bytes
        return min(self.most_bytes, BASE_BYTES + BYTES_PER_INPUT_BYTE * input_bytes)

    @property
    def seconds(self) -> float:
        """``minutes`` in seconds."""
        return self.minutes * 60


def chosen_limits(memory_gb: float | None, minutes: float | None) -> ReadingLimits:
    """The limits of a person who chose some of them.

    Raises:
        InputError: If one is not a finite number above 0.
    """
    minutes = DEFAULT_MINUTES if minutes is None else minutes
    if memory_gb is None:
        return ReadingLimits(_memory_by_itself_gb(), minutes)
    return ReadingLimits(memory_gb, minutes, grows=False)


def put_in_force(limits: ReadingLimits) -> None:
    """Use these limits from now on, here and in processes that are started from here."""
    _set(_MEMORY_VARIABLE, "" if limits.grows else f"{limits.memory_gb:g}")
    _set(_MINUTES_VARIABLE, f"{limits.minutes:g}")


def limits_in_force() -> ReadingLimits:
    """What a person chose, else the defaults; values that are no limits do not count."""
    return chosen_limits(_number(_MEMORY_VARIABLE), _number(_MINUTES_VARIABLE))


def say_limits_are_in(place: str) -> None:
    """Name the place where a person raises the limits, e.g. ``in the window under X``."""
    _set(_PLACE_VARIABLE, place)


def memory_sentence(memory_bytes: int) -> str:
    """Why a file is not read whose reading took too much memory."""
    how = _how_to_raise("--read-memory-gb")
    return f"needs more than {memory_bytes / 1e9:.2g} GB of memory to be read; {how}"


def time_sentence(seconds: float) -> str:
    """Why a file is not read whose reading took too long."""
    how = _how_to_raise("--read-minutes")
    unit = "minute" if seconds == 60 else "minutes"
    return f"takes more than {seconds / 60:.3g} {unit} to be read; {how}"


def _memory_by_itself_gb() -> float:
    import psutil  # noqa: PLC0415 - children are told their limits and start faster without it

    machine_bytes = psutil.virtual_memory().total
    return min(MOST_BYTES, max(BASE_BYTES, _MOST_OF_MACHINE * machine_bytes)) / 1e9


def _how_to_raise(option: str) -> str:
    return f"raise it {os.environ.get(_PLACE_VARIABLE, f'with {option}')}"


def _set(variable: str, text: str) -> None:
    if text:
        os.environ[variable] = text
    else:
        os.environ.pop(variable, None)


def _number(variable: str) -> float | None:
    try:
        value = float(os.environ.get(variable, ""))
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None
