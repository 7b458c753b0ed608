"""What one rater says about one instruction in one round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from waypost.domain.base.no_entries import no_entries
from waypost.domain.base.rounds import RoundState
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import Criterion, Rubric
from waypost.domain.score.said_round import SaidRound


class SheetKey(NamedTuple):
    """Which instruction, whose sheet, and the how-manieth of theirs."""

    batch: str
    item: str
    rater: str
    round: int
    """From 1; a sheet that is returned is followed by the next round."""


SheetState = RoundState
"""How far a sheet is."""


@dataclass(frozen=True, slots=True)
class Sheet(SaidRound):
    """What one rater says about one instruction in one round."""

    key: SheetKey
    rubric_version: int
    """Of the rubric that it was filled in by."""

    scores: Mapping[str, int] = field(default_factory=no_entries)
    """Criterion → score."""

    cannot_judge: tuple[str, ...] = ()
    """Criteria that the rater says cannot be judged."""

    comments: Mapping[str, str] = field(default_factory=no_entries)
    """Criterion → comment; under the empty key that on the whole."""

    is_flagged: bool = False
    active_s: float = 0.0
    """How long the rater was at it, seconds; see ``ActiveTime``."""

    changed_at: datetime | None = None
    """UTC."""

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
