"""From what a driver asks for, as shares of full speed, to a drive command and a gaze."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.domain.traverse.agent import AgentProfile, DriveType
from waypost.simulators.protocol import DriveCommand

TURN_RADPS = math.radians(60)
"""Turning on the spot; careful enough to line up with a door."""

LOOK_RADPS = math.radians(45)
"""How fast the gaze moves up and down."""

GAZE_LIMIT_RAD = math.radians(60)
"""Nobody looks further up or down than this."""


@dataclass(frozen=True, slots=True)
class Steering:
    """What a driver asks for now, whether by keys or by a game controller.

    Every direction is a share of full speed in [−1, 1].
    """

    forward: float = 0.0
    left: float = 0.0
    turn: float = 0.0
    """Positive to the left."""

    look: float = 0.0
    """Positive up."""

    slow_share: float = 1.0
    """Of full speed; below 1 while the slow key is held."""

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing moves."""
        return not (self.forward or self.left or self.turn or self.look)

    @property
    def look_radps(self) -> float:
        """How fast the gaze moves up."""
        return self.look * LOOK_RADPS

    def command(self, profile: AgentProfile) -> DriveCommand:
        """The command that an agent is given.

        A holonomic agent never goes faster slantwise than ahead. A car-like one turns only
        while it moves, no tighter than its radius, and backward the other way round.
        """
        speed = profile.top_speed_mps * self.slow_share
        if profile.drive is DriveType.CAR_LIKE:
            fastest = min(speed / profile.min_turning_radius_m, TURN_RADPS)
            return DriveCommand(self.forward * speed, 0.0, self.turn * self.forward * fastest)
        left = self.left if profile.drive is DriveType.HOLONOMIC else 0.0
        slant = max(1.0, math.hypot(self.forward, left))
        return DriveCommand(
            self.forward / slant * speed,
            left / slant * speed,
            self.turn * TURN_RADPS * self.slow_share,
        )


REST_STEERING = Steering()
"""Nothing is asked for."""


def moved_gaze(pitch_rad: float, by_rad: float) -> float:
    """The gaze after it moved up by an angle, within its limits.

    Args:
        pitch_rad: Above the horizon.
        by_rad: Positive up.
    """
    return min(max(pitch_rad + by_rad, -GAZE_LIMIT_RAD), GAZE_LIMIT_RAD)
