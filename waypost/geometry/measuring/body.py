"""The body that is moved, and what touches the ground."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType

TOUCH_M = 0.001
"""The band of heights is shrunk by this at both ends: touching a limit is allowed."""

LEAST_DROP_M = 0.05
"""Every agent may go down this far; the mover of the engine allows it as well."""

_SINK_M = 0.013
"""How deep a wheel may sink into a gap: the height that ADA 303 lets it roll over."""

Place = tuple[float, float]
"""Forward and to the left of the body's centre, metres."""


@dataclass(frozen=True, slots=True)
class GroundContact:
    """What stands on the ground, for holes.

    Source:
        ADA 302.3 (no opening that lets a 13 mm sphere through), 1002.4.3 (gap of 75 mm at
        vehicle floors); a wheel of diameter D sinks h into a gap of 2 √(D h − h²).
    """

    largest_gap_m: float
    """Diameter of the widest disc of nothing that may lie where a wheel or foot passes."""

    places: tuple[Place, ...]
    """Where wheels or feet stand under the body; the disc of each contact is ``width_m`` wide."""

    width_m: float = 0.025
    """Width of a tyre or a foot."""


def wheel_gap_m(wheel_diameter_m: float, sink_m: float) -> float:
    """The gap along the way into which a wheel sinks this deep, in metres.

    A caster of 125 mm sinks 13 mm into 76 mm.
    """
    sink = min(sink_m, wheel_diameter_m / 2)
    return 2 * math.sqrt(sink * (wheel_diameter_m - sink))


def default_contact(profile: AgentProfile) -> GroundContact:
    """Four contacts near the corners of the body, with a gap by the kind of body.

    Round bodies without stairs stand on wheels, climbers on feet of 0.1 m.
    """
    along, across = profile.depth_m / 2, profile.width_m / 2
    if profile.shape is not BodyShape.BOX:
        along = across = across * math.sqrt(0.5)
    gap = 0.10 if profile.climbs_stairs else wheel_gap_m(0.125, _SINK_M)
    if profile.height_m < 0.3:
        gap = wheel_gap_m(0.07, _SINK_M)
    inset = 0.8
    places = tuple((sx * along * inset, sy * across * inset) for sx in (1, -1) for sy in (1, -1))
    return GroundContact(gap, places)


@dataclass(frozen=True, slots=True)
class MeasuredBody:
    """A body over a band of heights: what of a profile decides where it fits."""

    length_m: float
    width_m: float
    is_round: bool
    height_m: float
    step_up_m: float
    step_down_m: float
    climbs_stairs: bool
    drive: DriveType
    min_turning_radius_m: float
    contact: GroundContact

    @classmethod
    def of(cls, profile: AgentProfile, contact: GroundContact | None = None) -> MeasuredBody:
        """The body of a profile; without contacts, the default ones."""
        return cls(
            length_m=profile.depth_m,
            width_m=profile.width_m,
            is_round=profile.shape is not BodyShape.BOX,
            height_m=profile.height_m,
            step_up_m=profile.step_limit_m,
            step_down_m=max(profile.step_limit_m, LEAST_DROP_M),
            climbs_stairs=profile.climbs_stairs,
            drive=profile.drive,
            min_turning_radius_m=profile.min_turning_radius_m,
            contact=contact or default_contact(profile),
        )

    @property
    def narrow_m(self) -> float:
        """The smaller side: no narrower way lets the body pass."""
        return min(self.length_m, self.width_m)

    @property
    def turning_disc_m(self) -> float:
        """Diameter of the disc in which the body turns on the spot: √(a² + b²) of a box."""
        if self.is_round:
            return self.width_m
        return math.hypot(self.length_m, self.width_m)

    @property
    def reach_m(self) -> float:
        """Distance of its farthest corner from its centre."""
        return self.turning_disc_m / 2
