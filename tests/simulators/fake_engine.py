"""A deterministic engine of boxes without dependencies, only for tests of what sits above it.

It is no physics: every object is the solid box that bounds its triangles, the agent is an
upright round or box-shaped hull, and a move that would enter a box is cut to the axis on which
it would not. Ramps, doorways within one mesh and tilted walls therefore do not exist here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Collider, Pose, RayHit, SceneMesh, clean_meshes
from waypost.simulators.protocol import Contact, EngineInfo, MoverSettings, Vec3

_TOUCH_M = 1e-6


class FakeEngine:
    """A world of axis-aligned boxes; see ``Engine`` for what its methods promise."""

    def __init__(self, settings: MoverSettings) -> None:
        self.info = EngineInfo("fake", "1", "Fake engine of boxes, for tests only")
        self._timestep_s = 1.0 / settings.physics_hz
        self._names: list[str] = []
        self._low = np.zeros((0, 3))
        self._high = np.zeros((0, 3))
        self._boxes: list[tuple[list[float], list[float]]] = []
        self._collider: Collider | None = None
        self._pose = Pose(0.0, 0.0, 0.0, 0.0)
        self._velocity = (0.0, 0.0, 0.0, 0.0)
        self._contacts: list[Contact] = []

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene by the boxes that bound its objects."""
        self._collider = None
        solid, problems = clean_meshes(meshes)
        self._names = [mesh.name for mesh in solid]
        self._low = np.array([m.vertices.min(axis=0) for m in solid], float).reshape(-1, 3)
        self._high = np.array([m.vertices.max(axis=0) for m in solid], float).reshape(-1, 3)
        # Rays are cast one by one: numpy would take ten times as long for so few boxes.
        self._boxes = list(zip(self._low.tolist(), self._high.tolist()))
        return problems

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent."""
        self._collider, self._pose, self._contacts = collider, pose, []

    def remove_agent(self) -> None:
        """Take the agent away; rays never meet it here."""
        self._collider = None

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Distances to the first box."""
        return [self._nearest(origin, direction, length_m)[0] for origin in origins.tolist()]

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first box along one ray."""
        distance, axis = self._nearest(origin, direction, length_m)
        if math.isinf(distance):
            return None
        normal = [0.0, 0.0, 0.0]
        normal[axis] = -math.copysign(1.0, direction[axis])
        return RayHit(distance, (normal[0], normal[1], normal[2]))

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step."""
        self._velocity = (x_mps, y_mps, z_mps, turn_radps)

    def step(self) -> None:
        """Move along each axis in turn, as far as no box is entered."""
        dt = self._timestep_s
        vx, vy, vz, turn = self._velocity
        self._contacts = self._overlaps(self._pose, vx, vy)
        start = self._pose
        for move in (
            start._replace(x_m=start.x_m + vx * dt),
            start._replace(y_m=start.y_m + vy * dt),
            start._replace(z_m=start.z_m + vz * dt),
            start._replace(yaw_rad=math.remainder(start.yaw_rad + turn * dt, math.tau)),
        ):
            moved = Pose(
                *(new if new != old else now for new, old, now in zip(move, start, self._pose))
            )
            blocking = self._overlaps(moved, vx, vy)
            if blocking and not self._contacts:
                self._contacts = blocking
            elif not blocking or self._contacts == blocking:
                self._pose = moved

    def pose(self) -> Pose:
        """Where the agent is."""
        return self._pose

    def contacts(self) -> list[Contact]:
        """What stopped the latest step."""
        return self._contacts

    def deepest_overlap_m(self) -> float:
        """Depth of the deepest overlap, by boxes."""
        depths = [self._depth(index) for index in self._overlapping(self._pose)]
        return max(depths, default=0.0)

    def _nearest(self, origin: Vec3, direction: Vec3, length_m: float) -> tuple[float, int]:
        """The distance to the first box, and the axis that the ray enters it along."""
        best = (math.inf, 2)
        for low, high in self._boxes:
            found = _entry(low, high, origin, direction)
            if found is not None and found[0] <= length_m and found[0] < best[0]:
                best = found
        return best

    def _overlaps(self, pose: Pose, vx: float, vy: float) -> list[Contact]:
        contacts = []
        for index in self._overlapping(pose):
            axis = 0 if abs(vx) >= abs(vy) else 1
            normal = [0.0, 0.0, 0.0]
            normal[axis] = -math.copysign(1.0, (vx, vy)[axis])
            point = np.clip((pose.x_m, pose.y_m, pose.z_m), self._low[index], self._high[index])
            x, y, z = (float(value) for value in point)
            contacts.append(
                Contact((x, y, z), (normal[0], normal[1], normal[2]), self._names[index])
            )
        return contacts

    def _overlapping(self, pose: Pose) -> list[int]:
        collider = self._collider
        if collider is None:
            return []
        bottom, top = pose.z_m + collider.bottom_m, pose.z_m + collider.top_m
        tall = (self._low[:, 2] < top - _TOUCH_M) & (self._high[:, 2] > bottom + _TOUCH_M)
        return [int(i) for i in np.flatnonzero(tall) if self._meets_in_plan(pose, collider, int(i))]

    def _meets_in_plan(self, pose: Pose, collider: Collider, index: int) -> bool:
        low, high = self._low[index, :2], self._high[index, :2]
        centre = np.array([pose.x_m, pose.y_m])
        if collider.shape != "box":
            gap = np.linalg.norm(centre - np.clip(centre, low, high))
            return bool(gap < collider.width_m / 2 - _TOUCH_M)
        cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        ahead, aside = np.array([cos, sin]), np.array([-sin, cos])
        half = (high - low) / 2
        between = centre - (high + low) / 2
        for axis in (np.array([1.0, 0.0]), np.array([0.0, 1.0]), ahead, aside):
            reach = (
                abs(axis @ ahead) * collider.depth_m / 2
                + abs(axis @ aside) * collider.width_m / 2
                + np.abs(axis) @ half
            )
            if abs(between @ axis) >= reach - _TOUCH_M:
                return False
        return True

    def _depth(self, index: int) -> float:
        pose, collider = self._pose, self._collider
        if collider is None:
            return 0.0
        half = collider.width_m / 2
        centre = np.array([pose.x_m, pose.y_m])
        sides = np.minimum(
            centre + half - self._low[index, :2], self._high[index, :2] - centre + half
        )
        return float(sides.min())


def _entry(
    low: Sequence[float], high: Sequence[float], origin: Vec3, direction: Vec3
) -> tuple[float, int] | None:
    enter, leave, axis = -math.inf, math.inf, 0
    for index, (start, towards) in enumerate(zip(origin, direction)):
        if abs(towards) < 1e-12:
            if not low[index] <= start <= high[index]:
                return None
            continue
        near = (low[index] - start) / towards
        far = (high[index] - start) / towards
        if towards < 0:
            near, far = far, near
        if near > enter:
            enter, axis = near, index
        leave = min(leave, far)
    distance = enter if enter >= 0 else leave
    return (distance, axis) if enter <= leave and distance >= 0 else None


def build_engine(settings: MoverSettings) -> FakeEngine:
    """The engine behind the backend key ``fake``."""
    return FakeEngine(settings)
