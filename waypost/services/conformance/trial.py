"""One engine put to the test: what it answers, and where that is not what is expected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import DriveOutcome

START: Vec3 = (0.4, 0.0, 0.0)
TARGET: Vec3 = (3.6, 0.0, 0.0)


@dataclass
class Trial:
    """Plays a scenario on an engine and collects what is not as expected."""

    client: SimulatorClient
    failures: list[str] = field(default_factory=list)

    def straight(
        self, room: Scene, profile: AgentProfile, start: Vec3 = START, target: Vec3 = TARGET
    ) -> DriveOutcome:
        """Drive an agent straight through a room; scene frame."""
        self.client.load_scene(room)
        self.client.spawn(profile, start, bearing_rad(start, target))
        return self.client.drive_to(target)

    def equal(self, what: str, seen: object, expected: object) -> None:
        """Expect exactly this."""
        if seen != expected:
            self.failures.append(f"{what} is {seen!r}, expected {expected!r}")

    def near(
        self,
        what: str,
        seen: float | Sequence[float] | None,
        expected: float | Sequence[float],
        within: float,
    ) -> None:
        """Expect a number, or each of several, within a distance."""
        numbers = [seen] if isinstance(seen, int | float) else list(seen or ())
        wanted = [expected] if isinstance(expected, int | float) else list(expected)
        if len(numbers) != len(wanted) or not all(
            math.isfinite(a) and abs(a - b) <= within for a, b in zip(numbers, wanted, strict=False)
        ):
            self.failures.append(f"{what} is {seen}, expected {expected} ± {within:g}")

    def holds(self, what: str, truth: bool) -> None:
        """Expect a claim to be true."""
        if not truth:
            self.failures.append(f"it is not so that {what}")


Play = Callable[..., None]
"""A scenario: a trial, and what it is played with."""


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario with its values."""

    topic: str
    title: str
    play: Play
    values: tuple[Any, ...] = ()
    knows_boxes_only: bool = False
    """Whether an engine that takes every object for its bounding box passes too."""

    is_quick: bool = False
    """Whether it belongs to a quick look."""

    def failures(self, client: SimulatorClient) -> list[str]:
        """Play it; one sentence for everything that is not as expected.

        Raises:
            WaypostError: If the engine refuses or fails.
        """
        trial = Trial(client)
        self.play(trial, *self.values)
        return trial.failures


def cases_of(
    topic: str, play: Play, rows: Iterable[tuple[Any, ...]] = ((),), *, knows_boxes_only: bool
) -> Iterator[Case]:
    """A scenario with each of several values; the first of them is for a quick look too."""
    words = play.__name__.replace("_", " ")
    for number, values in enumerate(rows):
        told = ", ".join(map(_text, values))
        title = f"{words} ({told})" if told else words
        yield Case(topic, title, play, values, knows_boxes_only, is_quick=number == 0)


def _text(value: object) -> str:
    if isinstance(value, AgentProfile):
        return value.name
    if isinstance(value, BodyShape):
        return value.value
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)
