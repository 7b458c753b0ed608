"""From held keys to a drive command: by physical key, deaf to auto-repeat, cleared at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from PySide6.QtCore import Qt

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


def drive_key(scan_code: int, qt_key: int, platform: str) -> DriveKey | None:
    """What a key does, by where it is on the keyboard.

    Args:
        scan_code: ``QKeyEvent.nativeScanCode()``; on macOS ``nativeVirtualKey()``. 0 if the
            platform gives none; then the letter decides.
        qt_key: ``QKeyEvent.key()``; under an input method or another layout not W, A, S or D.
        platform: ``QGuiApplication.platformName()``: ``xcb``, ``wayland``, ``windows``, ``cocoa``.

    Returns:
        ``None`` if the key does not drive.
    """
    named = _BY_NAME.get(qt_key)
    if named is not None:
        return named
    places = _BY_PLACE.get(platform)
    if places is not None and (scan_code or platform == "cocoa"):
        return places.get(scan_code)
    return _BY_LETTER.get(qt_key)


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


_WASD = (
    DriveKey.FORWARD,
    DriveKey.TURN_LEFT,
    DriveKey.BACK,
    DriveKey.TURN_RIGHT,
    DriveKey.STRAFE_LEFT,
    DriveKey.STRAFE_RIGHT,
)
"""What W, A, S, D, Q, E do, in this order."""

_EVDEV = dict(zip((25, 38, 39, 40, 24, 26), _WASD, strict=True))
_BY_PLACE: Mapping[str, Mapping[int, DriveKey]] = MappingProxyType(
    {
        "xcb": _EVDEV,
        "wayland": _EVDEV,
        "windows": dict(zip((17, 30, 31, 32, 16, 18), _WASD, strict=True)),
        "cocoa": dict(zip((13, 0, 1, 2, 12, 14), _WASD, strict=True)),
    }
)
_BY_LETTER: Mapping[int, DriveKey] = MappingProxyType(
    dict(
        zip(
            (
                Qt.Key.Key_W.value,
                Qt.Key.Key_A.value,
                Qt.Key.Key_S.value,
                Qt.Key.Key_D.value,
                Qt.Key.Key_Q.value,
                Qt.Key.Key_E.value,
            ),
            _WASD,
            strict=True,
        )
    )
)
_BY_NAME: Mapping[int, DriveKey] = MappingProxyType(
    {
        Qt.Key.Key_Up.value: DriveKey.FORWARD,
        Qt.Key.Key_Down.value: DriveKey.BACK,
        Qt.Key.Key_Left.value: DriveKey.TURN_LEFT,
        Qt.Key.Key_Right.value: DriveKey.TURN_RIGHT,
        Qt.Key.Key_Shift.value: DriveKey.SLOW,
    }
)
