"""Drives an agent at the pace of the wall clock; the window never waits for the engine.

It owns one client of the physics worker on one thread. Requests go in through a
mailbox; everything that comes out is emitted in the thread that owns it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from waypost.domain.base.frames import Vec3
from waypost.domain.record.recording import LOST, TIME_UP, VOICE_PAUSE, VOICE_PLAY
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.services.engine.camera_eye import CameraEye, StartCamera, start_camera_worker
from waypost.services.engine.mail import (
    REST,
    DriveTo,
    EngineState,
    Load,
    Loaded,
    Mailbox,
    MarkRecording,
    News,
    Placed,
    Ready,
    Refused,
    Request,
    Restart,
    Spawn,
    Start,
    StartRecording,
    StopRecording,
)
from waypost.services.engine.thread import EngineThread, StartClient
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import (
    DriveCommand,
    DriveOutcome,
    DriverState,
    EngineInfo,
    RecordingStatus,
    Telemetry,
)

__all__ = ["DrivenEngine", "EngineState"]

_GRACE_S = 1.0


class DrivenEngine(QObject):
    """A physics engine that can be driven; every method returns at once."""

    engine_ready = Signal(object)
    """The ``EngineInfo``, after a start or a restart."""

    scene_loaded = Signal()
    telemetry_received = Signal(object)
    """A ``Telemetry``, up to 60 a second; none while the agent rests."""

    drive_finished = Signal(object)
    """The ``DriveOutcome`` of ``drive_to``."""

    request_refused = Signal(str)
    """One sentence: the engine goes on but did not do what was asked."""

    engine_failed = Signal(str)
    """One sentence: the engine ended; nothing else is touched."""

    recording_changed = Signal(object)
    """A ``RecordingStatus``: started, paused, resumed, stopped, lost with its engine, or, after
    the stop, nearer to being saved. While driving, every ``Telemetry`` carries one as well."""

    state_changed = Signal(object)
    """The new ``EngineState``."""

    _told = Signal(object)

    def __init__(
        self,
        start_client: StartClient = SimulatorClient.start,
        parent: QObject | None = None,
        start_camera: StartCamera = start_camera_worker,
    ) -> None:
        super().__init__(parent)
        self.camera = CameraEye(start_camera, self)
        """Draws what the agent sees."""

        self._state = EngineState.OFF
        self._info: EngineInfo | None = None
        self._mover_hash = ""
        self._allowed_gaps: frozenset[str] = frozenset()
        self._unplaced = 0
        """Agents asked for that are not in the scene yet; what is told is of the one before."""

        self._is_given_up = False
        self._mailbox = Mailbox()
        self._thread = EngineThread(start_client, self._mailbox, self._told.emit, self)
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    @property
    def state(self) -> EngineState:
        """What the engine is doing, as far as the window has been told."""
        return self._state

    @property
    def info(self) -> EngineInfo | None:
        """The engine that runs, or ran last."""
        return self._info

    @property
    def mover_hash(self) -> str:
        """Digest of the mover settings of that engine, for the provenance of labels."""
        return self._mover_hash

    @property
    def is_given_up(self) -> bool:
        """Whether a start that still goes on is in vain; ``start_client`` may ask on its thread."""
        return self._is_given_up or (self._thread.is_starting and self._mailbox.wants_restart)

    def start_engine(self) -> None:
        """Start the worker process, if it does not run."""
        self._post(Start())

    def load_scene(self, scene: Scene) -> None:
        """Give the engine a scene; it is kept for a restart. The agent is gone after that."""
        self._post(Load(scene))
        self.camera.set_scene(scene)

    def spawn(self, profile: AgentProfile, position_m: Vec3, yaw_rad: float) -> None:
        """Put an agent on the floor, at rest; telemetry follows, and none of one before."""
        self._mailbox.set_command(REST)
        self._unplaced += 1
        self._post(Spawn(profile, position_m, yaw_rad, self._allowed_gaps))

    def allow_gaps(self, gaps: Iterable[str]) -> None:
        """Despite which missing geometry agents may be put into the scene from now on."""
        self._allowed_gaps = frozenset(gaps)

    def set_command(self, command: DriveCommand) -> None:
        """What the driver asks for from now on; takes effect with the next batch of steps."""
        self._mailbox.set_command(command)

    def drive_to(self, target_m: Vec3) -> None:
        """Let the agent drive straight towards a target, as fast as the engine can."""
        self._post(DriveTo(target_m, self._mailbox.stop_count))

    def set_driver(self, driver: DriverState) -> None:
        """What the samples of a recording say of the driver from now on: gaze, focus, action."""
        self._mailbox.set_driver(driver)

    def set_focus(self, *, has_focus: bool) -> None:
        """Whether the driver is heard; without that a recorded agent stands still at once."""
        self._mailbox.set_focus(has_focus=has_focus)

    def set_look(self, radps: float) -> None:
        """How fast the gaze of a recorded driver moves up from now on, in simulated time."""
        self._mailbox.set_look(radps)

    def move_gaze(self, by_rad: float) -> None:
        """Move the gaze of a recorded driver up at once, within its limits."""
        self._mailbox.move_gaze(by_rad)

    def start_recording(self, path: Path, header: Mapping[str, Any]) -> None:
        """Have the worker record the agent from its pose now; simulated time runs on at rest.

        Args:
            path: ``DIR/NAME.csv``; the take gets the next number that is free.
            header: JSON values about the take, see ``recording_header``.
        """
        self._post(StartRecording(path, header))

    def pause_recording(self, detail: str = "") -> None:
        """Hold the agent and simulated time until ``resume_recording``."""
        self._post(MarkRecording("pause", detail))

    def resume_recording(self) -> None:
        """Go on at rest; keys held through the pause must be pressed anew."""
        self._mailbox.set_command(REST)
        self._post(MarkRecording("resume"))

    def mark_lost(self, reason: str) -> None:
        """Note in the take that the driver gives up and why; stop the recording after it."""
        self._post(MarkRecording(LOST, reason))

    def mark_time_up(self, sentence: str) -> None:
        """Note in the take that its time limit is reached; stop the recording after it."""
        self._post(MarkRecording(TIME_UP, sentence))

    def mark_voice(self, at_s: float, *, is_playing: bool) -> None:
        """Note in the take that the spoken instruction plays from here on, or no longer.

        Args:
            at_s: Place in the audio, seconds since its beginning.
            is_playing: Whether it begins there; false where it is paused or has come to its end.
        """
        self._post(MarkRecording(VOICE_PLAY if is_playing else VOICE_PAUSE, f"{at_s:.3f}"))

    def note_recording(self, sentence: str) -> None:
        """Note in the take that something happened."""
        self._post(MarkRecording("note", sentence))

    def stop_recording(self, reason: str, *, is_complete: bool = True) -> None:
        """End the take; ``recording_changed`` says when it is saved.

        Args:
            reason: Why, in words; it is kept in the file.
            is_complete: False where it does not count as a take, e.g. ``cannot do this``.
        """
        self._mailbox.set_command(REST)
        self._post(StopRecording(reason, is_complete))

    def stop(self) -> None:
        """Ask the agent to stand still, and call off drives to a target."""
        self._mailbox.stop()

    def restart(self) -> None:
        """End the worker process if it still runs, start a new one and reload the scene."""
        self._mailbox.set_command(REST)
        self._post(Restart())
        self.camera.try_again()

    def shutdown(self, timeout_s: float = 10.0) -> bool:
        """End the worker process and join the thread; it cannot be used again.

        Returns:
            Whether the thread has ended. Leave the process with ``os._exit`` if not.
        """
        self._mailbox.close()
        begin_s = time.monotonic()
        if not self._thread.wait(_milliseconds(min(_GRACE_S, timeout_s))):
            self._is_given_up = True
            self._thread.kill_worker()
        rest_s = timeout_s - (time.monotonic() - begin_s)
        has_ended = self._thread.wait(_milliseconds(rest_s))
        if not has_ended:
            # Nobody would end it any more.
            self._thread.kill_worker(is_last=True)
            has_ended = self._thread.wait(_milliseconds(_GRACE_S))
        has_ended = self.camera.shutdown(max(rest_s, _GRACE_S)) and has_ended
        if has_ended:
            self._set_state(EngineState.OFF)
        return has_ended

    def _post(self, request: Request) -> None:
        if self._mailbox.put(request) and not self._thread.isRunning():
            self._thread.start()

    def _hear(self, news: News) -> None:
        if self._mailbox.is_closed:
            return
        if isinstance(news, EngineState):
            self._set_state(news)
        elif isinstance(news, Ready):
            self._info, self._mover_hash = news.engine, news.mover_hash
            self.engine_ready.emit(news.engine)
        elif isinstance(news, Placed):
            self._unplaced -= 1
        elif isinstance(news, Telemetry | DriveOutcome) and self._unplaced:
            return
        elif isinstance(news, Telemetry):
            self.camera.follow(news)
            self.telemetry_received.emit(news)
        elif isinstance(news, DriveOutcome):
            self.drive_finished.emit(news)
        elif isinstance(news, RecordingStatus):
            self.camera.follow_take(news)
            self.recording_changed.emit(news)
        elif isinstance(news, Loaded):
            self.scene_loaded.emit()
        elif isinstance(news, Refused):
            self.request_refused.emit(news.sentence)
        else:
            self.engine_failed.emit(news.sentence)

    def _set_state(self, state: EngineState) -> None:
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
