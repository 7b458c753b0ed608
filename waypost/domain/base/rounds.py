"""What one person says in one round, and how a second person decides about it.

Sheets of scores and labels of passages that two people label go through the same states.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, TypeVar

from waypost.domain.base.errors import EditError


class RoundState(StrEnum):
    """How far a round is."""

    OPEN = "open"
    """Not submitted; perhaps nothing is filled in."""

    SUBMITTED = "submitted"
    SKIPPED = "skipped"
    RETURNED = "returned"
    """Given back with a comment; the next round follows it."""

    ACCEPTED = "accepted"
    """Locked."""


SETTLED: Final = frozenset({RoundState.SUBMITTED, RoundState.SKIPPED, RoundState.ACCEPTED})
"""States in which a person has said what there is to say."""

COUNTED: Final = frozenset({RoundState.SUBMITTED, RoundState.ACCEPTED})
"""States that enter results."""

LOCKED: Final = frozenset({RoundState.RETURNED, RoundState.ACCEPTED})
"""States in which was decided, after which nothing is changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """How far a round is, and who decided about it."""

    state: RoundState = RoundState.OPEN
    submitted_at: datetime | None = None
    """UTC; when it was submitted or skipped."""

    decided_by: str = ""
    """Who returned or accepted it."""

    decided_at: datetime | None = None
    """UTC."""

    decision_comment: str = ""
    """What is said to its author with it; until then what somebody has written of it so far."""

    @property
    def is_settled(self) -> bool:
        """Whether its author has said what there is to say."""
        return self.state in SETTLED

    @property
    def is_counted(self) -> bool:
        """Whether it enters results."""
        return self.state in COUNTED

    @property
    def is_locked(self) -> bool:
        """Whether it was decided about."""
        return self.state in LOCKED

    @property
    def can_be_decided(self) -> bool:
        """Whether it waits to be returned or accepted."""
        return self.is_settled and not self.is_locked


_Round = TypeVar("_Round", bound=Round)
_Key = TypeVar("_Key", bound=tuple[Any, ...])


def returned(entry: _Round, what: str, by: str, comment: str, now: datetime) -> _Round:
    """A round given back to its author; the next one is to follow it.

    Args:
        entry: The round.
        what: What it is, for the refusal: ``sheet``.
        by: Who returns it.
        comment: Says why.
        now: UTC.

    Raises:
        EditError: If it is not submitted or skipped, or there is no comment.
    """
    if not entry.can_be_decided:
        raise EditError(f"only a {what} that is submitted can be returned")
    if not comment.strip():
        raise EditError("returning needs a comment that says why")
    return replace(
        entry, state=RoundState.RETURNED, decided_by=by, decided_at=now, decision_comment=comment
    )


def accepted(entry: _Round, what: str, by: str, now: datetime) -> _Round:
    """A round accepted, which locks it; see ``returned`` for the arguments.

    Raises:
        EditError: If it is not submitted or skipped.
    """
    if not entry.can_be_decided:
        raise EditError(f"only a {what} that is submitted can be accepted")
    return replace(entry, state=RoundState.ACCEPTED, decided_by=by, decided_at=now)


def with_decision_draft(entry: _Round, what: str, comment: str) -> _Round:
    """A round with what somebody has written so far of what to say to its author.

    See ``returned`` for the arguments.

    Raises:
        EditError: If it is decided about already.
    """
    if entry.is_locked:
        raise EditError(f"this {what} is decided about and locked")
    return replace(entry, decision_comment=comment)


def without_decision_draft(entry: _Round) -> _Round:
    """A round without what is not said yet: neither its author nor a file is told it."""
    return (
        entry
        if entry.is_locked or not entry.decision_comment
        else replace(entry, decision_comment="")
    )


def rounds_from(first: _Key, kept: Mapping[_Key, _Round]) -> tuple[_Round, ...]:
    """The rounds that follow one another from a first one, whose key ends with its number."""
    found = []
    key: Any = first
    while key in kept:
        found.append(kept[key])
        key = key._replace(round=key.round + 1)
    return tuple(found)
