"""Drives that a measure asks of the engine, and what they are worth as opinions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from waypost.domain.base.errors import InputError, WorkerDiedError
from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.domain.traverse.measure import Opinion
from waypost.domain.traverse.traversability import Verdict
from waypost.simulators.client import SimulatorClient
from waypost.simulators.engines import EngineChoice
from waypost.simulators.protocol import DriveOutcome

T = TypeVar("T")
DrivePose = tuple[float, float, float, float]

STRICT_M: Final = 0.1
"""An agent that was pushed aside by this much has been led round what is in its way."""

_BATCH_STEPS: Final = 1200
"""Nobody looks at an agent that is driven: every stop costs messages and rays."""

_DEVIATION_M: Final = 0.005
_DEVIATION_RAD: Final = 0.03


@dataclass(frozen=True, slots=True)
class DriveFinding:
    """One drive, or why there was none."""

    outcome: DriveOutcome | None
    problem: str = ""
    """Why it could not begin, in one clause."""

    underfoot: tuple[str, ...] = ()
    """Names of furniture that it went over."""

    def opinion(self, by: str, hole_m: float | None) -> Opinion:
        """What the drive says.

        An engine slides along what it meets, climbs furniture and drives over holes: where it did,
        its having arrived proves nothing.

        Args:
            by: Name of the opinion.
            hole_m: The widest hole under the way.
        """
        outcome = self.outcome
        if outcome is None:
            return Opinion(by, Verdict.DOES_NOT, self.problem)
        if not outcome.reached:
            return Opinion(by, Verdict.DOES_NOT, _stop_words(outcome))
        if outcome.displacement_m >= STRICT_M:
            pushed = f"arrives, but pushed aside by {outcome.displacement_m:.2f} m"
            return Opinion(by, Verdict.UNCERTAIN, pushed)
        if self.underfoot:
            return Opinion(by, Verdict.UNCERTAIN, f"arrives over {', '.join(self.underfoot)}")
        if hole_m:
            return Opinion(by, Verdict.UNCERTAIN, f"arrives over a hole of {hole_m:.2f} m")
        return Opinion(by, Verdict.TRAVELS, "arrives")

    @property
    def is_pushed(self) -> bool:
        """Whether it arrived only because it was led round something."""
        return self.outcome is not None and self.outcome.displacement_m >= STRICT_M


def _stop_words(outcome: DriveOutcome) -> str:
    if outcome.blocked_by == "spawn":
        return f"does not fit where it starts{_at_last_contact(outcome)}"
    why = {
        "step": "at a step",
        "stairs": "at stairs",
        "drop": "at a drop",
        "overhead": "under something low",
        "level": "on another level",
        "time": "because it takes too long",
    }.get(outcome.blocked_by or "", "")
    way_m = outcome.progress_m
    where = f"after {way_m:.2f} m" if way_m >= 0 else f"{-way_m:.2f} m behind its start"
    return f"stops {where} {why}".rstrip() + _at_last_contact(outcome)


def _at_last_contact(outcome: DriveOutcome) -> str:
    return f" at {outcome.contacts[-1].object}" if outcome.contacts else ""


class EngineDrives:
    """One engine with one scene, started when it is first asked; restarted once if it dies."""

    def __init__(self, scene: Scene, choice: EngineChoice | None = None) -> None:
        self._scene = scene
        self._choice = choice or EngineChoice()
        self._client: SimulatorClient | None = None

    @property
    def client(self) -> SimulatorClient:
        """The engine with the scene loaded.

        Raises:
            EngineUnavailableError: If there is none.
        """
        if self._client is None:
            client = SimulatorClient.of(self._choice)
            try:
                client.load_scene(self._scene)
            except BaseException:
                client.close()
                raise
            self._client = client
        return self._client

    def straight(self, profile: AgentProfile, start: Vec3, end: Vec3) -> DriveFinding:
        """Drive straight from one floor position to another.

        Raises:
            SimulatorError: If there is no engine or it fails again and again.
        """
        return self._driven(lambda: self._straight(profile, start, end))

    def along(self, profile: AgentProfile, path: Sequence[DrivePose]) -> DriveFinding:
        """Drive along a planned path with the agent's drive type.

        Raises:
            SimulatorError: As ``straight``.
        """
        return self._driven(lambda: self._along(profile, simplified(path)))

    def stands(self, profile: AgentProfile, place: Vec3, yaw_rad: float) -> str:
        """What keeps an agent from standing at a place; empty if nothing does.

        Raises:
            SimulatorError: As ``straight``.
        """
        return self._tried(lambda: self._stands(profile, place, yaw_rad))

    def close(self) -> None:
        """End the engine."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _straight(self, profile: AgentProfile, start: Vec3, end: Vec3) -> DriveFinding:
        # No floor is asked for: a ray would meet the agent that was driven before.
        self.client.spawn(profile, start, bearing_rad(start, end))
        return DriveFinding(self.client.drive_to(end, batch_steps=_BATCH_STEPS))

    def _along(self, profile: AgentProfile, path: Sequence[DrivePose]) -> DriveFinding:
        x, y, z, yaw_rad = path[0]
        self.client.spawn(profile, (x, y, z), yaw_rad)
        return DriveFinding(self.client.drive_along(path, batch_steps=_BATCH_STEPS))

    def _stands(self, profile: AgentProfile, place: Vec3, yaw_rad: float) -> str:
        try:
            telemetry = self.client.spawn(profile, place, yaw_rad)
        except InputError as error:
            return str(error)
        if telemetry.blocked_by != "spawn":
            return ""
        names = ", ".join(contact.object for contact in telemetry.contacts)
        return f"it overlaps {names}" if names else "it does not fit"

    def _driven(self, drive: Callable[[], DriveFinding]) -> DriveFinding:
        try:
            return self._tried(drive)
        except InputError as error:
            return DriveFinding(None, str(error))

    def _tried(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except WorkerDiedError:
            self.close()
            return ask()


def simplified(path: Sequence[DrivePose]) -> list[DrivePose]:
    """The poses that a path turns at: what lies between two is within 5 mm and 1.7° of a line."""
    kept = [path[0]]
    first = 0
    while first < len(path) - 1:
        last = first + 1
        while last + 1 < len(path) and _is_line(path, first, last + 1):
            last += 1
        kept.append(path[last])
        first = last
    return kept


def _is_line(path: Sequence[DrivePose], first: int, last: int) -> bool:
    a, b = path[first], path[last]
    x, y = b[0] - a[0], b[1] - a[1]
    length, turn = math.hypot(x, y), math.remainder(b[3] - a[3], math.tau)
    for pose in path[first + 1 : last]:
        dx, dy = pose[0] - a[0], pose[1] - a[1]
        share = (dx * x + dy * y) / length**2 if length > 1e-9 else 0.0
        if not -1e-9 <= share <= 1 + 1e-9:
            return False
        if math.hypot(dx - share * x, dy - share * y) > _DEVIATION_M:
            return False
        if abs(math.remainder(pose[3] - a[3] - share * turn, math.tau)) > _DEVIATION_RAD:
            return False
    return True
