"""Which of two instructions is better, criterion by criterion, as one rater says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


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
    """UTC, when it was submitted or skipped; ``None`` while it is open."""

    cannot_judge: tuple[str, ...] = ()
    """Criteria that the rater says cannot be judged."""

    is_flagged: bool = False
    skip_reason: str = ""
    """Why it was skipped; empty where it was not."""

    is_swapped: bool = False
    """Whether the second of the pair stood on the left."""

    changed_at: datetime | None = None
    """UTC."""

    @property
    def is_settled(self) -> bool:
        """Whether the rater has said what there is to say."""
        return self.submitted_at is not None

    @property
    def is_counted(self) -> bool:
        """Whether its answers enter results."""
        return self.is_settled and not self.skip_reason

    @property
    def has_content(self) -> bool:
        """Whether anything is filled in."""
        return bool(self.answers or self.cannot_judge or self.comment or self.is_flagged)


BETTER_SCORES: Final = MappingProxyType({Better.FIRST: 1, Better.NEITHER: 0, Better.SECOND: -1})
"""Answers as numbers, for coefficients of agreement: how far the first of a pair is ahead."""
