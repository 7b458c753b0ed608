"""The side of the simulator that runs in Waypost: starts the worker, asks, notices its death."""

from __future__ import annotations

import contextlib
import logging
import queue
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import (
    EngineUnavailableError,
    InputError,
    SimulatorError,
    WorkerDiedError,
)
from waypost.domain.base.frames import Vec3
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.simulators.answers import AnswerError, restored
from waypost.simulators.protocol import (
    PROTOCOL_VERSION,
    AgentBody,
    DriveCommand,
    DriveOutcome,
    DriverState,
    EngineInfo,
    Message,
    ProtocolError,
    RecordingStatus,
    Telemetry,
    read_message,
    write_message,
)
from waypost.simulators.worker.bootstrap import EXIT_UNAVAILABLE

T = TypeVar("T")

_log = logging.getLogger(__name__)
_BOOTSTRAP = Path(__file__).with_name("worker") / "bootstrap.py"
_HELLO_TIMEOUT_S = 120.0
_LOAD_TIMEOUT_S = 600.0
_TIMEOUT_S = 60.0
_CLOSE_TIMEOUT_S = 2.0
_DRIVE_BATCH_STEPS = 120
_STDERR_LINES = 40
_MOST_REASON = 500


class SimulatorClient:
    """One worker process with one engine; blocking calls, one at a time.

    Calls raise ``WorkerDiedError`` once the process has ended, ``InputError`` for a request
    that names an unusable place, and ``SimulatorError`` if the engine fails.
    """

    def __init__(self, backend: str, python: str) -> None:
        self.backend = backend
        self.python = python
        self.engine = EngineInfo(backend, "", backend)
        self.settings_hash = ""
        """Digest of the mover settings the worker uses."""

        self._lock = threading.Lock()
        self._next_id = 1
        self._start()

    @classmethod
    def start(cls, backend: str = "physx", python: str | None = None) -> Self:
        """Start a worker and wait until its engine is ready.

        Args:
            backend: Module under ``simulators.backends``, such as ``physx``.
            python: Interpreter that has the engine; by default the one running now.

        Raises:
            EngineUnavailableError: If that Python or the engine in it is missing.
            WorkerDiedError: If the worker ends before it is ready.
        """
        return cls(backend, python or sys.executable)

    @property
    def is_alive(self) -> bool:
        """Whether the worker process runs."""
        return self._process.poll() is None

    @property
    def process_id(self) -> int:
        """Of the worker, for logs."""
        return self._process.pid

    def restart(self) -> None:
        """End this worker and start another; scene and agent are gone.

        Raises:
            EngineUnavailableError: As ``start``.
            WorkerDiedError: As ``start``.
        """
        self.close()
        self._start()

    def load_scene(self, scene: Scene) -> tuple[str, ...]:
        """Give the engine the collision triangles of a scene; removes the agent.

        Returns:
            Warnings, such as triangles that were dropped.
        """
        meshes = [mesh for mesh in scene.meshes if mesh.is_collider]
        arrays: list[NDArray[Any]] = []
        for mesh in meshes:
            arrays += [mesh.vertices.astype(np.float32, copy=False), mesh.faces]
        values = {"names": [mesh.name for mesh in meshes], "origin_m": list(scene.origin_m)}
        reply = self._ask("load_scene", values, tuple(arrays), timeout_s=_LOAD_TIMEOUT_S)
        return self._told(tuple[str, ...], reply, "warnings")

    def spawn(self, profile: AgentProfile, floor_position_m: Vec3, yaw_rad: float) -> Telemetry:
        """Put an agent on the floor at or below a point, replacing the former one.

        Where it does not fit, the telemetry is blocked by ``spawn`` and lists the contacts.

        Raises:
            InputError: If there is no floor or no scene.
        """
        values = {
            "body": asdict(body_of(profile)),
            "floor_m": list(floor_position_m),
            "yaw_rad": yaw_rad,
        }
        return self._told(Telemetry, self._ask("spawn", values), "telemetry")

    def drive(
        self, command: DriveCommand, steps: int, driver: DriverState | None = None
    ) -> Telemetry:
        """Drive for a number of physics steps (120 per second).

        Args:
            command: What to follow.
            steps: How long.
            driver: Goes into the samples of a recording and holds until another is given;
                without focus the agent stands still at once, whatever the command.
        """
        values: dict[str, Any] = {"command": asdict(command), "steps": steps}
        if driver is not None:
            values["driver"] = asdict(driver)
        return self._told(Telemetry, self._ask("drive", values), "telemetry")

    def drive_to(
        self,
        target_m: Vec3,
        time_limit_s: float | None = None,
        on_telemetry: Callable[[Telemetry], bool] | None = None,
        batch_steps: int = _DRIVE_BATCH_STEPS,
    ) -> DriveOutcome:
        """Drive straight towards a target until the drive ends.

        Args:
            target_m: Floor position, scene frame.
            time_limit_s: Simulated seconds; by default three times what the way takes at
                top speed plus 15 s.
            on_telemetry: Called after every batch; returning False calls the drive off.
            batch_steps: Physics steps per batch.
        """
        self._ask("drive_to", {"target_m": list(target_m), "time_limit_s": time_limit_s})
        return self._drive_on(on_telemetry, batch_steps)

    def drive_along(
        self,
        path: Sequence[tuple[float, float, float, float]],
        time_limit_s: float | None = None,
        batch_steps: int = _DRIVE_BATCH_STEPS,
    ) -> DriveOutcome:
        """Drive from pose to pose with the agent's drive type until the drive ends.

        Args:
            path: Floor position and heading of each pose, scene frame; two or more.
            time_limit_s: Simulated seconds; by default three times what the way and its turns
                take at top speed plus 15 s.
            batch_steps: Physics steps per batch.

        Raises:
            InputError: If it is no path.
        """
        values = {"path": [list(pose) for pose in path], "time_limit_s": time_limit_s}
        self._ask("drive_along", values)
        return self._drive_on(None, batch_steps)

    def _drive_on(
        self, on_telemetry: Callable[[Telemetry], bool] | None, batch_steps: int
    ) -> DriveOutcome:
        while True:
            reply = self._ask("drive_on", {"steps": batch_steps})
            telemetry = self._told(Telemetry, reply, "telemetry")
            goes_on = on_telemetry is None or on_telemetry(telemetry)
            if reply.get("outcome") is None and not goes_on:
                reply = self._ask("drive_stop", {})
            if reply.get("outcome") is not None:
                return self._told(DriveOutcome, reply, "outcome")

    def floor_below(self, point_m: Vec3, reach_m: float = 2.5) -> Vec3 | None:
        """The first surface straight below a point."""
        reply = self._ask("floor_below", {"point_m": list(point_m), "reach_m": reach_m})
        if reply.get("floor_m") is None:
            return None
        return self._told(tuple[float, float, float], reply, "floor_m")

    def start_recording(self, path: Path, header: Mapping[str, Any]) -> RecordingStatus:
        """Have the worker record the agent from its pose now, every 50 ms of simulated time.

        Args:
            path: ``DIR/NAME.csv``; the take becomes ``DIR/NAME_take001.csv`` or the next
                number that is free, and has a ``.take.jsonl`` beside it.
            header: JSON values about the take: profile, scene, episode, participant.

        Raises:
            InputError: If the files cannot be made, or a recording is under way.
        """
        values = {"path": str(path.absolute()), "header": dict(header)}
        return self._told(RecordingStatus, self._ask("record_start", values), "recording")

    def mark_recording(self, kind: str, detail: str = "") -> RecordingStatus:
        """Note ``pause``, ``resume``, ``lost`` or ``note`` beside the samples.

        After ``pause`` the worker refuses to drive until ``resume``.

        Raises:
            InputError: If no recording is under way.
        """
        return self._told(
            RecordingStatus, self._ask("record_mark", {"kind": kind, "detail": detail}), "recording"
        )

    def stop_recording(self, reason: str, *, is_complete: bool = True) -> RecordingStatus:
        """End the take; a complete one goes on, braking, for the rest of its last 50 ms.

        Returns:
            With ``unsaved_rows`` or a ``problem`` where the disk refuses: the worker goes on
            trying while it lives; ask ``recording_status``.

        Raises:
            InputError: If no recording is under way.
        """
        values = {"reason": reason, "is_complete": is_complete}
        return self._told(RecordingStatus, self._ask("record_stop", values), "recording")

    def recording_status(self) -> RecordingStatus | None:
        """Of the recording under way, or the latest; ``None`` if there was none."""
        reply = self._ask("record_status", {})
        if reply.get("recording") is None:
            return None
        return self._told(RecordingStatus, reply, "recording")

    def kill(self) -> None:
        """End the worker at once, from any thread; a call in progress raises."""
        self._process.kill()

    def close(self) -> None:
        """End the worker; afterwards no process and no thread is left."""
        self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _start(self) -> None:
        command = [self.python, str(_BOOTSTRAP), self.backend]
        try:
            process = subprocess.Popen(  # noqa: S603 - the user chose this interpreter
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise EngineUnavailableError(
                f"the Python for the engine {self.backend!r} cannot be started: "
                f"{self.python}: {error.strerror}"
            ) from error
        self._process = process
        self._replies: queue.Queue[Message | None] = queue.Queue()
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._threads = [
            threading.Thread(target=_collect, args=(process.stdout, self._replies), daemon=True),
            threading.Thread(target=_keep_tail, args=(process.stderr, self._stderr), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        # Also runs when the client is forgotten or Python exits; a second call does nothing.
        self._end = weakref.finalize(self, _end_process, process, self._threads)
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        hello = self._receive(0, _HELLO_TIMEOUT_S, "start")
        protocol = self._told(int, hello.values, "protocol")
        if protocol != PROTOCOL_VERSION:
            raise EngineUnavailableError(
                f"the worker speaks protocol {protocol}, this program {PROTOCOL_VERSION}"
            )
        self.engine = self._told(EngineInfo, hello.values, "engine")
        self.settings_hash = self._told(str, hello.values, "settings_hash")

    def _ask(
        self,
        kind: str,
        values: dict[str, Any],
        arrays: tuple[NDArray[Any], ...] = (),
        timeout_s: float = _TIMEOUT_S,
    ) -> dict[str, Any]:
        with self._lock:
            number = self._next_id
            self._next_id += 1
            stdin = self._process.stdin
            if stdin is None or stdin.closed:
                raise SimulatorError("the physics engine is closed")
            try:
                write_message(stdin, Message(kind, number, values, arrays))  # type: ignore[arg-type]
            except ProtocolError as error:
                raise InputError(str(error)) from error
            except OSError as error:
                raise self._death() from error
            return self._receive(number, timeout_s, kind).values

    def _told(self, kind: type[T], reply: Mapping[str, Any], key: str) -> T:
        """A value that the worker said, checked; after nonsense nothing more is asked of it."""
        try:
            return restored(kind, reply.get(key), key)
        except AnswerError as error:
            self._process.kill()
            raise SimulatorError(
                f"the physics engine said something that cannot be used ({error}) and was ended"
            ) from error

    def _receive(self, number: int, timeout_s: float, kind: str) -> Message:
        end = time.monotonic() + timeout_s
        while True:
            try:
                message = self._replies.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self._process.kill()
                raise SimulatorError(
                    f"the physics engine did not answer {kind!r} within {timeout_s:g} s "
                    "and was ended"
                ) from None
            if message is None:
                self._replies.put(None)
                raise self._death()
            if message.request_id != number:
                continue
            if message.kind == "error":
                raise _refusal(message, self.backend, self.python)
            return message

    def _death(self) -> SimulatorError:
        try:
            code: int | None = self._process.wait(_CLOSE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            # It closed its pipe but lives on: nothing can be asked of it any more.
            self._process.kill()
            code = self._process.wait()
        self._threads[1].join(_CLOSE_TIMEOUT_S)
        detail = "\n".join(self._stderr)
        if code == EXIT_UNAVAILABLE:
            reason = self._stderr[-1] if self._stderr else "unknown reason"
            return EngineUnavailableError(
                f"the engine {self.backend!r} cannot run in {self.python}: {reason}"
            )
        return WorkerDiedError(code, detail)


def body_of(profile: AgentProfile) -> AgentBody:
    """What the worker needs to know of a profile."""
    return AgentBody(
        shape=profile.shape.value,
        width_m=profile.width_m,
        depth_m=profile.depth_m,
        height_m=profile.height_m,
        step_limit_m=profile.step_limit_m,
        climbs_stairs=profile.climbs_stairs,
        drive=profile.drive.value,
        min_turning_radius_m=profile.min_turning_radius_m,
        top_speed_mps=profile.top_speed_mps,
    )


def _refusal(message: Message, backend: str, python: str) -> Exception:
    said = message.values.get("text")
    is_told = isinstance(said, str) and said.strip()
    text = one_line(str(said), _MOST_REASON) if is_told else "no reason was given"
    if message.values.get("type") == "unavailable":
        return EngineUnavailableError(f"the engine {backend!r} cannot run in {python}: {text}")
    if message.values.get("type") == "request":
        return InputError(text)
    return SimulatorError(text)


def _collect(stdout: IO[bytes], replies: queue.Queue[Message | None]) -> None:
    """Move replies from the pipe to the queue; ``None`` marks the end."""
    try:
        while (message := read_message(stdout)) is not None:  # type: ignore[arg-type]
            replies.put(message)
    except Exception:
        # A death in mid-message, foreign bytes, or a header without end: whatever it was, nothing
        # more can be trusted, and whoever waits must hear of it.
        _log.debug("a worker said what is no message", exc_info=True)
    finally:
        replies.put(None)


def _keep_tail(stderr: IO[bytes], lines: deque[str]) -> None:
    for line in stderr:
        lines.append(line.decode(errors="replace").rstrip())


def _end_process(process: subprocess.Popen[bytes], readers: list[threading.Thread]) -> None:
    """Close the pipe, which ends a healthy worker, and kill an unhealthy one."""
    if process.stdin is not None and not process.stdin.closed:
        # A dead worker refuses unsent bytes; it is dead, which is what we want.
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(_CLOSE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for reader in readers:
        reader.join()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
