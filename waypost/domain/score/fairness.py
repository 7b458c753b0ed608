"""Who may see what: others' sheets and the source of an item only once one's own word is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from waypost.domain.base.mapping_changes import mapping_changes
from waypost.domain.base.rounds import RoundState
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.comparison import (
    BETTER_SCORES,
    ComparisonKey,
    PairComparison,
    PairRound,
    comparison_of,
)
from waypost.domain.score.given_score import GivenScore
from waypost.domain.score.said_round import blind_round, without_drafts
from waypost.domain.score.score_book import ScoreBook
from waypost.domain.score.sheet import Sheet, SheetState
from waypost.domain.score.sheet_edits import to_score_anew


def may_see_others(book: ScoreBook, batch: str, item: str, viewer: str) -> bool:
    """Whether somebody may see what others say about an item, or a pair.

    Who is to score it may once the own sheet is submitted, skipped or accepted, or the own
    comparison is in; who is not, always.
    """
    if item not in book.batch(batch).assigned.get(viewer, ()):
        return True
    return book.is_settled(batch, item, viewer)


def hidden_from(book: ScoreBook, batch: str, viewer: str) -> frozenset[str]:
    """The items, or pairs, of a batch of which ``may_see_others`` says that somebody may not.

    Raises:
        EditError: If there is no such batch.
    """
    own = book.batch(batch).assigned.get(viewer, ())
    return frozenset(name for name in own if not book.is_settled(batch, name, viewer))


def newly_in(before: ScoreBook, after: ScoreBook) -> frozenset[tuple[str, str]]:
    """Batch and item, or pair, of which somebody's word is in now and was not before."""
    sheets = mapping_changes(before.sheets, after.sheets).touched
    said = mapping_changes(before.comparisons, after.comparisons).touched
    places = {(key.batch, key.item, key.rater) for key in sheets}
    places |= {(key.batch, key.pair, key.rater) for key in said}
    return frozenset(
        place[:2]
        for place in places
        if place[0] in before.batches and place[0] in after.batches
        if after.is_settled(*place) and not before.is_settled(*place)
    )


def may_see_sources(book: ScoreBook, batch: str, viewer: str) -> bool:
    """Whether somebody may see where items come from: a rater once all that is theirs is in."""
    own = book.batch(batch).assigned.get(viewer, ())
    return all(book.is_settled(batch, item, viewer) for item in own)


def visible_comparisons(book: ScoreBook, batch: str, viewer: str) -> Iterator[PairComparison]:
    """Every comparison that somebody may see, in the order of the book.

    One's own; of others the rounds that were submitted or skipped, of pairs of which
    ``may_see_others`` says so. What is only begun to be written is in none.

    Raises:
        EditError: If there is no such batch.
    """
    hidden = hidden_from(book, batch, viewer)
    for key, said in book.comparisons.items():
        if key.batch != batch or (key.rater != viewer and key.pair in hidden):
            continue
        if key.rater == viewer or said.state is not RoundState.OPEN:
            yield without_drafts(said)
        elif said.earlier:
            yield comparison_of(key, said.earlier)


def counted_comparisons(book: ScoreBook, batch: str, viewer: str) -> Iterator[PairComparison]:
    """The comparisons that enter results, as somebody may see them: submitted or accepted.

    Raises:
        EditError: If there is no such batch.
    """
    yield from (said for said in visible_comparisons(book, batch, viewer) if said.is_counted)


def answers_to_compare(book: ScoreBook, batch: str, viewer: str) -> Iterator[GivenScore]:
    """The answers that agreement counts, as the scores of ``BETTER_SCORES``, of pairs as items.

    Raises:
        EditError: If there is no such batch.
    """
    for key, said in compared_blind(book, batch, viewer):
        for criterion, better in said.answers.items():
            yield GivenScore(key.pair, key.rater, criterion, float(BETTER_SCORES[better]))


def compared_blind(
    book: ScoreBook, batch: str, viewer: str
) -> Iterator[tuple[ComparisonKey, PairRound]]:
    """Of each comparison that somebody may see the round that agreement counts, if any.

    Raises:
        EditError: If there is no such batch.
    """
    for said in visible_comparisons(book, batch, viewer):
        blind = blind_round(said.rounds)
        if blind is not None:
            yield said.key, blind


def visible_sheets(book: ScoreBook, batch: str, viewer: str) -> Iterator[Sheet]:
    """Every round that somebody may see, in the order of the book.

    One's own whole; of others what was submitted, of items of which ``may_see_others`` says so.
    What is only begun to be written is in none.

    Raises:
        EditError: If there is no such batch.
    """
    hidden = hidden_from(book, batch, viewer)
    for key, sheet in book.sheets.items():
        if key.batch != batch:
            continue
        is_in = sheet.state is not SheetState.OPEN
        if key.rater == viewer or (is_in and key.item not in hidden):
            yield without_drafts(sheet)


