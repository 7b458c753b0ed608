"""What is only begun to be written beside a sheet or a comparison, which stands apart from it.

A server shows a reason to skip to its rater alone, and what a lead writes to a rater to leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, compress
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from waypost.domain.score.comparison import ComparisonKey
from waypost.domain.score.said_round import SaidRound, without_drafts
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import SheetKey


class DraftKind(StrEnum):
    """What is begun."""

    REASON = "reason"
    DECISION = "decision"


class DraftKey(NamedTuple):
    """Which draft beside which round of a sheet or a comparison."""

    batch: str
    item: str
    """Or pair."""

    rater: str
    round: int
    kind: str
    """A ``DraftKind``."""


@dataclass(frozen=True, slots=True)
class ScoreDraft:
    """What somebody has written so far."""

    key: DraftKey
    text: str


_REASON: Final = attrgetter("skip_reason")
_DECISION: Final = attrgetter("decision_comment")

_Key = TypeVar("_Key")
_Said = TypeVar("_Said", bound=SaidRound)


def alone(said: Mapping[_Key, _Said]) -> Mapping[_Key, _Said]:
    """Sheets, or comparisons, without their drafts."""
    begun = _with_text(said)
    without = {key: without_drafts(own) for key, own in begun.items() if not own.is_locked}
    return MappingProxyType({**said, **without}) if without else said


def drafts_of(book: ScoreBook) -> Mapping[DraftKey, ScoreDraft]:
    """The drafts of every sheet and comparison."""
    return MappingProxyType({draft.key: draft for draft in _drafts(book)})


def with_drafts(book: ScoreBook, drafts: Mapping[DraftKey, ScoreDraft]) -> ScoreBook:
    """The book with drafts beside what they are about; those of what is not open to them are left.

    Args:
        book: Without drafts.
        drafts: As ``drafts_of`` has them.
    """
    sheets, said = dict(book.sheets), dict(book.comparisons)
    for draft in drafts.values():
        batch, item, rater, number, kind = draft.key
        sheet = sheets.get(SheetKey(batch, item, rater, number))
        if sheet is not None:
            sheets[sheet.key] = _with_draft(sheet, kind, draft.text)
        own = said.get(ComparisonKey(batch, item, rater))
        if own is not None and own.round == number:
            said[own.key] = _with_draft(own, kind, draft.text)
    if not drafts:
        return book
    return replace(book, sheets=MappingProxyType(sheets), comparisons=MappingProxyType(said))


def _with_draft(said: _Said, kind: str, text: str) -> _Said:
    if said.is_locked or (kind == DraftKind.REASON and said.is_skipped):
        return said
    changed: dict[str, Any] = (
        {"skip_reason": text} if kind == DraftKind.REASON else {"decision_comment": text}
    )
    return replace(said, **changed)


def _with_text(said: Mapping[_Key, _Said]) -> dict[_Key, _Said]:
    """Those that may have a draft; the interpreter runs no line per item, as each save asks."""
    reasons = compress(said.items(), map(_REASON, said.values()))
    return dict(chain(reasons, compress(said.items(), map(_DECISION, said.values()))))


def _drafts(book: ScoreBook) -> Iterator[ScoreDraft]:
    rounds: list[tuple[tuple[str, str, str, int], SaidRound]] = [
        *(((*key,), sheet) for key, sheet in _with_text(book.sheets).items()),
        *(((*key, own.round), own) for key, own in _with_text(book.comparisons).items()),
    ]
    for place, said in rounds:
        if said.is_locked:
            continue
        if said.skip_reason and not said.is_skipped:
            yield ScoreDraft(DraftKey(*place, DraftKind.REASON), said.skip_reason)
        if said.decision_comment:
            yield ScoreDraft(DraftKey(*place, DraftKind.DECISION), said.decision_comment)
