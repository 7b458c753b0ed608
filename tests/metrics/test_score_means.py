"""Means by hand: each item once, whatever number of raters; who may know the source."""

from __future__ import annotations

import pytest
from fixtures.score_examples import NOON, book_of, scored

from waypost.domain.score.sheet_edits import set_cannot_judge, set_score, submit
from waypost.metrics.score_means import (
    NO_SCORE,
    NOT_JUDGED,
    counted_rows,
    disputed_items,
    score_means,
    score_spreads,
    worst_items,
)
from waypost.tables.score_tables import score_frame, score_mean_frame


def test_each_item_counts_once_and_cannot_judge_not_at_all() -> None:
    book = scored(
        scored(scored(book_of(), "i0", "ana", 1, 2), "i0", "ben", 3, 2), "i2", "ana", 5, 4
    )
    book = set_cannot_judge(book, book.sheet("demo", "i4", "ana"), "accuracy", NOON)
    book = set_score(book, book.sheet("demo", "i4", "ana"), "clarity", 5, NOON)
    book = submit(book, book.sheet("demo", "i4", "ana"), NOON)
    found = {mean.key: mean for mean in score_means(counted_rows(book, "demo", "lea"))}
    clarity, accuracy = (found["model A", "", name] for name in ("clarity", "accuracy"))
    assert (clarity.mean, clarity.items, clarity.scores) == (pytest.approx(4), 3, 4)
    assert (accuracy.mean, accuracy.items) == (pytest.approx(3), 2)
    assert clarity.ci95 is not None
    assert clarity.ci95[0] <= 4 <= clarity.ci95[1]
    (own,) = {mean.key.source for mean in score_means(counted_rows(book, "demo", "ana"))}
    assert own == "", "a rater with open sheets does not learn where items are from"


def test_the_worst_item_is_first() -> None:
    book = scored(
        scored(scored(book_of(), "i0", "ana", 1, 1), "i2", "ana", 3, 3), "i2", "ben", 5, 3
    )
    worst, other = worst_items(counted_rows(book, "demo", "lea"), book.rubric_of("demo"))
    assert (worst.item, worst.mean, worst.spread) == ("i0", 0.0, None)
    assert (other.item, other.mean, other.spread, other.raters) == ("i2", 0.625, 0.5, 2)


def test_frames_have_nulls_where_there_is_no_score() -> None:
    book = set_cannot_judge(book_of(), book_of().sheet("demo", "i0", "ana"), "clarity", NOON)
    book = scored(book, "i0", "ana", 4, 5)
    rows = counted_rows(book, "demo", "lea")
    frame = score_frame(rows)
    assert list(frame["criterion"]) == ["clarity", "accuracy", "short"]
    assert frame["score"].isna().tolist() == [False, False, True]
    means = score_mean_frame(score_means(rows))
    assert list(means["n_items"]) == [1, 1, 0]
    assert means["mean"].isna().tolist() == [False, False, True]
    assert list(means["undefined"]) == ["", "", NO_SCORE]


def test_what_nobody_could_judge_has_no_mean_and_a_reason() -> None:
    book = scored(book_of(), "i0", "ana", 3, 3)
    book = set_cannot_judge(book, book.sheet("demo", "i1", "ana"), "actions", NOON)
    for name in ("clarity", "accuracy"):
        book = set_score(book, book.sheet("demo", "i1", "ana"), name, 5, NOON)
    book = submit(book, book.sheet("demo", "i1", "ana"), NOON)
    rows = counted_rows(book, "demo", "lea")
    found = {mean.key[::2]: mean for mean in score_means(rows)}
    actions = found["human", "actions"]
    assert (actions.mean, actions.undefined, actions.items) == (None, NOT_JUDGED, 0)
    counts = {entry.criterion: entry for entry in score_spreads(rows, book.rubric_of("demo"))}
    assert counts["actions"].cannot_judge == ("i1",)
    assert counts["actions"].scores == 0
    assert dict(counts["clarity"].items_by_score) == {
        1: (), 2: (), 3: ("i0",), 4: (), 5: ("i1",),
    }  # fmt: skip


def test_disputed_items_are_those_that_two_raters_score_otherwise() -> None:
    book = scored(scored(book_of(), "i0", "ana", 1, 5), "i0", "ben", 5, 5)
    book = scored(scored(book, "i2", "ana", 1, 1), "i2", "ben", 2, 1)
    book = scored(scored(book, "i3", "ana", 1, 1), "i3", "ben", 1, 1)
    worst = worst_items(counted_rows(book, "demo", "lea"), book.rubric_of("demo"))
    assert [(entry.item, entry.spread) for entry in disputed_items(worst)] == [
        ("i0", 1.0), ("i2", 0.25),
    ]  # fmt: skip
