"""The one thread that talks to the physics engine: requests when they come, steps when due."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QThread

from waypost.domain.base.errors import Cancelled, SimulatorError, WaypostError, WorkerDiedError
from waypost.domain.scene.gaps import WAY_PAST, refusal_to_drive
from waypost.domain.scene.scene import Scene
from waypost.services.engine.engine_recording import PHYSICS_HZ, EngineRecording
from waypost.services.engine.mail import (
    REST,
    DriveTo,
    EngineState,
    Failed,
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
from waypost.services.engine.pacing import StepPacer
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import Telemetry

_log = logging.getLogger(__name__)

BATCH_STEPS = 2
"""Steps per request: 60 telemetries a second."""

_IDLE_CHECK_S = 0.25
"""An engine that dies while nothing moves is noticed this soon."""

_AUTOMATIC_BATCH_STEPS = 12
_TELL_EVERY_S = 1 / 60
_REST_SPEED_MPS = 1e-3
_REST_BATCHES = 30

StartClient = Callable[[], SimulatorClient]
"""Starts a worker process and returns its client; blocks until it answers."""


class EngineThread(QThread):
    """Talks to the engine: requests when they come, steps when they are due."""

    def __init__(
        self,
        start_client: StartClient,
        mailbox: Mailbox,
        tell: Callable[[News], None],
        parent: QObject,
    ) -> None:
        # It goes with its engine: what tells it holds the engine, which holds it.
        super().__init__(parent)
        self.start_client = start_client
        self.is_starting = False
        """Whether a worker is on its way."""

        self._mailbox = mailbox
        self._tell = tell
        self._client: SimulatorClient | None = None
        self._ending: SimulatorClient | None = None
        self._scene: Scene | None = None
        self._has_agent = False
        self._was_spawn_refused = False
        self._resting = 0
        self._command = REST
        self._pacer = StepPacer(BATCH_STEPS / PHYSICS_HZ)
        self._take = EngineRecording(mailbox, tell)

    def kill_worker(self, *, is_last: bool = False) -> None:
        """Make a request in progress fail by ending its worker; called from another thread.

        Args:
            is_last: Whether one that was asked to end, and takes its time, is ended as well.
        """
        client = self._client or (self._ending if is_last else None)
        if client is not None:
            client.kill()

    def run(self) -> None:
        """Serve requests and drive until the mailbox is closed."""
        while not self._mailbox.is_closed:
            is_driven = self._has_agent and not self._take.is_paused
            request = self._mailbox.wait(self._wait_s(), self._command if is_driven else None)
            try:
                if request is not None:
                    self._do(request)
                else:
                    self._carry_on()
            except WorkerDiedError as error:
                self._report(str(error), is_asked=request is not None, reason=error.own_words)
            except WaypostError as error:
                self._report(str(error), is_asked=request is not None)
            except Exception as error:
                _log.exception("unexpected error while talking to the physics engine")
                sentence = f"unexpected answer of the physics engine: {error!r}"
                self._report(sentence, is_asked=request is not None)
        self._close_client()

    def _wait_s(self) -> float:
        if not self._has_agent or self._is_resting or self._take.is_paused:
            return _IDLE_CHECK_S
        return self._pacer.wait_s(time.monotonic())

    @property
    def _is_resting(self) -> bool:
        # While it is recorded, standing still takes time too.
        return self._resting >= _REST_BATCHES and not self._take.is_running

    def _do(self, request: Request) -> None:
        match request:
            case Start():
                if self._client is None:
                    self._start()
            case Restart():
                self._close_client()
                self._start()
            case Load(scene):
                self._scene = scene
                self._load()
            case Spawn():
                self._was_spawn_refused = True
                try:
                    telemetry = self._spawn(request)
                finally:
                    self._tell(Placed())
                self._was_spawn_refused = False
                self._tell(EngineState.DRIVING)
                self._tell(telemetry)
            case DriveTo():
                self._drive_to(request)
            case StartRecording():
                if self._was_spawn_refused:
                    # Told already, with the reason; and one from before is not to be recorded.
                    return
                if not self._has_agent:
                    raise SimulatorError("put an agent into the scene before it is recorded")
                self._take.start(self._running_client(), request)
                self._pacer.restart()
            case MarkRecording():
                self._take.mark(self._running_client(), request)
                self._pacer.restart()
            case StopRecording():
                self._take.stop(self._running_client(), request)
                self._pacer.restart()

    def _carry_on(self) -> None:
        if self._client is None:
            return
        self._take.look_after(self._client)
        if not self._has_agent or self._take.is_paused:
            self._check_alive(self._client)
            return
        command = self._mailbox.command
        if command != self._command:
            if self._is_resting:
                self._pacer.restart()
            self._command, self._resting = command, 0
        if self._is_resting:
            self._check_alive(self._client)
        elif self._pacer.take(time.monotonic()):
            self._hear_telemetry(self._take.drive(self._client, command, BATCH_STEPS))

    def _check_alive(self, client: SimulatorClient) -> None:
        if not client.is_alive:
            raise WorkerDiedError(None)

    def _hear_telemetry(self, telemetry: Telemetry) -> None:
        is_still = (
            self._command == REST
            and telemetry.speed_mps < _REST_SPEED_MPS
            and abs(telemetry.turn_rate_radps) < _REST_SPEED_MPS
            and not telemetry.is_falling
        )
        self._resting = self._resting + 1 if is_still else 0
        self._tell(telemetry)

    def _start(self) -> None:
        self._tell(EngineState.STARTING)
        self.is_starting = True
        try:
            self._client = self.start_client()
        except Cancelled:
            # The window closes, or another start comes next.
            return
        except WaypostError as error:
            self._fail(str(error))
            return
        finally:
            self.is_starting = False
        self._tell(Ready(self._client.engine, self._client.settings_hash))
        self._tell(EngineState.READY)
        if self._scene is not None:
            self._load()

    def _load(self) -> None:
        self._has_agent = False
        if self._client is None or self._scene is None:
            return
        self._tell(EngineState.LOADING)
        self._take.abandon(self._client, "another scene was loaded")
        self._client.load_scene(self._scene)
        self._tell(Loaded())
        self._tell(EngineState.READY)

    def _spawn(self, request: Spawn) -> Telemetry:
        client = self._running_client()
        allowed = request.allowed_gaps
        if self._scene is not None and (refusal := refusal_to_drive(self._scene, allowed)):
            raise SimulatorError(f"{refusal}; {WAY_PAST}")
        self._has_agent = False
        self._take.abandon(client, "the agent was placed anew")
        telemetry = client.spawn(request.profile, request.position_m, request.yaw_rad)
        self._has_agent, self._resting, self._command = True, 0, REST
        self._pacer.restart()
        return telemetry

    def _drive_to(self, request: DriveTo) -> None:
        client = self._running_client()
        if not self._has_agent:
            raise SimulatorError("put an agent into the scene before it drives")
        self._tell(EngineState.AUTOMATIC)
        told_s = 0.0

        def goes_on(telemetry: Telemetry) -> bool:
            nonlocal told_s
            now_s = time.monotonic()
            if now_s - told_s >= _TELL_EVERY_S:
                told_s = now_s
                self._tell(telemetry)
            return not self._mailbox.is_closed and self._mailbox.stop_count == request.stop_count

        outcome = client.drive_to(
            request.target_m, on_telemetry=goes_on, batch_steps=_AUTOMATIC_BATCH_STEPS
        )
        self._resting, self._command = 0, REST
        self._pacer.restart()
        self._tell(EngineState.DRIVING)
        self._hear_telemetry(client.drive(REST, BATCH_STEPS))
        self._tell(outcome)

    def _running_client(self) -> SimulatorClient:
        if self._client is None:
            raise SimulatorError("the physics engine is not running; start it first")
        return self._client

    def _report(self, sentence: str, *, is_asked: bool, reason: str = "") -> None:
        """Tell what went wrong, and whether the engine is still there.

        Args:
            sentence: For people.
            is_asked: Whether it came of a request.
            reason: Written into a take that ends with it; by default the sentence.
        """
        client = self._client
        # A step that failed would fail again 60 times a second.
        self._has_agent = self._has_agent and is_asked
        if client is not None and not client.is_alive:
            self._fail(sentence, reason)
            return
        if client is not None:
            if not self._has_agent:
                self._take.abandon(client, sentence)
            self._tell(EngineState.DRIVING if self._has_agent else EngineState.READY)
        self._tell(Refused(sentence))

    def _fail(self, sentence: str, reason: str = "") -> None:
        self._close_client(reason or sentence)
        self._tell(EngineState.FAILED)
        self._tell(Failed(sentence))

    def _close_client(
        self, reason: str = "the physics engine was ended before the recording was stopped"
    ) -> None:
        client = self._ending = self._client
        self._client, self._has_agent = None, False
        if client is not None:
            client.close()
        self._ending = None
        self._take.lose(reason)
