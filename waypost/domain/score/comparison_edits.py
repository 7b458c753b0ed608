"""Pure edits of comparisons, and the pairs that a batch is compared in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from waypost.domain.base.dealing import deal_names
from waypost.domain.base.errors import EditError, InputError
from waypost.domain.score.batch import BatchItem, BatchItemKey, ScoreBatch
from waypost.domain.score.batch_making import BatchWish
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import ScoreBook, add_batch, save_rubric


def make_pair_batch(
    book: ScoreBook,
    wish: BatchWish,
    instructions: Sequence[InstructionText],
    pairs: Sequence[tuple[str, str]],
) -> ScoreBook:
    """The book with a batch whose instructions are compared in pairs.

    A share of the pairs goes to all raters, each other one to one of them.

    Raises:
        InputError: If a pair has an item that is not there or one item twice, or stands twice, or
            it cannot be dealt, see ``deal_names``.
        EditError: If a batch of this name, or another rubric of this version, is there.
    """
    named = {f"{first} | {second}": (first, second) for first, second in pairs}
    twice = next((pair for pair in pairs if pair[0] == pair[1]), None)
    if twice is not None:
        raise InputError(f"pairs: {twice[0]!r} is paired with itself")
    if len({frozenset(pair) for pair in pairs}) != len(pairs):
        raise InputError("pairs: one stands twice")
    batch = ScoreBatch(
        wish.name,
        wish.rubric.identity,
        wish.seed,
        wish.overlap_share,
        deal_names(list(named), wish.raters, wish.overlap_share, wish.seed),
        MappingProxyType(named),
    )
    items = (BatchItem(BatchItemKey(wish.name, entry.item), entry) for entry in instructions)
    return add_batch(save_rubric(book, wish.rubric), batch, items)


def set_better(
    book: ScoreBook, key: ComparisonKey, criterion: str, better: Better | None, now: datetime
) -> ScoreBook:
    """Say which of a pair is better on a criterion, or take it back with ``None``.

    The comparison is submitted once every required criterion has an answer.

    Raises:
        EditError: If the pair is not assigned to the rater, or the rubric has no such criterion.
    """
    batch = book.batch(key.batch)
    rubric = book.rubric_of(key.batch)
    if key.pair not in batch.assigned.get(key.rater, ()):
        raise EditError(f"{key.pair} is not assigned to {key.rater}")
    if rubric.criterion(criterion) is None:
        raise EditError(f"{rubric.title} has no criterion {criterion!r}")
    known = book.comparisons.get(key, PairComparison(key))
    answers = {name: said for name, said in known.answers.items() if name != criterion}
    if better is not None:
        answers[criterion] = better
    is_whole = all(entry.key in answers for entry in rubric.criteria if entry.is_required)
    said = replace(known, answers=MappingProxyType(answers), submitted_at=now if is_whole else None)
    return replace(book, comparisons=MappingProxyType({**book.comparisons, key: said}))
