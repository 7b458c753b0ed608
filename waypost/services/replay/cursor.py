"""The one cursor that every view of a replay follows, and what it can jump to."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final

import numpy as np

from waypost.domain.episode.run import EventKind
from waypost.domain.replay.replay import Replay
from waypost.services.replay.playback import Playback

STEP_S: Final = 1.0
"""How long a step of a run without times is shown while it plays, seconds."""


class Landmark(StrEnum):
    """What the cursor can jump to."""

    DEVIATION = "deviation"
    """A step that leaves the reference."""

    REVISIT = "revisit"
    """A step that comes back to a place."""

    COLLISION = "collision"
    """A step at which the log has a collision."""


class ReplayCursor(Playback):
    """Where one is in a replay; a run without times has a step each ``STEP_S``."""

    _replay: Replay | None = None

    @property
    def replay(self) -> Replay | None:
        """What is replayed."""
        return self._replay

    @property
    def step(self) -> int:
        """The step at hand; 0 without a replay."""
        return self.index

    def set_replay(self, replay: Replay | None, step: int = 0) -> None:
        """Take another replay in hand, at a step; playing ends."""
        self._take(None if replay is None else _times_s(replay), step)
        self._replay = replay
        self.moved.emit(self.step)

    def landmarks(self, kind: Landmark) -> tuple[int, ...]:
        """The steps of a kind, ascending."""
        return landmark_steps(self._replay, kind) if self._replay is not None else ()

    def go_to_next(self, kind: Landmark) -> bool:
        """Go to the next step of a kind, round to the first after the last.

        Returns:
            Whether there is any.
        """
        return self.go_to_next_of(self.landmarks(kind))


def _times_s(replay: Replay) -> np.ndarray:
    return np.arange(len(replay)) * STEP_S if replay.times_s is None else replay.times_s


@lru_cache(maxsize=16)
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
