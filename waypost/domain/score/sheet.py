"""What one rater says about one instruction in one round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import Criterion, Rubric

_Value = TypeVar("_Value")


def _nothing() -> Mapping[str, _Value]:
    return MappingProxyType({})


class SheetKey(NamedTuple):
    """Which instruction, whose sheet, and the how-manieth of theirs."""

    batch: str
    item: str
    rater: str
    round: int
    """From 1; a sheet that is returned is followed by the next round."""


class SheetState(StrEnum):
    """How far a sheet is."""

    OPEN = "open"
    """Not submitted; perhaps nothing is filled in."""

    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    RETURNED = "returned"
    """Given back with a comment; the next round follows it."""

    ACCEPTED = "accepted"
    """Locked."""


SETTLED: Final = frozenset({SheetState.SUBMITTED, SheetState.SKIPPED, SheetState.ACCEPTED})
"""States in which a rater has said what there is to say."""

COUNTED: Final = frozenset({SheetState.SUBMITTED, SheetState.ACCEPTED})
"""States whose scores enter results."""

LOCKED: Final = frozenset({SheetState.RETURNED, SheetState.ACCEPTED})
"""States in which a lead has decided, after which nothing is filled in."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one rater says about one instruction in one round."""

    key: SheetKey
    rubric_version: int
    """Of the rubric that it was filled in by."""

    scores: Mapping[str, int] = field(default_factory=_nothing)
    """Criterion → score."""

    cannot_judge: tuple[str, ...] = ()
    """Criteria that the rater says cannot be judged."""

    comments: Mapping[str, str] = field(default_factory=_nothing)
    """Criterion → comment; under the empty key that on the whole."""

    is_flagged: bool = False
    skip_reason: str = ""
    state: SheetState = SheetState.OPEN
    active_s: float = 0.0
    """How long the rater was at it, seconds; see ``ActiveTime``."""

    changed_at: datetime | None = None
    """UTC."""

    submitted_at: datetime | None = None
    """UTC; when it was submitted or skipped."""

    decided_by: str = ""
    """Who returned or accepted it."""

    decided_at: datetime | None = None
    """UTC."""

    decision_comment: str = ""
    """What is said to the rater with it."""

    @property
    def is_settled(self) -> bool:
        """Whether the rater has said what there is to say."""
        return self.state in SETTLED

    @property
    def is_counted(self) -> bool:
        """Whether its scores enter results."""
        return self.state in COUNTED

    @property
    def is_locked(self) -> bool:
        """Whether it was decided about."""
        return self.state in LOCKED

    @property
    def can_be_decided(self) -> bool:
        """Whether it waits to be returned or accepted."""
        return self.is_settled and not self.is_locked

    @property
    def has_content(self) -> bool:
        """Whether anything is filled in."""
        return bool(self.scores or self.cannot_judge or self.comments or self.is_flagged)


def missing_criteria(
    sheet: Sheet, rubric: Rubric, instruction: InstructionText
) -> tuple[Criterion, ...]:
    """The required criteria that a sheet does not answer, in the order of the rubric."""
    return tuple(
        entry
        for entry in rubric.asked(instruction, sheet.scores)
        if entry.is_required
        and entry.key not in sheet.scores
        and entry.key not in sheet.cannot_judge
    )
