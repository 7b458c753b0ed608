"""What a drive showed, as facts beside the question; the annotator decides, never this module."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from waypost.annotators.traverse.hud import HudValues
from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.passage_drive import REACH_M, STRICT_LIMIT_M, DrivenBy, PassageDrive
from waypost.domain.traverse.traversability import Passage
from waypost.simulators.protocol import DriveOutcome, Telemetry
from waypost.widgets.facts_table import Fact

_STEP_TOLERANCE_M = 0.002
"""The mover is right to 2 mm."""

_TOUCHING_M = 0.005

BLOCK_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "stairs": "a flight of stairs",
        "step": "a step",
        "obstacle": "an obstacle",
        "overhead": "something overhead",
        "drop": "a drop",
        "spawn": "no free place at the start",
        "time": "the time limit",
        "stopped": "the driver",
    }
)
"""What stopped the agent, in words."""


@dataclass(frozen=True, slots=True)
class DriveRecord:
    """What was seen from the spawn to where the target was reached; immutable."""

    narrowest_m: float | None = None
    """Smallest clearance that was measured."""

    narrowest_at_m: Vec3 | None = None
    highest_step_m: float = 0.0
    pushed_m: float = 0.0
    blocked_by: str | None = None
    nearest_target_m: float | None = None
    touched: tuple[str, ...] = ()
    """Names of the objects touched, in order."""

    sim_time_s: float = 0.0
    stopped_at_m: Vec3 | None = None
    has_reached: bool = False
    """Whether the target was reached; from then on nothing changes any more."""

    def with_telemetry(self, telemetry: Telemetry, target_m: Vec3 | None = None) -> DriveRecord:
        """The record one telemetry later; the same one once the target was reached."""
        if self.has_reached:
            return self
        record = replace(
            self,
            highest_step_m=max(self.highest_step_m, telemetry.highest_step_m),
            pushed_m=telemetry.pushed_m,
            blocked_by=telemetry.blocked_by,
            touched=_with_names(self.touched, [c.object for c in telemetry.contacts]),
            sim_time_s=telemetry.time_ns / 1e9,
            stopped_at_m=telemetry.position_m,
        )
        clearance = telemetry.clearance_m
        if clearance is not None and (self.narrowest_m is None or clearance < self.narrowest_m):
            record = replace(record, narrowest_m=clearance, narrowest_at_m=telemetry.position_m)
        if target_m is not None:
            distance = math.dist(telemetry.position_m, target_m)
            nearest = self.nearest_target_m
            nearest = distance if nearest is None else min(nearest, distance)
            record = replace(record, nearest_target_m=nearest, has_reached=nearest <= REACH_M)
        return record


def kept_drive(
    passage: Passage,
    record: DriveRecord,
    outcome: DriveOutcome | None = None,
    driven_by: DrivenBy = DrivenBy.HAND,
) -> PassageDrive:
    """A drive as it is kept with its passage; who, when and on what is for the caller to add.

    Args:
        passage: What was driven.
        record: What was seen.
        outcome: Of a drive that the agent made by itself; it says whether it reached the target.
        driven_by: Who drove where there is no outcome: an agent that was called off has none.
    """
    called_off = "stopped" if driven_by is DrivenBy.ITSELF else ""
    drive = PassageDrive(
        passage,
        driven_by,
        record.has_reached,
        record.nearest_target_m,
        record.stopped_at_m,
        record.narrowest_m,
        record.narrowest_at_m,
        record.highest_step_m,
        record.pushed_m,
        record.blocked_by or called_off,
        record.touched,
        record.sim_time_s,
    )
    if outcome is None:
        return drive
    return replace(
        drive,
        driven_by=DrivenBy.ITSELF,
        has_reached=outcome.reached,
        stopped_at_m=outcome.stopped_at_m,
        highest_step_m=outcome.highest_step_m,
        pushed_m=outcome.pushed_m,
        blocked_by=outcome.blocked_by or "",
        touched=_with_names((), [c.object for c in outcome.contacts]),
        sim_time_s=outcome.sim_time_s,
    )


def drive_facts(drive: PassageDrive, profile: AgentProfile) -> tuple[Fact, ...]:
    """What a drive showed, as facts; what was not met, such as a step of nothing, has none.

    Args:
        drive: The drive.
        profile: Who was driven.
    """
    facts = []
    nearest = drive.nearest_target_m
    if drive.driven_by is DrivenBy.ITSELF and drive.stopped_at_m is not None:
        x, y, z = drive.stopped_at_m
        # No “-0.00”.
        place = ", ".join(f"{round(value, 2) + 0.0:.2f}" for value in (x, y, z))
        found = "yes" if drive.has_reached else f"no, stopped at {place}"
        facts.append(Fact("reached", found, "", drive.has_reached))
    elif nearest is not None:
        found = "yes" if drive.has_reached else f"{nearest:.2f} m short"
        facts.append(Fact("reached", found, f"≤ {REACH_M:.2f} m", drive.has_reached))
    narrowest_m = drive.narrowest_m
    if narrowest_m is not None and not (drive.touched and narrowest_m < _TOUCHING_M):
        facts.append(Fact("clearance", f"{narrowest_m:.2f} m"))
    limit_m, step_m = profile.step_limit_m, drive.highest_step_m
    if step_m > _STEP_TOLERANCE_M:
        is_enough = step_m <= limit_m + _STEP_TOLERANCE_M
        needed = f"≤ {limit_m * 100:.1f} cm"
        facts.append(Fact("highest step", f"{step_m * 100:.1f} cm", needed, is_enough))
    facts.append(
        Fact(
            "pushed off",
            f"{drive.pushed_m:.3f} m",
            f"< {STRICT_LIMIT_M:.2f} m",
            not drive.is_strict_collision,
        )
    )
    if drive.blocked_by and not drive.has_reached:
        facts.append(Fact("stopped by", BLOCK_TITLES.get(drive.blocked_by, drive.blocked_by)))
    if drive.touched:
        facts.append(Fact("touched", ", ".join(drive.touched)))
    if drive.driven_by is DrivenBy.ITSELF:
        facts.append(Fact("simulated time", f"{drive.sim_time_s:.1f} s"))
    return tuple(facts)


def hud_values(
    telemetry: Telemetry, profile: AgentProfile, *, has_reached: bool = False
) -> HudValues:
    """What the driver sees of the latest telemetry."""
    blocked_by = telemetry.blocked_by
    return HudValues(
        telemetry.speed_mps,
        telemetry.step_met_m,
        profile.step_limit_m,
        telemetry.pushed_m,
        telemetry.clearance_m,
        "" if blocked_by is None else BLOCK_TITLES.get(blocked_by, blocked_by),
        telemetry.is_falling,
        has_reached,
    )


def _with_names(names: tuple[str, ...], more: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*names, *more]))
