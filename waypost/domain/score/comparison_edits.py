"""Pure edits of comparisons: saying which is better, submitting, skipping, deciding about them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from waypost.domain.base.errors import EditError
from waypost.domain.base.rounds import RoundState, accepted, returned, with_decision_draft
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.rubric import Criterion
from waypost.domain.score.said_round import without_reason_draft
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

    Opens a comparison that was submitted or skipped, or begins its next round where its rater may
    have seen what others say; “cannot judge” goes.

    Raises:
        EditError: If the pair is not assigned to the rater, the comparison is accepted, or the
            rubric has no such criterion.
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
        EditError: If the pair is not assigned to the rater, or the comparison is accepted.
    """
    return put_comparison(book, replace(_own(book, key), comment=text, changed_at=now))


def toggle_pair_flag(book: ScoreBook, key: ComparisonKey, now: datetime) -> ScoreBook:
    """Flag a pair for others to look at, or take the flag back; what is submitted stays so.

    Raises:
        EditError: If the pair is not assigned to the rater, or the comparison is accepted.
    """
    own = _own(book, key)
    return put_comparison(book, replace(own, is_flagged=not own.is_flagged, changed_at=now))


def submit_comparison(book: ScoreBook, key: ComparisonKey, now: datetime) -> ScoreBook:
    """Submit a comparison.

    Raises:
        EditError: Naming what is missing, or as of ``set_pair_comment``.
    """
    own = _own(book, key)
    own = own if own.state is RoundState.SUBMITTED else _round_of(book, own)
    own = replace(own, skip_reason="")
    missing = missing_answers(book, own)
    if missing:
        raise EditError(f"missing: {', '.join(entry.title for entry in missing)}")
    done = replace(own, state=RoundState.SUBMITTED, submitted_at=now, changed_at=now)
    return put_comparison(book, done)


def skip_comparison(book: ScoreBook, key: ComparisonKey, reason: str, now: datetime) -> ScoreBook:
    """Leave a pair out, with a reason; what is filled in is kept and counts in no result.

    Raises:
        EditError: If there is no reason, or as of ``set_pair_comment``.
    """
    if not reason.strip():
        raise EditError("skipping needs a reason")
    own = replace(_round_of(book, _own(book, key)), state=RoundState.SKIPPED, skip_reason=reason)
    return put_comparison(book, replace(own, submitted_at=now, changed_at=now))


def write_pair_reason(book: ScoreBook, key: ComparisonKey, text: str, now: datetime) -> ScoreBook:
    """Write down a reason to skip as it is typed; the comparison stays as far as it is.

    One that is skipped keeps its reason where nothing is written.

    Raises:
        EditError: As of ``set_pair_comment``.
    """
    own = _own(book, key)
    if own.state is RoundState.SKIPPED and not text.strip():
        return book
    return put_comparison(book, replace(own, skip_reason=text, changed_at=now))


def write_pair_decision(book: ScoreBook, key: ComparisonKey, text: str) -> ScoreBook:
    """Write down what is to be said to a rater as it is typed; nothing is decided yet.

    Raises:
        EditError: If it is decided already.
    """
    return put_comparison(book, with_decision_draft(book.comparison(*key), "comparison", text))


def return_comparison(
    book: ScoreBook, key: ComparisonKey, by: str, comment: str, now: datetime
) -> ScoreBook:
    """Give a comparison back to its rater; its next round begins with what was said in this one.

    Raises:
        EditError: If it is not submitted or skipped, or there is no comment.
    """
    said = without_reason_draft(book.comparison(*key))
    given_back = returned(said, "comparison", by, comment, now)
    return put_comparison(book, next_pair_round(book, given_back))


def accept_comparison(book: ScoreBook, key: ComparisonKey, by: str, now: datetime) -> ScoreBook:
    """Accept a comparison, which locks it.

    Raises:
        EditError: If it is not submitted or skipped.
    """
    said = without_reason_draft(book.comparison(*key))
    return put_comparison(book, accepted(said, "comparison", by, now))


def next_pair_round(
    book: ScoreBook, said: PairComparison, at: datetime | None = None
) -> PairComparison:
    """The comparison that follows one, with what was said in it.

    Its rater is seeing where others' are in.

    Args:
        book: Holds them.
        said: The one before.
        at: When the next one began; by default now.
    """
    return PairComparison(
        said.key,
        said.rounds,
        round=said.round + 1,
        answers=said.answers,
        comment=said.comment,
        cannot_judge=said.cannot_judge,
        is_flagged=said.is_flagged,
        is_swapped=said.is_swapped,
        is_seeing=said.is_seeing or book.others_are_in(*said.key, at),
    )


def add_pair_time(book: ScoreBook, key: ComparisonKey, seconds: float) -> ScoreBook:
    """Add time at work to a comparison that is there."""
    known = book.comparisons.get(key)
    if known is None:
        return book
    return put_comparison(book, replace(known, active_s=known.active_s + seconds))


def _own(book: ScoreBook, key: ComparisonKey) -> PairComparison:
    if key.pair not in book.batch(key.batch).assigned.get(key.rater, ()):
        raise EditError(f"{key.pair} is not assigned to {key.rater}")
    own = book.comparison(*key)
    if own.is_locked:
        raise EditError("this comparison is accepted and locked")
    return own


def _round_of(book: ScoreBook, own: PairComparison) -> PairComparison:
    """The round that a change is of: the next one where its rater may have seen others'."""
    return next_pair_round(book, own) if book.may_have_seen(own) else own


def _opened(book: ScoreBook, key: ComparisonKey, criterion: str) -> PairComparison:
    own, rubric = _own(book, key), book.rubric_of(key.batch)
    if rubric.criterion(criterion) is None:
        raise EditError(f"{rubric.title} has no criterion {criterion!r}")
    reason = "" if own.state is RoundState.SKIPPED else own.skip_reason
    own = _round_of(book, own)
    return replace(own, state=RoundState.OPEN, submitted_at=None, skip_reason=reason)
