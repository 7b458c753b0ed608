"""Samples the agent every 50 ms of simulated time, inside the worker, whoever else may crash."""

from __future__ import annotations

import datetime as dt
import math
import re
import time
from dataclasses import asdict
from typing import Any, Callable, NamedTuple

from waypost import __version__
from waypost.simulators.mover import SLIDE_POLICY, Mover
from waypost.simulators.protocol import (
    DriveCommand,
    DriverState,
    EngineInfo,
    RecordingStatus,
    Vec3,
)
from waypost.simulators.worker.appended_file import SYNC_EVERY_S
from waypost.simulators.worker.take_writer import WRITE_EVERY_S, TakeWriter

SCHEMA = "waypost-recording"
SCHEMA_VERSION = 1
COLUMNS = (
    "time_ns", "wall_time_ns", "x_m", "y_m", "z_m", "qw", "qx", "qy", "qz", "yaw_rad",
    "camera_pitch_rad", "v_mps", "w_radps", "action", "contact_count", "displacement_m", "focus",
)  # fmt: skip
MARKS = ("pause", "resume", "lost", "time_up", "voice_play", "voice_pause", "note")
"""What can be noted beside the samples."""

_FRAME = "scene frame: Z up, right-handed; yaw 0 = +X, counter-clockwise; quaternion w, x, y, z"
_UNITS = "metres, seconds, radians; times in integer nanoseconds since the first sample"
_ACTION = re.compile(r"[A-Za-z0-9_.:+-]{0,64}")
_SECOND_NS = 1_000_000_000


class WallClock(NamedTuple):
    """A clock that no change of the system time moves."""

    name: str
    now_ns: Callable[[], int]