def last_visible_sheets(book: ScoreBook, batch: str, viewer: str) -> Iterator[Sheet]:
    """Of each rater and item the last round that somebody may see.

    Of others that is the last one that is in, while they fill in the next.

    Raises:
        EditError: If there is no such batch.
    """
    last: dict[tuple[str, ...], Sheet] = {}
    for sheet in visible_sheets(book, batch, viewer):
        known = last.get(sheet.key[:3])
        if known is None or known.key.round < sheet.key.round:
            last[sheet.key[:3]] = sheet
    yield from last.values()


def counted_sheets(book: ScoreBook, batch: str, viewer: str) -> Iterator[Sheet]:
    """The sheets of a batch that enter results, as somebody may see them.

    Of each rater and item the last round, see ``last_visible_sheets``, if it is submitted or
    accepted and of the rubric of now; attention checks do not count, but for who may not know yet
    which they are.

    Raises:
        EditError: If there is no such batch.
    """
    last = last_visible_sheets(book, batch, viewer)
    yield from (own for own in _comparable(book, batch, viewer, last) if own.is_counted)


def scored_blind(book: ScoreBook, batch: str, viewer: str) -> Iterator[Sheet]:
    """The sheets that agreement counts: as ``counted_sheets``, but before others' were seen.

    Raises:
        EditError: If there is no such batch.
    """
    for sheet in _comparable(book, batch, viewer, visible_sheets(book, batch, viewer)):
        blind = blind_round(book.rounds(*sheet.key[:3]))
        if blind is not None and blind.key == sheet.key:
            yield sheet


def _comparable(
    book: ScoreBook, batch: str, viewer: str, sheets: Iterable[Sheet]
) -> Iterator[Sheet]:
    """Of visible sheets those by the rubric of now, of items that are no attention checks.

    See ``ScoreBook.is_by_rubric_of_now``.
    """
    knows = may_see_sources(book, batch, viewer)
    for sheet in sheets:
        entry = book.items.get(BatchItemKey(batch, sheet.key.item))
        is_check = knows and entry is not None and entry.is_attention_check
        if entry is not None and not is_check and book.is_by_rubric_of_now(sheet):
            yield sheet


def earlier_version_sheets(book: ScoreBook, batch: str, viewer: str) -> Iterator[Sheet]:
    """Sheets that would enter results, were they not by another version of the rubric.

    Raises:
        EditError: If there is no such batch.
    """
    for sheet in last_visible_sheets(book, batch, viewer):
        if sheet.is_counted and not book.is_by_rubric_of_now(sheet):
            yield sheet


def scores_to_compare(book: ScoreBook, batch: str, viewer: str) -> Iterator[GivenScore]:
    """The scores that agreement counts; “cannot judge” gives none.

    Raises:
        EditError: If there is no such batch.
    """
    for sheet in scored_blind(book, batch, viewer):
        for criterion, score in sheet.scores.items():
            yield GivenScore(sheet.key.item, sheet.key.rater, criterion, float(score))


class MissedCheck(NamedTuple):
    """A score that no attentive rater gives."""

    rater: str
    item: str
    criterion: str
    score: int
    expected: tuple[int, ...]


def missed_checks(book: ScoreBook, batch: str, viewer: str) -> Iterator[MissedCheck]:
    """Scores of attention checks that are none of those expected; a rater sees none.

    A sheet by a version of the rubric on whose scale none of them is tells nothing.

    Raises:
        EditError: If there is no such batch.
    """
    if viewer in book.batch(batch).assigned:
        return
    for sheet in last_visible_sheets(book, batch, viewer):
        entry = book.items.get(BatchItemKey(batch, sheet.key.item))
        if entry is None or not sheet.is_counted:
            continue
        rubric = book.rubric_of(batch, sheet.rubric_version)
        for criterion, expected in entry.expected.items():
            score, asked = sheet.scores.get(criterion), rubric.criterion(criterion)
            can_be_right = asked is not None and not set(expected).isdisjoint(asked.scores)
            if score is not None and score not in expected and can_be_right:
                yield MissedCheck(sheet.key.rater, sheet.key.item, criterion, score, expected)


class BatchProgress(NamedTuple):
    """How far one rater is with a batch."""

    settled: int
    total: int
    flagged: int
    anew: int
    """Submitted sheets of which a changed rubric asks more."""


def batch_progress(book: ScoreBook, batch: str, rater: str, viewer: str) -> BatchProgress | None:
    """How far a rater is; ``None`` while somebody may not see all that the rater has submitted.

    Of others only what is submitted or skipped is counted.

    Raises:
        EditError: If there is no such batch.
    """
    known = book.batch(batch)
    assigned = known.assigned.get(rater, ())
    if viewer != rater and not hidden_from(book, batch, viewer).isdisjoint(assigned):
        return None
    said_of: Callable[..., Sheet | PairComparison] = book.comparison if known.pairs else book.sheet
    own = [said_of(batch, name, rater) for name in assigned]
    return BatchProgress(
        sum(said.is_settled for said in own),
        len(own),
        sum(said.is_flagged for said in own if viewer == rater or said.is_settled),
        sum(isinstance(said, Sheet) and bool(to_score_anew(book, said)) for said in own),
    )
