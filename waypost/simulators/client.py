"""The side of the simulator that runs in Waypost: starts the worker, asks, notices its death."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import EngineUnavailableError, SimulatorError, WorkerDiedError
from waypost.domain.base.frames import Vec3
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFeed
from waypost.simulators.engine_search import find_engine, launcher_in
from waypost.simulators.engines import (
    ENGINE_KINDS,
    REFERENCE_ENGINE,
    EngineChoice,
    EngineLimits,
    driving_kind,
)
from waypost.simulators.looks import mean_colours
from waypost.simulators.navmesh_walk import NavmeshWalk
from waypost.simulators.protocol import (
    AgentBody,
    DriveCommand,
    DriveOutcome,
    DriverState,
    EngineInfo,
    RecordingStatus,
    Telemetry,
)
from waypost.simulators.worker_process import NoWorkerError, WorkerLaunch, WorkerProcess

_DRIVE_BATCH_STEPS = 120


class SimulatorClient:
    """One worker process with one engine; blocking calls, one at a time.

    Calls raise ``WorkerDiedError`` once the process has ended, ``InputError`` for a request
    that names an unusable place, and ``SimulatorError`` if the engine fails.
    """

    def __init__(self, start: WorkerLaunch) -> None:
        self.backend = start.engine
        """Name of the engine that was asked for."""

        self.python = start.python
        self._start = start
        self._worker = WorkerProcess(start)
        self._hear_hello()

    @classmethod
    def of(
        cls,
        choice: EngineChoice,
        on_progress: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Start what was chosen to drive; see ``start``.

        Raises:
            InputError: If there is no such engine, or it drives nobody.
        """
        driving_kind(choice.name)
        return cls.start(
            choice.name,
            choice.python,
            options=options,
            on_progress=on_progress,
            cancelled=cancelled,
        )

    @classmethod
    def start(
        cls,
        backend: str = REFERENCE_ENGINE,
        python: str | None = None,
        *,
        limits: EngineLimits | None = None,
        options: Mapping[str, Any] | None = None,
        on_progress: Callable[[str], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Self:
        """Start a worker and wait until its engine is ready.

        Args:
            backend: Name of an engine, such as ``physx``.
            python: Interpreter that has the engine, or a folder with one; by default it is
                looked for.
            limits: How long things may take; by default as the engine needs it.
            options: JSON values for the start of the engine; it ignores those it does not know.
            on_progress: Hears what an engine that takes long to start says on its way.
            cancelled: Asked while an answer is waited for; once true, the worker is ended.

        Raises:
            Cancelled: Once ``cancelled`` is true.
            EngineUnavailableError: If that Python or the engine in it is missing.
            WorkerDiedError: If the worker ends before it is ready.
        """
        kind = ENGINE_KINDS.get(backend)
        if python is None and kind is not None:
            found = find_engine(kind, cancelled=cancelled)
            if not found.is_there:
                raise EngineUnavailableError(_refusal(backend, found.reason))
            python = found.python
        python = launcher_in(python) if python else sys.executable
        module, environment = (kind.module, kind.environment) if kind else (backend, ())
        limits = limits or (kind.limits if kind else EngineLimits())
        started = dict(environment), options or {}, on_progress, cancelled
        launch = WorkerLaunch(backend, module, python, limits, *started)
        try:
            return cls(launch)
        except (WorkerDiedError, NoWorkerError) as error:
            # Something else than a Python says whatever it makes of our script, or ends with it.
            asked = None if kind is None else find_engine(kind, python, cancelled)
            if asked is None or asked.is_there:
                raise
            reason = asked.reason
            if isinstance(error, NoWorkerError) and not asked.python_version:
                said = error.said or "nothing that can be read"
                reason = f"{python} is not a Python that can import the worker; it said: {said}"
            raise EngineUnavailableError(_refusal(backend, reason)) from error

    @property
    def is_alive(self) -> bool:
        """Whether the worker process runs."""
        return self._worker.is_alive

    @property
    def process_id(self) -> int:
        """Of the worker, for logs."""
        return self._worker.process_id

    def restart(self) -> None:
        """End this worker and start another; scene and agent are gone.

        Raises:
            EngineUnavailableError: As ``start``.
            WorkerDiedError: As ``start``.
        """
        self.close()
        self._worker = WorkerProcess(self._start)
        self._hear_hello()

    def load_scene(self, scene: Scene) -> tuple[str, ...]:
        """Give the engine the collision triangles of a scene; removes the agent.

        One in which a scene can be seen is also given mean colours and what stops nobody.

        Returns:
            Warnings, such as triangles that were dropped.
        """
        meshes = [mesh for mesh in scene.meshes if mesh.is_collider]
        values: dict[str, Any] = {"origin_m": list(scene.origin_m)}
        values["names"] = [mesh.name for mesh in meshes]
        kind = ENGINE_KINDS.get(self.backend)
        if kind is not None and kind.shows_scenes:
            only_seen = [mesh for mesh in scene.meshes if not mesh.is_collider]
            values["only_seen"] = [mesh.name for mesh in only_seen]
            meshes += only_seen
            values["colours"] = mean_colours(scene, meshes)
        arrays: list[NDArray[Any]] = []
        for mesh in meshes:
            arrays += [mesh.vertices.astype(np.float32, copy=False), mesh.faces]
        reply = self._worker.ask(
            "load_scene", values, tuple(arrays), timeout_s=self._start.limits.load_s
        )
        return self._worker.told(tuple[str, ...], reply, "warnings")

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
        return self._worker.told(Telemetry, self._worker.ask("spawn", values), "telemetry")

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
        return self._worker.told(Telemetry, self._worker.ask("drive", values), "telemetry")

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
        self._worker.ask("drive_to", {"target_m": list(target_m), "time_limit_s": time_limit_s})
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
        self._worker.ask("drive_along", values)
        return self._drive_on(None, batch_steps)

    def _drive_on(
        self, on_telemetry: Callable[[Telemetry], bool] | None, batch_steps: int
    ) -> DriveOutcome:
        while True:
            reply = self._worker.ask("drive_on", {"steps": batch_steps})
            telemetry = self._worker.told(Telemetry, reply, "telemetry")
            goes_on = on_telemetry is None or on_telemetry(telemetry)
            if reply.get("outcome") is None and not goes_on:
                reply = self._worker.ask("drive_stop", {})
            if reply.get("outcome") is not None:
                return self._worker.told(DriveOutcome, reply, "outcome")

    def floor_below(self, point_m: Vec3, reach_m: float = 2.5) -> Vec3 | None:
        """The first surface straight below a point; the agent is one, where it stands there."""
        reply = self._worker.ask("floor_below", {"point_m": list(point_m), "reach_m": reach_m})
        if reply.get("floor_m") is None:
            return None
        return self._worker.told(tuple[float, float, float], reply, "floor_m")

    def open_camera(self, settings: CameraSettings) -> CameraFeed:
        """Have pictures of a camera that the agent carries; closes an earlier one.

        Raises:
            InputError: If this engine gives none.
        """
        return CameraFeed(self._worker, settings)

    def open_navmesh(self, path: Path) -> NavmeshWalk:
        """Have a navmesh walked over by an engine that does, such as habitat-sim.

        Raises:
            InputError: If this engine does not, or cannot read the file.
        """
        return NavmeshWalk(self._worker, path)

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
        return self._worker.told(
            RecordingStatus, self._worker.ask("record_start", values), "recording"
        )

    def mark_recording(self, kind: str, detail: str = "") -> RecordingStatus:
        """Note ``pause``, ``resume``, ``lost`` or ``note`` beside the samples.

        After ``pause`` the worker refuses to drive until ``resume``.

        Raises:
            InputError: If no recording is under way.
        """
        return self._worker.told(
            RecordingStatus,
            self._worker.ask("record_mark", {"kind": kind, "detail": detail}),
            "recording",
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
        return self._worker.told(
            RecordingStatus, self._worker.ask("record_stop", values), "recording"
        )

    def recording_status(self) -> RecordingStatus | None:
        """Of the recording under way, or the latest; ``None`` if there was none."""
        reply = self._worker.ask("record_status", {})
        if reply.get("recording") is None:
            return None
        return self._worker.told(RecordingStatus, reply, "recording")

    def kill(self) -> None:
        """End the worker at once, from any thread; a call in progress raises."""
        self._worker.kill()

    def close(self) -> None:
        """End the worker; afterwards no process and no thread is left."""
        self._worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _hear_hello(self) -> None:
        worker, hello = self._worker, self._worker.hello
        try:
            self.engine = worker.told(EngineInfo, hello, "engine")
            """Which engine answers, as it says itself."""

            self.settings_hash = worker.told(str, hello, "settings_hash")
            """Digest of the mover settings the worker uses."""
        except SimulatorError:
            worker.close()
            raise
        self.python_version = one_line(str(hello.get("python", "")), 40)
        """Of the Python that runs the worker, as it says."""


def _refusal(engine: str, reason: str) -> str:
    return f"the engine {engine!r} cannot run: {reason}"


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
        key=profile.key,
    )
