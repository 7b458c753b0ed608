"""The half-given answer of the label panel, as values and without a window."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from waypost.annotators.traverse.label_draft import (
    LabelAnswer,
    LabelDraft,
    LabelHint,
    LabelQuestion,
)
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import Passage, Reason, Verdict

HERE = LabelQuestion(Passage("a", "b", "cart"), "Cart", "Hall", "Bath")
THERE = replace(HERE, passage=Passage("b", "c", "cart"))
OFFERED = replace(THERE, offered_reason=Reason.DOOR, offered_note="heavy")
MEASURED = PassageMeasure(THERE.passage, Verdict.TRAVELS, Verdict.TRAVELS, None, "As wide as that.")
ASKED = LabelDraft().asked(HERE)


def test_it_needs_no_window() -> None:
    code = (
        "import sys, waypost.annotators.traverse.label_draft;"
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_answer_leaves_nothing_half_given() -> None:
    draft, given = ASKED.written(" wide ").answered(Verdict.TRAVELS)
    assert given == LabelAnswer(HERE.passage, Verdict.TRAVELS, None, "wide")
    assert (draft.note, draft.hint, draft.is_answered) == ("wide", LabelHint.NOTHING, True)
    back = draft.asked(THERE).asked(HERE)
    assert (back.reason, back.note, back.kept) == (None, "", {})


def test_does_not_waits_for_its_reason_and_can_be_taken_back() -> None:
    draft, given = ASKED.answered(Verdict.DOES_NOT)
    assert (given, draft.hint, draft.is_asking_reason) == (None, LabelHint.WHY_NOT, True)
    taken_back, given = draft.without_verdict().with_reason(Reason.STAIRS)
    assert (given, taken_back.hint) == (None, LabelHint.TAKE_REASON)
    _, given = draft.with_reason(Reason.STAIRS)
    assert given == LabelAnswer(HERE.passage, Verdict.DOES_NOT, Reason.STAIRS, "")


def test_half_given_answers_wait_at_their_own_passage() -> None:
    half, _ = ASKED.with_reason(Reason.STAIRS)
    half = half.written("steep ")
    elsewhere = half.asked(THERE)
    assert (elsewhere.reason, elsewhere.note) == (None, "")
    nowhere = elsewhere.asked(None)
    assert dict(nowhere.kept) == {HERE.passage: (Reason.STAIRS, "steep ")}
    back = nowhere.asked(HERE)
    assert (back.reason, back.note, back.kept) == (Reason.STAIRS, "steep ", {})
    assert ASKED.kept == {}, "a step changes no earlier draft"


def test_the_notes_that_were_begun_are_known_by_their_passage() -> None:
    draft = ASKED.written("low").asked(THERE)
    assert dict(draft.written_notes) == {HERE.passage: "low"}
    assert dict(draft.written("wide").written_notes) == {HERE.passage: "low", THERE.passage: "wide"}
    answered, _ = draft.written("wide").answered(Verdict.TRAVELS)
    assert dict(answered.written_notes) == {HERE.passage: "low"}
    assert dict(ASKED.asked(OFFERED).written_notes) == {}, "nobody wrote what is offered"


def test_an_offer_is_taken_by_does_not_alone_and_never_kept() -> None:
    draft = ASKED.asked(OFFERED)
    assert (draft.hint, draft.reason, draft.note) == (LabelHint.OFFERED, Reason.DOOR, "heavy")
    _, given = draft.answered(Verdict.DOES_NOT)
    assert given == LabelAnswer(THERE.passage, Verdict.DOES_NOT, Reason.DOOR, "heavy")
    _, given = draft.answered(Verdict.UNCERTAIN)
    assert given == LabelAnswer(THERE.passage, Verdict.UNCERTAIN, None, "")
    assert draft.asked(HERE).kept == {}
    same, _ = draft.with_reason(Reason.DOOR)
    assert same.asked(HERE).kept == {THERE.passage: (Reason.DOOR, "heavy")}
    own, _ = draft.with_reason(Reason.STAIRS)
    assert own.asked(HERE).kept == {THERE.passage: (Reason.STAIRS, "")}


def test_an_offered_note_is_not_accepted_with_what_was_measured() -> None:
    """It is about the other direction, and a measure that comes meanwhile is about this one."""
    measured = replace(OFFERED, measure=MEASURED)
    draft = ASKED.asked(OFFERED).asked(measured)
    _, given = draft.accepted()
    assert given == LabelAnswer(THERE.passage, Verdict.TRAVELS, None, "")
    _, given = draft.with_reason(Reason.STAIRS)
    assert given == LabelAnswer(THERE.passage, Verdict.DOES_NOT, Reason.STAIRS, "")
    _, given = ASKED.asked(OFFERED).written("own").asked(measured).accepted()
    assert given == LabelAnswer(THERE.passage, Verdict.TRAVELS, None, "own")


@pytest.mark.parametrize("before", [None, Verdict.TRAVELS, Verdict.DOES_NOT])
def test_a_label_that_comes_from_elsewhere_is_shown_and_not_overwritten(
    before: Verdict | None,
) -> None:
    """One answer for many, an undo, or somebody else: the panel says what the project says."""
    reason = Reason.STAIRS if before is Verdict.DOES_NOT else None
    asked = replace(HERE, verdict=before, reason=reason, note="old" if before else "")
    labelled = replace(HERE, verdict=Verdict.DOES_NOT, reason=Reason.DOOR, note="it is locked")
    draft = LabelDraft().asked(asked).asked(labelled)
    assert (draft.reason, draft.note) == (Reason.DOOR, "it is locked")
    assert draft.with_note_reported()[1] is None
    back = draft.asked(asked)
    assert (back.reason, back.note, back.is_half_given) == (reason, asked.note, False)
    assert back.with_note_reported()[1] is None


def test_a_note_that_was_undone_is_not_reported_again() -> None:
    old, new = (replace(HERE, verdict=Verdict.TRAVELS, note=note) for note in ("old", "new"))
    reported, _ = LabelDraft().asked(old).written("new").with_note_reported()
    undone = reported.asked(new).asked(old)
    assert (undone.note, undone.with_note_reported()[1]) == ("old", None)


def test_a_note_that_is_being_written_or_was_refused_stays() -> None:
    old = replace(HERE, verdict=Verdict.TRAVELS, note="old")
    typing = LabelDraft().asked(old).written("new")
    assert typing.asked(replace(old, verdict=Verdict.UNCERTAIN)).note == "new"
    refused, _ = typing.with_note_reported()
    assert refused.asked(old).note == "new"


def test_what_was_half_given_is_over_once_the_passage_is_labelled() -> None:
    half, _ = ASKED.with_reason(Reason.STAIRS)
    elsewhere = half.written("steep").asked(THERE)
    labelled = replace(HERE, verdict=Verdict.DOES_NOT, reason=Reason.DOOR, note="it is locked")
    back = elsewhere.asked(labelled)
    assert (back.reason, back.note, back.kept) == (Reason.DOOR, "it is locked", {})
    assert back.with_note_reported()[1] is None


def test_what_was_refused_stays_half_given() -> None:
    """The same question again, still without an answer, says that the answer was not taken."""
    half, _ = ASKED.with_reason(Reason.STAIRS)
    given, _ = half.answered(Verdict.DOES_NOT)
    assert given.asked(THERE).kept == {}
    assert given.asked(HERE).asked(THERE).kept == {HERE.passage: (Reason.STAIRS, "")}


def test_a_note_changed_after_the_answer_is_reported_once() -> None:
    answered = replace(HERE, verdict=Verdict.DOES_NOT, reason=Reason.STAIRS, note="old")
    draft = LabelDraft().asked(answered)
    assert draft.with_note_reported() == (draft, None)
    reported, given = draft.written("new ").with_note_reported()
    assert given == LabelAnswer(
        HERE.passage, Verdict.DOES_NOT, Reason.STAIRS, "new", is_note_only=True
    )
    assert reported.with_note_reported()[1] is None


def test_without_a_question_nothing_is_decided() -> None:
    draft = LabelDraft()
    assert draft.answered(Verdict.TRAVELS) == (draft, None)
    assert draft.with_reason(Reason.DOOR) == (draft, None)
    assert draft.written("x").with_note_reported()[1] is None
