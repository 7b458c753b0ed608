"""Pure edits of comparisons: saying which is better, submitting, skipping."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from waypost.domain.base.errors import EditError
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.rubric import Criterion
from waypost.domain.score.score_book import ScoreBook, put_comparison


def asked_of_pair(book: ScoreBook, batch: str, pair: str) -> tuple[Criterion, ...]:
    """The criteria that a pair is compared by: those asked of both instructions.

    What depends on the score of another criterion is not asked, as a pair has no scores.

    Raises:
        EditError: If there is no such batch or pair.
    """
    both = book.batch(batch).pairs.get(pair)
    if both is None:
        raise EditError(f"{batch} has no pair {pair!r}")
    rubric = book.rubric_of(batch)
    asked = [rubric.asked(book.instruction(batch, item), {}) for item in both]
    return tuple(entry for entry in asked[0] if entry in asked[1])


def missing_answers(book: ScoreBook, said: PairComparison) -> tuple[Criterion, ...]:
    """The required criteria that a comparison does not answer, in the order of the rubric."""
    return tuple(
        entry
        for entry in asked_of_pair(book, said.key.batch, said.key.pair)
        if entry.is_required
        and entry.key not in said.answers
        and entry.key not in said.cannot_judge
    )


def set_better(
    book: ScoreBook, key: ComparisonKey, criterion: str, better: Better | None, now: datetime
) -> ScoreBook:
    """Say which of a pair is better on a criterion, or take it back with ``None``.

    Opens a comparison that was submitted or skipped; “cannot judge” goes.

    Raises:
        EditError: If the pair is not assigned to the rater, or the rubric has no such criterion.
    """
    opened = _opened(book, key, criterion)
    answers = {name: said for name, said in opened.answers.items() if name != criterion}
    if better is not None:
        answers[criterion] = better
    cannot = tuple(name for name in opened.cannot_judge if name != criterion)
    said = replace(opened, answers=MappingProxyType(answers), cannot_judge=cannot)
    return put_comparison(book, replace(said, changed_at=now))


def set_pair_cannot_judge(
    book: ScoreBook, key: ComparisonKey, criterion: str, now: datetime
) -> ScoreBook:
    """Say that a criterion cannot be judged of a pair, or take that back; an answer there goes.

    Raises:
        EditError: As of ``set_better``.
    """
    opened = _opened(book, key, criterion)
    answers = {name: said for name, said in opened.answers.items() if name != criterion}
    said = set(opened.cannot_judge) ^ {criterion}
    rubric = book.rubric_of(key.batch)
    cannot = tuple(entry.key for entry in rubric.criteria if entry.key in said)
    changed = replace(opened, answers=MappingProxyType(answers), cannot_judge=cannot)
    return put_comparison(book, replace(changed, changed_at=now))


def set_pair_comment(book: ScoreBook, key: ComparisonKey, text: str, now: datetime) -> ScoreBook:
    """Write a comment on a pair; what is submitted stays so.

    Raises:
        EditError: If the pair is not assigned to the rater.
    """
    return put_comparison(book, replace(_own(book, key), comment=text, changed_at=now))


def toggle_pair_flag(book: ScoreBook, key: ComparisonKey, now: datetime) -> ScoreBook:
    """Flag a pair for others to look at, or take the flag back; what is submitted stays so.

    Raises:
        EditError: If the pair is not assigned to the rater.
    """
    own = _own(book, key)
    return put_comparison(book, replace(own, is_flagged=not own.is_flagged, changed_at=now))


def submit_comparison(book: ScoreBook, key: ComparisonKey, now: datetime) -> ScoreBook:
    """Submit a comparison.

    Raises:
        EditError: Naming what is missing, or that the pair is not assigned to the rater.
    """
    own = replace(_own(book, key), skip_reason="")
    missing = missing_answers(book, own)
    if missing:
        raise EditError(f"missing: {', '.join(entry.title for entry in missing)}")
    return put_comparison(book, replace(own, submitted_at=now, changed_at=now))


def skip_comparison(book: ScoreBook, key: ComparisonKey, reason: str, now: datetime) -> ScoreBook:
    """Leave a pair out, with a reason; what is filled in is kept and counts in no result.

    Raises:
        EditError: If there is no reason, or the pair is not assigned to the rater.
    """
    if not reason.strip():
        raise EditError("skipping needs a reason")
    said = replace(_own(book, key), skip_reason=reason, submitted_at=now, changed_at=now)
    return put_comparison(book, said)


def add_pair_time(book: ScoreBook, key: ComparisonKey, seconds: float) -> ScoreBook:
    """Add time at work to a comparison that is there."""
    known = book.comparisons.get(key)
    if known is None:
        return book
    return put_comparison(book, replace(known, active_s=known.active_s + seconds))


def _own(book: ScoreBook, key: ComparisonKey) -> PairComparison:
    if key.pair not in book.batch(key.batch).assigned.get(key.rater, ()):
        raise EditError(f"{key.pair} is not assigned to {key.rater}")
    return book.comparison(key.batch, key.pair, key.rater)


def _opened(book: ScoreBook, key: ComparisonKey, criterion: str) -> PairComparison:
    own, rubric = _own(book, key), book.rubric_of(key.batch)
    if rubric.criterion(criterion) is None:
        raise EditError(f"{rubric.title} has no criterion {criterion!r}")
    return replace(own, submitted_at=None, skip_reason="")
