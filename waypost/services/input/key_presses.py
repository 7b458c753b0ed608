"""Tells a press of a key from the repeats of one that is held: press and release, on X11."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

RELEASE_MS: Final = 250
"""So long a key must have been let go until a press of it counts; repeats come sooner."""


@dataclass(frozen=True, slots=True)
class KeyMoment:
    """When a key event was heard, and when its window system says that it happened."""

    heard_ms: float
    stamp_ms: int = 0
    """0 where the event says nothing."""

    def since_ms(self, before: KeyMoment) -> float:
        """How long after another moment this was: the shorter of both clocks.

        What was done in between may have kept the second event waiting, so that its hearing says
        too much.
        """
        heard_ms = self.heard_ms - before.heard_ms
        if not self.stamp_ms or not before.stamp_ms:
            return heard_ms
        return min(heard_ms, self.stamp_ms - before.stamp_ms)


def moment_now(stamp_ms: int = 0) -> KeyMoment:
    """This moment.

    Args:
        stamp_ms: What the event says; 0 for none.
    """
    return KeyMoment(time.monotonic() * 1000, stamp_ms)


class KeyPresses:
    """Which keys are held; a press counts once, and again after a release of `RELEASE_MS`."""

    def __init__(self) -> None:
        self._down: set[str] = set()
        self._released: dict[str, KeyMoment] = {}
        self._lost: set[str] = set()

    def press(self, key: str, at: KeyMoment, *, is_auto_repeat: bool = False) -> bool:
        """A key went down; returns whether that is a press of its own."""
        before = self._released.get(key)
        is_again = before is not None and at.since_ms(before) < RELEASE_MS
        counts = not (is_auto_repeat or is_again or key in self._down)
        self._down.add(key)
        if counts:
            self._lost.discard(key)
        return counts

    def release(self, key: str, at: KeyMoment, *, is_auto_repeat: bool = False) -> None:
        """A key went up, or it seems so while it repeats."""
        if not is_auto_repeat:
            self._down.discard(key)
            self._released[key] = at

    def is_down(self, key: str) -> bool:
        """Whether a key is down, as far as is known."""
        return key in self._down

    def is_free(self, key: str, at: KeyMoment) -> bool:
        """Whether a press of a key would count."""
        before = self._released.get(key)
        return key not in self._down and (before is None or at.since_ms(before) >= RELEASE_MS)

    def lose(self, at: KeyMoment) -> None:
        """The keyboard is somebody else's: nothing is known of keys that were held."""
        self._lost |= self._down
        self._down.clear()
        self.regain(at)

    def regain(self, at: KeyMoment) -> None:
        """The keyboard is back: a key that is still held repeats at once, which is no press."""
        for key in self._lost:
            self._released[key] = at
