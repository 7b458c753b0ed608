"""Which of two instructions is better, criterion by criterion, as one rater says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from waypost.domain.base.rounds import RoundState
from waypost.domain.score.said_round import SaidRound


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRound(SaidRound):
    """What one rater says about one pair in one round."""

    round: int = 1
    """From 1; a comparison that is returned is followed by its next round."""

    answers: Mapping[str, Better] = field(default_factory=lambda: MappingProxyType({}))
    """Criterion → which is better."""

    comment: str = ""
    active_s: float = 0.0
    """How long the rater was at it, seconds."""

    cannot_judge: tuple[str, ...] = ()
    """Criteria that the rater says cannot be judged."""

    is_flagged: bool = False
    is_swapped: bool = False
    """Whether the second of the pair stood on the left."""

    changed_at: datetime | None = None
    """UTC."""

    def __post_init__(self) -> None:
        """Tell the state of what was written down before comparisons had one."""
        if self.state is RoundState.OPEN and self.submitted_at is not None:
            state = RoundState.SKIPPED if self.skip_reason else RoundState.SUBMITTED
            object.__setattr__(self, "state", state)

    @property
    def has_content(self) -> bool:
        """Whether anything is filled in."""
        return bool(self.answers or self.cannot_judge or self.comment or self.is_flagged)


@dataclass(frozen=True, slots=True)
class PairComparison(PairRound):
    """What one rater says about one pair now, and what was said in the rounds before."""

    key: ComparisonKey
    earlier: tuple[PairRound, ...] = ()
    """The rounds before, the first one first."""

    @property
    def as_round(self) -> PairRound:
        """What is said now, alone."""
        return PairRound(**_said_in(self))

    @property
    def rounds(self) -> tuple[PairRound, ...]:
        """Every round, the first one first."""
        return *self.earlier, self.as_round


def comparison_of(key: ComparisonKey, rounds: tuple[PairRound, ...]) -> PairComparison:
    """The comparison whose rounds these are, the last of which is what is said now."""
    *earlier, last = rounds
    return PairComparison(key, tuple(earlier), **_said_in(last))


def _said_in(said: PairRound) -> dict[str, Any]:
    return {entry.name: getattr(said, entry.name) for entry in fields(PairRound)}


BETTER_SCORES: Final = MappingProxyType({Better.FIRST: 1, Better.NEITHER: 0, Better.SECOND: -1})
"""Answers as numbers, for coefficients of agreement: how far the first of a pair is ahead."""
