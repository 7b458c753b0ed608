"""Measures as proposals: which hold, which come first, what they fill in, what overrules them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from waypost.annotators.traverse.agent_chooser import AgentRow
from waypost.annotators.traverse.label_draft import (
    LabelAnswer,
    LabelDraft,
    LabelHint,
    LabelQuestion,
)
from waypost.annotators.traverse.measure_facts import measure_facts
from waypost.annotators.traverse.offer_strip import Offer, offer_after
from waypost.annotators.traverse.passage_rows import PassageRow
from waypost.annotators.traverse.proposals import measure_of, proposal_note, uncertain_first
from waypost.annotators.traverse.queue_parts import QueuePart
from waypost.domain.traverse.measure import (
    MEASURING_VERSION,
    Opinion,
    PassageMeasure,
    what_changed_since,
)
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.domain.traverse.traversability import (
    Circumstances,
    Passage,
    PassageState,
    Provenance,
    Reason,
    Verdict,
)
from waypost.io.agent_files import shipped_agents
from waypost.services.agent_marks import agent_marks

WHEELCHAIR = shipped_agents()["wheelchair"]
HERE = Passage("a", "b", "wheelchair")
NARROW = PassageMeasure(
    HERE,
    Verdict.DOES_NOT,
    Verdict.DOES_NOT,
    Reason.TOO_NARROW,
    "The doorway is 3.2 cm too narrow.",
    at_m=(1.0, 2.0, 0.0),
    margin_m=-0.032,
    clear_width_m=0.64,
    clear_width_length_m=0.1,
    provenance=Provenance("scene", WHEELCHAIR.profile_hash),
    measuring_version=MEASURING_VERSION,
)
ASKED = LabelQuestion(HERE, "Wheelchair", "Hall", "Bath", measure=NARROW)


def measured(answer: Verdict, margin_m: float | None, number: int) -> PassageMeasure:
    passage = Passage(str(number), "x", "wheelchair")
    reason = Reason.DOOR if answer is Verdict.DOES_NOT else None
    return PassageMeasure(passage, answer, answer, reason, "", margin_m=margin_m)


def test_a_measure_of_another_scene_or_agent_proposes_nothing() -> None:
    def now(scene_hash: str, width_m: float = WHEELCHAIR.width_m) -> Circumstances:
        agents = {"wheelchair": replace(WHEELCHAIR, width_m=width_m)}
        return Circumstances(agents=agents, scene_hash=scene_hash)

    measures = {HERE: NARROW}
    assert measure_of(measures, HERE, now("scene")) is NARROW
    assert measure_of(measures, HERE, now("another")) is None
    assert measure_of(measures, HERE, now("scene", 0.9)) is None
    assert measure_of(measures, HERE.reverse, now("scene")) is None


def test_a_measure_by_another_rule_or_an_older_way_of_measuring_proposes_nothing() -> None:
    agents = {"wheelchair": WHEELCHAIR}
    straight = PassageRule(AnswerBy.STRAIGHT)

    def held(measure: PassageMeasure, rule: PassageRule | None) -> bool:
        now = Circumstances(agents=agents, scene_hash="scene", passage_rule=rule)
        return measure_of({HERE: measure}, HERE, now) is measure

    assert held(NARROW, PassageRule())
    assert held(NARROW, None)
    assert not held(NARROW, straight)
    assert held(replace(NARROW, rule=straight), straight)
    for version in (0, MEASURING_VERSION - 1, MEASURING_VERSION + 1):
        assert not held(replace(NARROW, measuring_version=version), PassageRule())
    now = Circumstances(agents=agents, scene_hash="new", passage_rule=straight)
    assert list(what_changed_since(replace(NARROW, measuring_version=0), now)) == [
        "the scene has changed",
        "the rule for passages has changed",
        "it was measured in an older way",
    ]


def test_uncertain_ones_come_first_then_those_with_little_margin() -> None:
    found = [
        measured(Verdict.TRAVELS, 0.30, 0),
        measured(Verdict.UNCERTAIN, 0.005, 1),
        measured(Verdict.DOES_NOT, -0.02, 2),
        measured(Verdict.TRAVELS, None, 3),
    ]
    order = [m.passage for m in found] + [HERE]
    first = uncertain_first(order, {m.passage: m for m in found})
    assert [p.from_id for p in first] == ["1", "2", "0", "3", "a"]


def test_the_note_of_a_proposal_says_why_and_by_how_much() -> None:
    assert proposal_note(NARROW) == "too narrow -3.2 cm"
    assert proposal_note(measured(Verdict.TRAVELS, 0.041, 0)) == "+4.1 cm"
    assert proposal_note(measured(Verdict.TRAVELS, None, 0)) == ""


def test_one_key_accepts_with_the_measured_reason() -> None:
    draft = LabelDraft().asked(ASKED)
    assert (draft.reason, draft.hint) == (Reason.TOO_NARROW, LabelHint.PROPOSED)
    assert not draft.is_half_given
    _, given = draft.accepted()
    assert given == LabelAnswer(HERE, Verdict.DOES_NOT, Reason.TOO_NARROW, "")


@pytest.mark.parametrize("answer", [Verdict.TRAVELS, Verdict.DOES_NOT, Verdict.UNCERTAIN])
def test_a_reason_overrules_whatever_was_measured(answer: Verdict) -> None:
    reason = Reason.TOO_NARROW if answer is Verdict.DOES_NOT else None
    asked = replace(ASKED, measure=replace(NARROW, answer=answer, reason=reason))
    _, given = LabelDraft().asked(asked).with_reason(Reason.DOOR)
    assert given == LabelAnswer(HERE, Verdict.DOES_NOT, Reason.DOOR, "")


def test_yes_overrules_a_measured_no_and_takes_no_reason() -> None:
    _, given = LabelDraft().asked(ASKED).answered(Verdict.TRAVELS)
    assert given == LabelAnswer(HERE, Verdict.TRAVELS, None, "")


def test_a_measure_that_comes_while_one_looks_is_proposed() -> None:
    bare = LabelDraft().asked(replace(ASKED, measure=None))
    assert bare.accepted() == (bare, None)
    assert bare.asked(ASKED).accepted()[1] is not None
    half = bare.with_reason(Reason.STAIRS)[0].asked(ASKED)
    assert half.reason is Reason.STAIRS


def test_an_answer_that_holds_is_not_proposed_over_but_a_stale_one_is() -> None:
    answered = replace(ASKED, verdict=Verdict.TRAVELS)
    assert LabelDraft().asked(answered).accepted()[1] is None
    stale = LabelDraft().asked(replace(answered, stale_because=("the scene",)))
    assert stale.accepted()[1] == LabelAnswer(HERE, Verdict.DOES_NOT, Reason.TOO_NARROW, "")


def test_every_row_is_in_its_parts() -> None:
    row = PassageRow(HERE, "Hall", "Bath", PassageState.UNDECIDED)
    parts = QueuePart
    assert row.parts == {parts.UNDECIDED}
    assert replace(row, proposal=Verdict.TRAVELS).parts == {parts.UNDECIDED, parts.PROPOSED}
    assert replace(row, proposal=Verdict.UNCERTAIN).parts == {parts.UNDECIDED, parts.UNCERTAIN}
    assert replace(row, state=PassageState.UNCERTAIN).parts == {parts.UNCERTAIN}
    assert replace(row, state=PassageState.TRAVELS).parts == frozenset()
    contradicting = replace(row, state=PassageState.TRAVELS, is_contradicting=True)
    assert contradicting.parts == {parts.CONTRADICTING}


def test_a_stale_row_keeps_the_sign_of_its_answer_unless_something_is_proposed() -> None:
    row = PassageRow(HERE, "Hall", "Bath", PassageState.STALE, verdict=Verdict.TRAVELS)
    assert row.second_sign is not None
    assert row.second_sign.mark == "✓"
    assert row.words == "stale, was: travels"
    proposed = replace(row, proposal=Verdict.DOES_NOT)
    assert proposed.second_sign is not None
    assert proposed.second_sign.mark == "✕"
    assert proposed.words == "stale, was: travels, measured: does not travel"
    assert replace(row, state=PassageState.TRAVELS).second_sign is None


def test_facts_are_a_line_each_and_nothing_is_said_of_what_was_not_met() -> None:
    lines = [(fact.name, fact.found, fact.needed) for fact in measure_facts(NARROW, WHEELCHAIR)]
    assert lines == [
        ("clear width", "0.64 m", f"body {WHEELCHAIR.width_m:.2f} m"),
        ("narrow for", "0.10 m", ""),
    ]
    met = replace(
        NARROW,
        step_up_m=0.05,
        slope_deg=3.0,
        turn_needs_m=0.97,
        turn_has_m=0.8,
        contacts=("door", "wall"),
        opinions=(
            Opinion("geometry", Verdict.DOES_NOT, ""),
            Opinion("physx_straight", Verdict.DOES_NOT, ""),
            Opinion("sweep", Verdict.TRAVELS, ""),
        ),
    )
    facts = {fact.name: fact for fact in measure_facts(met, WHEELCHAIR)}
    assert facts["step up"].found == "5.0 cm"
    assert facts["step up"].is_enough is False
    assert (facts["turning"].found, facts["turning"].needed) == ("0.80 m", "needs 0.97 m")
    assert facts["touches"].found == "door, wall"
    assert facts["opinions"].found == "✕ geometry, driving  ✓ sweep"
    assert "step down" not in facts


def test_who_disagrees_along_which_way_is_said_in_plain_words() -> None:
    travels, does_not = Verdict.TRAVELS, Verdict.DOES_NOT
    agreed = ("geometry_straight", "geometry", "sweep_straight", "sweep", "physx_straight")
    met = replace(NARROW, opinions=tuple(Opinion(by, travels, "") for by in agreed))
    facts = {fact.name: fact.found for fact in measure_facts(met, WHEELCHAIR)}
    assert facts["opinions"] == "✓ geometry, sweep, driving"
    split = (("sweep_straight", does_not), ("sweep", travels), ("physx_path", travels))
    met = replace(NARROW, opinions=tuple(Opinion(by, answer, "") for by, answer in split))
    facts = {fact.name: fact.found for fact in measure_facts(met, WHEELCHAIR)}
    assert (facts["straight"], facts["by path"]) == ("✕ sweep", "✓ sweep, driving")
    assert "opinions" not in facts


def test_a_finished_agent_offers_the_next_that_is_not_and_at_the_end_the_export() -> None:
    agents = tuple(shipped_agents().values())
    marks = agent_marks(shipped_agents())
    left = [AgentRow(profile, marks[profile.key], 8, 8) for profile in agents]
    assert offer_after(left[:1], left[0].profile.key) == Offer(
        "Every agent is finished.", "Export for CapNav …"
    )
    left[3] = AgentRow(agents[3], marks[agents[3].key], 2, 8)
    offer = offer_after(left, agents[4].key)
    assert offer is not None
    assert offer.agent_key == agents[3].key
    assert offer.next_words == f"Go on: {agents[3].name}, 2 of 8"
    assert offer_after(left, agents[3].key) is None
    assert offer_after([AgentRow(agents[0], marks[agents[0].key])], agents[0].key) is None


def test_an_agent_is_offered_as_finished_once_ones_own_part_is() -> None:
    agents = tuple(shipped_agents().values())[:2]
    marks = agent_marks(shipped_agents())
    own = [AgentRow(profile, marks[profile.key], 5, 8, of_others=3) for profile in agents]
    ends = Offer("Your part of every agent is finished.", "Export for CapNav …")
    assert offer_after(own, agents[0].key) == ends
    own[1] = AgentRow(agents[1], marks[agents[1].key], 4, 8, of_others=3)
    offer = offer_after(own, agents[0].key)
    assert offer is not None
    assert (offer.done, offer.agent_key) == (
        f"Your part of {agents[0].name} is finished.", agents[1].key,
    )  # fmt: skip
    assert offer_after(own, agents[1].key) is None
