"""From held keys to steering: by physical key, deaf to auto-repeat, cleared at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from waypost.services.input.key_presses import RELEASE_MS, KeyMoment
from waypost.services.input.steering import Steering

SILENCE_MS: Final = 1000
"""A key that says nothing for so long is not held: keyboards repeat sooner."""

SLOW_SHARE = 0.3
"""Share of the speed while the slow key is held."""


_UNTIMED: Final = KeyMoment(0.0)
"""For keys that are never stuck."""

_Value = TypeVar("_Value")


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
class StuckKey:
    """A key that was held when the keyboard was lost: it counts only after its release."""

    heard: KeyMoment
    """When anything was heard of it last."""

    is_released: bool = False
    is_back: bool = False
    """Whether the window has had the keyboard since, so that the key would be heard if held."""

    def is_free(self, at: KeyMoment) -> bool:
        """Whether a press is one, and not the repeat of a key that is still held."""
        silence_ms = at.since_ms(self.heard)
        if self.is_released:
            return silence_ms >= RELEASE_MS
        return self.is_back and silence_ms >= SILENCE_MS


@dataclass(frozen=True, slots=True)
class KeyState:
    """The drive keys that are held; immutable."""

    held: Mapping[int, DriveKey] = field(default_factory=lambda: MappingProxyType({}))
    """Physical key → what it does; W and ↑ may be held at once."""

    stuck: Mapping[int, StuckKey] = field(default_factory=lambda: MappingProxyType({}))
    """Physical keys that do not count until they are let go."""

    def press(
        self,
        physical: int,
        key: DriveKey,
        at: KeyMoment = _UNTIMED,
        *,
        is_auto_repeat: bool = False,
    ) -> KeyState:
        """A key went down; auto-repeat and a stuck key change nothing that is held."""
        if physical in self.held:
            return self
        stuck = self.stuck.get(physical)
        if stuck is not None and (is_auto_repeat or not stuck.is_free(at)):
            return self._with_stuck(physical, StuckKey(at, is_back=stuck.is_back))
        if is_auto_repeat:
            return self
        return KeyState(
            MappingProxyType({**self.held, physical: key}), _without(self.stuck, physical)
        )

    def release(
        self, physical: int, at: KeyMoment = _UNTIMED, *, is_auto_repeat: bool = False
    ) -> KeyState:
        """A key went up; the false releases of auto-repeat change nothing.

        One whose press was not heard was held all the time, and may be so still.
        """
        if is_auto_repeat:
            return self
        if physical in self.held:
            return replace(self, held=_without(self.held, physical))
        return self._with_stuck(physical, StuckKey(at, is_released=True, is_back=True))

    def clear(self) -> KeyState:
        """Every key counts as released, and nothing is stuck: nobody listens any more."""
        return KeyState()

    def lose(self, at: KeyMoment) -> KeyState:
        """The keyboard is lost: nothing is held, and what was held is stuck."""
        stuck = {physical: replace(key, is_back=False) for physical, key in self.stuck.items()}
        stuck |= {physical: StuckKey(at) for physical in self.held}
        return KeyState(stuck=MappingProxyType(stuck))

    def regain(self, at: KeyMoment) -> KeyState:
        """The keyboard is back; a stuck key that is still held will be heard repeating."""
        back = {
            physical: key if key.is_back else StuckKey(at, is_back=True)
            for physical, key in self.stuck.items()
        }
        return replace(self, stuck=MappingProxyType(back))

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

    def _with_stuck(self, physical: int, key: StuckKey) -> KeyState:
        return replace(self, stuck=MappingProxyType({**self.stuck, physical: key}))


def _without(mapping: Mapping[int, _Value], physical: int) -> Mapping[int, _Value]:
    return MappingProxyType({key: value for key, value in mapping.items() if key != physical})


def _balance(keys: set[DriveKey], plus: DriveKey, minus: DriveKey) -> int:
    return int(plus in keys) - int(minus in keys)
