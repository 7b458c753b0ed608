"""From held keys to steering: by physical key, deaf to auto-repeat, cleared at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from waypost.services.input.steering import Steering

SLOW_SHARE = 0.3
"""Share of the speed while the slow key is held."""


class DriveKey(StrEnum):
    """What a key does while driving."""

    FORWARD = "forward"
    BACK = "back"
    TURN_LEFT = "turn_left"
    TURN_RIGHT = "turn_right"
    STRAFE_LEFT = "strafe_left"
    STRAFE_RIGHT = "strafe_right"
    LOOK_UP = "look_up"
    LOOK_DOWN = "look_down"
    SLOW = "slow"


CHANGEABLE_KEYS: Mapping[str, DriveKey] = MappingProxyType(
    {
        "W": DriveKey.FORWARD,
        "S": DriveKey.BACK,
        "A": DriveKey.TURN_LEFT,
        "D": DriveKey.TURN_RIGHT,
        "Q": DriveKey.STRAFE_LEFT,
        "E": DriveKey.STRAFE_RIGHT,
        "R": DriveKey.LOOK_UP,
        "F": DriveKey.LOOK_DOWN,
    }
)
"""Name of a key → what it does, as long as nobody changed it."""

FIXED_KEYS: Mapping[str, DriveKey] = MappingProxyType(
    {
        "Up": DriveKey.FORWARD,
        "Down": DriveKey.BACK,
        "Left": DriveKey.TURN_LEFT,
        "Right": DriveKey.TURN_RIGHT,
        "PgUp": DriveKey.LOOK_UP,
        "PgDown": DriveKey.LOOK_DOWN,
        "Shift": DriveKey.SLOW,
    }
)
"""Always work beside the changeable ones."""

DEFAULT_KEYS: Mapping[str, DriveKey] = MappingProxyType({**CHANGEABLE_KEYS, **FIXED_KEYS})
"""What scripts press."""


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

    def steering(self) -> Steering:
        """What the held keys ask for; opposite keys cancel out."""
        keys = set(self.held.values())
        return Steering(
            _balance(keys, DriveKey.FORWARD, DriveKey.BACK),
            _balance(keys, DriveKey.STRAFE_LEFT, DriveKey.STRAFE_RIGHT),
            _balance(keys, DriveKey.TURN_LEFT, DriveKey.TURN_RIGHT),
            _balance(keys, DriveKey.LOOK_UP, DriveKey.LOOK_DOWN),
            SLOW_SHARE if DriveKey.SLOW in keys else 1.0,
        )


def _balance(keys: set[DriveKey], plus: DriveKey, minus: DriveKey) -> int:
    return int(plus in keys) - int(minus in keys)
