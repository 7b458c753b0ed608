"""What a project keeps about scoring: rubrics, batches, their items, sheets and comparisons."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Final

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.base.no_entries import no_entries
from waypost.domain.base.rounds import Round, RoundState, rounds_from
from waypost.domain.base.visible_text import one_line
from waypost.domain.score.batch import (
    BatchItem,
    BatchItemKey,
    ScoreBatch,
    has_sides_swapped,
)
from waypost.domain.score.comparison import ComparisonKey, PairComparison
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import Rubric, RubricKey, differ_in_words_only
from waypost.domain.score.rubric_problems import check_rubric
from waypost.domain.score.sheet import Sheet, SheetKey

LOWEST_EYE_M: Final = 0.05
HIGHEST_EYE_M: Final = 10.0


@dataclass(frozen=True, slots=True)
class ScoreBook:
    """Everything about scoring; edits give a new book and leave the old as it was."""

    rubrics: Mapping[RubricKey, Rubric] = field(default_factory=no_entries)
    """Every version in use."""

    batches: Mapping[str, ScoreBatch] = field(default_factory=no_entries)
    """By name, in the order they were made."""

    items: Mapping[BatchItemKey, BatchItem] = field(default_factory=no_entries)
    sheets: Mapping[SheetKey, Sheet] = field(default_factory=no_entries)
    comparisons: Mapping[ComparisonKey, PairComparison] = field(default_factory=no_entries)

    def rubric_of(self, batch: str, version: int | None = None) -> Rubric:
        """The rubric of a batch, in the version scored by now or another one.

        Raises:
            EditError: If there is no such batch or version.
        """
        key = self.batch(batch).rubric
        wanted = key if version is None else key._replace(version=version)
        if wanted not in self.rubrics:
            raise EditError(f"there is no version {wanted.version} of the rubric {wanted.key!r}")
        return self.rubrics[wanted]

    def batch(self, name: str) -> ScoreBatch:
        """The batch of a name.

        Raises:
            EditError: If there is none such.
        """
        if name not in self.batches:
            known = one_line(", ".join(map(repr, self.batches))) or "none"
            raise EditError(f"there is no batch {name!r}; there is {known}")
        return self.batches[name]

    def instruction(self, batch: str, item: str) -> InstructionText:
        """The instruction behind an item.

        Raises:
            EditError: If the batch has no such item.
        """
        found = self.items.get(BatchItemKey(batch, item))
        if found is None:
            raise EditError(f"{batch} has no item {item!r}")
        return found.instruction

    def items_of(self, batch: str) -> tuple[BatchItem, ...]:
        """The items of a batch, in the order they came in."""
        return tuple(entry for key, entry in self.items.items() if key.batch == batch)

    def rounds(self, batch: str, item: str, rater: str) -> tuple[Sheet, ...]:
        """The sheets of a rater on an item, the first round first."""
        return rounds_from(SheetKey(batch, item, rater, 1), self.sheets)

    def sheet(self, batch: str, item: str, rater: str) -> Sheet:
        """The sheet of a rater on an item as it is now; an empty one if nothing was filled in.

        Raises:
            EditError: If there is no such batch.
        """
        rounds = self.rounds(batch, item, rater)
        if rounds:
            return rounds[-1]
        version = self.batch(batch).rubric.version
        return Sheet(SheetKey(batch, item, rater, 1), version)

    def comparison(self, batch: str, pair: str, rater: str) -> PairComparison:
        """What a rater says about a pair as it is now; an open one if nothing was said.

        Raises:
            EditError: If there is no such batch.
        """
        key = ComparisonKey(batch, pair, rater)
        known = self.comparisons.get(key)
        if known is not None:
            return known
        return PairComparison(key, is_swapped=has_sides_swapped(self.batch(batch), rater, pair))

    def is_settled(self, batch: str, name: str, rater: str) -> bool:
        """Whether a rater has said what there is to say about an item, or a pair, of a batch.

        Raises:
            EditError: If there is no such batch.
        """
        if self.batch(batch).pairs:
            return self.comparison(batch, name, rater).is_settled
        return self.sheet(batch, name, rater).is_settled

    def is_by_rubric_of_now(self, sheet: Sheet) -> bool:
        """Whether a sheet is by the rubric of now, or a version that differs from it in words only.

        Raises:
            EditError: If there is no such batch, or the version is not there.
        """
        batch, version = sheet.key.batch, sheet.rubric_version
        now = self.rubric_of(batch)
        return version == now.version or differ_in_words_only(self.rubric_of(batch, version), now)

    def others_are_in(self, batch: str, name: str, rater: str, at: datetime | None = None) -> bool:
        """Whether anybody but a rater has said something about an item or a pair that is in.

        Of sheets only those by the rubric of now, see ``is_by_rubric_of_now``.

        Args:
            batch: The batch.
            name: Of the item, or the pair.
            rater: Whose own word does not count.
            at: When; by default now.

        Raises:
            EditError: If there is no such batch.
        """
        known = self.batch(batch)
        others = [who for who, own in known.assigned.items() if who != rater and name in own]
        if known.pairs:
            said = (self.comparison(batch, name, who) for who in others)
            return any(_was_in(one, at) for own in said for one in own.rounds)
        return any(
            _was_in(sheet, at) and self.is_by_rubric_of_now(sheet)
            for who in others
            for sheet in self.rounds(batch, name, who)
        )

    def may_have_seen(self, said: Sheet | PairComparison) -> bool:
        """Whether a rater may have seen what others say since something blind of theirs is in.

        What is changed then is said in another round.

        Raises:
            EditError: If there is no such batch.
        """
        return said.is_settled and not said.is_seeing and self.others_are_in(*said.key[:3])

    def is_returned(self, batch: str, name: str, rater: str) -> bool:
        """Whether an item, or a pair, was returned to a rater and is not in again.

        Raises:
            EditError: If there is no such batch.
        """
        if self.batch(batch).pairs:
            said = self.comparison(batch, name, rater)
            rounds: tuple[Round, ...] = (*said.earlier, said)
        else:
            rounds = self.rounds(batch, name, rater)
        states = [entry.state for entry in rounds[-2:]]
        return states == [RoundState.RETURNED, RoundState.OPEN]

    def current_sheets(self, batch: str) -> Iterator[Sheet]:
        """The last round of every rater and item of a batch."""
        for key, sheet in self.sheets.items():
            if key.batch == batch and key._replace(round=key.round + 1) not in self.sheets:
                yield sheet


def _was_in(said: Round, at: datetime | None) -> bool:
    """Whether a round was submitted or skipped by a time; of unknown times it was."""
    is_in = said.state is not RoundState.OPEN
    return is_in and (at is None or said.submitted_at is None or said.submitted_at <= at)


NO_SCORES: Final = ScoreBook()


def save_rubric(book: ScoreBook, rubric: Rubric) -> ScoreBook:
    """The book with a version of a rubric.

    Raises:
        InputError: If it cannot be used, see ``check_rubric``.
        EditError: If the book has this version with other content: what was scored by it would
            change its meaning.
    """
    check_rubric(rubric)
    known = book.rubrics.get(rubric.identity)
    if known == rubric:
        return book
    if known is not None:
        raise EditError(
            f"version {rubric.version} of the rubric {rubric.key!r} is there and says otherwise;"
            " give the changed one a higher version"
        )
    rubrics = MappingProxyType({**book.rubrics, rubric.identity: rubric})
    return dataclasses.replace(book, rubrics=rubrics)


def add_batch(book: ScoreBook, batch: ScoreBatch, items: Iterable[BatchItem]) -> ScoreBook:
    """The book with a new batch and its items.

    Raises:
        EditError: If a batch of this name is there, or its rubric is not.
        InputError: If the name is empty, two items have one id, an item is of another batch, or
            somebody is assigned what is not there.
    """
    if not batch.name.strip():
        raise InputError("name: a batch needs one")
    if batch.name in book.batches:
        raise EditError(f"there is a batch {batch.name!r} already")
    if batch.rubric not in book.rubrics:
        raise EditError(f"there is no version {batch.rubric.version} of {batch.rubric.key!r}")
    new: dict[BatchItemKey, BatchItem] = {}
    for entry in items:
        if entry.key.batch != batch.name or entry.key in new:
            raise InputError(f"items: {entry.key.item!r} stands twice or in another batch")
        new[entry.key] = entry
    check_batch(batch, {key.item for key in new})
    return dataclasses.replace(
        book,
        batches=MappingProxyType({**book.batches, batch.name: batch}),
        items=MappingProxyType({**book.items, **new}),
    )


def check_batch(batch: ScoreBatch, items: set[str]) -> None:
    """Refuse a batch that names items or pairs which are not there, or is seen from nowhere.

    Raises:
        InputError: Naming the first.
    """
    height_m = batch.eye_height_m
    if height_m is not None and not LOWEST_EYE_M <= height_m <= HIGHEST_EYE_M:
        limits = f"{LOWEST_EYE_M:g} to {HIGHEST_EYE_M:g} m"
        raise InputError(f"eye_height_m: {height_m:g} is not in {limits}")
    for pair, both in batch.pairs.items():
        missing = next((item for item in both if item not in items), None)
        if missing is not None:
            raise InputError(f"pairs: {pair!r} has {missing!r}, which is no item")
    known = set(batch.pairs) if batch.pairs else items
    for rater, own in batch.assigned.items():
        missing = next((name for name in own if name not in known), None)
        if missing is not None:
            raise InputError(f"assigned: {rater} is to score {missing!r}, which is not there")


def put_comparison(book: ScoreBook, said: PairComparison) -> ScoreBook:
    """The book with a comparison in place of its earlier state."""
    comparisons = MappingProxyType({**book.comparisons, said.key: said})
    return dataclasses.replace(book, comparisons=comparisons)


def put_sheet(book: ScoreBook, sheet: Sheet) -> ScoreBook:
    """The book with a sheet in place of the earlier state of the same."""
    sheets = MappingProxyType({**book.sheets, sheet.key: sheet})
    return dataclasses.replace(book, sheets=sheets)
