"""Bradley–Terry strengths by hand; pairs dealt to raters; what has no strengths and why."""

from __future__ import annotations

import math

import pytest
from score_examples import NOON, RUBRIC, TEXTS

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.score.batch_making import BatchWish
from waypost.domain.score.comparison import Better, ComparisonKey
from waypost.domain.score.comparison_edits import make_pair_batch, set_better
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES, ScoreBook
from waypost.metrics.pair_strengths import NO_COMPARISON, NOT_CONNECTED, pair_strengths

RATERS = tuple(f"r{n}" for n in range(4))
FOUND = tuple(InstructionText(name, text) for name, text in zip("abc", TEXTS, strict=False))


def pairs_of(*pairs: tuple[str, str]) -> ScoreBook:
    return make_pair_batch(NO_SCORES, BatchWish("p", RUBRIC, RATERS), FOUND, pairs)


def said(book: ScoreBook, pair: str, *answers: Better) -> ScoreBook:
    for rater, better in zip(RATERS, answers, strict=False):
        for criterion in ("clarity", "accuracy", "actions"):
            book = set_better(book, ComparisonKey("p", pair, rater), criterion, better, NOON)
    return book


def test_two_items_have_the_odds_of_their_wins() -> None:
    book = said(pairs_of(("a", "b")), "a | b", *[Better.FIRST] * 3, Better.SECOND)
    found = pair_strengths(book, "p", "clarity")
    assert found.strengths is not None
    assert found.comparisons == 4
    # Three wins of four: odds of 3.
    assert found.strengths["a"] - found.strengths["b"] == pytest.approx(math.log(3), abs=1e-6)


def test_a_tie_is_half_a_win_for_each() -> None:
    book = said(pairs_of(("a", "b")), "a | b", Better.FIRST, Better.NEITHER)
    found = pair_strengths(book, "p", "clarity").strengths
    assert found is not None
    assert found["a"] - found["b"] == pytest.approx(math.log(3), abs=1e-6)


def test_what_cannot_be_placed_has_a_reason() -> None:
    book = pairs_of(("a", "b"), ("b", "c"))
    assert pair_strengths(book, "p", "clarity").undefined == NO_COMPARISON
    book = said(book, "a | b", Better.FIRST)
    assert pair_strengths(book, "p", "clarity").undefined == NOT_CONNECTED


def test_pairs_are_dealt_and_refused_like_items() -> None:
    book = pairs_of(("a", "b"), ("b", "c"))
    assert {frozenset(own) for own in book.batches["p"].assigned.values()} == {
        frozenset({"a | b", "b | c"})
    }
    for pairs in ((("a", "a"),), (("a", "b"), ("b", "a")), (("a", "x"),)):
        with pytest.raises(InputError):
            pairs_of(*pairs)
    with pytest.raises(EditError, match="is not assigned to eve"):
        set_better(book, ComparisonKey("p", "a | b", "eve"), "clarity", Better.FIRST, NOON)


@pytest.mark.parametrize(
    ("raters", "share"), [((), 1.0), (("ana", ""), 1.0), (("ana", "ana"), 1.0), (("ana",), 1.5)]
)
def test_pairs_are_dealt_by_the_rules_of_items(raters: tuple[str, ...], share: float) -> None:
    with pytest.raises(InputError):
        make_pair_batch(NO_SCORES, BatchWish("p", RUBRIC, raters, share), FOUND, [("a", "b")])
