"""One cursor in time that every view follows: where one is among steps, and playing on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Speeds to choose from, in seconds of what is played per second."""

_TICK_MS: Final = 25
_NO_TIMES: Final = np.zeros(0)


class Playback(QObject):
    """Where one is among steps with times, e.g. the samples of a take.

    Args:
        parent: Qt owner.
        clock_ms: Milliseconds since some moment, never going back; tests bring their own.
    """

    moved = Signal(int)
    """Index of the step at hand."""

    playing_changed = Signal(bool)
    speed_changed = Signal(float)

    def __init__(
        self, parent: QObject | None = None, clock_ms: Callable[[], float] | None = None
    ) -> None:
        super().__init__(parent)
        self._times_s: NDArray[np.float64] = _NO_TIMES
        self._index = 0
        self._speed = 1.0
        self._reached_s = self._read_ms = 0.0
        self._elapsed = QElapsedTimer()
        self._elapsed.start()
        self._clock_ms = clock_ms or (lambda: self._elapsed.nsecsElapsed() / 1e6)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.advance)

    @property
    def index(self) -> int:
        """The step at hand; 0 without any."""
        return self._index

    @property
    def count(self) -> int:
        """How many steps there are."""
        return len(self._times_s)

    @property
    def time_s(self) -> float:
        """Time of the step at hand; 0 without any."""
        return float(self._times_s[self._index]) if self.count else 0.0

    @property
    def is_playing(self) -> bool:
        """Whether time goes on by itself."""
        return self._timer.isActive()

    def set_times(self, times_s: NDArray[np.float64] | None) -> None:
        """Take other steps in hand, at their start; playing ends.

        Args:
            times_s: (N,) never falling; ``None`` for no steps.
        """
        self._take(times_s, 0)
        self.moved.emit(0)

    def move_to(self, index: int) -> None:
        """Go to a step, or to the nearest there is; playing goes on from there."""
        index = self._nearest(index)
        if self.count:
            self._reached_s = float(self._times_s[index])
        self._go(index)

    def move_by(self, steps: int) -> None:
        """Go some steps on, or back."""
        self.move_to(self._index + steps)

    def move_to_time(self, time_s: float) -> None:
        """Go to the last step that is not later."""
        self.move_to(self._step_at(time_s))

    def move_by_seconds(self, seconds: float) -> None:
        """Go on in time, or back; by a step at least, where the next one is farther away."""
        index = self._step_at(self.time_s + seconds)
        if index == self._index:
            index += 1 if seconds > 0 else -1
        self.move_to(index)

    def go_first(self) -> None:
        """Go to the start."""
        self.move_to(0)

    def go_last(self) -> None:
        """Go to the end."""
        self.move_to(self.count - 1)

    def go_to_next_of(self, places: Sequence[int]) -> bool:
        """Go to the next of some steps, round to the first after the last.

        Returns:
            Whether there is any.
        """
        ahead = [place for place in sorted(places) if place > self._index]
        if places:
            self.move_to(ahead[0] if ahead else min(places))
        return bool(places)

    def toggle_play(self) -> None:
        """Play from here, from the start if here is the end; or pause."""
        if self.is_playing:
            self.pause()
        elif self.count > 1:
            if self._index >= self.count - 1:
                self.move_to(0)
            self._reached_s, self._read_ms = self.time_s, self._clock_ms()
            self._timer.start()
            self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop playing."""
        if self.is_playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def set_speed(self, speed: float) -> None:
        """Play at another speed, greater than 0; what was played so far stays."""
        if speed > 0 and speed != self._speed:
            self._speed = speed
            self.speed_changed.emit(speed)

    def step_speed(self, places: int) -> None:
        """Take the next faster, or slower, of ``SPEEDS``."""
        nearest = min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at] - self._speed))
        self.set_speed(SPEEDS[min(max(nearest + places, 0), len(SPEEDS) - 1)])

    def advance(self) -> None:
        """Go where the clock has come to; steps that there was no time to show are skipped."""
        now_ms = self._clock_ms()
        self._reached_s += (now_ms - self._read_ms) / 1e3 * self._speed
        self._read_ms = now_ms
        self._go(self._step_at(self._reached_s))
        if self._index >= self.count - 1:
            self.pause()

    def _take(self, times_s: NDArray[np.float64] | None, index: int) -> None:
        """Take other steps in hand and tell nobody that one has moved."""
        self.pause()
        self._times_s = _NO_TIMES if times_s is None else times_s
        self._index = self._nearest(index)

    def _go(self, index: int) -> None:
        if index != self._index:
            self._index = index
            self.moved.emit(index)

    def _step_at(self, time_s: float) -> int:
        # Times are sums of 50 ms in floating point.
        after = int(np.searchsorted(self._times_s, time_s + 1e-9, side="right"))
        return self._nearest(after - 1)

    def _nearest(self, index: int) -> int:
        return min(max(index, 0), max(self.count - 1, 0))
