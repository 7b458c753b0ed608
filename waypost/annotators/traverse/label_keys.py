"""The keys written on the controls of the label panel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelKeys:
    """Keys in force; an empty one is not written."""

    travels: str = "Y"
    does_not: str = "N"
    uncertain: str = "U"
    drive: str = "D"
    replay: str = "R"
    reasons: tuple[str, ...] = tuple("1234567890")
    """In the order of ``Reason``."""
