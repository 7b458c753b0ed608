"""What analysts say about the reason an answer gives: verdicts that are about no single edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from waypost.domain.causes.replay_book import ReplayBook, RouteVerdict

REASON_PLACE: Final = ("", "")
"""From and to of a verdict on the reason as a whole (CapNav's reasoning validity)."""

Verdicts = Mapping[str, tuple[RouteVerdict, ...]]
"""Episode → what each analyst says about the reason given there."""


def reason_verdicts(book: ReplayBook, run: str, analyst: str | None = None) -> Verdicts:
    """The verdicts on the reasons of a run.

    Args:
        book: Of the project.
        run: Name of the run in it.
        analyst: Whose verdicts count; ``None`` for everyone's.
    """
    found: dict[str, tuple[RouteVerdict, ...]] = {}
    for key, entry in book.edge_verdicts.items():
        is_reason = key.run == run and (key.from_id, key.to_id) == REASON_PLACE
        if is_reason and analyst in {None, key.analyst}:
            found[key.episode_id] = (*found.get(key.episode_id, ()), entry.verdict)
    return MappingProxyType(found)


def reason_score(verdicts: Sequence[RouteVerdict]) -> tuple[float | None, str]:
    """1 valid, 0 invalid, or ``None`` and why.

    Args:
        verdicts: Of all analysts that count, at least one.
    """
    said = set(verdicts)
    if said == {RouteVerdict.VALID}:
        return 1.0, ""
    if said == {RouteVerdict.INVALID}:
        return 0.0, ""
    if said == {RouteVerdict.UNSURE}:
        return None, "the verdict on the reason is unsure"
    return None, "analysts differ about the reason"
