"""Rubrics that cannot be used are refused by place; what is asked, summed and proposed."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from fixtures.score_examples import CLARITY, RUBRIC, book_of, scored

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.proposal import ScoreProposal, proposed_score
from waypost.domain.score.rubric import (
    Check,
    CheckKind,
    Condition,
    Criterion,
    Level,
    Rubric,
    ScaleKind,
    criteria_to_score_anew,
    total_of,
)
from waypost.domain.score.rubric_problems import check_rubric, highest_sums, rubric_problems
from waypost.domain.score.rubric_versions import (
    RubricNews,
    batches_to_change,
    news_words,
    save_version,
    versions_of,
)

TEXT = InstructionText("i", "Take the mug to the kitchen.")


def points(key: str, most: int, condition: Condition | None = None) -> Criterion:
    return Criterion(key, key.title(), ScaleKind.POINTS, 0, most, only_if=condition)


@pytest.mark.parametrize(
    ("criteria", "said"),
    [
        ((), "criteria: are missing"),
        ((CLARITY, CLARITY), "criteria: the key 'clarity' is used twice"),
        ((replace(CLARITY, title=" "),), "clarity.title: is empty"),
        ((replace(CLARITY, most=1),), "clarity.most: 1 is not above 1"),
        ((replace(CLARITY, most=10),), "clarity.most: 10 is above 9; one digit scores"),
        ((replace(points("p", 2), least=1),), "p.least: is 1; points begin with 0"),
        ((replace(CLARITY, levels=(Level(6, "x"),)),), "clarity.levels: 6 is not on the scale"),
        ((replace(CLARITY, levels=(Level(1, "x"),) * 2),), "clarity.levels: 1 is described twice"),
        ((points("p", 2, Condition(criterion="q")),), "p.only_if: 'q' is no criterion before it"),
        ((points("p", 2, Condition()),), "p.only_if: names a fact or a criterion, one of both"),
        ((replace(CLARITY, check=Check(CheckKind.AT_MOST_WORDS)),), "clarity.check.words: is"),
        ((replace(CLARITY, check=Check(CheckKind.OMITS_NAME)),), "clarity.check.name: is missing"),
    ],
)  # fmt: skip
def test_a_rubric_that_cannot_be_used_is_refused(
    criteria: tuple[Criterion, ...], said: str
) -> None:
    with pytest.raises(InputError) as error:
        check_rubric(Rubric("r", 1, "R", criteria))
    assert str(error.value).startswith(said)


def test_a_total_must_be_reached_whatever_facts_hold() -> None:
    either = Rubric(
        "r", 1, "R",
        (points("a", 4, Condition("given", is_set=False)), points("b", 2, Condition("given")),
         points("c", 2, Condition("given")), points("d", 1)),
        total=5,
    )  # fmt: skip
    assert check_rubric(either) is either
    with pytest.raises(InputError, match="total: is 5, the scales add up to 3 with given"):
        check_rubric(replace(either, criteria=(*either.criteria[:2], either.criteria[3])))


def test_no_criterion_is_called_as_the_sum_is_in_results() -> None:
    rubric = Rubric("r", 1, "R", (points("a", 2), points("total", 1)))
    assert check_rubric(rubric) is rubric
    with pytest.raises(InputError, match="criteria: the key 'total' is that of the sum"):
        check_rubric(replace(rubric, total=3))


def test_many_facts_are_summed_at_once() -> None:
    asked = tuple(points(f"c{n}", 1, Condition(f"f{n}")) for n in range(200))
    rubric = Rubric("r", 1, "R", (points("a", 3), *asked), total=3)
    assert highest_sums(rubric) == tuple(range(3, 204))
    with pytest.raises(InputError, match="total: is 3, the scales add up to 4 with f0"):
        check_rubric(rubric)
    # A criterion in place of another one, of the same points, leaves the sum as it is.
    others = tuple(points(f"d{n}", 1, Condition(f"f{n}", is_set=False)) for n in range(200))
    assert check_rubric(replace(rubric, criteria=(*asked, *others), total=200))


def test_what_is_asked_follows_facts_and_scores() -> None:
    rubric = Rubric(
        "r", 1, "R",
        (points("a", 2), points("b", 2, Condition("given")),
         points("c", 2, Condition(criterion="a", at_least=2))),
    )  # fmt: skip
    given = replace(TEXT, facts=("given",))
    assert [c.key for c in rubric.asked(TEXT, {})] == ["a"]
    assert [c.key for c in rubric.asked(given, {"a": 1})] == ["a", "b"]
    assert [c.key for c in rubric.asked(TEXT, {"a": 2})] == ["a", "c"]


def test_what_hangs_on_a_criterion_that_is_not_asked_is_not_asked_either() -> None:
    chain = (
        points("a", 2),
        points("b", 3, Condition(criterion="a", at_least=2)),
        points("c", 4, Condition(criterion="b", at_least=1)),
    )
    rubric = Rubric("r", 1, "R", chain, total=9)
    assert check_rubric(rubric) is rubric
    every = {"a": 2, "b": 3, "c": 4}
    assert ([c.key for c in rubric.asked(TEXT, every)], total_of(rubric, TEXT, every)) == (
        ["a", "b", "c"],
        9,
    )
    # With a lower first score the others are still there until the sheet is submitted.
    lower = {**every, "a": 1}
    assert ([c.key for c in rubric.asked(TEXT, lower)], total_of(rubric, TEXT, lower)) == (["a"], 1)
    # Without the fact neither the second nor what hangs on it adds to the sum.
    of_fact = (chain[0], points("b", 3, Condition("given")), chain[2])
    assert highest_sums(Rubric("r", 1, "R", of_fact)) == (2, 9)
    with pytest.raises(InputError, match="total: is 6, the scales add up to 2"):
        check_rubric(Rubric("r", 1, "R", of_fact, total=6))


def test_a_sum_needs_every_score_and_a_total() -> None:
    rubric = Rubric("r", 1, "R", (points("a", 2), points("b", 3)), total=5)
    assert total_of(rubric, TEXT, {"a": 2, "b": 0}) == 2
    assert total_of(rubric, TEXT, {"a": 2}) is None
    assert total_of(replace(rubric, total=None), TEXT, {"a": 2, "b": 1}) is None


def test_what_a_program_can_see_is_proposed() -> None:
    short = replace(points("s", 1), check=Check(CheckKind.AT_MOST_WORDS, 6))
    assert proposed_score(short, TEXT) == ScoreProposal(1, "6 words, at most 6 are allowed")
    longer = replace(TEXT, text="Take the mug to the old kitchen.")
    assert proposed_score(short, longer) == ScoreProposal(0, "7 words, at most 6 are allowed")
    omits = replace(points("t", 2), check=Check(CheckKind.OMITS_NAME, name="target"))
    assert proposed_score(omits, TEXT) is None
    named = replace(TEXT, names=MappingProxyType({"target": ("Mug",)}))
    assert proposed_score(omits, named) == ScoreProposal(0, "it says “Mug”")
    other = replace(TEXT, names=MappingProxyType({"target": ("kit",)}))
    assert proposed_score(omits, other) == ScoreProposal(2, "it says none of kit")
    assert proposed_score(CLARITY, TEXT) is None


def test_scores_carry_over_where_their_meaning_is_the_same() -> None:
    worded = replace(CLARITY, title="Clear?", description="more")
    assert criteria_to_score_anew(RUBRIC, replace(RUBRIC, criteria=(worded,))) == ()
    fewer = replace(CLARITY, most=4, levels=CLARITY.levels[:1])
    new = points("new", 3)
    changed = replace(RUBRIC, criteria=(fewer, *RUBRIC.criteria[1:], new))
    assert criteria_to_score_anew(RUBRIC, changed) == ("clarity", "new")


def test_every_mistake_is_found_with_its_field() -> None:
    broken = (
        replace(CLARITY, key="", title=""),
        replace(CLARITY, most=1, levels=()),
        replace(CLARITY, key="c", only_if=Condition(criterion="later")),
    )
    found = list(rubric_problems(Rubric("", 0, "R", broken, total=99)))
    assert [(entry.criterion, entry.field) for entry in found] == [
        (None, "key"), (None, "version"), (0, "key"), (0, "title"), (1, "most"), (2, "only_if"),
        (None, "total"),
    ]  # fmt: skip
    assert found[4].sentence == "clarity.most: 1 is not above 1"


def test_a_new_version_says_what_is_new_to_score_and_keeps_old_scores() -> None:
    book = scored(scored(book_of(), "i0", "ana", 4, 5), "i2", "ben", 3, 3)
    wider = tuple(
        replace(entry, most=7) if entry.key == "accuracy" else entry for entry in RUBRIC.criteria
    )
    after = replace(RUBRIC, version=2, criteria=(*wider, points("style", 2)))
    assert batches_to_change(book, after) == ("demo",)
    saved = save_version(book, after, ["demo"])
    assert saved.news == (RubricNews("demo", ("Accuracy", "Style"), 2),)
    assert news_words(saved.news[0]) == "demo: Accuracy, Style are new to score on 2 sheets"
    old = saved.book.sheet("demo", "i0", "ana")
    assert (old.rubric_version, dict(old.scores)) == (1, {"clarity": 4, "accuracy": 5})
    assert [v.version for v in versions_of(saved.book, {}, "own")] == [1, 2]
    with pytest.raises(EditError, match="says otherwise"):
        save_version(saved.book, replace(after, title="Other"))
