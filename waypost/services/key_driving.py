"""From held keys to a drive command: by physical key, deaf to auto-repeat, cleared at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from waypost.domain.agent import AgentProfile, DriveType
from waypost.simulators.protocol import DriveCommand

SLOW_SHARE = 0.3
"""Share of the speed while the slow key is held."""

TURN_RADPS = math.radians(60)
"""Turning on the spot; careful enough to line up with a door."""


class DriveKey(StrEnum):
    """What a key does while driving."""

    FORWARD = "forward"
    BACK = "back"
    TURN_LEFT = "turn_left"
    TURN_RIGHT = "turn_right"
    STRAFE_LEFT = "strafe_left"
    STRAFE_RIGHT = "strafe_right"
    SLOW = "slow"


DEFAULT_KEYS: Mapping[str, DriveKey] = MappingProxyType(
    {
        "W": DriveKey.FORWARD,
        "S": DriveKey.BACK,
        "A": DriveKey.TURN_LEFT,
        "D": DriveKey.TURN_RIGHT,
        "Q": DriveKey.STRAFE_LEFT,
        "E": DriveKey.STRAFE_RIGHT,
        "Up": DriveKey.FORWARD,
        "Down": DriveKey.BACK,
        "Left": DriveKey.TURN_LEFT,
        "Right": DriveKey.TURN_RIGHT,
        "Shift": DriveKey.SLOW,
    }
)
"""Name of a key → what it does, as long as nobody changed it."""


@dataclass(frozen=True, slots=True)
class KeyState:
    """The drive keys that are held; immutable."""

    held: Mapping[int, DriveKey] = field(default_factory=lambda: MappingProxyType({}))
    """Physical key → what it does; W and ↑ may be held at once."""

    def press(self, physical: int, key: DriveKey, *, is_auto_repeat: bool = False) -> KeyState:
        """A key went down; auto-repeat changes nothing."""
        if is_auto_repeat or physical in self.held:
            return self
        return KeyState(MappingProxyType({**self.held, physical: key}))

    def release(self, physical: int, *, is_auto_repeat: bool = False) -> KeyState:
        """A key went up; the false releases of auto-repeat change nothing."""
        if is_auto_repeat or physical not in self.held:
            return self
        kept = {k: v for k, v in self.held.items() if k != physical}
        return KeyState(MappingProxyType(kept))

    def clear(self) -> KeyState:
        """Every key counts as released: focus was lost, or Esc."""
        return KeyState()

    def command(self, profile: AgentProfile) -> DriveCommand:
        """The command that the held keys give; opposite keys cancel out.

        A holonomic agent never goes faster slantwise than ahead. A car-like one turns only
        while it moves, no tighter than its radius, and backward the other way round.
        """
        keys = set(self.held.values())
        share = SLOW_SHARE if DriveKey.SLOW in keys else 1.0
        forward = _balance(keys, DriveKey.FORWARD, DriveKey.BACK)
        left = _balance(keys, DriveKey.STRAFE_LEFT, DriveKey.STRAFE_RIGHT)
        turn = _balance(keys, DriveKey.TURN_LEFT, DriveKey.TURN_RIGHT)
        speed = profile.top_speed_mps * share
        if profile.drive is DriveType.CAR_LIKE:
            turn_radps = turn * forward * min(speed / profile.min_turning_radius_m, TURN_RADPS)
            return DriveCommand(forward * speed, 0.0, turn_radps)
        if profile.drive is not DriveType.HOLONOMIC:
            left = 0
        slant = math.hypot(forward, left) or 1.0
        return DriveCommand(
            forward / slant * speed, left / slant * speed, turn * TURN_RADPS * share
        )


def _balance(keys: set[DriveKey], plus: DriveKey, minus: DriveKey) -> int:
    return int(plus in keys) - int(minus in keys)
