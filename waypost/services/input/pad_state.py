"""What a game controller says, as values: sticks with a dead zone, and what buttons mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.traverse.agent import DriveType
from waypost.services.input.steering import Steering

DEAD_ZONE = 0.15
"""Share of the way of each axis that counts as rest; beyond it grows from 0 to full."""

_LEVELS = 50
"""Steps of a stick between rest and full: noise below one is no change."""


class PadButton(StrEnum):
    """What a button of a game controller does, named by what is printed on most."""

    GO = "A"
    STOP = "B"
    LOST = "Y"
    PAUSE = "Start"
    PREVIOUS = "Left"
    """Left on the cross of directions."""

    NEXT = "Right"


@dataclass(frozen=True, slots=True)
class PadState:
    """The two sticks, each direction in [−1, 1]: right and up are positive."""

    left_x: float = 0.0
    left_y: float = 0.0
    right_x: float = 0.0
    right_y: float = 0.0

    @property
    def is_at_rest(self) -> bool:
        """Whether nobody moves a stick."""
        return self == PAD_AT_REST

    def steering(self, drive: DriveType) -> Steering:
        """What the sticks ask for.

        The left one goes forward and back, and to the side where the drive type can; where it
        cannot, it turns. The right one turns and looks up and down.
        """
        is_holonomic = drive is DriveType.HOLONOMIC
        turn = self.right_x if is_holonomic else _limited(self.right_x + self.left_x)
        left = -self.left_x if is_holonomic else 0.0
        return Steering(self.left_y, left, -turn, self.right_y)


PAD_AT_REST = PadState()
"""Both sticks in the middle."""


def stick_share(raw: float) -> float:
    """What an axis gives outside its dead zone, in [−1, 1].

    Args:
        raw: Where it is, in [−1, 1]; a little outside counts as full.
    """
    beyond = (min(abs(raw), 1.0) - DEAD_ZONE) / (1.0 - DEAD_ZONE)
    share = round(max(0.0, beyond) * _LEVELS) / _LEVELS
    return share if raw > 0 else -share if share else 0.0


def _limited(value: float) -> float:
    return min(max(value, -1.0), 1.0)
