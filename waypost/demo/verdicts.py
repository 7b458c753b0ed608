"""How the demonstration's script judges a drive; with people, nobody but they decide."""

from __future__ import annotations

from waypost.annotators.traverse.label_draft import LabelAnswer
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.traversability import Passage, Reason, Verdict
from waypost.simulators.protocol import DriveOutcome, Telemetry

_HEAD_SHARE = 0.75
"""A touch in the upper quarter of the body, and only there, is low clearance."""


def judge(
    passage: Passage, profile: AgentProfile, spawned: Telemetry, outcome: DriveOutcome
) -> LabelAnswer:
    """An answer from what was measured on one straight drive.

    Reached without a strict collision travels; reached with one is uncertain, because the
    agent was pushed out of its way; anything else does not travel.
    """
    if outcome.reached and outcome.strict_collision:
        note = f"reached, but displaced by {outcome.displacement_m:.2f} m"
        return LabelAnswer(passage, Verdict.UNCERTAIN, None, note)
    if outcome.reached:
        return LabelAnswer(passage, Verdict.TRAVELS, None, "")
    if spawned.blocked_by == "spawn":
        note = "does not fit where it starts"
        return LabelAnswer(passage, Verdict.DOES_NOT, Reason.TOO_NARROW, note)
    note = f"stopped after {outcome.progress_m:.2f} m"
    if outcome.contacts:
        note += f" at {outcome.contacts[-1].object}"
    return LabelAnswer(passage, Verdict.DOES_NOT, _reason(profile, outcome), note)


def _reason(profile: AgentProfile, outcome: DriveOutcome) -> Reason:
    if outcome.blocked_by == "stairs":
        return Reason.STAIRS
    if outcome.blocked_by in {"step", "drop"}:
        return Reason.STEP_OR_SILL
    if outcome.blocked_by != "obstacle" or not outcome.contacts:
        return Reason.OTHER
    floor_z_m = outcome.stopped_at_m[2]
    heights = [contact.point_m[2] - floor_z_m for contact in outcome.contacts]
    if min(heights) > _HEAD_SHARE * profile.height_m:
        return Reason.LOW_CLEARANCE
    return Reason.TOO_NARROW
