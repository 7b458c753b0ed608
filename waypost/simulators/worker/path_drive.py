"""Drives an agent along a planned path with its drive type and says how that ended."""

from __future__ import annotations

import math

from waypost.simulators.mover import Mover
from waypost.simulators.protocol import DriveCommand
from waypost.simulators.worker.straight_drive import StraightDrive

_TURNED_RAD = 0.03
"""A turn on the spot is done this near to the heading that was planned."""

_AT_POSE_M = 0.01
_TURN_GAIN = 4.0
_LOOK_AHEAD_M = 0.3

PathPose = tuple[float, float, float, float]
"""x, y, z of the floor and the heading."""


class PathDrive(StraightDrive):
    """One drive from pose to pose; it ends as a straight drive ends at the last of them.

    A differential drive goes from pose to pose forward or backward, whichever faces it, and turns
    on the spot where the plan turns; a holonomic one takes the planned heading as it goes; a
    car-like one steers at most as tightly as it can. Positions are in engine coordinates.
    """

    def __init__(self, mover: Mover, path: list[PathPose], time_limit_s: float | None) -> None:
        if len(path) < 2:
            raise ValueError("a path has two poses or more")
        self._poses = path
        self._next = 1
        length_m = sum(math.dist(a[:2], b[:2]) for a, b in zip(path, path[1:]))
        turning_rad = sum(
            abs(math.remainder(b[3] - a[3], math.tau)) for a, b in zip(path, path[1:])
        )
        if time_limit_s is None:
            turning_s = turning_rad / mover.settings.turn_rate_limit_radps
            time_limit_s = 15.0 + 3.0 * length_m / mover.body.top_speed_mps + 3.0 * turning_s
        super().__init__(mover, path[1][:3], time_limit_s)

    def _has_arrived(self) -> bool:
        while self._is_at_pose():
            if self._next == len(self._poses) - 1:
                return True
            self._next += 1
            self._target = self._poses[self._next][:3]
            self._best_distance_m = self._distance_m()
            self._best_error_rad = math.inf
            self._steps_without_progress = 0
        return False

    def _is_at_pose(self) -> bool:
        is_last = self._next == len(self._poses) - 1
        reach_m = self._mover.settings.reach_m if is_last else _AT_POSE_M
        if self._distance_m() > reach_m:
            return self._has_passed() and not is_last
        return is_last or self._mover.body.drive == "car_like" or not self._must_turn()

    def _has_passed(self) -> bool:
        """Whether a car-like drive, which cannot stand exactly at a pose, is beside or past it."""
        if self._mover.body.drive != "car_like":
            return False
        a, b = self._poses[self._next - 1], self._poses[self._next]
        x, y = b[0] - a[0], b[1] - a[1]
        pose = self._mover.pose
        return (pose.x_m - b[0]) * x + (pose.y_m - b[1]) * y >= 0.0

    def _must_turn(self) -> bool:
        return abs(self._turn_left_rad()) > _TURNED_RAD

    def _turn_left_rad(self) -> float:
        """How far the heading is from that of the pose that is driven to."""
        return math.remainder(self._poses[self._next][3] - self._mover.pose.yaw_rad, math.tau)

    def _heading_error_rad(self) -> float:
        """Of the line to the next pose, forward or backward; at the pose, of its heading."""
        if self._distance_m() <= _AT_POSE_M or self._mover.body.drive == "holonomic":
            return self._turn_left_rad()
        error = super()._heading_error_rad()
        return error if self._is_forward() else math.remainder(error + math.pi, math.tau)

    def _is_forward(self) -> bool:
        """Whether the plan goes forward to the next pose."""
        a, b = self._poses[self._next - 1], self._poses[self._next]
        bearing = math.atan2(b[1] - a[1], b[0] - a[0])
        return math.cos(bearing - a[3]) >= 0.0

    def _command(self) -> DriveCommand:
        mover = self._mover
        body, settings = mover.body, mover.settings
        distance, error = self._distance_m(), self._heading_error_rad()
        turn = max(-1.0, min(1.0, _TURN_GAIN * error)) * settings.turn_rate_limit_radps
        speed = min(
            body.top_speed_mps,
            math.sqrt(2 * settings.braking_mps2 * 0.5 * distance),
            distance * settings.physics_hz * 0.5,
        )
        if body.drive == "holonomic":
            # No faster than the heading follows, so that both change together as planned.
            turning_s = abs(error) / settings.turn_rate_limit_radps
            speed = min(speed, distance / turning_s) if turning_s > 1e-6 else speed
            bearing = math.atan2(self._target[1] - mover.pose.y_m, self._target[0] - mover.pose.x_m)
            relative = bearing - mover.pose.yaw_rad
            return DriveCommand(speed * math.cos(relative), speed * math.sin(relative), turn)
        if distance <= _AT_POSE_M and body.drive == "differential":
            return DriveCommand(0.0, 0.0, turn)
        sign = 1.0 if self._is_forward() else -1.0
        if body.drive == "differential":
            if abs(error) > 0.2:
                return DriveCommand(0.0, 0.0, turn)
            return DriveCommand(sign * speed * max(0.1, 1.0 - 5.0 * abs(error)), 0.0, turn)
        speed = max(speed, 0.2 * body.top_speed_mps)
        curve = 2.0 * math.sin(error) / max(distance, _LOOK_AHEAD_M)
        return DriveCommand(sign * speed, 0.0, speed * curve)
