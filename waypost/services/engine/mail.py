"""What the driven engine and its thread hand each other: requests in, news out."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.input.steering import moved_gaze
from waypost.simulators.protocol import (
    DriveCommand,
    DriveOutcome,
    DriverState,
    EngineInfo,
    RecordingStatus,
    Telemetry,
)

REST = DriveCommand()
"""Stand still."""


class EngineState(StrEnum):
    """What the engine is doing."""

    OFF = "off"
    STARTING = "starting"
    READY = "ready"
    """Running; no agent is in the scene."""

    LOADING = "loading"
    DRIVING = "driving"
    """An agent is in the scene and follows the commands."""

    AUTOMATIC = "automatic"
    """The agent drives itself to a target."""

    FAILED = "failed"
    """The engine ended; ``restart`` brings it back."""


@dataclass(frozen=True)
class Start:
    """Start the worker, if it does not run."""


@dataclass(frozen=True)
class Restart:
    """End the worker, start another, reload the scene."""


@dataclass(frozen=True, eq=False)
class Load:
    """Give the engine a scene."""

    scene: Scene


@dataclass(frozen=True)
class Spawn:
    """Put an agent on the floor."""

    profile: AgentProfile
    position_m: Vec3
    yaw_rad: float
    allowed_gaps: frozenset[str] = frozenset()
    """Missing geometry despite which it may be driven."""


@dataclass(frozen=True)
class DriveTo:
    """Drive straight towards a target."""

    target_m: Vec3
    stop_count: int
    """Stops asked for before this drive; one more calls it off."""


@dataclass(frozen=True, eq=False)
class StartRecording:
    """Record the agent from its pose now."""

    path: Path
    header: Mapping[str, Any]


@dataclass(frozen=True)
class MarkRecording:
    """Note something beside the samples; ``pause`` holds the agent, ``resume`` lets it go."""

    kind: str
    detail: str = ""


@dataclass(frozen=True)
class StopRecording:
    """End the take."""

    reason: str
    is_complete: bool


Request = Start | Restart | Load | Spawn | DriveTo | StartRecording | MarkRecording | StopRecording


@dataclass(frozen=True)
class Ready:
    """The engine runs."""

    engine: EngineInfo
    mover_hash: str


@dataclass(frozen=True)
class Loaded:
    """The engine has the scene."""


@dataclass(frozen=True)
class Placed:
    """A request to put an agent into the scene was answered: what is told next is of that one."""


@dataclass(frozen=True)
class Refused:
    """The engine did not do what was asked, and goes on."""

    sentence: str


@dataclass(frozen=True)
class Failed:
    """The engine ended."""

    sentence: str


News = (
    EngineState
    | Ready
    | Loaded
    | Placed
    | Telemetry
    | DriveOutcome
    | RecordingStatus
    | Refused
    | Failed
)


class Mailbox:
    """Requests in order, and the newest command, which overtakes them."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._requests: deque[Request] = deque()
        self._command = REST
        self._driver = DriverState()
        self._look_radps = 0.0
        self.stop_count = 0
        self.is_closed = False

    def put(self, request: Request) -> bool:
        """Add a request; returns false once closed."""
        with self._condition:
            if not self.is_closed:
                self._requests.append(request)
                self._condition.notify()
            return not self.is_closed

    def stop(self) -> None:
        """Ask for rest; drives to a target are called off."""
        with self._condition:
            self.stop_count += 1
            self._command = REST
            self._condition.notify()

    def set_command(self, command: DriveCommand) -> None:
        """Replace the command; wakes the thread if it differs."""
        with self._condition:
            if command != self._command:
                self._command = command
                self._condition.notify()

    def set_driver(self, driver: DriverState) -> None:
        """Replace what the driver does beside driving."""
        with self._condition:
            self._driver = driver

    def set_focus(self, *, has_focus: bool) -> None:
        """Whether the driver is heard."""
        with self._condition:
            self._driver = replace(self._driver, has_focus=has_focus)

    def set_look(self, radps: float) -> None:
        """How fast the gaze moves up from now on."""
        with self._condition:
            self._look_radps = radps

    def move_gaze(self, by_rad: float) -> None:
        """Move the gaze up at once, within its limits."""
        with self._condition:
            pitch_rad = moved_gaze(self._driver.camera_pitch_rad, by_rad)
            self._driver = replace(self._driver, camera_pitch_rad=pitch_rad)

    def driver_after(self, duration_s: float) -> DriverState:
        """The driver after so much more simulated time, in which the gaze moves on."""
        with self._condition:
            if self._look_radps:
                by_rad = self._look_radps * duration_s
                pitch_rad = moved_gaze(self._driver.camera_pitch_rad, by_rad)
                self._driver = replace(self._driver, camera_pitch_rad=pitch_rad)
            return self._driver

    @property
    def wants_restart(self) -> bool:
        """Whether a restart waits to be done."""
        with self._condition:
            return any(isinstance(request, Restart) for request in self._requests)

    def close(self) -> None:
        """Take nothing more and wake the thread."""
        with self._condition:
            self.is_closed = True
            self._requests.clear()
            self._condition.notify()

    @property
    def command(self) -> DriveCommand:
        """The newest command."""
        with self._condition:
            return self._command

    def wait(self, timeout_s: float, known: DriveCommand | None) -> Request | None:
        """The next request, if one comes in time.

        Args:
            timeout_s: Longest wait; 0 only looks.
            known: The command being followed; another one ends the wait. ``None`` ignores
                commands.
        """
        with self._condition:
            self._condition.wait_for(
                lambda: (
                    self.is_closed
                    or bool(self._requests)
                    or (known is not None and self._command != known)
                ),
                timeout_s,
            )
            return self._requests.popleft() if self._requests else None