def system_wall_clock() -> WallClock:
    """``CLOCK_BOOTTIME``, which goes on while the machine sleeps, or the best there is."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    if boot is not None:
        return WallClock("CLOCK_BOOTTIME", lambda: time.clock_gettime_ns(boot))
    name = time.get_clock_info("monotonic").implementation
    return WallClock(name, time.monotonic_ns)


class Recorder:
    """One take of one agent: hears every physics step, writes every sixth."""

    def __init__(
        self,
        mover: Mover,
        origin_m: Vec3,
        engine: EngineInfo,
        wished_path: str,
        header: dict[str, Any],
        clock: WallClock | None = None,
    ) -> None:
        """Create the files and take the first sample: the start pose.

        Args:
            mover: The agent; its ``on_step`` is taken.
            origin_m: Scene position of the engine's origin.
            engine: For the header.
            wished_path: See ``TakeWriter``.
            header: What the program knows of the take; cannot replace what the worker knows.
            clock: Wall time; by default that of the system.

        Raises:
            OSError: If the files cannot be made.
        """
        self.driver = DriverState()
        self.is_paused = False
        self.is_ended = False
        self._mover = mover
        self._origin = origin_m
        self._clock = clock or system_wall_clock()
        self._every = mover.settings.sample_every_steps
        self._first_step = mover.step_count
        self._first_displacement_m = mover.displacement_m
        self._touched: set[str] = set()
        self._had_focus = True
        self._time_ns = 0
        self._wall_ns = 0
        self._first_wall_ns = self._clock.now_ns()
        self._writer = TakeWriter(wished_path, COLUMNS, {**header, **self._facts(engine)})
        self._sample(0)
        self._writer.flush()
        mover.on_step = self._after_step

    @property
    def is_saved(self) -> bool:
        """Whether nothing is left to be written."""
        return self._writer.is_saved

    def status(self) -> RecordingStatus:
        """How far the take has come."""
        writer = self._writer
        unsaved, problem = writer.unsaved_rows, writer.problem
        if problem:
            problem = (
                f"the recording cannot be written: {problem}; "
                f"{unsaved} of {writer.row_count} samples are only in memory"
            )
        return RecordingStatus(
            writer.path,
            writer.row_count,
            unsaved,
            problem,
            self._time_ns,
            self._wall_ns,
            self.is_paused,
            self.is_ended,
        )

    def set_driver(self, driver: DriverState) -> None:
        """What the driver does from now on.

        Raises:
            ValueError: If a value cannot be written.
        """
        if not _ACTION.fullmatch(driver.action):
            raise ValueError(f"action: {driver.action!r} is not one short word")
        if not math.isfinite(driver.camera_pitch_rad):
            raise ValueError("camera_pitch_rad: is not finite")
        self.driver = driver

    def mark(self, kind: str, detail: str) -> None:
        """Note that something happened: a pause, its end, or words.

        Raises:
            ValueError: If the kind is unknown.
        """
        if kind not in MARKS:
            raise ValueError(f"mark: {kind!r} is none of {', '.join(MARKS)}")
        if kind in ("pause", "resume"):
            self.is_paused = kind == "pause"
        record = {"kind": kind, "time_ns": self._now_ns(), "wall_time_ns": self._now_wall_ns()}
        self._writer.add_record({**record, "detail": detail})

    def finish(self, reason: str) -> None:
        """Stop as intended: brake until the sample under way is due, and end the take there."""
        while (self._mover.step_count - self._first_step) % self._every:
            self._mover.advance(DriveCommand(), 1)
        self.end(reason, is_complete=True)

    def end(self, reason: str, *, is_complete: bool) -> None:
        """End the take with what has been sampled."""
        if self.is_ended:
            return
        self.is_ended = True
        self._mover.on_step = None
        times = {"time_ns": self._time_ns, "wall_time_ns": self._now_wall_ns()}
        self._writer.end({"complete": is_complete, "reason": reason, **times})

    def give_up(self) -> None:
        """Let go of the files after a last try to write them."""
        if not self.is_saved:
            self._writer.give_up()

    def _after_step(self) -> None:
        self._touched |= self._mover.touching
        self._had_focus = self._had_focus and self.driver.has_focus
        if (self._mover.step_count - self._first_step) % self._every == 0:
            self._sample(self._now_wall_ns())

    def _sample(self, wall_ns: int) -> None:
        mover, driver = self._mover, self.driver
        self._time_ns, self._wall_ns = self._now_ns(), wall_ns
        x, y, z = (value + zero for value, zero in zip(mover.floor_position_m(), self._origin))
        yaw = mover.pose.yaw_rad
        row = (
            self._time_ns,
            self._wall_ns,
            x,
            y,
            z,
            math.cos(yaw / 2),
            0.0,
            0.0,
            math.sin(yaw / 2),
            yaw,
            driver.camera_pitch_rad,
            *mover.rates,
            driver.action or action_of(mover.command),
            len(self._touched),
            mover.displacement_m - self._first_displacement_m,
            int(self._had_focus),
        )
        self._writer.add_row(",".join(map(str, row)))
        self._touched, self._had_focus = set(), True

    def _now_ns(self) -> int:
        steps = self._mover.step_count - self._first_step
        return steps * _SECOND_NS // self._mover.settings.physics_hz

    def _now_wall_ns(self) -> int:
        return self._clock.now_ns() - self._first_wall_ns

    def _facts(self, engine: EngineInfo) -> dict[str, Any]:
        settings = self._mover.settings
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "columns": list(COLUMNS),
            "frame": _FRAME,
            "units": _UNITS,
            "waypost_version": __version__,
            "engine": asdict(engine),
            "physics_hz": settings.physics_hz,
            "sample_interval_ns": self._every * _SECOND_NS // settings.physics_hz,
            "mover_hash": settings.settings_hash,
            "slide_policy": SLIDE_POLICY,
            "wall_clock": self._clock.name,
            "wall_clock_start_ns": self._first_wall_ns,
            "started_utc": dt.datetime.now(dt.timezone.utc).isoformat(),
            "written_every_s": WRITE_EVERY_S,
            "synced_every_s": SYNC_EVERY_S,
        }


def action_of(command: DriveCommand) -> str:
    """The directions of a command as one word, e.g. ``forward+turn_left``; else ``idle``."""
    words = [
        name
        for value, names in (
            (command.forward_mps, ("forward", "back")),
            (command.left_mps, ("strafe_left", "strafe_right")),
            (command.turn_radps, ("turn_left", "turn_right")),
        )
        for name, sign in zip(names, (1, -1))
        if value * sign > 0
    ]
    return "+".join(words) or "idle"
