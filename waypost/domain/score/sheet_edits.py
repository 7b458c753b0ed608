"""Pure edits of sheets: filling in, submitting, skipping, returning, accepting."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from waypost.domain.base.errors import EditError
from waypost.domain.base.rounds import accepted, returned, with_decision_draft
from waypost.domain.score.rubric import Criterion, criteria_to_score_anew
from waypost.domain.score.said_round import without_reason_draft
from waypost.domain.score.score_book import ScoreBook, put_sheet
from waypost.domain.score.sheet import Sheet, SheetState, missing_criteria


def open_sheet(book: ScoreBook, sheet: Sheet) -> Sheet:
    """The sheet itself, if it can be filled in.

    A sheet that was submitted or skipped and is not decided about is opened again by its first
    change: in the same round, or in the next one where its rater may have seen what others say.

    Raises:
        EditError: If it is accepted, or returned and so followed by another round.
    """
    if sheet.state is SheetState.ACCEPTED:
        raise EditError("this sheet is accepted and locked")
    if sheet.state is SheetState.RETURNED:
        raise EditError("this sheet was returned; its next round is to be filled in")
    if book.may_have_seen(sheet):
        return next_round(book, sheet)
    return _reopened(book, sheet)


def _reopened(book: ScoreBook, sheet: Sheet) -> Sheet:
    version = book.batch(sheet.key.batch).rubric.version
    reason = "" if sheet.state is SheetState.SKIPPED else sheet.skip_reason
    opened = replace(sheet, state=SheetState.OPEN, skip_reason=reason, submitted_at=None)
    return opened if opened.has_content else replace(opened, rubric_version=version)


def set_score(
    book: ScoreBook, sheet: Sheet, criterion: str, score: int | None, now: datetime
) -> ScoreBook:
    """Give a score, or take it back with ``None``; “cannot judge” goes with either.

    Raises:
        EditError: If the sheet is locked, or the criterion or score is not in its rubric.
    """
    opened = open_sheet(book, sheet)
    asked = _asked(book, opened, criterion)
    if score is not None and score not in asked.scores:
        scale = ", ".join(map(str, asked.scores))
        raise EditError(f"{asked.title}: {score} is none of {scale}")
    scores = {key: given for key, given in opened.scores.items() if key != criterion}
    if score is not None:
        scores[criterion] = score
    cannot = tuple(key for key in opened.cannot_judge if key != criterion)
    return _put(book, replace(opened, scores=MappingProxyType(scores), cannot_judge=cannot), now)


def set_cannot_judge(book: ScoreBook, sheet: Sheet, criterion: str, now: datetime) -> ScoreBook:
    """Say that a criterion cannot be judged, or take that back; a score there goes.

    Raises:
        EditError: If the sheet is locked, or the criterion is not in its rubric.
    """
    opened = open_sheet(book, sheet)
    _asked(book, opened, criterion)
    scores = {key: given for key, given in opened.scores.items() if key != criterion}
    said = set(opened.cannot_judge) ^ {criterion}
    rubric = book.rubric_of(sheet.key.batch, opened.rubric_version)
    cannot = tuple(entry.key for entry in rubric.criteria if entry.key in said)
    return _put(book, replace(opened, scores=MappingProxyType(scores), cannot_judge=cannot), now)


def set_comment(
    book: ScoreBook, sheet: Sheet, criterion: str, text: str, now: datetime
) -> ScoreBook:
    """Write a comment on a criterion, or on the whole; an empty one takes it away.

    Raises:
        EditError: If the sheet is locked.
    """
    opened = _to_comment(book, sheet)
    comments = {key: said for key, said in opened.comments.items() if key != criterion}
    if text:
        comments[criterion] = text
    return _put(book, replace(opened, comments=MappingProxyType(comments)), now)


def toggle_flag(book: ScoreBook, sheet: Sheet, now: datetime) -> ScoreBook:
    """Flag an item for others to look at, or take the flag back.

    Raises:
        EditError: If the sheet is locked.
    """
    opened = _to_comment(book, sheet)
    return _put(book, replace(opened, is_flagged=not opened.is_flagged), now)


def write_reason(book: ScoreBook, sheet: Sheet, text: str, now: datetime) -> ScoreBook:
    """Write down a reason to skip as it is typed; the sheet stays as far as it is.

    One that is skipped keeps its reason where nothing is written.

    Raises:
        EditError: If the sheet is locked.
    """
    own = _to_comment(book, sheet)
    if own.state is SheetState.SKIPPED and not text.strip():
        return book
    return _put(book, replace(own, skip_reason=text), now)


def write_decision(book: ScoreBook, sheet: Sheet, text: str) -> ScoreBook:
    """Write down what is to be said to a rater as it is typed; nothing is decided yet.

    Raises:
        EditError: If it is decided already.
    """
    return put_sheet(book, with_decision_draft(sheet, "sheet", text))


def _to_comment(book: ScoreBook, sheet: Sheet) -> Sheet:
    """A submitted sheet stays submitted under a comment or a flag."""
    if sheet.state is SheetState.OPEN:
        return open_sheet(book, sheet)
    if sheet.is_locked:
        raise EditError("this sheet is decided about and locked")
    return sheet


def submit(book: ScoreBook, sheet: Sheet, now: datetime, active_s: float = 0.0) -> ScoreBook:
    """Submit a sheet; scores of criteria that are not asked any more are dropped.

    Raises:
        EditError: Naming what is missing, or that it is locked.
    """
    is_as_before = sheet.state is SheetState.SUBMITTED
    opened = _reopened(book, sheet) if is_as_before else open_sheet(book, sheet)
    rubric = book.rubric_of(sheet.key.batch, opened.rubric_version)
    instruction = book.instruction(sheet.key.batch, sheet.key.item)
    missing = missing_criteria(opened, rubric, instruction)
    if missing:
        raise EditError(f"missing: {', '.join(entry.title for entry in missing)}")
    asked = {entry.key for entry in rubric.asked(instruction, opened.scores)}
    done = replace(
        opened,
        scores=MappingProxyType({k: v for k, v in opened.scores.items() if k in asked}),
        cannot_judge=tuple(key for key in opened.cannot_judge if key in asked),
        state=SheetState.SUBMITTED,
        skip_reason="",
        submitted_at=now,
        active_s=opened.active_s + active_s,
    )
    return _put(book, done, now)


def skip(
    book: ScoreBook, sheet: Sheet, reason: str, now: datetime, active_s: float = 0.0
) -> ScoreBook:
    """Leave an item out, with a reason; what is filled in is kept and counts in no result.

    Raises:
        EditError: If there is no reason, or the sheet is locked.
    """
    if not reason.strip():
        raise EditError("skipping needs a reason")
    opened = open_sheet(book, sheet)
    done = replace(
        opened,
        state=SheetState.SKIPPED,
        skip_reason=reason,
        submitted_at=now,
        active_s=opened.active_s + active_s,
    )
    return _put(book, done, now)


def add_active_time(book: ScoreBook, sheet: Sheet, seconds: float) -> ScoreBook:
    """Add time at work to a sheet that is there."""
    if sheet.key not in book.sheets:
        return book
    return put_sheet(book, replace(sheet, active_s=sheet.active_s + seconds))


def return_sheet(book: ScoreBook, sheet: Sheet, by: str, comment: str, now: datetime) -> ScoreBook:
    """Give a sheet back to its rater: this round stays as it is, the next begins with its scores.

    Raises:
        EditError: If it is not submitted or skipped, or there is no comment.
    """
    given_back = returned(without_reason_draft(sheet), "sheet", by, comment, now)
    return put_sheet(put_sheet(book, given_back), next_round(book, sheet))


def accept_sheet(book: ScoreBook, sheet: Sheet, by: str, now: datetime) -> ScoreBook:
    """Accept a sheet, which locks it.

    Raises:
        EditError: If it is not submitted or skipped.
    """
    return put_sheet(book, accepted(without_reason_draft(sheet), "sheet", by, now))


def next_round(book: ScoreBook, sheet: Sheet, at: datetime | None = None) -> Sheet:
    """The sheet that follows, in the version of now, with what carries over.

    Its rater is seeing where others' sheets by that version are in: the one before shows them.

    Args:
        book: Holds them.
        sheet: The one before.
        at: When the next one began; by default now.
    """
    now = book.rubric_of(sheet.key.batch)
    before = book.rubric_of(sheet.key.batch, sheet.rubric_version)
    anew = set(criteria_to_score_anew(before, now))
    kept = {entry.key for entry in now.criteria} - anew
    return Sheet(
        sheet.key._replace(round=sheet.key.round + 1),
        now.version,
        MappingProxyType({key: score for key, score in sheet.scores.items() if key in kept}),
        tuple(key for key in sheet.cannot_judge if key in kept),
        sheet.comments,
        sheet.is_flagged,
        is_seeing=(sheet.is_seeing and book.is_by_rubric_of_now(sheet))
        or book.others_are_in(*sheet.key[:3], at),
    )


def change_rubric(book: ScoreBook, batch: str, version: int) -> ScoreBook:
    """Score a batch by another version of its rubric from now on; sheets stay as they are.

    Raises:
        EditError: If there is no such batch or version, or it is compared in pairs: what was said
            about them has no version.
    """
    book.rubric_of(batch, version)
    known = book.batch(batch)
    if known.pairs:
        raise EditError(f"{batch} is compared in pairs, which keep the rubric they began with")
    changed = replace(known, rubric=known.rubric._replace(version=version))
    return replace(book, batches=MappingProxyType({**book.batches, batch: changed}))


def to_score_anew(book: ScoreBook, sheet: Sheet) -> tuple[Criterion, ...]:
    """The criteria that the rubric of now asks and a submitted sheet of an older one lacks."""
    if not sheet.is_counted:
        return ()
    now = book.rubric_of(sheet.key.batch)
    if sheet.rubric_version == now.version:
        return ()
    before = book.rubric_of(sheet.key.batch, sheet.rubric_version)
    anew = set(criteria_to_score_anew(before, now))
    asked = now.asked(book.instruction(sheet.key.batch, sheet.key.item), sheet.scores)
    return tuple(entry for entry in asked if entry.key in anew)


def begin_anew(book: ScoreBook, sheet: Sheet) -> ScoreBook:
    """Begin the next round of a sheet by the rubric of now; the old one stays as it is.

    Raises:
        EditError: If nothing is new to score.
    """
    if not to_score_anew(book, sheet):
        raise EditError("nothing is new to score here")
    return put_sheet(book, next_round(book, sheet))


def _asked(book: ScoreBook, sheet: Sheet, criterion: str) -> Criterion:
    rubric = book.rubric_of(sheet.key.batch, sheet.rubric_version)
    found = rubric.criterion(criterion)
    if found is None:
        raise EditError(f"{rubric.title} has no criterion {criterion!r}")
    return found


def _put(book: ScoreBook, sheet: Sheet, now: datetime) -> ScoreBook:
    batch = book.batch(sheet.key.batch)
    if sheet.key.item not in batch.assigned.get(sheet.key.rater, ()):
        raise EditError(f"{sheet.key.item} is not assigned to {sheet.key.rater}")
    return put_sheet(book, replace(sheet, changed_at=now))
