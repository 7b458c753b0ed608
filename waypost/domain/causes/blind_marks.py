"""Whether analysts said something blind: what a change leaves of that, and how much is which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from waypost.domain.causes.failure import CauseMark
from waypost.domain.causes.replay_book import EdgeVerdict


class BlindCount(NamedTuple):
    """How much of what analysts said was said blind."""

    blind: int = 0
    seeing: int = 0
    """Said after the analyst had seen what others said."""

    unknown: int = 0
    """Said before Waypost remembered it."""

    @property
    def others(self) -> str:
        """What was not said blind: ``2 seeing others' marks, 1 unknown``; empty for nothing."""
        counts = (self.seeing, "seeing others' marks"), (self.unknown, "unknown")
        return ", ".join(f"{count:,} {name}" for count, name in counts if count)


NONE_GIVEN: Final = BlindCount()


def count_blind(said: Iterable[bool | None]) -> BlindCount:
    """Count what was said blind (``True``), seeing (``False``), and nobody knows (``None``)."""
    values = tuple(said)
    return BlindCount(*(sum(value is kind for value in values) for kind in (True, False, None)))


def blind_by_episode(marks: Iterable[CauseMark]) -> Mapping[str, BlindCount]:
    """Episode → how many marks on it are blind."""
    found: dict[str, list[bool | None]] = {}
    for mark in marks:
        found.setdefault(mark.key.episode_id, []).append(mark.is_blind)
    return MappingProxyType({episode: count_blind(said) for episode, said in found.items()})


def blind_after(earlier: CauseMark | EdgeVerdict | None, *, has_seen: bool) -> bool | None:
    """Whether all that an analyst says is blind, after an answer given now.

    Args:
        earlier: What the analyst said about the same before.
        has_seen: Whether the analyst has seen what others say.
    """
    if has_seen:
        return False
    return True if earlier is None else earlier.is_blind


def signed_mark(
    mark: CauseMark, earlier: CauseMark | None, now: datetime, *, has_seen: bool
) -> CauseMark:
    """A mark as its analyst leaves it: when, and whether it is blind.

    A note alone leaves a mark as blind as it was: agreement compares no notes.

    Args:
        mark: As changed.
        earlier: As it was, of the same version of its taxonomy; ``None`` for a new one.
        now: UTC.
        has_seen: Whether the analyst has seen what others say.
    """
    if earlier is not None and (mark.choices, mark.step) == (earlier.choices, earlier.step):
        return replace(mark, marked_at=now, is_blind=earlier.is_blind)
    return replace(mark, marked_at=now, is_blind=blind_after(earlier, has_seen=has_seen))
