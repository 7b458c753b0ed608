"""Which of two instructions is better, criterion by criterion, as one rater says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Better(StrEnum):
    """Which of a pair is better."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


class ComparisonKey(NamedTuple):
    """Which pair of a batch, and whose answer."""

    batch: str
    pair: str
    rater: str


@dataclass(frozen=True, slots=True)
class PairComparison:
    """What one rater says about one pair, whichever side each of it was shown on."""

    key: ComparisonKey
    answers: Mapping[str, Better] = field(default_factory=lambda: MappingProxyType({}))
    """Criterion → which is better."""

    comment: str = ""
    active_s: float = 0.0
    """How long the rater was at it, seconds."""

    submitted_at: datetime | None = None
    """UTC; ``None`` while it is open."""
