"""Scores from elsewhere brought into a book: what is new, the same, and said otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.base.errors import InputError
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.score_book import ScoreBook, add_batch, save_rubric
from waypost.domain.score.sheet import Sheet, SheetKey


class OnConflict(StrEnum):
    """What to do where the book says otherwise."""

    REFUSE = "refuse"
    KEEP = "keep"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class MergedScores:
    """A book with what came from elsewhere."""

    book: ScoreBook
    batches: int
    """New ones."""

    sheets: int
    """New or replaced."""

    unchanged: int
    conflicts: tuple[SheetKey, ...]
    """Sheets that the book says otherwise, and keeps or has replaced."""


def merge(
    book: ScoreBook,
    found: ScoreBook | Iterable[Sheet],
    on_conflict: OnConflict = OnConflict.REFUSE,
) -> MergedScores:
    """The book with what a file of scores holds; see ``merge_scores`` and ``merge_sheets``."""
    if isinstance(found, ScoreBook):
        return merge_scores(book, found, on_conflict)
    return merge_sheets(book, found, on_conflict)


def merge_scores(
    book: ScoreBook, other: ScoreBook, on_conflict: OnConflict = OnConflict.REFUSE
) -> MergedScores:
    """The book with the rubrics, batches, sheets and comparisons of another one.

    Raises:
        InputError: If a sheet is about no item of its batch, or, to refuse, says otherwise.
        EditError: If a rubric of one version says otherwise.
    """
    for rubric in other.rubrics.values():
        book = save_rubric(book, rubric)
    new = [batch for name, batch in other.batches.items() if name not in book.batches]
    for batch in new:
        book = add_batch(book, batch, other.items_of(batch.name))
    merged = merge_sheets(book, other.sheets.values(), on_conflict)
    comparisons = MappingProxyType({**other.comparisons, **merged.book.comparisons})
    return replace(merged, book=replace(merged.book, comparisons=comparisons), batches=len(new))


def merge_sheets(
    book: ScoreBook, sheets: Iterable[Sheet], on_conflict: OnConflict = OnConflict.REFUSE
) -> MergedScores:
    """The book with sheets from elsewhere.

    Raises:
        InputError: If a sheet is about no item that its rater was given, is by a rubric that is
            not there, has a score that is not on its scale, is a round without the one before, or,
            to refuse, says otherwise.
    """
    found = dict(book.sheets)
    added = unchanged = 0
    conflicts = []
    for sheet in sheets:
        _check_sheet(book, sheet)
        known = found.get(sheet.key)
        if known == sheet:
            unchanged += 1
            continue
        if known is not None:
            conflicts.append(sheet.key)
            if on_conflict is OnConflict.KEEP:
                continue
        found[sheet.key] = sheet
        added += 1
    _check_rounds(found)
    if conflicts and on_conflict is OnConflict.REFUSE:
        first = conflicts[0]
        raise InputError(
            f"{len(conflicts)} sheets say otherwise than the project, e.g. that of {first.rater}"
            f" on {first.item}; choose --on-conflict keep or replace"
        )
    merged = replace(book, sheets=MappingProxyType(found))
    return MergedScores(merged, 0, added, unchanged, tuple(conflicts))


def _check_sheet(book: ScoreBook, sheet: Sheet) -> None:
    key = sheet.key
    place = f"sheet of {key.rater} on {key.item}"
    if BatchItemKey(key.batch, key.item) not in book.items:
        raise InputError(f"{place}: the batch {key.batch!r} has no such item")
    if key.item not in book.batches[key.batch].assigned.get(key.rater, ()):
        raise InputError(f"{place}: it is not assigned to {key.rater}")
    rubric = book.rubrics.get(book.batches[key.batch].rubric._replace(version=sheet.rubric_version))
    if rubric is None:
        raise InputError(f"{place}: its rubric has no version {sheet.rubric_version}")
    for name in (*sheet.scores, *sheet.cannot_judge, *filter(None, sheet.comments)):
        if rubric.criterion(name) is None:
            raise InputError(f"{place}: its rubric has no criterion {name!r}")
    for criterion in rubric.criteria:
        score = sheet.scores.get(criterion.key)
        if score is not None and score not in criterion.scores:
            raise InputError(f"{place}: {criterion.key}: {score} is not on the scale")


def _check_rounds(sheets: Collection[SheetKey]) -> None:
    """Refuse a round that follows none: it would count in results and nobody would be shown it."""
    for key in sheets:
        before = key._replace(round=key.round - 1)
        if key.round < 1 or (key.round > 1 and before not in sheets):
            reason = "rounds begin with 1" if key.round < 1 else f"round {before.round} is missing"
            raise InputError(f"sheet of {key.rater} on {key.item}: round {key.round}: {reason}")
