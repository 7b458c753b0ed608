"""How far an analyst has come with a run: which episodes are marked, and how many failures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from waypost.domain.base.mark_state import MarkState
from waypost.domain.causes.failure import CauseBook, Taxonomy, carried_mark, missing_axes


@dataclass(frozen=True, slots=True)
class MarkProgress:
    """Of one run, one analyst and one taxonomy."""

    marked: int
    """Failed episodes whose mark is complete."""

    total: int
    """Failed episodes."""

    @property
    def words(self) -> str:
        """``12 of 50 failures marked``; empty where nothing failed."""
        if not self.total:
            return ""
        noun = "failure" if self.total == 1 else "failures"
        return f"{self.marked:,} of {self.total:,} {noun} marked"


NO_PROGRESS: Final = MarkProgress(0, 0)


def mark_states(
    book: CauseBook, run: str, analyst: str, taxonomy: Taxonomy
) -> Mapping[str, MarkState]:
    """Episode → how far it is marked; those without a mark are left out."""
    found: dict[str, MarkState] = {}
    for key, mark in book.marks.items():
        if (key.run, key.analyst, key.taxonomy) == (run, analyst, taxonomy.key):
            is_whole = not missing_axes(carried_mark(mark, taxonomy), taxonomy)
            found[key.episode_id] = MarkState.MARKED if is_whole else MarkState.BEGUN
    return MappingProxyType(found)


def mark_progress(states: Mapping[str, MarkState], failed_ids: Iterable[str]) -> MarkProgress:
    """How many of the failed episodes are marked.

    Args:
        states: From ``mark_states``.
        failed_ids: Of each failed episode once, however often it was attempted.
    """
    failed = tuple(failed_ids)
    return MarkProgress(sum(states.get(each) is MarkState.MARKED for each in failed), len(failed))
