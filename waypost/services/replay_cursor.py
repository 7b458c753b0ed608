"""The one cursor that every view of a replay follows: the step at hand, and playing."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Final

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from waypost.domain.replay import Replay
from waypost.domain.run import EventKind

STEP_S: Final = 1.0
"""How long a step of a run without times is shown while it plays, seconds."""

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Speeds to choose from; 1 is one step, or one second of the run, per second."""

_TICK_MS: Final = 33


class Landmark(StrEnum):
    """What the cursor can jump to."""

    DEVIATION = "deviation"
    """A step that leaves the reference."""

    REVISIT = "revisit"
    """A step that comes back to a place."""

    COLLISION = "collision"
    """A step at which the log has a collision."""


class ReplayCursor(QObject):
    """Where one is in a replay.

    Args:
        parent: Qt owner.
    """

    replay_changed = Signal()
    """Another replay is at hand, or none; ``moved`` follows."""

    moved = Signal(int)
    """The step at hand."""

    playing_changed = Signal(bool)
    speed_changed = Signal(float)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._replay: Replay | None = None
        self._step = 0
        self._speed = 1.0
        self._position_s = 0.0
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_tick)

    @property
    def replay(self) -> Replay | None:
        """What is replayed."""
        return self._replay

    @property
    def step(self) -> int:
        """The step at hand; 0 without a replay."""
        return self._step

    @property
    def count(self) -> int:
        """Steps of the replay; 0 without one."""
        return len(self._replay) if self._replay is not None else 0

    @property
    def is_playing(self) -> bool:
        """Whether time goes on by itself."""
        return self._timer.isActive()

    @property
    def speed(self) -> float:
        """Seconds of the run, or steps, per second."""
        return self._speed

    def set_replay(self, replay: Replay | None, step: int = 0) -> None:
        """Take another replay in hand, at a step; playing ends."""
        self.pause()
        self._replay = replay
        self._step = self._clamped(step)
        self.replay_changed.emit()
        self.moved.emit(self._step)

    def move_to(self, step: int) -> None:
        """Go to a step, or to the nearest there is."""
        step = self._clamped(step)
        self._position_s = self._time_of(step)
        if step != self._step:
            self._step = step
            self.moved.emit(step)

    def move_by(self, steps: int) -> None:
        """Go some steps on, or back."""
        self.move_to(self._step + steps)

    def move_by_seconds(self, seconds: float) -> None:
        """Go on in time, or back; by a step where the run has no times."""
        times = self._times()
        if times is None:
            self.move_by(int(math.copysign(1, seconds)))
        else:
            self.move_to(_step_at(times, float(times[self._step]) + seconds))

    def go_first(self) -> None:
        """Go to the start."""
        self.move_to(0)

    def go_last(self) -> None:
        """Go to the end."""
        self.move_to(self.count - 1)

    def landmarks(self, kind: Landmark) -> tuple[int, ...]:
        """The steps of a kind, ascending."""
        return landmark_steps(self._replay, kind) if self._replay is not None else ()

    def go_to_next(self, kind: Landmark) -> bool:
        """Go to the next step of a kind, round to the first after the last.

        Returns:
            Whether there is any.
        """
        steps = self.landmarks(kind)
        if steps:
            self.move_to(next((step for step in steps if step > self._step), steps[0]))
        return bool(steps)

    def toggle_play(self) -> None:
        """Play from here, from the start if here is the end; or pause."""
        if self.is_playing:
            self.pause()
        elif self.count > 1:
            if self._step >= self.count - 1:
                self.go_first()
            self._position_s = self._time_of(self._step)
            self._clock.start()
            self._timer.start()
            self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop playing."""
        if self.is_playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def set_speed(self, speed: float) -> None:
        """Play at another speed, greater than 0."""
        if speed > 0 and speed != self._speed:
            self._speed = speed
            self.speed_changed.emit(speed)

    def step_speed(self, places: int) -> None:
        """Take the next faster, or slower, of ``SPEEDS``."""
        nearest = min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at] - self._speed))
        self.set_speed(SPEEDS[min(max(nearest + places, 0), len(SPEEDS) - 1)])

    def _on_tick(self) -> None:
        self._position_s += self._clock.restart() / 1000.0 * self._speed
        times = self._times()
        reached = self._position_s / STEP_S if times is None else _step_at(times, self._position_s)
        step = self._clamped(int(reached))
        if step != self._step:
            self._step = step
            self.moved.emit(step)
        if step >= self.count - 1:
            self.pause()

    def _times(self) -> np.ndarray | None:
        return self._replay.times_s if self._replay is not None else None

    def _time_of(self, step: int) -> float:
        times = self._times()
        return step * STEP_S if times is None else float(times[step])

    def _clamped(self, step: int) -> int:
        return min(max(step, 0), max(self.count - 1, 0))


def landmark_steps(replay: Replay, kind: Landmark) -> tuple[int, ...]:
    """The steps of a kind, ascending."""
    if kind is Landmark.DEVIATION:
        return replay.deviation_steps
    if kind is Landmark.REVISIT:
        return replay.revisit_steps
    return tuple(
        step
        for step, index in enumerate(replay.decisions.tolist())
        if index >= 0
        and any(e.kind is EventKind.COLLISION for e in replay.run.decisions[index].events)
    )


def _step_at(times_s: np.ndarray, time_s: float) -> int:
    """The last step that is not later than a time."""
    return int(np.searchsorted(times_s, time_s + 1e-9, side="right")) - 1
