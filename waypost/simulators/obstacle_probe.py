"""Looks at what surrounds an agent: how near it is, and what kind of thing stops it."""

from __future__ import annotations

import math

from waypost.simulators.backends.engine import Engine, Pose
from waypost.simulators.footprint import Footprint
from waypost.simulators.ground_rays import DOWN
from waypost.simulators.protocol import AgentBody, Contact, MoverSettings, Vec3

_STEP_TOP_LIMIT_M = 0.30
"""Nobody builds higher single steps; what is higher is called an obstacle."""

_BEHIND_FACE_M = (0.03, 0.15, 0.30, 0.45, 0.60)
_ABOVE_TOP_M = 0.02
_PAST_FACE_M = 0.0005
_OWN_HULL_M = 0.001
"""A ray that hits something nearer than this began in the agent itself."""

_LOOK_FROM_M = 1.2
_OVERHEAD_REACH_M = 0.6


class ObstacleProbe:
    """Rays from and beside the hull of one agent."""

    def __init__(
        self,
        engine: Engine,
        footprint: Footprint,
        body: AgentBody,
        settings: MoverSettings,
        lift_m: float,
    ) -> None:
        self._engine = engine
        self._footprint = footprint
        self._outward = footprint.outward_rays()
        self._body = body
        self._settings = settings
        low, high = lift_m + 0.01, body.height_m - 0.01
        self._heights = (low, (low + high) / 2, high)

    def clearance_m(self, pose: Pose) -> float | None:
        """Nearest horizontal distance from the hull to anything, by 12 rays at 3 heights."""
        x, y, z, yaw = pose
        reach = self._settings.clearance_range_m
        cos, sin = math.cos(yaw), math.sin(yaw)
        nearest = math.inf
        for px, py, angle in self._outward:
            towards = (math.cos(angle + yaw), math.sin(angle + yaw), 0.0)
            start_x = x + cos * px - sin * py + 0.001 * towards[0]
            start_y = y + sin * px + cos * py + 0.001 * towards[1]
            for height in self._heights:
                hit = self._engine.raycast_hit((start_x, start_y, z + height), towards, reach)
                if hit is not None:
                    nearest = min(nearest, hit.distance_m + 0.001)
        return None if math.isinf(nearest) else nearest

    def _is_overhead(self, pose: Pose, contact: Contact) -> bool:
        """Whether what is touched hangs in the upper half of the agent, with nothing below."""
        half = pose.z_m + self._body.height_m / 2
        px, py, pz = contact.point_m
        nx, ny, _ = contact.normal
        flat = math.hypot(nx, ny)
        if pz < half or flat < 0.1:
            return False
        ux, uy = -nx / flat, -ny / flat
        low = pose.z_m + self._heights[0]
        behind_x, behind_y = px + 0.03 * ux, py + 0.03 * uy
        has_lower_side = self._engine.raycast_hit((behind_x, behind_y, pz), DOWN, pz - half)
        stands = self._engine.raycast_hit((behind_x, behind_y, half), DOWN, half - low)
        if has_lower_side is None or stands is not None:
            return False
        starts = [(px + 0.002 * ux, py + 0.002 * uy, z) for z in (low, (low + half) / 2, half)]
        towards = (ux, uy, 0.0)
        return all(
            self._engine.raycast_hit(start, towards, _OVERHEAD_REACH_M) is None for start in starts
        )

    def _stands_above(
        self, pose: Pose, contact: Contact, direction: tuple[float, float], top_m: float
    ) -> bool:
        """Whether something stands at the face above what looked like the top of a step.

        Behind a thin wall, and past the end of one that a corner of the agent hits, there may
        be anything: a ledge, a skirting, a bed.
        """
        px, py, _ = contact.point_m
        nx, ny, _ = contact.normal
        flat = math.hypot(nx, ny)
        ways = [direction] if flat < 0.1 else [direction, (-nx / flat, -ny / flat)]
        low = top_m + _ABOVE_TOP_M
        heights = [low, *(h for h in self._heights if h > low)]
        behind = _BEHIND_FACE_M[0]
        for ux, uy in ways:
            # From just behind the face, and past the hull from before it.
            starts = [(_PAST_FACE_M, side, behind) for side in (-0.01, 0.0, 0.01)]
            starts += [(-behind, side, 2 * behind) for side in (-behind, behind)]
            for ahead, side, reach in starts:
                x, y = px + ahead * ux - side * uy, py + ahead * uy + side * ux
                if any(
                    self._stands_in_way((x, y, pose.z_m + height), (ux, uy), reach, pose)
                    for height in heights
                ):
                    return True
        return False

    def _stands_in_way(
        self, start: Vec3, direction: tuple[float, float], reach: float, pose: Pose
    ) -> bool:
        """Whether a level ray hits something else than the agent itself."""
        hit = self._engine.raycast_hit(start, (*direction, 0.0), reach)
        if hit is None or hit.distance_m < _OWN_HULL_M:
            return False
        beyond = hit.distance_m + _OWN_HULL_M
        dx = start[0] + beyond * direction[0] - pose.x_m
        dy = start[1] + beyond * direction[1] - pose.y_m
        cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        return not self._footprint.contains(cos * dx + sin * dy, cos * dy - sin * dx)

    def kind_of_obstacle(
        self, pose: Pose, contact: Contact, direction: tuple[float, float]
    ) -> tuple[str, float | None]:
        """Look down just behind a face: a low top is a step, more risers behind it stairs.

        What also stands above that top, such as a thin wall before a ledge, is an obstacle.

        Returns:
            ``step``, ``stairs``, ``overhead`` or ``obstacle``, and the height of a step.
        """
        x, y, z, yaw = pose
        cos, sin = math.cos(yaw), math.sin(yaw)
        tops: list[float] = []
        for ahead in _BEHIND_FACE_M:
            px = contact.point_m[0] + ahead * direction[0]
            py = contact.point_m[1] + ahead * direction[1]
            dx, dy = px - x, py - y
            if self._footprint.contains(cos * dx + sin * dy, cos * dy - sin * dx):
                return "obstacle", None
            hit = self._engine.raycast_hit((px, py, z + _LOOK_FROM_M), DOWN, _LOOK_FROM_M + 0.05)
            tops.append(-math.inf if hit is None else _LOOK_FROM_M - hit.distance_m)
        if self._is_overhead(pose, contact):
            return "overhead", None
        if not self._body.step_limit_m < tops[0] <= _STEP_TOP_LIMIT_M:
            return "obstacle", None
        if self._stands_above(pose, contact, direction, tops[0]):
            return "obstacle", None
        rises = [b - a for a, b in zip(tops, tops[1:])]
        if any(self._settings.riser_min_m < rise <= _STEP_TOP_LIMIT_M for rise in rises):
            return "stairs", tops[0]
        return "step", tops[0]
