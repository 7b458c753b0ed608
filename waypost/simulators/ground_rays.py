"""Rays under an agent's footprint: which ground within its step limit carries it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Engine, Pose
from waypost.simulators.footprint import Footprint
from waypost.simulators.protocol import AgentBody, MoverSettings, Vec3

DOWN: Vec3 = (0.0, 0.0, -1.0)

RAY_START_M = 0.0005
"""Rays start this much above the step limit, so that a step of exactly the limit is seen."""

_SPAWN_SPACING_M = 0.05
_SPAWN_DROP_M = 2.5
_FORGIVEN_M = 0.25
"""A place that is given this much below its floor still means that floor."""

_SECTORS = 16
_LEVEL_M = 0.002
"""Ground that rises no more than this above the feet needs no look at its slope."""


class NoFloorError(Exception):
    """There is nothing to stand on; the text is for the user."""


class GroundRays:
    """What is known of the ground under one agent.

    The leading edge is looked at in every step, the rest of the footprint in turns: a riser
    is met by the edge first, and the other points only decide when ground is left behind.
    """

    def __init__(
        self, engine: Engine, footprint: Footprint, body: AgentBody, settings: MoverSettings
    ) -> None:
        self._engine = engine
        self._footprint = footprint
        self._limit_m = body.step_limit_m
        self._forgiven_m = min(_FORGIVEN_M, 0.9 * body.height_m)
        self._min_normal_z = math.cos(settings.slope_limit_rad)
        points = footprint.points(settings.ray_spacing_m)
        self._heights = [-math.inf] * len(points)
        self._turn = 0
        self._plans = _ray_plans(body, settings.ray_spacing_m, settings.ray_turns)

    def find(self, floor_m: Vec3, yaw_rad: float) -> float:
        """Height of the ground for an agent that is put down at or below a point.

        Starts at the floor under the centre and rises while higher ground within the step
        limit appears: onto the upper side of a ramp, never onto a table.

        Raises:
            NoFloorError: If no floor lies within 2.5 m below.
        """
        x, y, _ = floor_m
        ground = self._floor_near(floor_m)
        points = _with_one(self._footprint.points(_SPAWN_SPACING_M))
        while True:
            start = ground + self._limit_m + RAY_START_M
            origins = _placed(points, x, y, yaw_rad, start)
            nearest = min(self._engine.raycast(origins, DOWN, self._limit_m + 0.01))
            if math.isinf(nearest) or start - nearest <= ground + 1e-5:
                self._heights = [ground] * len(self._heights)
                return ground
            ground = start - nearest

    def _floor_near(self, floor_m: Vec3) -> float:
        x, y, z = floor_m
        below: list[float] = []
        # A point a little below its floor is forgiven, but only if no floor lies close to it.
        for above_m in (max(self._limit_m, 0.05), self._forgiven_m):
            hit = self._engine.raycast_hit((x, y, z + above_m), DOWN, _SPAWN_DROP_M + above_m)
            if hit is not None:
                floor = z + above_m - hit.distance_m
                if floor > z - _FORGIVEN_M:
                    return floor
                below.append(floor)
        if not below:
            raise NoFloorError(f"there is no floor within {_SPAWN_DROP_M} m below this point")
        return below[0]

    def support(
        self,
        pose: Pose,
        ahead_m: tuple[float, float],
        foot_m: float,
        depth_m: float,
        ceiling_m: float | None,
    ) -> float | None:
        """Height of the highest ground that may carry the agent; ``None`` if there is none.

        Args:
            pose: The agent now.
            ahead_m: How far the footprint is moved on in plan before looking.
            foot_m: Height that the step limit counts from.
            depth_m: How far below the feet ground still counts.
            ceiling_m: Ground above this does not count.
        """
        x, y, z, yaw = pose
        plan = self._plans[_sector(math.atan2(ahead_m[1], ahead_m[0]) - yaw)][self._turn]
        self._turn = (self._turn + 1) % len(self._plans[0])
        indices, points = plan
        top = foot_m + self._limit_m + RAY_START_M
        length = top - z + depth_m
        origins = _placed(points, x + ahead_m[0], y + ahead_m[1], yaw, top)
        heights = self._heights
        for index, distance in zip(indices, self._engine.raycast(origins, DOWN, length)):
            heights[index] = top - distance
        while True:
            best = max(heights)
            if ceiling_m is not None and best > ceiling_m:
                best = max((h for h in heights if h <= ceiling_m), default=-math.inf)
            if best < z - depth_m:
                return None
            if best <= z + _LEVEL_M:
                return best
            index = heights.index(best)
            if index not in indices or self._is_walkable(origins[indices.index(index)], length):
                return best
            heights[index] = -math.inf

    def _is_walkable(self, origin: NDArray[np.float64], length_m: float) -> bool:
        hit = self._engine.raycast_hit((origin[0], origin[1], origin[2]), DOWN, length_m)
        return hit is not None and hit.normal[2] >= self._min_normal_z


_Plan = tuple[list[int], NDArray[np.float64]]


@lru_cache(maxsize=16)
def _ray_plans(body: AgentBody, spacing_m: float, turns: int) -> list[list[_Plan]]:
    """For every direction of travel and turn: which points to look at."""
    footprint = Footprint(body)
    points = footprint.points(spacing_m)
    plans = []
    for sector in range(_SECTORS):
        angle = sector * math.tau / _SECTORS
        leads = [footprint.is_leading(float(x), float(y), angle) for x, y in points]
        edge = [index for index, leading in enumerate(leads) if leading]
        others = [index for index, leading in enumerate(leads) if not leading]
        rows = [edge + others[turn::turns] for turn in range(turns)]
        plans.append([(row, _with_one(points[row])) for row in rows])
    return plans


def _with_one(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([points, np.ones(len(points))])


def _sector(angle_rad: float) -> int:
    return round(angle_rad * _SECTORS / math.tau) % _SECTORS


def _placed(
    points: NDArray[np.float64], x_m: float, y_m: float, yaw_rad: float, z_m: float
) -> NDArray[np.float64]:
    """(N, 3) scene points of (N, 3) points x, y, 1 of the agent's frame."""
    cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
    frame = np.array(((cos, sin, 0.0), (-sin, cos, 0.0), (x_m, y_m, z_m)))
    placed: NDArray[np.float64] = points @ frame
    return placed
