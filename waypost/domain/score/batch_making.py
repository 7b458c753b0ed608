"""From instructions to a batch that raters can begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from waypost.domain.base.errors import InputError
from waypost.domain.score.batch import BatchItem, BatchItemKey, ScoreBatch, deal
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.rubric import Rubric
from waypost.domain.score.score_book import ScoreBook, add_batch, save_rubric

_EXPECTED: Final = "expected."
_SEPARATOR: Final = "|"


class BatchWish(NamedTuple):
    """What a batch is to be made of."""

    name: str
    rubric: Rubric
    raters: tuple[str, ...]
    overlap_share: float = 1.0
    seed: int = 0
    graphs_path: str = ""
    """Of ``ScoreBatch``."""

    source: str = ""
    """Who wrote texts that do not say it."""

    eye_height_m: float | None = None
    """Of ``ScoreBatch``."""


def make_batch(
    book: ScoreBook, wish: BatchWish, instructions: Sequence[InstructionText]
) -> ScoreBook:
    """The book with a new batch, dealt out to its raters.

    An instruction with further columns ``expected.CRITERION`` is an attention check: they hold the
    scores that an attentive rater gives, between ``|``.

    Raises:
        InputError: If it cannot be dealt, see ``deal``, or an expected score is not of the rubric.
        EditError: If a batch of this name, or another rubric of this version, is there.
    """
    items = tuple(batch_item(wish, entry) for entry in instructions)
    batch = ScoreBatch(
        wish.name,
        wish.rubric.identity,
        wish.seed,
        wish.overlap_share,
        deal(items, wish.raters, wish.overlap_share, wish.seed),
        graphs_path=wish.graphs_path,
        eye_height_m=wish.eye_height_m,
    )
    return add_batch(save_rubric(book, wish.rubric), batch, items)


def batch_item(wish: BatchWish, entry: InstructionText) -> BatchItem:
    """An instruction as an item of a batch, its expected scores taken out of the further columns.

    Raises:
        InputError: If an expected score is not of the rubric.
    """
    stated = {
        k.removeprefix(_EXPECTED): v for k, v in entry.extra.items() if k.startswith(_EXPECTED)
    }
    extra = {name: cell for name, cell in entry.extra.items() if not name.startswith(_EXPECTED)}
    return BatchItem(
        BatchItemKey(wish.name, entry.item),
        replace(entry, source=entry.source or wish.source, extra=MappingProxyType(extra)),
        _expected(wish.rubric, entry.item, stated),
    )


def _expected(
    rubric: Rubric, item: str, stated: Mapping[str, str]
) -> Mapping[str, tuple[int, ...]]:
    found = {}
    for key, text in stated.items():
        criterion = rubric.criterion(key)
        if criterion is None:
            raise InputError(f"{item}, expected.{key}: the rubric has no such criterion")
        parts = [part.strip() for part in text.split(_SEPARATOR) if part.strip()]
        wrong = next((p for p in parts if p not in map(str, criterion.scores)), None)
        if wrong is not None:
            raise InputError(f"{item}, expected.{key}: {wrong!r} is not on the scale")
        if parts:
            found[key] = tuple(map(int, parts))
    return MappingProxyType(found)
