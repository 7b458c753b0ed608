"""Filling in, submitting, rounds, changed rubrics; who sees what; dealing; time at work."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from types import MappingProxyType

import pytest
from fixtures.score_examples import NOON, RATERS, RUBRIC, book_of, items_of, scored
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import EditError, InputError
from waypost.domain.score.active_time import ActiveTime
from waypost.domain.score.batch import BatchItemKey, deal, has_sides_swapped
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.fairness import (
    batch_progress,
    counted_sheets,
    earlier_version_sheets,
    may_see_others,
    may_see_sources,
    missed_checks,
    newly_in,
    scores_to_compare,
    visible_sheets,
)
from waypost.domain.score.rubric import Condition, Criterion, ScaleKind
from waypost.domain.score.score_book import NO_SCORES, ScoreBook, save_rubric
from waypost.domain.score.score_merging import OnConflict, ScoredRows, merge, merge_sheets
from waypost.domain.score.score_rows import score_rows
from waypost.domain.score.sheet import Sheet, SheetState, missing_criteria
from waypost.domain.score.sheet_edits import (
    accept_sheet,
    begin_anew,
    change_rubric,
    return_sheet,
    set_cannot_judge,
    set_comment,
    set_score,
    skip,
    submit,
    to_score_anew,
    toggle_flag,
    write_decision,
    write_reason,
)


def of_ana(book: ScoreBook, item: str = "i0") -> Sheet:
    return book.sheet("demo", item, "ana")


def test_nothing_is_chosen_before_and_submitting_names_what_is_missing() -> None:
    book = book_of()
    sheet = of_ana(book, "i1")
    assert not sheet.has_content
    instruction = book.instruction("demo", "i1")
    titles = [entry.title for entry in missing_criteria(sheet, RUBRIC, instruction)]
    assert titles == ["Clarity", "Accuracy", "Actions"]
    with pytest.raises(EditError, match="missing: Clarity, Accuracy, Actions"):
        submit(book, sheet, NOON)
    book = set_score(book, sheet, "clarity", 4, NOON)
    book = set_cannot_judge(book, of_ana(book, "i1"), "accuracy", NOON)
    with pytest.raises(EditError, match="missing: Actions"):
        submit(book, of_ana(book, "i1"), NOON)


def test_a_score_replaces_cannot_judge_and_the_other_way_round() -> None:
    book = set_cannot_judge(book_of(), of_ana(book_of()), "clarity", NOON)
    book = set_score(book, of_ana(book), "clarity", 2, NOON)
    assert (dict(of_ana(book).scores), of_ana(book).cannot_judge) == ({"clarity": 2}, ())
    book = set_cannot_judge(book, of_ana(book), "clarity", NOON)
    assert (dict(of_ana(book).scores), of_ana(book).cannot_judge) == ({}, ("clarity",))
    book = set_cannot_judge(book, of_ana(book), "clarity", NOON)
    assert not of_ana(book).has_content


@pytest.mark.parametrize(("criterion", "score"), [("clarity", 0), ("clarity", 6), ("tone", 1)])
def test_only_scores_of_the_rubric_can_be_given(criterion: str, score: int) -> None:
    with pytest.raises(EditError):
        set_score(book_of(), of_ana(book_of()), criterion, score, NOON)


def test_nobody_scores_what_is_not_assigned() -> None:
    book = book_of(overlap_share=0.0)
    own = book.batches["demo"].assigned["ana"]
    strange = next(item for item in book.batches["demo"].assigned["ben"] if item not in own)
    with pytest.raises(EditError, match="is not assigned to ana"):
        set_score(book, of_ana(book, strange), "clarity", 1, NOON)


def test_skipping_needs_a_reason_and_a_change_opens_a_submitted_sheet_again() -> None:
    book = book_of()
    with pytest.raises(EditError, match="needs a reason"):
        skip(book, of_ana(book), "  ", NOON)
    book = skip(book, of_ana(book), "no picture", NOON, 3.0)
    assert (of_ana(book).state, of_ana(book).skip_reason) == (SheetState.SKIPPED, "no picture")
    book = set_score(book, of_ana(book), "clarity", 1, NOON)
    assert (of_ana(book).state, of_ana(book).skip_reason) == (SheetState.OPEN, "")
    assert of_ana(book).active_s == 3.0


def test_a_lower_score_drops_all_that_hangs_on_it_from_the_submitted_sheet() -> None:
    def asked_from(key: str, least: int) -> Condition:
        return Condition(criterion=key, at_least=least)

    chain = (
        Criterion("clarity", "Clarity", ScaleKind.LIKERT, 1, 5),
        Criterion("why", "Why", ScaleKind.LIKERT, 1, 5, only_if=asked_from("clarity", 3)),
        Criterion("more", "More", ScaleKind.LIKERT, 1, 5, only_if=asked_from("why", 3)),
    )
    rubric = replace(RUBRIC, version=2, criteria=chain)
    book = change_rubric(save_rubric(book_of(), rubric), "demo", 2)
    for key, score in (("clarity", 4), ("why", 4), ("more", 4), ("clarity", 2)):
        book = set_score(book, of_ana(book), key, score, NOON)
    assert missing_criteria(of_ana(book), rubric, book.instruction("demo", "i0")) == ()
    book = submit(book, of_ana(book), NOON)
    assert dict(of_ana(book).scores) == {"clarity": 2}


def test_a_comment_or_flag_leaves_a_submitted_sheet_submitted() -> None:
    book = scored(book_of(), "i0", "ana", 4, 4)
    book = toggle_flag(set_comment(book, of_ana(book), "", "why?", NOON), of_ana(book), NOON)
    assert of_ana(book).state is SheetState.SUBMITTED
    assert of_ana(book).is_flagged


def test_a_returned_sheet_begins_a_round_and_every_round_is_kept() -> None:
    book = scored(book_of(), "i0", "ana", 4, 4)
    with pytest.raises(EditError, match="needs a comment"):
        return_sheet(book, of_ana(book), "lea", "", NOON)
    book = return_sheet(book, of_ana(book), "lea", "look again", NOON)
    first, second = book.rounds("demo", "i0", "ana")
    assert (first.state, first.decision_comment) == (SheetState.RETURNED, "look again")
    assert (second.key.round, second.state) == (2, SheetState.OPEN)
    assert dict(second.scores) == {"clarity": 4, "accuracy": 4}
    with pytest.raises(EditError, match="was returned"):
        set_score(book, first, "clarity", 1, NOON)
    book = scored(book, "i0", "ana", 2, 4)
    book = accept_sheet(book, of_ana(book), "lea", NOON)
    for edit in (
        lambda: set_score(book, of_ana(book), "clarity", 1, NOON),
        lambda: toggle_flag(book, of_ana(book), NOON),
        lambda: return_sheet(book, of_ana(book), "lea", "again", NOON),
    ):
        with pytest.raises(EditError):
            edit()
    assert dict(first.scores)["clarity"] == 4


def test_a_changed_rubric_keeps_scores_with_their_version_and_lists_what_is_new() -> None:
    book = scored(book_of(), "i0", "ana", 4, 5)
    tone = Criterion("tone", "Tone", ScaleKind.LIKERT, 1, 3)
    fewer = replace(RUBRIC.criteria[1], most=4)
    second = replace(RUBRIC, version=2, criteria=(RUBRIC.criteria[0], fewer, tone))
    book = change_rubric(save_rubric(book, second), "demo", 2)
    old = of_ana(book)
    assert (old.rubric_version, dict(old.scores)) == (1, {"clarity": 4, "accuracy": 5})
    assert [entry.key for entry in to_score_anew(book, old)] == ["accuracy", "tone"]
    assert not list(scores_to_compare(book, "demo", "lea"))
    book = begin_anew(book, old)
    assert (of_ana(book).rubric_version, dict(of_ana(book).scores)) == (2, {"clarity": 4})
    assert book.rounds("demo", "i0", "ana")[0] == old
    with pytest.raises(EditError, match="says otherwise"):
        save_rubric(book, replace(second, title="Other"))


def test_sheets_stay_in_results_where_a_new_version_changes_words_only() -> None:
    book = scored(scored(book_of(), "i0", "ana", 4, 5), "i0", "ben", 1, 1)
    worded = replace(RUBRIC.criteria[0], title="Clearness", description="More words.")
    second = replace(RUBRIC, version=2, title="Theirs", criteria=(worded, *RUBRIC.criteria[1:]))
    now = change_rubric(save_rubric(book, second), "demo", 2)
    for told in (counted_sheets, scores_to_compare):
        assert [*told(now, "demo", "lea")] == [*told(book, "demo", "lea")]
    assert not [*earlier_version_sheets(now, "demo", "lea")]
    # What others said before is as well what others said: it is no blind answer after that.
    again = scored(now, "i0", "ana", 1, 1)
    assert (of_ana(again).key.round, of_ana(again).is_seeing) == (2, True)
    given = {(g.rater, g.criterion): g.score for g in scores_to_compare(again, "demo", "lea")}
    assert given["ana", "clarity"] == 4
    # One criterion less, or another sum, is another rubric.
    for other in (replace(second, criteria=second.criteria[:3]), replace(second, total=5)):
        changed = replace(now, rubrics=MappingProxyType({**now.rubrics, other.identity: other}))
        assert not [*counted_sheets(changed, "demo", "lea")]
        assert len([*earlier_version_sheets(changed, "demo", "lea")]) == 2


def test_others_are_hidden_until_the_own_sheet_is_in() -> None:
    book = scored(book_of(), "i0", "ana", 4, 5)
    book = set_score(book, book.sheet("demo", "i1", "ana"), "clarity", 1, NOON)
    assert not list(visible_sheets(book, "demo", "ben"))
    assert not list(scores_to_compare(book, "demo", "ben"))
    assert not may_see_others(book, "demo", "i0", "ben")
    (seen,) = visible_sheets(book, "demo", "lea")
    assert seen.key.item == "i0", "a half-filled sheet is its rater's alone"
    book = scored(book, "i0", "ben", 1, 1)
    assert {sheet.key.rater for sheet in visible_sheets(book, "demo", "ben")} == {"ana", "ben"}
    back = set_score(book, book.sheet("demo", "i0", "ben"), "clarity", 2, NOON)
    assert {sheet.key.rater for sheet in visible_sheets(back, "demo", "ben")} == {"ben"}


def test_what_is_scored_again_after_others_were_seen_is_a_round_that_agreement_leaves_out() -> None:
    def counted(book: ScoreBook) -> dict[str, float]:
        found = scores_to_compare(book, "demo", "lea")
        return {given.rater: given.score for given in found if given.criterion == "clarity"}

    book = scored(book_of(), "i0", "ana", 4, 5)
    # Nobody else's is in: it is the same round.
    book = scored(book, "i0", "ana", 3, 5)
    assert (of_ana(book).key.round, of_ana(book).is_seeing) == (1, False)
    book = scored(book, "i0", "ben", 1, 1)
    assert submit(book, of_ana(book), NOON).rounds("demo", "i0", "ana")[1:] == ()
    again = scored(book, "i0", "ana", 1, 1)
    first, second = again.rounds("demo", "i0", "ana")
    assert (first, second.is_seeing, second.scores["clarity"]) == (of_ana(book), True, 1)
    assert counted(again) == {"ana": 3, "ben": 1}
    assert [s.scores["clarity"] for s in counted_sheets(again, "demo", "lea")] == [1, 1]
    assert scored(again, "i0", "ana", 2, 2).rounds("demo", "i0", "ana")[2:] == ()
    # Neither does leaving it out afterwards, or what a lead has scored again.
    assert counted(skip(book, of_ana(book), "odd", NOON)) == {"ana": 3, "ben": 1}
    back = scored(return_sheet(book, of_ana(book), "lea", "why?", NOON), "i0", "ana", 1, 1)
    assert counted(back) == {"ana": 3, "ben": 1}
    # Who skipped it first has said nothing blind.
    skipped = skip(book_of(), of_ana(book_of()), "odd", NOON)
    late = scored(scored(skipped, "i0", "ben", 1, 1), "i0", "ana", 1, 1)
    assert counted(late) == {"ben": 1}


def test_what_is_in_counts_until_its_rater_has_given_the_next_round() -> None:
    """The same for a viewer whom a server does not show the round that is open."""
    book = scored(scored(book_of(), "i0", "ana", 4, 5), "i0", "ben", 1, 1)
    again = set_score(book, of_ana(book), "clarity", 2, NOON)
    assert (of_ana(again).key.round, of_ana(again).state) == (2, SheetState.OPEN)
    for viewer, sheets in (("lea", 2), ("ben", 2), ("ana", 0)):
        counted = {
            (s.key.rater, name): score
            for s in counted_sheets(again, "demo", viewer)
            for name, score in s.scores.items()
        }
        assert len(counted) == 2 * sheets, "ana sees her open round, and others not before it is in"
        rows = [r for r in score_rows(again, "demo", viewer) if r.sheet.is_counted]
        told = {(r.sheet.key.rater, r.criterion): r.score for r in rows if r.score is not None}
        assert told == counted
        if viewer != "ana":
            assert [*counted_sheets(again, "demo", viewer)] == [
                *counted_sheets(book, "demo", "lea")
            ]
    # What was returned does not count before it is in again.
    back = return_sheet(book, of_ana(book), "lea", "why?", NOON)
    assert {s.key.rater for s in counted_sheets(back, "demo", "lea")} == {"ben"}


def test_a_skipped_sheet_that_is_accepted_counts_in_no_result() -> None:
    book = scored(book_of(), "i0", "ana", 4, 5)
    book = skip(book, of_ana(book), "odd", NOON)
    book = accept_sheet(book, of_ana(book), "lea", NOON)
    assert (of_ana(book).is_settled, of_ana(book).is_counted) == (True, False)
    # Half a reason to skip is none.
    book = scored(book_of(), "i0", "ana", 4, 5)
    book = write_reason(book, of_ana(book), "half a r", NOON)
    assert [sheet.skip_reason for sheet in visible_sheets(book, "demo", "lea")] == [""]
    assert of_ana(accept_sheet(book, of_ana(book), "lea", NOON)).is_counted


def test_sources_are_hidden_until_all_own_sheets_are_in() -> None:
    book = book_of()
    assert may_see_sources(book, "demo", "lea")
    for number in range(6):
        assert not may_see_sources(book, "demo", "ana")
        scores = (3, 3, 1) if number == 1 else (3, 3)
        book = scored(book, f"i{number}", "ana", *scores)
    assert may_see_sources(book, "demo", "ana")


def test_attention_checks_are_in_no_result_and_tell_who_missed_them() -> None:
    book = book_of()
    key = BatchItemKey("demo", "i0")
    check = replace(book.items[key], expected=MappingProxyType({"clarity": (1, 2)}))
    book = replace(book, items=MappingProxyType({**book.items, key: check}))
    book = scored(scored(book, "i0", "ana", 5, 5), "i0", "ben", 2, 5)
    assert [(m.rater, m.score, m.expected) for m in missed_checks(book, "demo", "lea")] == [
        ("ana", 5, (1, 2))
    ]
    assert not list(scores_to_compare(book, "demo", "lea"))
    # Nobody can give what is not on a later scale any more.
    fewer = replace(RUBRIC.criteria[0], least=3, levels=())
    second = replace(RUBRIC, version=2, criteria=(fewer, *RUBRIC.criteria[1:]))
    later = change_rubric(save_rubric(book, second), "demo", 2)
    later = scored(begin_anew(later, of_ana(later)), "i0", "ana", 5, 5)
    assert of_ana(later).rubric_version == 2
    assert not list(missed_checks(later, "demo", "lea"))
    # To leave it out would tell ana which it is.
    assert {given.rater for given in scores_to_compare(book, "demo", "ana")} == {"ana", "ben"}


def test_how_far_others_are_is_hidden_while_anything_of_theirs_is() -> None:
    book = toggle_flag(book_of(), book_of().sheet("demo", "i3", "ana"), NOON)
    book = scored(book, "i0", "ana", 3, 3)
    assert batch_progress(book, "demo", "ana", "ana") == (1, 6, 1, 0)
    assert batch_progress(book, "demo", "ana", "ben") is None
    # Of a sheet that is not in, nobody else is told that it is flagged.
    assert batch_progress(book, "demo", "ana", "lea") == (1, 6, 0, 0)
    assert newly_in(book_of(), book) == {("demo", "i0")}
    assert newly_in(book, book_of()) == frozenset()


@given(st.floats(0, 1), st.integers(), st.integers(1, 4))
def test_dealing_gives_a_share_to_all_and_every_other_item_to_one(
    share: float, seed: int, raters: int
) -> None:
    items, names = items_of(), [f"r{n}" for n in range(raters)]
    dealt = deal(items, names, share, seed)
    counts = Counter(item for own in dealt.values() for item in own)
    shared = round(share * 6)
    assert sorted(counts.values()) == sorted([raters] * shared + [1] * (6 - shared))
    assert dealt == deal(items, names, share, seed)


def test_orders_differ_by_rater_and_seed_and_checks_go_to_all() -> None:
    dealt = deal(items_of(), RATERS, 1.0, 7)
    assert len(set(dealt.values())) == 3
    assert dealt != deal(items_of(), RATERS, 1.0, 8)
    check = replace(items_of()[0], expected=MappingProxyType({"clarity": (1,)}))
    dealt = deal((check, *items_of()[1:]), RATERS, 0.0, 7)
    assert all("i0" in own for own in dealt.values())
    swapped = [has_sides_swapped(book_of().batches["demo"], "ana", f"p{n}") for n in range(64)]
    assert 16 < sum(swapped) < 48


@pytest.mark.parametrize(("raters", "share"), [((), 1.0), (("a", "a"), 1.0), (("a",), 1.5)])
def test_a_batch_that_cannot_be_dealt_is_refused(raters: tuple[str, ...], share: float) -> None:
    with pytest.raises(InputError):
        deal(items_of(), raters, share, 1)


def test_idle_time_and_time_without_focus_do_not_count() -> None:
    time = ActiveTime().act(100.0).act(130.0)
    assert time.at(140.0) == 40.0
    assert time.at(1000.0) == 30.0 + 60.0
    time = time.act(1000.0).leave(1005.0)
    assert time.at(5000.0) == 95.0
    seconds, time = time.act(6000.0).taken(6010.0)
    assert (seconds, time.at(6015.0)) == (105.0, 5.0)


def test_a_walk_that_is_watched_is_an_act_until_it_ends() -> None:
    time = ActiveTime().act(100.0).watch(110.0, is_watching=True)
    assert time.at(410.0) == 310.0
    time = time.watch(410.0, is_watching=False)
    assert time.at(1000.0) == 310.0 + 60.0
    time = time.watch(1000.0, is_watching=True).leave(1100.0)
    assert time.at(1500.0) == 470.0, "nobody watches without the focus"
    time = time.watch(1500.0, is_watching=False).watch(1600.0, is_watching=True)
    assert time.at(1700.0) == 470.0
    assert time.act(1700.0).at(1900.0) == 670.0, "it goes on when somebody comes back"


def test_a_reason_half_written_skips_nothing_and_a_comment_half_written_says_nothing() -> None:
    book = write_reason(book_of(), of_ana(book_of()), "no p", NOON)
    assert (of_ana(book).state, of_ana(book).skip_reason) == (SheetState.OPEN, "no p")
    book = scored(book, "i0", "ana", 4, 4)
    assert (of_ana(book).state, of_ana(book).skip_reason) == (SheetState.SUBMITTED, "")
    book = write_decision(book, of_ana(book), "look ag")
    assert of_ana(book).can_be_decided
    assert {sheet.decision_comment for sheet in visible_sheets(book, "demo", "lea")} == {""}
    (told,) = visible_sheets(book, "demo", "ana")
    assert merge_sheets(book, [told], OnConflict.REFUSE).book == book
    book = accept_sheet(book, of_ana(book), "lea", NOON)
    (told,) = visible_sheets(book, "demo", "ana")
    assert told.decision_comment == "look ag", "what was written is said with the decision"
    with pytest.raises(EditError, match="locked"):
        write_reason(book, of_ana(book), "no", NOON)


@pytest.mark.parametrize("height_m", [0.0, -1.0, 10.1, math.nan, math.inf])
def test_a_batch_is_not_seen_from_nowhere(height_m: float) -> None:
    wish = BatchWish("new", RUBRIC, ("ana",), eye_height_m=height_m)
    with pytest.raises(InputError, match="eye_height_m"):
        make_batch(NO_SCORES, wish, ())


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (ScoredRows(texts={BatchItemKey("demo", "i0"): "other words"}), "'i0' is another instr"),
        (ScoredRows(pairs={("demo", "p"): ("i1", "i0")}), "'p' is 'i0' and 'i1' here, in order"),
        (ScoredRows(rubrics={"demo": "other"}), f"its rubric here is {RUBRIC.key!r}"),
    ],
)
def test_what_is_said_of_another_batch_of_the_same_name_is_refused(
    about: ScoredRows, said: str
) -> None:
    book = book_of()
    paired = replace(book.batches["demo"], pairs={"p": ("i0", "i1")})
    book = replace(book, batches={"demo": paired})
    with pytest.raises(InputError, match=said):
        merge(book, about)
    same = ScoredRows(
        texts={BatchItemKey("demo", "i0"): f" {book.instruction('demo', 'i0').text}\r\n"},
        pairs={("demo", "p"): ("i0", "i1")},
        rubrics={"demo": RUBRIC.key, "elsewhere": "other"},
    )
    assert merge(book, same).book == book
