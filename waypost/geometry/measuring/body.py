"""The body that is moved, and what touches the ground."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType

TOUCH_M = 0.001
"""The band of heights is shrunk by this at both ends: touching a limit is allowed."""

LEAST_DROP_M = 0.05
"""Every agent may go down this far; the mover of the engine allows it as well."""

_SPHERE_M = 0.013
_USUAL_WIDTH_M = 0.025
_INSET = 0.8
"""Contacts that no profile states stand at this share of the way to the corners of the body."""

Place = tuple[float, float]
"""Forward and to the left of the body's centre, metres."""


@dataclass(frozen=True, slots=True)
class GroundContact:
    """What stands on the ground, for holes."""

    largest_gap_m: float
    """Diameter of the widest disc of nothing that may lie where a wheel or foot passes."""

    places: tuple[Place, ...]
    """Where wheels or feet stand under the body; the disc of each contact is ``width_m`` wide."""

    width_m: float
    """Width of a tyre or a foot."""

    @classmethod
    def of(cls, profile: AgentProfile) -> GroundContact:
        """What a profile states; what it does not state is taken from its body.

        Where nothing tells which gap it passes, none is passable that a sphere of 13 mm falls into.

        Source:
            U.S. Access Board, ADA Standards 302.3.
        """
        gap_m = profile.passable_gap_m
        return cls(
            _SPHERE_M if gap_m is None else gap_m,
            profile.contact_places_m or _corners(profile),
            profile.contact_width_m or _USUAL_WIDTH_M,
        )


def _corners(profile: AgentProfile) -> tuple[Place, ...]:
    """Four places near the corners of the body."""
    along, across = profile.depth_m / 2 * _INSET, profile.width_m / 2 * _INSET
    if profile.shape is not BodyShape.BOX:
        along = across = across * math.sqrt(0.5)
    return tuple((sx * along, sy * across) for sx in (1, -1) for sy in (1, -1))


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
    def of(cls, profile: AgentProfile) -> MeasuredBody:
        """The body of a profile."""
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
            contact=GroundContact.of(profile),
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
