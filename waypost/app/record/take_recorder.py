"""Drives one agent in first person while the worker records it; knows no study."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QWindow

from waypost.app.shell.driving.drive_input import DriveInput
from waypost.domain.base.frames import Vec3
from waypost.domain.record.recording import EYE_HEIGHT_M
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.engine.drawing_priority import put_physics_first
from waypost.services.engine.driven_engine import DrivenEngine
from waypost.services.engine.start_doubts import start_doubts
from waypost.services.input.gamepad import Gamepad
from waypost.services.input.key_driving import DriveKey
from waypost.services.input.steering import Steering
from waypost.simulators.protocol import DriverState, RecordingStatus, Telemetry
from waypost.viewers.scene.camera import FirstPersonCamera
from waypost.viewers.scene.view import SceneView

TIME_IS_OVER = "the time limit was reached"
"""What the end of a take says that ended by itself."""

UNPLUGGED = "the game controller was unplugged"
"""What a take says that lost its controller."""

STOPPED = "stopped by the participant"
"""What the end of a take says that was stopped as intended."""


_STILL = 1e-5
"""Metres and radians that no picture shows."""


class TakeHalt(StrEnum):
    """Why the agent stands still until the driver asks for something again."""

    FOCUS = "focus"
    """The window lost the keyboard."""

    PAD = "pad"
    """The game controller was unplugged."""


class TakePhase(StrEnum):
    """How far a take is."""

    IDLE = "idle"
    STARTING = "starting"
    """The agent is put at its start."""

    RECORDING = "recording"
    PAUSED = "paused"
    STOPPING = "stopping"
    """Stopped; samples are still on their way to the disk."""


@dataclass(frozen=True, slots=True)
class TakeEnd:
    """What one take left behind."""

    file: Path | None
    """The CSV; ``None`` if recording never began."""

    failure: str = ""
    """One sentence if it did not end as intended."""

    given_up: str = ""
    """Why the participant gave up; empty if they did not."""

    path_m: tuple[Vec3, ...] = ()
    """Floor points as they were seen."""

    starts_failed: int = 0
    """How often in a row recording never began, this time included."""


class TakeRecorder(QObject):
    """One take at a time, from the start pose to the last saved sample.

    Args:
        engine: The physics engine with the scene.
        view: Shows what the agent sees.
        gamepad: Started and stopped by others.
        parent: Qt owner.
    """

    changed = Signal()
    """Phase, time, focus or problem is another."""

    ended = Signal(object)
    """The `TakeEnd`."""

    def __init__(
        self,
        engine: DrivenEngine,
        view: SceneView,
        gamepad: Gamepad,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._view = view
        self._input = DriveInput(gamepad, self)
        self._phase = TakePhase.IDLE
        self._profile: AgentProfile | None = None
        self._keys: Mapping[str, DriveKey] = {}
        self._passed_on: frozenset[str] = frozenset()
        self._status: RecordingStatus | None = None
        self._halt: TakeHalt | None = None
        self._can_look = False
        self._limit_s: float | None = None
        self._given_up, self._starts_failed = "", 0
        self._path: list[Vec3] = []
        self._start_m: Vec3 = (0.0, 0.0, 0.0)
        self._doubts: tuple[str, ...] = ()
        self._shown: tuple[float, ...] = (math.inf,) * 5
        self._input.changed.connect(self._on_steering)
        self._input.focus_lost.connect(self._on_focus_lost)
        self._input.pad_lost.connect(self._on_pad_lost)
        gamepad.unplugged.connect(self._on_unplugged)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._on_focus_window)
        engine.telemetry_received.connect(self._on_telemetry)
        engine.recording_changed.connect(self._on_status)
        engine.request_refused.connect(self._on_refused)
        engine.engine_failed.connect(self._on_failed)

    @property
    def phase(self) -> TakePhase:
        """How far the take is."""
        return self._phase

    @property
    def time_ns(self) -> int:
        """Simulated time since the start."""
        return self._status.time_ns if self._status else 0

    @property
    def time_limit_s(self) -> float | None:
        """Simulated time after which the take ends by itself; ``None`` for never."""
        return self._limit_s

    @property
    def halt(self) -> TakeHalt | None:
        """Why the agent stands still until something is asked for again; ``None`` if not."""
        return self._halt

    @property
    def problem(self) -> str:
        """One sentence if samples do not reach the disk; empty otherwise."""
        status = self._status
        if status is None or not (status.problem or self._phase is TakePhase.STOPPING):
            return ""
        waiting = f"{status.unsaved_rows} samples are not saved yet" if status.unsaved_rows else ""
        return ": ".join(part for part in (waiting, status.problem) if part)

    def set_keys(self, keys: Mapping[str, DriveKey], passed_on: frozenset[str]) -> None:
        """Drive with these keys from the next start or resume on; see `DriveKeys.start`."""
        twins = {"Enter"} if "Return" in passed_on else set[str]()
        self._keys, self._passed_on = keys, passed_on | twins

    def show_pose(self, position_m: Vec3, yaw_rad: float, pitch_rad: float = 0.0) -> None:
        """Look from a pose with the eyes of the participant."""
        self._shown = (*position_m, yaw_rad, pitch_rad)
        camera = FirstPersonCamera(position_m, yaw_rad, EYE_HEIGHT_M, pitch_rad)
        self._view.set_camera(camera, "first_person")

    def start(
        self,
        profile: AgentProfile,
        pose: tuple[Vec3, float],
        file: Path,
        header: Mapping[str, Any],
        *,
        can_look: bool = False,
        time_limit_s: float | None = None,
    ) -> None:
        """Put the agent at its start and record it from there.

        Args:
            profile: Of the agent.
            pose: Floor point and yaw.
            file: Wished for; see `DrivenEngine.start_recording`.
            header: Of the take.
            can_look: Whether the driver may look up and down; without it the gaze is level.
            time_limit_s: Simulated time after which the take ends by itself; ``None``: never.
        """
        self._limit_s = time_limit_s
        self._profile, self._status, self._given_up = profile, None, ""
        self._path, self._can_look = [], can_look
        self._start_m, self._doubts = pose[0], ()
        self._halt = None
        put_physics_first()
        self._set_phase(TakePhase.STARTING)
        self.show_pose(*pose)
        self._engine.set_driver(DriverState())
        self._engine.set_look(0.0)
        self._engine.spawn(profile, *pose)
        self._engine.start_recording(file, header)

    def pause(self, detail: str = "") -> None:
        """Hold the agent and simulated time."""
        if self._phase is TakePhase.RECORDING:
            self._input.stop()
            self._engine.pause_recording(detail)
            self._set_phase(TakePhase.PAUSED)

    def resume(self) -> None:
        """Go on after a pause; keys must be pressed anew."""
        if self._phase is TakePhase.PAUSED:
            self._engine.resume_recording()
            self._listen()

    def move_gaze(self, by_rad: float) -> None:
        """Look further up by an angle, where the driver may."""
        if self._can_look and self._phase is TakePhase.RECORDING:
            self._engine.move_gaze(by_rad)

    def stop(self) -> None:
        """End the take as intended."""
        self._end(STOPPED, is_complete=True)

    def give_up(self, reason: str) -> None:
        """End the take because the participant cannot go on."""
        if self._phase in {TakePhase.RECORDING, TakePhase.PAUSED}:
            self._given_up = reason
            self._engine.mark_lost(reason)
            self._end(reason, is_complete=False)

    def break_off(self, reason: str) -> None:
        """End the take as incomplete."""
        self._end(reason, is_complete=False)

    def _end(self, reason: str, *, is_complete: bool) -> None:
        if self._phase in {TakePhase.RECORDING, TakePhase.PAUSED}:
            self._input.stop()
            self._set_phase(TakePhase.STOPPING)
            self._engine.stop_recording(reason, is_complete=is_complete)

    def _listen(self) -> None:
        if self._profile is None:
            return
        self._input.start(self._keys, self._passed_on, self._profile.drive)
        self._view.setFocus()
        self._set_phase(TakePhase.RECORDING)

    def _on_steering(self, steering: Steering) -> None:
        # A gaze that moved on through a pause would be nobody's.
        self._engine.set_look(steering.look_radps if self._can_look else 0.0)
        if self._profile is None or self._phase is not TakePhase.RECORDING:
            return
        if not steering.is_at_rest:
            self._set_halt(None)
        self._engine.set_command(steering.command(self._profile))

    def _on_focus_lost(self) -> None:
        if self._phase is TakePhase.RECORDING:
            self._set_halt(TakeHalt.FOCUS)

    def _on_pad_lost(self) -> None:
        if self._phase is TakePhase.RECORDING:
            self._set_halt(TakeHalt.PAD)

    def _on_unplugged(self, name: str) -> None:
        if self._phase in {TakePhase.RECORDING, TakePhase.PAUSED}:
            self._engine.note_recording(f"{UNPLUGGED}: {name}")

    def _on_focus_window(self, window: QWindow | None) -> None:
        is_back = window is not None and self._halt is TakeHalt.FOCUS
        if is_back and self._phase is TakePhase.RECORDING:
            self._set_halt(None)

    def _set_halt(self, halt: TakeHalt | None) -> None:
        if halt is not self._halt:
            self._halt = halt
            self._engine.set_focus(has_focus=halt is None)
            self.changed.emit()

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        if self._phase is TakePhase.IDLE:
            return
        self._path.append(telemetry.position_m)
        if self._phase is TakePhase.STARTING:
            self._doubts = start_doubts(telemetry, self._start_m)
        self._show_if_moved(telemetry)
        if telemetry.recording is not None and self._phase is not TakePhase.STARTING:
            self._status = telemetry.recording
            self._keep_limit()
            self.changed.emit()

    def _keep_limit(self) -> None:
        is_over = self._limit_s is not None and self.time_ns >= self._limit_s * 1e9
        if is_over and self._phase is TakePhase.RECORDING:
            self._engine.mark_time_up(TIME_IS_OVER)
            self._end(TIME_IS_OVER, is_complete=False)

    def _show_if_moved(self, telemetry: Telemetry) -> None:
        # Painting the same picture 60 times a second would keep the next key waiting.
        pose = (*telemetry.position_m, telemetry.yaw_rad, telemetry.camera_pitch_rad)
        if math.dist(pose, self._shown) > _STILL:
            self.show_pose(telemetry.position_m, telemetry.yaw_rad, telemetry.camera_pitch_rad)

    def _on_status(self, status: RecordingStatus) -> None:
        if self._phase is TakePhase.IDLE:
            return
        self._status = status
        if self._phase is TakePhase.STARTING and not status.is_ended:
            for sentence in self._doubts:
                self._engine.note_recording(sentence)
            self._listen()
        elif status.is_ended and not status.unsaved_rows:
            self._finish("" if self._phase is TakePhase.STOPPING else status.problem or "it ended")
        else:
            self.changed.emit()

    def _on_refused(self, sentence: str) -> None:
        if self._phase is TakePhase.STARTING:
            self._finish(sentence)

    def _on_failed(self, sentence: str) -> None:
        if self._phase is not TakePhase.IDLE:
            self._finish(sentence)

    def _finish(self, failure: str) -> None:
        self._input.stop()
        file = Path(self._status.file) if self._status else None
        self._starts_failed = 0 if file else self._starts_failed + 1
        end = TakeEnd(file, failure, self._given_up, tuple(self._path), self._starts_failed)
        self._set_phase(TakePhase.IDLE)
        self.ended.emit(end)

    def _set_phase(self, phase: TakePhase) -> None:
        self._phase = phase
        self.changed.emit()
