"""Answers requests; scene coordinates outside, engine coordinates (minus origin) inside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Any, Callable

from waypost.simulators.backends.engine import GREY, Engine, Pose, SceneMesh
from waypost.simulators.backends.walking import WalkingEngine
from waypost.simulators.ground_rays import DOWN
from waypost.simulators.mover import Mover
from waypost.simulators.protocol import (
    AgentBody,
    Contact,
    DriveCommand,
    DriveOutcome,
    DriverState,
    Message,
    MoverSettings,
    Telemetry,
    Vec3,
    outcome_to_values,
    telemetry_to_values,
)
from waypost.simulators.worker.camera import WorkerCamera
from waypost.simulators.worker.path_drive import PathDrive
from waypost.simulators.worker.recordings import Recordings
from waypost.simulators.worker.straight_drive import StraightDrive

MAX_STEPS = 12_000
"""Most physics steps in one request, so that the worker keeps listening."""


class RequestError(Exception):
    """A request that cannot be met; the text is one sentence for the user."""


class RequestHandler:
    """What the worker knows between two requests."""

    def __init__(self, engine: Engine, settings: MoverSettings) -> None:
        self._engine = engine
        self._settings = settings
        self._origin: Vec3 = (0.0, 0.0, 0.0)
        self._has_scene = False
        self._mover: Mover | None = None
        self._drive: StraightDrive | None = None
        self._verbs: dict[str, Callable[[Message], dict[str, Any]]] = {
            "load_scene": self._load_scene,
            "spawn": self._spawn,
            "drive": self._advance,
            "drive_to": self._start_drive,
            "drive_along": self._start_path,
            "drive_on": self._drive_on,
            "drive_stop": self._drive_stop,
            "floor_below": self._floor_below,
            "record_start": self._record_start,
            "record_stop": self._record_stop,
            "record_mark": self._record_mark,
            "record_status": self._record_status,
            "camera_open": self._camera_open,
            "camera_frame": self._camera_frame,
            "camera_view": self._camera_view,
            "camera_close": self._camera_close,
            "walk_load": self._walk_load,
            "walk_way": self._walk_way,
            "walk_step": self._walk_step,
        }
        self._camera = WorkerCamera(engine)
        self._recordings = Recordings(engine.info)
        self._driver = DriverState()

    def answer(self, request: Message) -> dict[str, Any]:
        """Carry out a request.

        Returns:
            The values of the reply.

        Raises:
            RequestError: If the request makes no sense now or names no usable place.
            NoFloorError: If there is nothing to stand on.
        """
        verb = self._verbs.get(request.kind)
        if verb is None:
            raise RequestError(f"the worker does not know the request {request.kind!r}")
        return verb(request)

    def close(self) -> None:
        """The client is gone: end the recording under way as incomplete."""
        self._recordings.close()
        self._camera.close()

    def _load_scene(self, request: Message) -> dict[str, Any]:
        names, arrays = list(request.values["names"]), request.arrays
        collide = len(names)
        names += request.values.get("only_seen", ())
        colours = request.values.get("colours") or [GREY] * len(names)
        self._recordings.interrupt("another scene was loaded")
        self._origin = _vec3(request.values["origin_m"])
        self._mover = self._drive = None
        meshes = [
            SceneMesh(
                name,
                arrays[2 * index],
                arrays[2 * index + 1],
                _vec3(colours[index]),
                collides=index < collide,
            )
            for index, name in enumerate(names)
        ]
        problems = self._engine.load_scene(meshes)
        self._has_scene = True
        return {"warnings": problems}

    def _spawn(self, request: Message) -> dict[str, Any]:
        if not self._has_scene:
            raise RequestError("no scene is loaded")
        self._recordings.interrupt("the agent was placed anew")
        self._mover = self._drive = None
        self._driver = DriverState()
        mover = Mover(self._engine, AgentBody(**request.values["body"]), self._settings)
        position = self._inward(_vec3(request.values["floor_m"]))
        telemetry = mover.spawn(position, float(request.values["yaw_rad"]))
        self._mover = mover
        return self._told(telemetry)

    def _advance(self, request: Message) -> dict[str, Any]:
        mover = self._agent()
        command, driver = DriveCommand(**request.values["command"]), request.values.get("driver")
        if driver is not None:
            self._driver = DriverState(**driver)
        with _refusing(ValueError):
            self._recordings.hear(self._driver)
        if not self._driver.has_focus:
            # Keys that nobody hears must not move anybody, whatever the window sends.
            command = DriveCommand()
            mover.halt()
        mover.advance(command, _steps(request))
        return self._told(mover.telemetry())

    def _start_drive(self, request: Message) -> dict[str, Any]:
        target = self._inward(_vec3(request.values["target_m"]))
        self._drive = StraightDrive(self._agent(), target, request.values["time_limit_s"])
        return {}

    def _start_path(self, request: Message) -> dict[str, Any]:
        poses = [
            (*self._inward(_vec3(pose[:3])), _finite(pose[3])) for pose in request.values["path"]
        ]
        with _refusing(ValueError):
            self._drive = PathDrive(self._agent(), poses, request.values["time_limit_s"])
        return {}

    def _drive_on(self, request: Message) -> dict[str, Any]:
        mover, drive = self._agent(), self._drive
        if drive is None:
            raise RequestError("no drive is under way")
        outcome = drive.advance(_steps(request))
        telemetry = mover.telemetry()
        drive.keep_contacts(telemetry.contacts)
        return {**self._told(telemetry), "outcome": self._ended(outcome)}

    def _drive_stop(self, _: Message) -> dict[str, Any]:
        if self._drive is None:
            raise RequestError("no drive is under way")
        return {"outcome": self._ended(self._drive.stop())}

    def _record_start(self, request: Message) -> dict[str, Any]:
        path, header = request.values["path"], request.values["header"]
        with _refusing(ValueError, OSError):
            self._recordings.start(self._agent(), self._origin, path, header)
        return self._record_status(request)

    def _record_stop(self, request: Message) -> dict[str, Any]:
        values = request.values
        with _refusing(ValueError):
            self._recordings.stop(values["reason"], is_complete=values["is_complete"])
        self._driver = DriverState()
        return self._record_status(request)

    def _record_mark(self, request: Message) -> dict[str, Any]:
        with _refusing(ValueError):
            self._recordings.mark(request.values["kind"], request.values["detail"])
        return self._record_status(request)

    def _record_status(self, _: Message) -> dict[str, Any]:
        status = self._recordings.status()
        return {"recording": None if status is None else asdict(status)}

    def _camera_open(self, request: Message) -> dict[str, Any]:
        values = request.values
        with _refusing(ValueError, OSError):
            self._camera.open(values["camera"], values["file"])
        return {}

    def _camera_frame(self, _: Message) -> dict[str, Any]:
        mover = self._agent()
        slot, tilt_rad = self._camera.draw(self._engine.pose(), self._driver.camera_pitch_rad)
        return {
            "slot": slot,
            "time_ns": mover.time_ns,
            "position_m": self._outward(mover.floor_position_m()),
            "yaw_rad": self._engine.pose().yaw_rad,
            "tilt_rad": tilt_rad,
        }

    def _camera_view(self, request: Message) -> dict[str, Any]:
        if not self._has_scene:
            raise RequestError("no scene is loaded")
        values = request.values
        x, y, z = self._inward(_vec3(values["position_m"]))
        pose = Pose(x, y, z, _finite(values["yaw_rad"]))
        slot, tilt_rad = self._camera.draw(pose, _finite(values["gaze_rad"]))
        return {"slot": slot, "tilt_rad": tilt_rad}

    def _camera_close(self, _: Message) -> dict[str, Any]:
        self._camera.close()
        return {}

    def _walk_load(self, request: Message) -> dict[str, Any]:
        self._walking().load_navmesh(request.values["file"])
        return {}

    def _walk_way(self, request: Message) -> dict[str, Any]:
        start, end = (_vec3(request.values[key]) for key in ("start_m", "end_m"))
        way = self._walking().shortest_way(start, end)
        return {} if way is None else way._asdict()

    def _walk_step(self, request: Message) -> dict[str, Any]:
        start, end = (_vec3(request.values[key]) for key in ("start_m", "end_m"))
        slides = bool(request.values["slides"])
        return {"end_m": self._walking().try_step(start, end, slides=slides)}

    def _walking(self) -> WalkingEngine:
        if not isinstance(self._engine, WalkingEngine):
            title = self._engine.info.title
            raise RequestError(f"{title} moves nobody over navmeshes; habitat-sim does")
        return self._engine

    def _floor_below(self, request: Message) -> dict[str, Any]:
        x, y, z = self._inward(_vec3(request.values["point_m"]))
        reach = float(request.values["reach_m"])
        hit = self._engine.raycast_hit((x, y, z), DOWN, reach)
        return {"floor_m": None if hit is None else self._outward((x, y, z - hit.distance_m))}

    def _ended(self, outcome: DriveOutcome | None) -> dict[str, Any] | None:
        if outcome is None:
            return None
        self._drive = None
        outside = replace(
            outcome,
            stopped_at_m=self._outward(outcome.stopped_at_m),
            contacts=self._contacts_outward(outcome.contacts),
            path_m=tuple(self._outward(point) for point in outcome.path_m),
        )
        return outcome_to_values(outside)

    def _agent(self) -> Mover:
        if self._mover is None:
            raise RequestError("no agent has been spawned")
        return self._mover

    def _told(self, telemetry: Telemetry) -> dict[str, Any]:
        outside = replace(
            telemetry,
            position_m=self._outward(telemetry.position_m),
            contacts=self._contacts_outward(telemetry.contacts),
            recording=self._recordings.status(),
            camera_pitch_rad=self._driver.camera_pitch_rad,
        )
        return {"telemetry": telemetry_to_values(outside)}

    def _contacts_outward(self, contacts: tuple[Contact, ...]) -> tuple[Contact, ...]:
        return tuple(replace(c, point_m=self._outward(c.point_m)) for c in contacts)

    def _inward(self, point: Vec3) -> Vec3:
        x, y, z = (value - zero for value, zero in zip(point, self._origin))
        return (x, y, z)

    def _outward(self, point: Vec3) -> Vec3:
        x, y, z = (value + zero for value, zero in zip(point, self._origin))
        return (x, y, z)


@contextmanager
def _refusing(*kinds: type[Exception]) -> Iterator[None]:
    """Turn what a recording refuses into an answer for the user."""
    try:
        yield
    except kinds as error:
        text = getattr(error, "strerror", None) or str(error)
        file = getattr(error, "filename", None)
        raise RequestError(f"{file}: file: {text}" if file else text) from error


def _steps(request: Message) -> int:
    steps = int(request.values["steps"])
    if not 0 < steps <= MAX_STEPS:
        raise RequestError(f"steps: {steps} is outside 1 to {MAX_STEPS}")
    return steps


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise RequestError("a heading is not finite")
    return number


def _vec3(values: Any) -> Vec3:
    x, y, z = (float(value) for value in values)
    if not all(math.isfinite(value) for value in (x, y, z)):
        raise RequestError("a position holds a value that is not finite")
    return (x, y, z)
