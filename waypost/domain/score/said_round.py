"""One round of what a rater says, of an instruction or of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from waypost.domain.base.counted_words import counted
from waypost.domain.base.rounds import COUNTED, Round, RoundState, without_decision_draft


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidRound(Round):
    """What sheets and comparisons have in common."""

    skip_reason: str = ""
    """Why it was skipped; of one that was not, what its rater has written of a reason so far."""

    is_seeing: bool = False
    """Whether its rater may have seen what others say; agreement counts a round before it."""

    @property
    def is_skipped(self) -> bool:
        """Whether it was skipped, whatever was decided about it since."""
        is_decided = self.is_locked and bool(self.skip_reason)
        return self.state is RoundState.SKIPPED or is_decided

    @property
    def is_counted(self) -> bool:
        """Whether it enters results: what is skipped does not, though it is accepted."""
        return self.state in COUNTED and not self.is_skipped


_Said = TypeVar("_Said", bound=SaidRound)


def blind_round(rounds: Sequence[_Said]) -> _Said | None:
    """The round that agreement counts: the last one before its rater saw what others say.

    Args:
        rounds: Every round of one rater, the first one first.

    Returns:
        ``None`` where nothing was scored in it, or it is not in yet.
    """
    last = next((said for said in reversed(rounds) if not said.is_seeing), None)
    if last is None or last is rounds[-1]:
        return last if last is not None and last.is_counted else None
    return None if last.state is RoundState.OPEN or last.is_skipped else last


def without_reason_draft(said: _Said) -> _Said:
    """A round without a reason to skip that is not said: only its rater is told it."""
    if said.is_skipped or not said.skip_reason:
        return said
    return replace(said, skip_reason="")


def without_drafts(said: _Said) -> _Said:
    """A round without what is only begun: a reason to skip, and what to say to its rater."""
    return without_decision_draft(without_reason_draft(said))


SOURCES_HIDDEN: Final = "where instructions come from is shown once all of yours are in"
"""What results say to a rater who may not know it yet."""


def words_of_hidden(what: str, count: int, noun: str) -> str:
    """What results say of what is hidden until the own word is in; empty for nothing.

    Args:
        what: Of others: ``scores`` or ``answers``.
        count: Of how many items, or pairs.
        noun: ``instruction`` or ``pair``.
    """
    if not count:
        return ""
    return f"others' {what} of {counted(count, noun)} are hidden until your own are in"


def words_of_seeing(count: int, noun: str) -> str:
    """What results say of what was given again after others' was seen; empty for none.

    Args:
        count: How many of them are in.
        noun: ``sheet`` or ``comparison``.
    """
    if not count:
        return ""
    return (
        f"{counted(count, noun)} given again after others' were seen; agreement counts what was"
        " said before"
    )
