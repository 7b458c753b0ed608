"""What a drive showed, as facts beside the question; the annotator decides, never this module."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from waypost.annotators.traverse.hud import HudValues
from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import AgentProfile
from waypost.simulators.protocol import DriveOutcome, MoverSettings, Telemetry
from waypost.widgets.facts_table import Fact

STRICT_LIMIT_M = MoverSettings().strict_limit_m
"""An obstacle that displaces the agent by this much is a strict collision."""

_STEP_TOLERANCE_M = 0.002
"""The mover is right to 2 mm."""

BLOCK_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "stairs": "a flight of stairs",
        "step": "a step",
        "obstacle": "an obstacle",
        "drop": "a drop",
        "spawn": "no free place at the start",
        "time": "the time limit",
        "stopped": "the driver",
    }
)
"""What stopped the agent, in words."""


@dataclass(frozen=True, slots=True)
class DriveRecord:
    """What was seen since the agent was spawned; immutable."""

    narrowest_m: float | None = None
    """Smallest clearance that was measured."""

    narrowest_at_m: Vec3 | None = None
    highest_step_m: float = 0.0
    displacement_m: float = 0.0
    blocked_by: str | None = None
    nearest_target_m: float | None = None
    touched: tuple[str, ...] = ()
    """Names of the objects touched, in order."""

    sim_time_s: float = 0.0

    def with_telemetry(self, telemetry: Telemetry, target_m: Vec3 | None = None) -> DriveRecord:
        """The record one telemetry later."""
        record = replace(
            self,
            highest_step_m=max(self.highest_step_m, telemetry.highest_step_m),
            displacement_m=telemetry.displacement_m,
            blocked_by=telemetry.blocked_by,
            touched=_with_names(self.touched, [c.object for c in telemetry.contacts]),
            sim_time_s=telemetry.time_ns / 1e9,
        )
        clearance = telemetry.clearance_m
        if clearance is not None and (self.narrowest_m is None or clearance < self.narrowest_m):
            record = replace(record, narrowest_m=clearance, narrowest_at_m=telemetry.position_m)
        if target_m is not None:
            distance = math.dist(telemetry.position_m, target_m)
            nearest = self.nearest_target_m
            record = replace(
                record, nearest_target_m=distance if nearest is None else min(nearest, distance)
            )
        return record


def record_facts(
    record: DriveRecord, profile: AgentProfile, reach_m: float = 0.3
) -> tuple[Fact, ...]:
    """What a drive by hand showed.

    Args:
        record: The drive.
        profile: Who was driven.
        reach_m: The target counts as reached within this distance.
    """
    facts = []
    nearest = record.nearest_target_m
    if nearest is not None:
        is_reached = nearest <= reach_m
        found = "yes" if is_reached else f"{nearest:.2f} m short"
        facts.append(Fact("reached", found, f"within {reach_m:.2f} m", is_reached))
    if record.narrowest_m is not None:
        facts.append(Fact("narrowest clearance", f"{record.narrowest_m:.2f} m"))
    facts += _limits(record.highest_step_m, record.displacement_m, profile)
    return (*facts, *_obstacles(record.blocked_by, record.touched))


def outcome_facts(outcome: DriveOutcome, profile: AgentProfile) -> tuple[Fact, ...]:
    """What a drive by the machine, straight towards the target, showed."""
    x, y, z = outcome.stopped_at_m
    found = "yes" if outcome.reached else f"stopped at {x:.2f}, {y:.2f}, {z:.2f}"
    names = _with_names((), [c.object for c in outcome.contacts])
    return (
        Fact("reached", found, "", outcome.reached),
        *_limits(outcome.highest_step_m, outcome.displacement_m, profile),
        *_obstacles(outcome.blocked_by, names),
        Fact("simulated time", f"{outcome.sim_time_s:.1f} s"),
    )


def hud_values(telemetry: Telemetry, profile: AgentProfile) -> HudValues:
    """What the driver sees of the latest telemetry."""
    blocked_by = telemetry.blocked_by
    return HudValues(
        telemetry.speed_mps,
        telemetry.step_met_m,
        profile.step_limit_m,
        telemetry.displacement_m,
        telemetry.clearance_m,
        "" if blocked_by is None else BLOCK_TITLES.get(blocked_by, blocked_by),
        telemetry.is_falling,
    )


def _limits(highest_step_m: float, displacement_m: float, profile: AgentProfile) -> list[Fact]:
    limit_m = profile.step_limit_m
    return [
        Fact(
            "highest step taken",
            f"{highest_step_m * 100:.1f} cm",
            f"at most {limit_m * 100:.1f} cm",
            highest_step_m <= limit_m + _STEP_TOLERANCE_M,
        ),
        Fact(
            "displaced by obstacles",
            f"{displacement_m:.3f} m",
            f"under {STRICT_LIMIT_M:.2f} m",
            displacement_m < STRICT_LIMIT_M,
        ),
    ]


def _obstacles(blocked_by: str | None, touched: tuple[str, ...]) -> list[Fact]:
    facts = []
    if blocked_by is not None:
        facts.append(Fact("stopped by", BLOCK_TITLES.get(blocked_by, blocked_by)))
    if touched:
        facts.append(Fact("touched", ", ".join(touched)))
    return facts


def _with_names(names: tuple[str, ...], more: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*names, *more]))
