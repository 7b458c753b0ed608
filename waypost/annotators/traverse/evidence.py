"""What a drive showed, as facts beside the question; the annotator decides, never this module."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from waypost.domain.agent import AgentProfile
from waypost.domain.frames import Vec3
from waypost.domain.scene import Storey
from waypost.simulators.protocol import DriveOutcome, MoverSettings, Telemetry

STRICT_LIMIT_M = MoverSettings().strict_limit_m
"""An obstacle that displaces the agent by this much is a strict collision."""

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
class EvidenceRow:
    """One fact."""

    title: str
    value: str
    limit: str = ""
    """What it is held against; empty where there is no rule."""

    is_within: bool | None = None
    """Whether the value keeps to the limit; ``None`` where there is no rule."""


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


def record_rows(
    record: DriveRecord, profile: AgentProfile, reach_m: float = 0.3
) -> tuple[EvidenceRow, ...]:
    """Facts of a drive by hand."""
    rows = []
    nearest = record.nearest_target_m
    if nearest is not None:
        is_reached = nearest <= reach_m
        value = "yes" if is_reached else f"no, {nearest:.2f} m short"
        rows.append(EvidenceRow("Reached", value, f"within {reach_m:.2f} m", is_reached))
    if record.narrowest_m is not None:
        rows.append(EvidenceRow("Narrowest clearance", f"{record.narrowest_m:.2f} m"))
    rows += _common_rows(
        record.highest_step_m, record.displacement_m, record.blocked_by, record.touched, profile
    )
    return tuple(rows)


def outcome_rows(outcome: DriveOutcome, profile: AgentProfile) -> tuple[EvidenceRow, ...]:
    """Facts of a drive by the machine, straight towards the target."""
    x, y, z = outcome.stopped_at_m
    value = "yes" if outcome.reached else f"no, stopped at {x:.2f}, {y:.2f}, {z:.2f}"
    names = _with_names((), [c.object for c in outcome.contacts])
    return (
        EvidenceRow("Reached", value, "", outcome.reached),
        *_common_rows(
            outcome.highest_step_m, outcome.displacement_m, outcome.blocked_by, names, profile
        ),
        EvidenceRow("Simulated time", f"{outcome.sim_time_s:.1f} s"),
    )


@dataclass(frozen=True, slots=True)
class HudValues:
    """What the driver sees over the stage."""

    speed: str
    step: str
    displacement: str
    clearance: str
    state: str
    """What stops the agent or what it does; empty while it drives freely."""

    is_strict_collision: bool
    storey: str = ""


def hud_values(
    telemetry: Telemetry, profile: AgentProfile, storeys: tuple[Storey, ...] = ()
) -> HudValues:
    """The latest telemetry in words and numbers."""
    clearance = telemetry.clearance_m
    state = ""
    if telemetry.is_falling:
        state = "falling"
    elif telemetry.blocked_by is not None:
        state = f"stopped by {BLOCK_TITLES.get(telemetry.blocked_by, telemetry.blocked_by)}"
    z = telemetry.position_m[2]
    below = [s for s in storeys if s.floor_z_m <= z + 0.25]
    return HudValues(
        f"{telemetry.speed_mps:.2f} m/s",
        f"{telemetry.step_met_m * 100:.1f} cm of {profile.step_limit_m * 100:.1f} cm",
        f"{telemetry.displacement_m:.3f} m of {STRICT_LIMIT_M:.2f} m",
        "free" if clearance is None else f"{clearance:.2f} m",
        state,
        telemetry.displacement_m >= STRICT_LIMIT_M,
        max(below, key=lambda s: s.floor_z_m).name if below else "",
    )


def _common_rows(
    highest_step_m: float,
    displacement_m: float,
    blocked_by: str | None,
    touched: tuple[str, ...],
    profile: AgentProfile,
) -> list[EvidenceRow]:
    limit_m = profile.step_limit_m
    rows = [
        EvidenceRow(
            "Highest step taken",
            f"{highest_step_m * 100:.1f} cm",
            f"≤ {limit_m * 100:.1f} cm",
            highest_step_m <= limit_m + 0.002,
        ),
        EvidenceRow(
            "Displaced by obstacles",
            f"{displacement_m:.3f} m",
            f"< {STRICT_LIMIT_M:.2f} m",
            displacement_m < STRICT_LIMIT_M,
        ),
    ]
    if blocked_by is not None:
        rows.append(EvidenceRow("Stopped by", BLOCK_TITLES.get(blocked_by, blocked_by)))
    if touched:
        rows.append(EvidenceRow("Touched", ", ".join(touched)))
    return rows


def _with_names(names: tuple[str, ...], more: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*names, *more]))
