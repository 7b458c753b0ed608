from __future__ import annotations

import pytest

from waypost.demo.verdicts import judge
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.io.agent_files import shipped_agents
from waypost.simulators.protocol import Contact, DriveOutcome, Telemetry

PASSAGE = Passage("a", "b", "human")
HUMAN = shipped_agents()["human"]


def spawned(blocked_by: str | None = None) -> Telemetry:
    return Telemetry(0, (0.0, 0.0, 0.0), 0.0, 0.0, 0.0, blocked_by=blocked_by)


def outcome(reached=False, displacement_m=0.0, blocked_by=None, touched_at_m=()) -> DriveOutcome:
    contacts = tuple(Contact((1.0, 0.0, z), (-1.0, 0.0, 0.0), "thing") for z in touched_at_m)
    return DriveOutcome(
        reached=reached,
        stopped_at_m=(0.7, 0.0, 0.0),
        progress_m=0.7,
        displacement_m=displacement_m,
        strict_collision=displacement_m >= 0.1,
        contacts=contacts,
        highest_step_m=0.0,
        sim_time_s=2.0,
        blocked_by=blocked_by,
        path_m=((0.0, 0.0, 0.0), (0.7, 0.0, 0.0)),
    )


def test_reaching_without_being_pushed_travels():
    answer = judge(PASSAGE, HUMAN, spawned(), outcome(reached=True, displacement_m=0.09))
    assert (answer.verdict, answer.reason) == (Verdict.TRAVELS, None)


def test_reaching_after_being_pushed_is_uncertain_and_says_how_far():
    answer = judge(PASSAGE, HUMAN, spawned(), outcome(reached=True, displacement_m=0.23))
    assert answer.verdict is Verdict.UNCERTAIN
    assert "0.23 m" in answer.note


@pytest.mark.parametrize(
    ("blocked_by", "touched_at_m", "reason"),
    [
        ("stairs", (0.2,), Reason.STAIRS),
        ("step", (0.02,), Reason.STEP_OR_SILL),
        ("drop", (), Reason.STEP_OR_SILL),
        ("obstacle", (1.5, 1.6), Reason.LOW_CLEARANCE),
        ("obstacle", (0.4, 1.6), Reason.TOO_NARROW),
        ("obstacle", (), Reason.OTHER),
        ("time", (0.4,), Reason.OTHER),
    ],
)
def test_the_reason_follows_from_what_stopped_the_agent(blocked_by, touched_at_m, reason):
    answer = judge(PASSAGE, HUMAN, spawned(), outcome(False, 0.9, blocked_by, touched_at_m))
    assert (answer.verdict, answer.reason) == (Verdict.DOES_NOT, reason)
    assert "0.70 m" in answer.note


def test_an_agent_that_cannot_stand_at_the_start_is_too_wide():
    answer = judge(PASSAGE, HUMAN, spawned("spawn"), outcome())
    assert (answer.verdict, answer.reason) == (Verdict.DOES_NOT, Reason.TOO_NARROW)
