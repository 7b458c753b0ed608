"""Drives one agent in first person while the worker records it; knows no study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QWindow

from waypost.app.drive_keys import DriveKeys
from waypost.domain.agent import AgentProfile
from waypost.domain.frames import Vec3
from waypost.domain.recording import EYE_HEIGHT_M
from waypost.services.driving_session import DrivingSession
from waypost.services.key_driving import DriveKey, KeyState
from waypost.simulators.protocol import DriverState, RecordingStatus, Telemetry
from waypost.viewers.camera import FirstPersonCamera
from waypost.viewers.scene_view import SceneView

STOPPED = "stopped by the participant"
"""What the end of a take says that was stopped as intended."""


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


class TakeRecorder(QObject):
    """One take at a time, from the start pose to the last saved sample.

    Args:
        session: The physics engine with the scene.
        view: Shows what the agent sees.
        parent: Qt owner.
    """

    changed = Signal()
    """Phase, time, focus or problem is another."""

    ended = Signal(object)
    """The `TakeEnd`."""

    def __init__(
        self, session: DrivingSession, view: SceneView, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._view = view
        self._drive_keys = DriveKeys(self)
        self._phase = TakePhase.IDLE
        self._profile: AgentProfile | None = None
        self._keys: Mapping[str, DriveKey] = {}
        self._passed_on: frozenset[str] = frozenset()
        self._status: RecordingStatus | None = None
        self._has_focus = True
        self._given_up = ""
        self._path: list[Vec3] = []
        self._drive_keys.changed.connect(self._on_keys)
        self._drive_keys.focus_lost.connect(self._on_focus_lost)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._on_focus_window)
        session.telemetry_received.connect(self._on_telemetry)
        session.recording_changed.connect(self._on_status)
        session.request_refused.connect(self._on_refused)
        session.engine_failed.connect(self._on_failed)

    @property
    def phase(self) -> TakePhase:
        """How far the take is."""
        return self._phase

    @property
    def time_ns(self) -> int:
        """Simulated time since the start."""
        return self._status.time_ns if self._status else 0

    @property
    def has_focus(self) -> bool:
        """Whether the keys are heard."""
        return self._has_focus

    @property
    def pose_m(self) -> Vec3 | None:
        """Floor point of the agent; ``None`` before it is placed."""
        return self._path[-1] if self._path else None

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

    def show_pose(self, position_m: Vec3, yaw_rad: float) -> None:
        """Look from a pose with the eyes of the participant."""
        camera = FirstPersonCamera(position_m, yaw_rad, EYE_HEIGHT_M, 0.0)
        self._view.set_camera(camera, "first_person")

    def start(
        self,
        profile: AgentProfile,
        pose: tuple[Vec3, float],
        file: Path,
        header: Mapping[str, Any],
    ) -> None:
        """Put the agent at its start and record it from there."""
        self._profile, self._status, self._given_up = profile, None, ""
        self._path = []
        self._has_focus = True
        self._set_phase(TakePhase.STARTING)
        self.show_pose(*pose)
        self._session.set_driver(DriverState())
        self._session.spawn(profile, *pose)
        self._session.start_recording(file, header)

    def pause(self, detail: str = "") -> None:
        """Hold the agent and simulated time."""
        if self._phase is TakePhase.RECORDING:
            self._drive_keys.stop()
            self._session.pause_recording(detail)
            self._set_phase(TakePhase.PAUSED)

    def resume(self) -> None:
        """Go on after a pause; keys must be pressed anew."""
        if self._phase is TakePhase.PAUSED:
            self._session.resume_recording()
            self._listen()

    def stop(self) -> None:
        """End the take as intended."""
        self._end(STOPPED, is_complete=True)

    def give_up(self, reason: str) -> None:
        """End the take because the participant cannot go on."""
        if self._phase in {TakePhase.RECORDING, TakePhase.PAUSED}:
            self._given_up = reason
            self._session.mark_lost(reason)
            self._end(reason, is_complete=False)

    def break_off(self, reason: str) -> None:
        """End the take as incomplete."""
        self._end(reason, is_complete=False)

    def _end(self, reason: str, *, is_complete: bool) -> None:
        if self._phase in {TakePhase.RECORDING, TakePhase.PAUSED}:
            self._drive_keys.stop()
            self._set_phase(TakePhase.STOPPING)
            self._session.stop_recording(reason, is_complete=is_complete)

    def _listen(self) -> None:
        self._drive_keys.start(self._keys, self._passed_on)
        self._view.setFocus()
        self._set_phase(TakePhase.RECORDING)

    def _on_keys(self, keys: KeyState) -> None:
        if self._profile is None or self._phase is not TakePhase.RECORDING:
            return
        if keys != KeyState():
            self._set_focus(has_focus=True)
        self._session.set_command(keys.command(self._profile))

    def _on_focus_lost(self) -> None:
        if self._phase is TakePhase.RECORDING:
            self._set_focus(has_focus=False)

    def _on_focus_window(self, window: QWindow | None) -> None:
        if window is not None and self._phase is TakePhase.RECORDING:
            self._set_focus(has_focus=True)

    def _set_focus(self, *, has_focus: bool) -> None:
        if has_focus != self._has_focus:
            self._has_focus = has_focus
            self._session.set_driver(DriverState(has_focus=has_focus))
            self.changed.emit()

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        if self._phase is TakePhase.IDLE:
            return
        self._path.append(telemetry.position_m)
        self._view.set_chase_pose(telemetry.position_m, telemetry.yaw_rad, EYE_HEIGHT_M)
        if telemetry.recording is not None and self._phase is not TakePhase.STARTING:
            self._status = telemetry.recording
            self.changed.emit()

    def _on_status(self, status: RecordingStatus) -> None:
        if self._phase is TakePhase.IDLE:
            return
        self._status = status
        if self._phase is TakePhase.STARTING and not status.is_ended:
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
        self._drive_keys.stop()
        file = Path(self._status.file) if self._status else None
        end = TakeEnd(file, failure, self._given_up, tuple(self._path))
        self._set_phase(TakePhase.IDLE)
        self.ended.emit(end)

    def _set_phase(self, phase: TakePhase) -> None:
        self._phase = phase
        self.changed.emit()
