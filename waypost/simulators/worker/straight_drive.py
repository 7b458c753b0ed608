"""Drives an agent straight towards a target and says how that ended."""

from __future__ import annotations

import math

from waypost.simulators.mover import Mover
from waypost.simulators.protocol import Contact, DriveCommand, DriveOutcome, Vec3

_PROGRESS_M = 0.005
_PROGRESS_RAD = 0.02
_FACING_RAD = 0.05
"""A drive that can turn on the spot faces the target this well before it moves off."""


class StraightDrive:
    """One drive of one agent; ask it to advance until it has an outcome.

    It ends when the target is reached, when neither distance nor heading has improved for a
    while, after a fall, or when the time is up. Positions are in engine coordinates.
    """

    def __init__(self, mover: Mover, target_m: Vec3, time_limit_s: float | None) -> None:
        self._mover = mover
        self._target = target_m
        self._start_ns = mover.time_ns
        self._start_displacement_m = mover.displacement_m
        self._start_pushed_m = mover.pushed_m
        mover.highest_step_m = 0.0
        self._path = [mover.floor_position_m()]
        self._first_distance_m = self._distance_m()
        self._best_distance_m = self._first_distance_m
        self._best_error_rad = math.inf
        self._steps_without_progress = 0
        self._contacts: dict[str, Contact] = {}
        self._has_fallen = False
        if time_limit_s is None:
            time_limit_s = 15.0 + 3.0 * self._first_distance_m / mover.body.top_speed_mps
        self._time_limit_s = time_limit_s
        stall_s = mover.settings.stall_s
        if mover.body.drive == "car_like":
            # Coming round takes half a circle, during which the target gets no nearer.
            stall_s += math.pi * mover.body.min_turning_radius_m / mover.body.top_speed_mps
        self._stall_steps = round(stall_s * mover.settings.physics_hz)

    def advance(self, steps: int) -> DriveOutcome | None:
        """Drive on for at most this many physics steps.

        Returns:
            How the drive ended, or ``None`` if it has not.
        """
        every = self._mover.settings.sample_every_steps
        for _ in range(max(1, steps // every)):
            ended, reason = self._ending()
            if ended:
                return self._outcome(reason)
            for _ in range(every):
                self._mover.advance(self._command(), 1)
                self._note_progress()
                if self._has_arrived():
                    break
            self._path.append(self._mover.floor_position_m())
        return None

    def stop(self) -> DriveOutcome:
        """Call the drive off."""
        return self._outcome("stopped")

    def keep_contacts(self, contacts: tuple[Contact, ...]) -> None:
        """Add touches reported meanwhile; the first of each object counts."""
        for contact in contacts:
            self._contacts.setdefault(contact.object, contact)

    def _ending(self) -> tuple[bool, str | None]:
        mover = self._mover
        telemetry = mover.telemetry(looks_around=False)
        self.keep_contacts(telemetry.contacts)
        if telemetry.is_falling or self._has_fallen:
            self._has_fallen = True
            return not telemetry.is_falling or mover.is_fallen_for_good, "drop"
        if self._has_arrived():
            level_m = abs(telemetry.position_m[2] - self._target[2])
            return True, None if level_m <= mover.settings.reach_height_m else "level"
        if telemetry.blocked_by == "spawn":
            return True, "spawn"
        if self._steps_without_progress >= self._stall_steps:
            return True, telemetry.blocked_by or "obstacle"
        is_late = (mover.time_ns - self._start_ns) * 1e-9 >= self._time_limit_s
        return is_late, "time" if is_late else None

    def _command(self) -> DriveCommand:
        mover, pose = self._mover, self._mover.pose
        body, settings = mover.body, mover.settings
        distance = self._distance_m()
        error = self._heading_error_rad()
        turn = max(-1.0, min(1.0, error / 0.25)) * settings.turn_rate_limit_radps
        # Slow enough to stop in time, and never past the target within one step.
        speed = min(
            body.top_speed_mps,
            math.sqrt(2 * settings.braking_mps2 * 0.5 * distance),
            distance * settings.physics_hz * 0.5,
        )
        if body.drive == "holonomic":
            bearing = math.atan2(self._target[1] - pose.y_m, self._target[0] - pose.x_m)
            relative = bearing - pose.yaw_rad
            return DriveCommand(speed * math.cos(relative), speed * math.sin(relative), turn)
        if body.drive == "differential" and abs(error) > _FACING_RAD and distance > 0.1:
            speed = 0.0 if abs(error) > 4 * _FACING_RAD else 0.3 * speed
        return DriveCommand(speed, 0.0, turn if distance > 0.05 else 0.0)

    def _note_progress(self) -> None:
        self._steps_without_progress += 1
        distance, error = self._distance_m(), abs(self._heading_error_rad())
        if distance < self._best_distance_m - _PROGRESS_M:
            self._best_distance_m = distance
            self._steps_without_progress = 0
        if error > _FACING_RAD and error < self._best_error_rad - _PROGRESS_RAD:
            self._best_error_rad = error
            self._steps_without_progress = 0

    def _has_arrived(self) -> bool:
        return self._distance_m() <= self._mover.settings.reach_m

    def _distance_m(self) -> float:
        pose = self._mover.pose
        return math.hypot(self._target[0] - pose.x_m, self._target[1] - pose.y_m)

    def _heading_error_rad(self) -> float:
        pose = self._mover.pose
        bearing = math.atan2(self._target[1] - pose.y_m, self._target[0] - pose.x_m)
        return math.remainder(bearing - pose.yaw_rad, math.tau)

    def _outcome(self, blocked_by: str | None) -> DriveOutcome:
        mover = self._mover
        self.keep_contacts(mover.telemetry(looks_around=False).contacts)
        displacement_m = mover.displacement_m - self._start_displacement_m
        stopped_at_m = mover.floor_position_m()
        return DriveOutcome(
            reached=blocked_by is None,
            stopped_at_m=stopped_at_m,
            progress_m=self._first_distance_m - self._distance_m(),
            displacement_m=displacement_m,
            strict_collision=displacement_m >= mover.settings.strict_limit_m,
            contacts=tuple(self._contacts.values()),
            highest_step_m=mover.highest_step_m,
            sim_time_s=(mover.time_ns - self._start_ns) * 1e-9,
            blocked_by=blocked_by,
            path_m=(*self._path, stopped_at_m),
            pushed_m=mover.pushed_m - self._start_pushed_m,
        )
