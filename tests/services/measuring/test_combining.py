"""Who may say yes and who may say no about a passage."""

from __future__ import annotations

from dataclasses import replace

import pytest

from waypost.domain.traverse.measure import AbsentOpinion, PassageMeasure
from waypost.domain.traverse.passage_rule import AnswerBy, PassageRule
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.geometry.measuring.geometric_measure import GeometricAnswer, GeometricMeasure
from waypost.services.measuring.body_sweep import SweepFinding
from waypost.services.measuring.combining import PassageFindings, WayFindings, combined
from waypost.services.measuring.engine_drives import DriveFinding
from waypost.simulators.protocol import Contact, DriveOutcome

YES, NO, MAYBE = Verdict.TRAVELS, Verdict.DOES_NOT, Verdict.UNCERTAIN
PASSAGE = Passage("a", "b", "wheelchair")
TABLE = Contact((1.0, 0.0, 0.5), (-1.0, 0.0, 0.0), "Low table")
FREE = GeometricAnswer(YES, "0.20 m to spare", margin_m=0.2)
NARROW = GeometricAnswer(
    NO, "needs 0.70 m, has 0.66 m", Reason.TOO_NARROW, (1.0, 0.0, 0.0), -0.04, ("Door frame",)
)
PASSES = SweepFinding(passes=True, distance_m=0.1)
TOUCHES = SweepFinding(False, 0.0, (1.0, 0.0, 0.5), "Low table", "touch")


def driven(
    displacement_m: float = 0.0,
    blocked_by: str | None = None,
    underfoot: tuple[str, ...] = (),
    progress_m: float = 1.0,
) -> DriveFinding:
    outcome = DriveOutcome(
        reached=blocked_by is None,
        stopped_at_m=(1.0, 0.0, 0.0),
        progress_m=progress_m,
        displacement_m=displacement_m,
        strict_collision=displacement_m >= 0.1,
        contacts=() if blocked_by is None else (TABLE,),
        highest_step_m=0.0,
        sim_time_s=2.5,
        blocked_by=blocked_by,
        path_m=(),
    )
    return DriveFinding(outcome, underfoot=underfoot)


def measured(
    straight: WayFindings,
    path: WayFindings | None = None,
    rule: PassageRule | None = None,
    **geometry: object,
) -> PassageMeasure:
    own = GeometricMeasure(PASSAGE, straight.geometry, (path or straight).geometry)
    own = replace(own, **geometry)  # type: ignore[arg-type]
    findings = PassageFindings(own, straight, path or straight, path is None)
    return combined(findings, rule or PassageRule())


def test_three_that_agree_travel() -> None:
    measure = measured(WayFindings(FREE, PASSES, driven()))
    assert (measure.answer, measure.straight, measure.reason) == (YES, YES, None)
    assert measure.words == "0.20 m to spare."
    assert [(o.by, o.answer) for o in measure.opinions] == [
        ("geometry_straight", YES),
        ("sweep_straight", YES),
        ("physx_straight", YES),
        ("geometry", YES),
    ]
    assert measure.sim_time_s == 2.5


def test_geometry_alone_may_say_yes_and_no() -> None:
    assert measured(WayFindings(FREE)).answer is YES
    measure = measured(WayFindings(NARROW))
    assert (measure.answer, measure.reason) == (NO, Reason.TOO_NARROW)
    assert measure.words == "Needs 0.70 m, has 0.66 m."
    assert (measure.margin_m, measure.at_m) == (-0.04, (1.0, 0.0, 0.0))
    assert measure.contacts == ("Door frame",)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (WayFindings(FREE, TOUCHES, driven()), "a swept body touches Low table"),
        (
            WayFindings(FREE, PASSES, driven(blocked_by="obstacle")),
            "stops after 1.00 m at Low table",
        ),
        (
            WayFindings(FREE, PASSES, driven(blocked_by="obstacle", progress_m=-0.14)),
            "stops 0.14 m behind its start at Low table",
        ),
        (WayFindings(FREE, PASSES, driven(0.1)), "arrives, but pushed aside by 0.10 m"),
        (WayFindings(FREE, PASSES, DriveFinding(None, "there is no floor")), "there is no floor"),
        (WayFindings(FREE, PASSES, driven(), ("Bed_01",)), "Goes over Bed_01"),
    ],
)
def test_a_yes_that_another_does_not_share_is_uncertain(way: WayFindings, words: str) -> None:
    measure = measured(way)
    assert (measure.answer, measure.straight, measure.reason) == (MAYBE, MAYBE, None)
    assert words in measure.words


