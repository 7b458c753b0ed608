"""Bradley–Terry strengths by hand; pairs dealt to raters; what has no strengths and why."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from fixtures.score_examples import NOON, RUBRIC, TEXTS

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.score.batch_making import BatchWish
from waypost.domain.score.comparison import Better, ComparisonKey, PairComparison
from waypost.domain.score.comparison_edits import (
    set_better,
    set_pair_cannot_judge,
    skip_comparison,
    submit_comparison,
)
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.pair_batches import make_pair_batch, same_path_pairs
from waypost.domain.score.score_book import NO_SCORES, ScoreBook
from waypost.metrics.pair_results import ComparedBy, PairResults, pair_results
from waypost.metrics.pair_strengths import (
    NO_COMPARISON,
    NOT_CONNECTED,
    ComparedPair,
    PairStrengths,
    pair_strengths,
)

RATERS = tuple(f"r{n}" for n in range(4))
FOUND = tuple(
    InstructionText(name, text, source)
    for name, text, source in zip("abc", TEXTS, ("human", "gpt", "gpt"), strict=False)
)


def pairs_of(*pairs: tuple[str, str]) -> ScoreBook:
    return make_pair_batch(NO_SCORES, BatchWish("p", RUBRIC, RATERS), FOUND, pairs)


def said(book: ScoreBook, pair: str, *answers: Better) -> ScoreBook:
    for rater, better in zip(RATERS, answers, strict=False):
        key = ComparisonKey("p", pair, rater)
        for criterion in ("clarity", "accuracy"):
            book = set_better(book, key, criterion, better, NOON)
        book = submit_comparison(book, key, NOON)
    return book


def answer(pair: str, rater: str, is_first: bool) -> PairComparison:
    answers = {"clarity": Better.FIRST if is_first else Better.SECOND}
    return PairComparison(ComparisonKey("p", pair, rater), answers=answers)


def results(book: ScoreBook, viewer: str = "lea") -> PairResults:
    return exhaust(pair_results(book, "p", viewer))


def clarity(book: ScoreBook, by: ComparedBy = ComparedBy.ITEM) -> PairStrengths:
    return results(book).strengths[by][0]


def test_two_items_have_the_odds_of_their_wins() -> None:
    book = said(pairs_of(("a", "b")), "a | b", *[Better.FIRST] * 3, Better.SECOND)
    found = clarity(book)
    assert found.strengths is not None
    assert found.comparisons == 4
    # Three wins of four: odds of 3.
    assert list(found.strengths) == ["a", "b"]
    apart = found.strengths["a"].value - found.strengths["b"].value
    assert apart == pytest.approx(math.log(3), abs=1e-6)
    assert found.strengths["a"].ci95 is None, "one pair alone cannot be resampled"


def test_a_tie_is_half_a_win_for_each() -> None:
    book = said(pairs_of(("a", "b")), "a | b", Better.FIRST, Better.NEITHER)
    found = clarity(book).strengths
    assert found is not None
    assert found["a"].value - found["b"].value == pytest.approx(math.log(3), abs=1e-6)


def test_sources_are_compared_over_their_pairs_with_an_interval() -> None:
    book = pairs_of(("a", "b"), ("a", "c"), ("b", "c"))
    book = said(book, "a | b", *[Better.FIRST] * 3, Better.SECOND)
    book = said(book, "a | c", *[Better.FIRST] * 2, *[Better.SECOND] * 2)
    book = said(book, "b | c", *[Better.FIRST] * 4)
    found = clarity(book, ComparedBy.SOURCE)
    assert found.comparisons == 8, "two of one source tell nothing of sources"
    assert found.strengths is not None
    # Five of eight for the human ones.
    apart = found.strengths["human"].value - found.strengths["gpt"].value
    assert apart == pytest.approx(math.log(5 / 3), abs=1e-6)
    ci95 = found.strengths["human"].ci95
    assert ci95 is not None
    # Of two pairs a resample has either twice, or both: odds of 3, 1 or 5 to 3.
    assert ci95 == pytest.approx((0.0, math.log(3) / 2), abs=1e-6)


@pytest.mark.parametrize(("names", "raters"), [("abcde", 5), ("abcdef", 2), ("abcdefghij", 3)])
def test_raters_who_agree_but_once_have_the_most_likely_strengths(names: str, raters: int) -> None:
    ends = names[0], names[-1]
    wins = dict.fromkeys(combinations(names, 2), raters)
    compared = [
        ComparedPair(answer(f"{first} | {second}", f"r{n}", ends != (first, second) or n > 0),
                     first, second)
        for first, second in wins
        for n in range(raters)
    ]  # fmt: skip
    strengths = pair_strengths(compared, "clarity").strengths
    assert strengths is not None
    wins |= {ends: raters - 1, ends[::-1]: 1}
    for name in names:
        # Bradley and Terry 1952: as many wins as are to be expected.
        won = sum(count for (winner, _), count in wins.items() if winner == name)
        expected = sum(
            raters / (1 + math.exp(strengths[other].value - strengths[name].value))
            for other in names
            if other != name
        )
        assert won == pytest.approx(expected, abs=1e-6)
    assert sum(own.value for own in strengths.values()) == pytest.approx(0, abs=1e-9)


def test_what_cannot_be_placed_has_a_reason() -> None:
    book = pairs_of(("a", "b"), ("b", "c"))
    assert results(book).strengths == {}
    book = said(book, "a | b", Better.FIRST)
    assert clarity(book).undefined == NOT_CONNECTED
    key = ComparisonKey("p", "b | c", "r0")
    book = set_pair_cannot_judge(book, key, "clarity", NOON)
    book = submit_comparison(set_better(book, key, "accuracy", Better.FIRST, NOON), key, NOON)
    assert [row.cannot_judge for row in results(book).counts][:2] == [1, 0]
    assert NO_COMPARISON


def test_only_what_is_in_and_not_skipped_counts() -> None:
    book = said(pairs_of(("a", "b")), "a | b", Better.FIRST, Better.SECOND)
    before = clarity(book)
    key = ComparisonKey("p", "a | b", "r2")
    book = set_better(book, key, "clarity", Better.FIRST, NOON)
    assert clarity(book) == before
    book = skip_comparison(book, key, "no path", NOON)
    assert clarity(book) == before


def test_results_have_only_what_the_viewer_may_see() -> None:
    book = said(pairs_of(("a", "b")), "a | b", *[Better.FIRST] * 3)
    own = results(book, "r3")
    assert (own.strengths, own.hidden_pairs, own.knows_sources) == ({}, 1, False)
    book = said(book, "a | b", *[Better.FIRST] * 3, Better.SECOND)
    own = results(book, "r3")
    assert (own.hidden_pairs, own.knows_sources) == (0, True)
    assert own == results(book)


def test_sides_are_counted_as_they_stood() -> None:
    book = said(pairs_of(("a", "b")), "a | b", *[Better.FIRST] * 2, Better.NEITHER, Better.SECOND)
    swapped = [book.comparison("p", "a | b", rater).is_swapped for rater in RATERS]
    left = sum(not side for side in swapped[:2]) + swapped[3]
    row = results(book).counts[0]
    assert (row.left, row.tie, row.right) == (left, 1, 3 - left)
    (apart,) = results(book).disputed
    assert (apart.apart, apart.raters) == (1.0, 4)


def test_submitting_names_what_is_missing() -> None:
    book = pairs_of(("a", "b"))
    key = ComparisonKey("p", "a | b", "r0")
    book = set_better(book, key, "clarity", Better.FIRST, NOON)
    with pytest.raises(EditError, match=r"missing: Accuracy$"):
        submit_comparison(book, key, NOON)
    with pytest.raises(EditError, match="reason"):
        skip_comparison(book, key, " ", NOON)


def test_pairs_are_dealt_and_refused_like_items() -> None:
    book = pairs_of(("a", "b"), ("b", "c"))
    assert {frozenset(own) for own in book.batches["p"].assigned.values()} == {
        frozenset({"a | b", "b | c"})
    }
    for pairs in ((("a", "a"),), (("a", "b"), ("b", "a")), (("a", "x"),), ()):
        with pytest.raises(InputError):
            pairs_of(*pairs)
    with pytest.raises(EditError, match="is not assigned to eve"):
        set_better(book, ComparisonKey("p", "a | b", "eve"), "clarity", Better.FIRST, NOON)


def test_instructions_of_one_path_are_compared() -> None:
    path = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    texts = (
        InstructionText("1", "x", path_m=path, scene_id="s"),
        InstructionText("2", "y", path_m=path, scene_id="s"),
        InstructionText("3", "z", path_m=path, scene_id="other"),
        InstructionText("4", "x", episode_id="e"),
        InstructionText("5", "y", episode_id="e"),
        InstructionText("6", "z"),
        replace(FOUND[0], extra={"pair": "p"}),
        replace(FOUND[1], extra={"pair": "p"}),
        replace(FOUND[2], extra={"pair": "p"}),
    )
    assert same_path_pairs(texts) == (
        ("1", "2"), ("4", "5"), ("a", "b"), ("a", "c"), ("b", "c"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("raters", "share"), [((), 1.0), (("ana", ""), 1.0), (("ana", "ana"), 1.0), (("ana",), 1.5)]
)
def test_pairs_are_dealt_by_the_rules_of_items(raters: tuple[str, ...], share: float) -> None:
    with pytest.raises(InputError):
        make_pair_batch(NO_SCORES, BatchWish("p", RUBRIC, raters, share), FOUND, [("a", "b")])


def test_thousands_of_pairs_need_no_table_of_all_their_names() -> None:
    texts = [
        InstructionText(f"{path} {n}", "Go.", ("human", "gpt")[n], episode_id=f"{path}")
        for path in range(1200)
        for n in range(2)
    ]
    wish = BatchWish("p", RUBRIC, ("ana",))
    book = make_pair_batch(NO_SCORES, wish, texts, same_path_pairs(texts))
    answers = {}
    for n, pair in enumerate(book.batches["p"].pairs):
        key = ComparisonKey("p", pair, "ana")
        better = Better.SECOND if n % 4 == 0 else Better.FIRST
        answers[key] = PairComparison(key, answers={"clarity": better}, submitted_at=NOON)
    found = results(replace(book, comparisons=answers))
    assert found.strengths[ComparedBy.ITEM][0].undefined == NOT_CONNECTED
    by_source = found.strengths[ComparedBy.SOURCE][0].strengths
    assert by_source is not None
    apart = by_source["human"].value - by_source["gpt"].value
    assert apart == pytest.approx(math.log(3), abs=1e-6)
