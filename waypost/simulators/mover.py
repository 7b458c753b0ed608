"""Ride-height locomotion above the primitives of an engine: the same agent on every engine.

A plain collider sticks at any sill. Here the collider's bottom hangs just above the ground
plus the step limit; rays under the footprint find the highest ground within that limit, and
the body rises or sinks to it. What is higher than the limit meets the collider and stops it.
Rays can miss posts and gaps thinner than their spacing; a hole narrower than the footprint
is bridged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from waypost.simulators.backends.engine import Collider, Engine, Pose
from waypost.simulators.footprint import Footprint
from waypost.simulators.ground_rays import DOWN, RAY_START_M, GroundRays
from waypost.simulators.obstacle_probe import ObstacleProbe
from waypost.simulators.protocol import (
    AgentBody,
    Contact,
    DriveCommand,
    MoverSettings,
    Telemetry,
    Vec3,
)
from waypost.simulators.stair_guard import StairGuard

_SPAWN_OVERLAP_M = 0.003
_MIN_COLLIDER_M = 0.005
_CARRIES_NORMAL_Z = 0.5
_SLIP_MPS = 0.5
SLIDE_POLICY = (
    "sliding allowed: surfaces have no friction; an obstacle takes the part of the motion that "
    "points into it and the agent slides along it with the rest, regaining lost speed no faster "
    "than its push allows; risers up to its step limit are climbed, higher ones are obstacles"
)
"""What happens at obstacles, in words; benchmarks differ here (VLN-CE R2R slides, RxR does not)."""

_PROBE_ANGLES_RAD = (0.0, math.radians(25.0), -math.radians(25.0))


@dataclass
class _Motion:
    """Where the mover is in its own motion, between two steps."""

    forward_mps: float = 0.0
    left_mps: float = 0.0
    turn_radps: float = 0.0
    fall_mps: float = 0.0
    fall_from_m: float | None = None
    support_m: float = 0.0
    travelled_m: float = 0.0
    speed_mps: float = 0.0
    actual_mps: tuple[float, float] = (0.0, 0.0)
    set_mps: tuple[float, float] = (0.0, 0.0)
    turn_rate_radps: float = 0.0
    going_well: float = 1.0
    """Running mean of actual over commanded progress."""


class Mover:
    """One agent in one engine; positions are in engine coordinates.

    ``step_count`` counts physics steps since spawn, ``command`` is what is being followed,
    ``touching`` names what was touched in the latest step, ``on_step`` is called after each.
    """

    def __init__(self, engine: Engine, body: AgentBody, settings: MoverSettings) -> None:
        self.body = body
        self.settings = settings
        self.time_ns = 0
        self.displacement_m = 0.0
        self.pushed_m = 0.0
        self.highest_step_m = 0.0
        self.is_spawn_blocked = False
        self.command = DriveCommand()
        self.touching: frozenset[str] = frozenset()
        self.on_step: Callable[[], None] | None = None
        self._engine = engine
        self._footprint = Footprint(body)
        self._ground = GroundRays(engine, self._footprint, body, settings)
        self._probe = ObstacleProbe(engine, self._footprint, body, settings, self.lift_m)
        travel_m = settings.look_ahead_steps * body.top_speed_mps / settings.physics_hz
        self._reach_m = settings.contact_offset_m + max(settings.contact_offset_m, travel_m)
        self._guard = StairGuard(settings, body.climbs_stairs)
        self._motion = _Motion()
        self.step_count = 0
        self._pose = Pose(0.0, 0.0, 0.0, 0.0)
        self._touched: dict[str, Contact] = {}
        self._step_met: tuple[float, float] = (0.0, -math.inf)
        self._clearance: tuple[int, float | None] = (0, None)
        self._obstacle: tuple[Contact, float, float] | None = None

    @property
    def _solves_per_step(self) -> int:
        travel_m = self.body.top_speed_mps / self.settings.physics_hz
        return max(1, math.ceil(travel_m / self.settings.solve_travel_m - 1e-9))

    @property
    def lift_m(self) -> float:
        """How high the collider's bottom hangs above the feet."""
        margin = self.body.step_limit_m + self.settings.lift_margin_m
        return min(margin, self.body.height_m - _MIN_COLLIDER_M)

    @property
    def drop_limit_m(self) -> float:
        """Deepest drop that is a step down and not a fall."""
        return max(self.body.step_limit_m, self.settings.drop_limit_m)

    @property
    def rates(self) -> tuple[float, float]:
        """Actual horizontal speed (m/s) and turn rate (rad/s) in the latest step."""
        return self._motion.speed_mps, self._motion.turn_rate_radps

    @property
    def pose(self) -> Pose:
        """The agent's feet; on uneven ground the highest point under the footprint."""
        return self._pose

    def spawn(self, floor_m: Vec3, yaw_rad: float) -> Telemetry:
        """Put the agent on the floor at or below a point.

        An agent that overlaps its surroundings stays there; ``is_spawn_blocked`` says so and
        the telemetry names what it overlaps.

        Raises:
            NoFloorError: If no floor lies within 2.5 m below.
        """
        self._engine.remove_agent()
        ground_m = self._ground.find(floor_m, yaw_rad)
        self._pose = Pose(floor_m[0], floor_m[1], ground_m, yaw_rad)
        self._motion.support_m = ground_m
        body = self.body
        collider = Collider(
            body.shape,
            body.width_m,
            body.depth_m,
            self.lift_m,
            body.height_m,
            self._reach_m - self.settings.contact_offset_m,
            self._solves_per_step,
            body.key,
        )
        self._engine.spawn_agent(collider, self._pose)
        self._engine.set_velocity(0.0, 0.0, 0.0, 0.0)
        self._engine.step()
        self.is_spawn_blocked = self._engine.deepest_overlap_m() > _SPAWN_OVERLAP_M
        if self.is_spawn_blocked:
            self._touched = {contact.object: contact for contact in self._engine.contacts()}
        self._engine.spawn_agent(collider, self._pose)
        self._clearance = (0, self._probe.clearance_m(self._pose))
        return self.telemetry()

    def advance(self, command: DriveCommand, steps: int) -> None:
        """Drive for a number of physics steps."""
        self.command = command
        for _ in range(steps):
            self._step(command)
            if self.on_step is not None:
                self.on_step()

    def halt(self) -> None:
        """Stand still from the next step on, without braking."""
        motion = self._motion
        motion.forward_mps = motion.left_mps = motion.turn_radps = 0.0

    def telemetry(self, *, looks_around: bool = True) -> Telemetry:
        """The agent now; the contacts gathered since the previous call.

        Args:
            looks_around: Whether the clearance is wanted, whose rays cost as much as many steps.
        """
        motion = self._motion
        blocked_by = self._blocked_by()
        contacts = tuple(self._touched.values())
        if blocked_by != "spawn":
            self._touched = {}
        step_m, at_m = self._step_met
        if looks_around and not contacts:
            self._look_around()
        return Telemetry(
            time_ns=self.time_ns,
            position_m=self.floor_position_m(),
            yaw_rad=self._pose.yaw_rad,
            speed_mps=motion.speed_mps,
            turn_rate_radps=motion.turn_rate_radps,
            contacts=contacts,
            step_met_m=step_m if motion.travelled_m - at_m < 0.5 else 0.0,
            highest_step_m=self.highest_step_m,
            displacement_m=self.displacement_m,
            pushed_m=self.pushed_m,
            clearance_m=0.0 if contacts else self._clearance[1],
            blocked_by=blocked_by,
            is_falling=motion.fall_from_m is not None,
        )

    def floor_position_m(self) -> Vec3:
        """The floor point under the centre of the body; the feet where there is none."""
        x, y, z, _ = self._pose
        top = z + self.body.step_limit_m + RAY_START_M
        hit = self._engine.raycast_hit((x, y, top), DOWN, self.body.step_limit_m + 0.5)
        return (x, y, z if hit is None else top - hit.distance_m)

    @property
    def is_fallen_for_good(self) -> bool:
        """Whether the agent fell so deep that there can be no floor."""
        start = self._motion.fall_from_m
        return start is not None and start - self._pose.z_m > self.settings.fall_end_m

    def _step(self, command: DriveCommand) -> None:
        settings, motion, pose = self.settings, self._motion, self._pose
        dt = 1.0 / settings.physics_hz
        self._steer(command, dt)
        cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        vx = cos * motion.forward_mps - sin * motion.left_mps
        vy = sin * motion.forward_mps + cos * motion.left_mps
        vx, vy = self._heed_stairs(vx, vy, dt)
        support_m = self._support(vx, vy, dt)
        if support_m is None:
            vx, vy = self._slip_off()
            motion.set_mps = motion.actual_mps
        vz = self._vertical_speed(support_m, math.hypot(vx, vy), dt)
        self._engine.set_velocity(*self._pushed(vx, vy, dt), vz, motion.turn_radps)
        self._engine.step()
        self._pose = self._engine.pose()
        self.step_count += 1
        self.time_ns = self.step_count * 1_000_000_000 // settings.physics_hz
        self._measure(pose, vx, vy, dt)

    def _look_around(self) -> None:
        """Measure the clearance where it is older than the steps it may be."""
        if self.step_count - self._clearance[0] >= self.settings.clearance_every_steps:
            self._clearance = (self.step_count, self._probe.clearance_m(self._pose))

    def _steer(self, command: DriveCommand, dt: float) -> None:
        body, settings, motion = self.body, self.settings, self._motion
        forward, left = command.forward_mps, command.left_mps
        if body.drive != "holonomic":
            left = 0.0
        speed = math.hypot(forward, left)
        if speed > body.top_speed_mps:
            forward, left = (v * body.top_speed_mps / speed for v in (forward, left))
        motion.forward_mps = _approach(motion.forward_mps, forward, settings, dt)
        motion.left_mps = _approach(motion.left_mps, left, settings, dt)
        limit = settings.turn_rate_limit_radps
        if body.drive == "car_like":
            limit = min(limit, abs(motion.forward_mps) / body.min_turning_radius_m)
        motion.turn_radps = max(-limit, min(limit, command.turn_radps))

    def _pushed(self, vx: float, vy: float, dt: float) -> tuple[float, float]:
        """The velocity to set: what an obstacle took is regained no faster than by pushing.

        Without this limit a wedge, such as a round hull between two door posts, is entered
        with unlimited force, and a door 3 cm too narrow lets the agent through.
        """
        actual, wanted = self._motion.actual_mps, self._motion.set_mps
        if math.dist(actual, wanted) > self.settings.strict_step_m / dt:
            lost_x, lost_y = vx - actual[0], vy - actual[1]
            lost = math.hypot(lost_x, lost_y)
            most = self.settings.push_mps2 * max(1.0, math.hypot(vx, vy)) * dt
            if lost > most:
                vx -= (1.0 - most / lost) * lost_x
                vy -= (1.0 - most / lost) * lost_y
        self._motion.set_mps = (vx, vy)
        return vx, vy

    def _heed_stairs(self, vx: float, vy: float, dt: float) -> tuple[float, float]:
        if self.body.climbs_stairs:
            return vx, vy
        x, y, z, yaw = self._pose
        speed = math.hypot(vx, vy)
        angle = math.atan2(vy, vx) - yaw if speed > 0.02 else 0.0
        # Every other step will do: risers are further apart than two steps of travel.
        if not self._guard.is_blocking and self.step_count % 2 == 0:
            reach = speed * dt + self._reach_m
            fronts = [self._in_scene(angle + offset, reach) for offset in _PROBE_ANGLES_RAD]
            top = z + self.body.step_limit_m + RAY_START_M
            origins = np.array([(px, py, top) for px, py in fronts])
            nearest = min(self._engine.raycast(origins, DOWN, self.body.step_limit_m + 1.2))
            height = None if math.isinf(nearest) else top - nearest
            heading = angle + yaw
            self._guard.observe(fronts[0], height, (math.cos(heading), math.sin(heading)))
        return self._guard.clip((x, y), (vx, vy))

    def _in_scene(self, angle_rad: float, reach_m: float) -> tuple[float, float]:
        x, y, _, yaw = self._pose
        edge_x, edge_y = self._footprint.edge_point(angle_rad)
        scale = 1.0 + reach_m / math.hypot(edge_x, edge_y)
        cos, sin = math.cos(yaw) * scale, math.sin(yaw) * scale
        return (x + cos * edge_x - sin * edge_y, y + sin * edge_x + cos * edge_y)

    def _support(self, vx: float, vy: float, dt: float) -> float | None:
        """Height of the ground that carries the agent after the coming step."""
        motion, z = self._motion, self._pose.z_m
        speed = math.hypot(vx, vy)
        ahead = dt + (self._reach_m / speed if speed > 1e-6 else 0.0)
        # An edge that pushes the body up a little must not let it see higher steps.
        is_pushed_up = 0.0 < z - motion.support_m < 0.01
        foot_m = motion.support_m if is_pushed_up else z
        depth_m = self.drop_limit_m + 0.002
        if motion.fall_from_m is not None:
            depth_m = motion.fall_mps * dt + 0.01
        return self._ground.support(
            self._pose, (vx * ahead, vy * ahead), foot_m, depth_m, self._guard.ceiling_m
        )

    def _slip_off(self) -> tuple[float, float]:
        """Horizontal velocity of a falling body: none, unless it hangs on an edge it left.

        The ground is looked at ahead of the hull, whose rear still stands over the edge by up to
        3 cm when the fall begins. Whoever hangs there tips over and slips off outwards.
        """
        if self._motion.fall_from_m is None:
            return 0.0, 0.0
        held = [c for c in self._engine.contacts() if c.normal[2] > _CARRIES_NORMAL_Z]
        if not held:
            return 0.0, 0.0
        self._motion.fall_mps = 0.0
        x, y, _, _ = self._pose
        out_x = sum(x - contact.point_m[0] for contact in held)
        out_y = sum(y - contact.point_m[1] for contact in held)
        length = math.hypot(out_x, out_y)
        if length < 1e-9:
            return 0.0, 0.0
        return out_x / length * _SLIP_MPS, out_y / length * _SLIP_MPS

    def _vertical_speed(self, support_m: float | None, speed_mps: float, dt: float) -> float:
        settings, motion, z = self.settings, self._motion, self._pose.z_m
        if support_m is None:
            if motion.fall_from_m is None:
                motion.fall_from_m = z
            if self.is_fallen_for_good:
                motion.fall_mps = 0.0
            else:
                motion.fall_mps += settings.gravity_mps2 * dt
            return -motion.fall_mps
        if motion.fall_from_m is not None:
            motion.fall_from_m, motion.fall_mps = None, 0.0
            motion.support_m = support_m
            return (support_m - z) / dt
        self._note_step(support_m - motion.support_m, speed_mps * dt)
        motion.support_m = support_m
        slowest = max(1.0, speed_mps)
        rise, sink = settings.max_rise_mps * slowest, settings.max_sink_mps * slowest
        return max(-sink, min(rise, (support_m - z) / dt))

    def _note_step(self, change_m: float, travel_m: float) -> None:
        # A slope of up to 30 degrees is no step.
        if abs(change_m) > 0.003 + 0.58 * travel_m:
            self._step_met = (change_m, self._motion.travelled_m)
            self.highest_step_m = max(self.highest_step_m, change_m)

    def _measure(self, before: Pose, vx: float, vy: float, dt: float) -> None:
        motion, after = self._motion, self._pose
        dx, dy = after.x_m - before.x_m, after.y_m - before.y_m
        moved = math.hypot(dx, dy)
        motion.travelled_m += moved
        motion.speed_mps = moved / dt
        motion.actual_mps = (dx / dt, dy / dt)
        motion.turn_rate_radps = math.remainder(after.yaw_rad - before.yaw_rad, math.tau) / dt
        deviation = math.hypot(dx - vx * dt, dy - vy * dt)
        if deviation > self.settings.strict_step_m:
            self.displacement_m += deviation
        off_line_m = _off_line((dx, dy), (vx * dt, vy * dt))
        if off_line_m > self.settings.strict_step_m:
            self.pushed_m += off_line_m
        speed = math.hypot(vx, vy)
        progress = 1.0
        if speed > 1e-6:
            progress = (dx * vx + dy * vy) / (speed * speed * dt)
        motion.going_well = 0.9 * motion.going_well + 0.1 * progress
        contacts = self._engine.contacts()
        self.touching = frozenset(contact.object for contact in contacts)
        for contact in contacts:
            self._touched.setdefault(contact.object, contact)
            if speed > 1e-6 and contact.normal[0] * vx + contact.normal[1] * vy < -0.3 * speed:
                self._obstacle = (contact, vx / speed, vy / speed)

    def _blocked_by(self) -> str | None:
        if self._motion.fall_from_m is not None:
            return "drop"
        if self.is_spawn_blocked and self.step_count == 0:
            return "spawn"
        if self._guard.is_blocking:
            return "stairs"
        if self._motion.going_well > 0.2 or self._obstacle is None:
            return None
        contact, ux, uy = self._obstacle
        kind, top_m = self._probe.kind_of_obstacle(self._pose, contact, (ux, uy))
        if top_m is not None:
            self._step_met = (top_m, self._motion.travelled_m)
        return kind


def _off_line(moved: tuple[float, float], wanted: tuple[float, float]) -> float:
    """How far a motion ended beside the wanted one; not getting as far along it is none."""
    length_2 = wanted[0] ** 2 + wanted[1] ** 2
    if length_2 < 1e-18:
        return math.hypot(*moved)
    along = (moved[0] * wanted[0] + moved[1] * wanted[1]) / length_2
    share = min(max(along, 0.0), 1.0)
    return math.hypot(moved[0] - share * wanted[0], moved[1] - share * wanted[1])


def _approach(now: float, wanted: float, settings: MoverSettings, dt: float) -> float:
    """Change a speed no faster than the agent accelerates, or brakes towards zero."""
    is_braking = abs(wanted) < abs(now) or now * wanted < 0
    most = (settings.braking_mps2 if is_braking else settings.acceleration_mps2) * dt
    return now + max(-most, min(most, wanted - now))
