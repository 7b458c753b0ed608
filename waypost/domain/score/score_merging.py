"""Scores from elsewhere brought into a book: what is new, the same, and said otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeVar

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.no_entries import no_entries
from waypost.domain.base.rounds import RoundState
from waypost.domain.score.batch import BatchItemKey
from waypost.domain.score.comparison import (
    ComparisonKey,
    PairComparison,
    PairRound,
    comparison_of,
)
from waypost.domain.score.comparison_edits import next_pair_round
from waypost.domain.score.said_round import SaidRound, without_drafts
from waypost.domain.score.score_book import ScoreBook, add_batch, put_sheet, save_rubric
from waypost.domain.score.sheet import Sheet, SheetKey, SheetState
from waypost.domain.score.sheet_edits import next_round

_Key = TypeVar("_Key", bound=tuple[Any, ...])
_Said = TypeVar("_Said", bound=SaidRound)


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
    conflicts: tuple[SheetKey | ComparisonKey, ...]
    """What the book says otherwise, and keeps or has replaced."""

    comparisons: int = 0
    """New or replaced."""


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """What a table says of batches that are there, and what it says that they are about."""

    sheets: tuple[Sheet, ...] = ()
    comparisons: tuple[PairComparison, ...] = ()
    texts: Mapping[BatchItemKey, str] = field(default_factory=no_entries)
    """Item → its instruction, where the table has that."""

    pairs: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=no_entries)
    """Batch and pair → its two items, likewise."""

    rubrics: Mapping[str, str] = field(default_factory=no_entries)
    """Batch → key of its rubric, likewise."""


ScoreFile = ScoreBook | ScoredRows
"""What a file of scores holds: whole batches, or what was said of batches that are there."""


def merge(
    book: ScoreBook, found: ScoreFile, on_conflict: OnConflict = OnConflict.REFUSE
) -> MergedScores:
    """The book with what a file of scores holds.

    See ``merge_scores``, ``merge_sheets`` and ``merge_comparisons``.

    Raises:
        InputError: Also if the file is about other instructions, pairs or rubrics than the batches
            of the same names here.
    """
    if isinstance(found, ScoreBook):
        return merge_scores(book, found, on_conflict)
    _check_same(book, found)
    merged = merge_sheets(book, found.sheets, on_conflict)
    return _together(merged, merge_comparisons(merged.book, found.comparisons, on_conflict))


def _check_same(book: ScoreBook, found: ScoredRows) -> None:
    """Refuse what was said about something else that has the same names."""
    for key, text in found.texts.items():
        item = book.items.get(key)
        # Spreadsheets change blanks and the ends of lines, and people empty columns.
        words = text.split()
        if item is not None and words and item.instruction.text.split() != words:
            raise InputError(f"batch {key.batch!r}: {key.item!r} is another instruction here")
    for (name, pair), items in found.pairs.items():
        batch = book.batches.get(name)
        if batch is not None and batch.pairs.get(pair, items) != items:
            first, second = batch.pairs[pair]
            raise InputError(f"batch {name!r}: {pair!r} is {first!r} and {second!r} here, in order")
    for name, rubric in found.rubrics.items():
        batch = book.batches.get(name)
        if batch is not None and batch.rubric.key != rubric:
            raise InputError(f"batch {name!r}: its rubric here is {batch.rubric.key!r}")


def merge_scores(
    book: ScoreBook, other: ScoreBook, on_conflict: OnConflict = OnConflict.REFUSE
) -> MergedScores:
    """The book with the rubrics, batches, sheets and comparisons of another one.

    Raises:
        InputError: If a sheet or a comparison is about what its rater was not given, a batch is
            another one of the same name, or, to refuse, something says otherwise.
        EditError: If a rubric of one version says otherwise.
    """
    _check_same(book, _about(other))
    for rubric in other.rubrics.values():
        book = save_rubric(book, rubric)
    new = [batch for name, batch in other.batches.items() if name not in book.batches]
    for batch in new:
        book = add_batch(book, batch, other.items_of(batch.name))
    merged = merge_sheets(book, other.sheets.values(), on_conflict)
    said = merge_comparisons(merged.book, other.comparisons.values(), on_conflict)
    return replace(_together(merged, said), batches=len(new))


def _about(book: ScoreBook) -> ScoredRows:
    batches = book.batches.items()
    return ScoredRows(
        texts={key: entry.instruction.text for key, entry in book.items.items()},
        pairs={(name, pair): both for name, b in batches for pair, both in b.pairs.items()},
        rubrics={name: batch.rubric.key for name, batch in batches},
    )


def _together(sheets: MergedScores, said: MergedScores) -> MergedScores:
    return replace(
        said,
        sheets=sheets.sheets,
        unchanged=sheets.unchanged + said.unchanged,
        conflicts=(*sheets.conflicts, *said.conflicts),
    )


def merge_comparisons(
    book: ScoreBook,
    comparisons: Iterable[PairComparison],
    on_conflict: OnConflict = OnConflict.REFUSE,
) -> MergedScores:
    """The book with comparisons from elsewhere.

    Raises:
        InputError: If one is about no pair that its rater was given, answers what the rubric does
            not ask, is a round without the one before, or, to refuse, says otherwise.
    """
    found = dict(book.comparisons)
    added = unchanged = 0
    conflicts = []
    for said in comparisons:
        _check_comparison(book, said)
        known = found.get(said.key)
        rounds = {entry.round: entry for entry in known.rounds} if known else {}
        theirs = {
            entry.round: _as_from_file(entry, rounds.get(entry.round)) for entry in said.rounds
        }
        new = {number: entry for number, entry in theirs.items() if rounds.get(number) != entry}
        if any(number in rounds for number in new):
            conflicts.append(said.key)
            if on_conflict is OnConflict.KEEP:
                new = {number: entry for number, entry in new.items() if number not in rounds}
        elif not new:
            unchanged += 1
        if new:
            found[said.key] = _comparison_of(said.key, rounds | new)
            added += 1
    if conflicts and on_conflict is OnConflict.REFUSE:
        first = conflicts[0]
        raise InputError(
            f"{counted(len(conflicts), 'comparison')} otherwise than in the project, e.g. that of"
            f" {first.rater} of {first.pair}; choose --on-conflict keep or replace"
        )
    merged = replace(book, comparisons=MappingProxyType(found))
    # What whoever returned it may write holds no round that is open.
    following = {
        key: next_pair_round(merged, said, said.decided_at)
        for key, said in found.items()
        if said.state is RoundState.RETURNED
    }
    merged = replace(merged, comparisons=MappingProxyType(found | following))
    return MergedScores(merged, 0, 0, unchanged, tuple(conflicts), added)


def _check_comparison(book: ScoreBook, said: PairComparison) -> None:
    key = said.key
    place = f"comparison of {key.rater} of {key.pair}"
    batch = book.batches.get(key.batch)
    if batch is None or key.pair not in batch.pairs:
        raise InputError(f"{place}: the batch {key.batch!r} has no such pair")
    if key.pair not in batch.assigned.get(key.rater, ()):
        raise InputError(f"{place}: it is not assigned to {key.rater}")
    rubric = book.rubric_of(key.batch)
    for name in (name for own in said.rounds for name in (*own.answers, *own.cannot_judge)):
        if rubric.criterion(name) is None:
            raise InputError(f"{place}: its rubric has no criterion {name!r}")


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
        said = _as_from_file(sheet, known)
        if known == said:
            unchanged += 1
            continue
        if known is not None:
            conflicts.append(sheet.key)
            if on_conflict is OnConflict.KEEP:
                continue
        found[sheet.key] = said
        added += 1
    for key in found:
        _check_round(found, key, f"sheet of {key.rater} on {key.item}")
    if conflicts and on_conflict is OnConflict.REFUSE:
        first = conflicts[0]
        raise InputError(
            f"{len(conflicts)} sheets say otherwise than the project, e.g. that of {first.rater}"
            f" on {first.item}; choose --on-conflict keep or replace"
        )
    merged = replace(book, sheets=MappingProxyType(found))
    for sheet in [*merged.sheets.values()]:
        following = sheet.key._replace(round=sheet.key.round + 1)
        if sheet.state is SheetState.RETURNED and following not in merged.sheets:
            # What whoever returned it may write holds no round that is open.
            merged = put_sheet(merged, next_round(merged, sheet, sheet.decided_at))
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


def _check_round(kept: Collection[_Key], key: _Key, place: str) -> None:
    """Refuse a round that follows none: it would count in results and nobody would be shown it.

    Args:
        kept: Keys of all rounds, whose last part is the number of the round.
        key: One of them.
        place: What it is.
    """
    *what, number = key
    if number < 1 or (number > 1 and (*what, number - 1) not in kept):
        reason = "rounds begin with 1" if number < 1 else f"round {number - 1} is missing"
        raise InputError(f"{place}: round {number}: {reason}")


def _as_from_file(said: _Said, known: _Said | None) -> _Said:
    """A round of a file, with what somebody has begun to say of it here, which no file holds."""
    alone = without_drafts(said)
    if known is None or known.is_locked or said.is_locked:
        return alone
    begun = "" if known.is_skipped or said.is_skipped else known.skip_reason
    return replace(
        alone,
        decision_comment=known.decision_comment,
        skip_reason=alone.skip_reason or begun,
    )


def _comparison_of(key: ComparisonKey, rounds: Mapping[int, PairRound]) -> PairComparison:
    place = f"comparison of {key.rater} of {key.pair}"
    kept = {(number,) for number in rounds}
    for number in rounds:
        _check_round(kept, (number,), place)
    return comparison_of(key, tuple(rounds[number] for number in sorted(rounds)))