@pytest.mark.parametrize(
    ("way", "answer"),
    [
        (WayFindings(NARROW, TOUCHES, driven()), MAYBE),
        (WayFindings(NARROW, PASSES, driven(blocked_by="obstacle")), MAYBE),
        # it slid along, climbed furniture, or drove over a hole: no second opinion
        (WayFindings(NARROW, TOUCHES, driven(0.1)), NO),
        (WayFindings(NARROW, TOUCHES, driven(underfoot=("Bed_01",))), NO),
        (WayFindings(NARROW, PASSES, driven(underfoot=("Bed_01",)), ("Bed_01",)), NO),
    ],
)
def test_only_an_untouched_arrival_contradicts_a_no(way: WayFindings, answer: Verdict) -> None:
    measure = measured(way)
    assert (measure.answer, measure.reason is None) == (answer, answer is not NO)


def test_an_engine_over_a_hole_proves_nothing() -> None:
    hole = GeometricAnswer(NO, "a hole of 0.12 m", Reason.FLOOR_HOLE)
    measure = measured(WayFindings(hole, PASSES, driven()), hole_m=0.12)
    assert (measure.answer, measure.reason) == (NO, Reason.FLOOR_HOLE)


def test_a_sweep_knows_nothing_of_stairs() -> None:
    stairs = GeometricAnswer(NO, "a flight of stairs", Reason.STAIRS)
    assert measured(WayFindings(stairs, PASSES, driven(blocked_by="stairs"))).answer is NO


def test_furniture_may_be_allowed() -> None:
    way = WayFindings(FREE, PASSES, driven(underfoot=("Bed_01",)), ("Bed_01",))
    assert measured(way, rule=PassageRule(allows_furniture=True)).answer is YES


def test_a_way_round_is_an_answer_of_its_own_and_said() -> None:
    table = GeometricAnswer(NO, "Low table is in the way", Reason.OBSTACLE, contacts=("Low table",))
    straight = WayFindings(table, TOUCHES, driven(blocked_by="obstacle"))
    path = WayFindings(FREE, PASSES, driven())
    measure = measured(straight, path, detour_m=0.64)
    assert (measure.answer, measure.straight, measure.reason) == (YES, NO, None)
    assert measure.words == (
        "0.20 m to spare; 0.64 m longer than the straight edge, where Low table is in the way."
    )
    assert [o.by for o in measure.opinions][3:] == ["geometry", "sweep", "physx_path"]
    by_edge = measured(straight, path, PassageRule(AnswerBy.STRAIGHT), detour_m=0.64)
    assert (by_edge.answer, by_edge.reason) == (NO, Reason.OBSTACLE)
    assert by_edge.words == "Low table is in the way."


def test_who_fits_but_cannot_turn_is_told_the_room() -> None:
    way = WayFindings(replace(FREE, words="fits straight"), PASSES, driven())
    measure = measured(way, turn_needs_m=1.221, turn_has_m=0.8)
    assert measure.answer is YES
    assert measure.words == "Fits straight; cannot turn round there: needs 1.22 m, has 0.80 m."


def test_what_goes_straight_goes_by_any_path() -> None:
    unknown = GeometricAnswer(MAYBE, "the path touches the edge of the window")
    measure = measured(WayFindings(FREE, PASSES, driven()), WayFindings(unknown))
    assert measure.answer is YES


def test_an_absent_opinion_is_kept_with_its_reason() -> None:
    absent = (AbsentOpinion("sweep", "coal is not installed"),)
    way = WayFindings(FREE)
    own = GeometricMeasure(PASSAGE, FREE, FREE)
    measure = combined(PassageFindings(own, way, way, True, absent), PassageRule())
    assert measure.absent_opinions == absent
