"""The keys written on the controls of the label panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

REASON_KEYS: Final = tuple("123456789B0")
"""Default keys, in the order of ``Reason``; B is for “blocked”, as there are ten digits."""


@dataclass(frozen=True, slots=True)
class LabelKeys:
    """Keys in force; an empty one is not written."""

    travels: str = "Y"
    does_not: str = "N"
    uncertain: str = "U"
    drive: str = "D"
    replay: str = "R"
    accept: str = "Return"
    drive_itself: str = "Shift+D"
    reasons: tuple[str, ...] = REASON_KEYS
    """In the order of ``Reason``."""
