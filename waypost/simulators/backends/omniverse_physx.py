"""What all engines on the PhysX of Omniverse share: how its one body moves and what it touches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Collider, Pose, RayHit, SceneMesh, clean_meshes
from waypost.simulators.backends.free_motion import free_pose, is_rounded
from waypost.simulators.backends.hull import SKIN_M, TOUCH_M
from waypost.simulators.backends.usd_text import (
    FRICTION,
    FRICTION_COMBINE_MODE,
    PRISM_SIDES,
    SOLVER_ITERATIONS,
)
from waypost.simulators.protocol import Contact, EngineParameters, MoverSettings, Vec3

PARAMETERS = EngineParameters(
    SOLVER_ITERATIONS, FRICTION, PRISM_SIDES, SKIN_M, FRICTION_COMBINE_MODE
)
"""Of every engine whose scene and agent are made by ``usd_text``."""


class TouchPoint(NamedTuple):
    """One point at which the body is close to a mesh, as PhysX found it."""

    mesh: int
    """Index of the mesh."""

    point_m: Vec3
    normal: Vec3
    push: float
    """How strongly they push each other, in N or Ns as PhysX tells it; 0 if they do not."""

    separation_m: float
    """Between the rest surfaces; negative where they overlap."""


class OmniverseSession(Protocol):
    """One scene and one body in the PhysX of Omniverse."""

    def place(self, pose: Pose) -> None:
        """Put the body there at once."""

    def pose(self) -> Pose:
        """Where the body is."""

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Of the body, for the next step."""

    def step(self, timestep_s: float) -> None:
        """Advance by one solve of this length."""

    def raycast(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along a ray, from whichever side."""

    def touch_points(self) -> list[TouchPoint]:
        """Where the body was close to something in the latest step."""


class OmniversePhysx:
    """The part of an ``Engine`` that does not depend on how its PhysX is reached.

    Args:
        settings: Of the mover.
        away: Where an agent waits that was taken away; making it anew costs more than moving it.
    """

    def __init__(self, settings: MoverSettings, away: Pose) -> None:
        self._settings = settings
        self._timestep_s = 1.0 / settings.physics_hz
        self._away = away
        self._collider: Collider | None = None
        self._names: list[str] = []
        self._pose = away
        self._velocity = (0.0, 0.0, 0.0, 0.0)
        self._touching: list[TouchPoint] | None = None

    @property
    def _world(self) -> OmniverseSession:
        raise NotImplementedError

    def remove_agent(self) -> None:
        """Take the agent away."""
        if self._collider is not None:
            self._place(self._away)

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Distances to the first surface; one engine call per ray (8 µs each in ovphysx)."""
        cast = self._world.raycast
        hits = [cast((x, y, z), direction, length_m) for x, y, z in origins.tolist()]
        return [math.inf if hit is None else hit.distance_m for hit in hits]

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along one ray."""
        return self._world.raycast(origin, direction, length_m)

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step; contacts may change it."""
        self._velocity = (x_mps, y_mps, z_mps, turn_radps)
        self._world.set_velocity(*self._velocity)

    def step(self) -> None:
        """Advance by one physics step.

        An agent that nothing but rounding took off the way that was set is put there.
        """
        solves = 1 if self._collider is None else self._collider.solves_per_step
        for _ in range(solves):
            self._world.step(self._timestep_s / solves)
        self._touching = None
        if self._collider is None:
            return
        free = free_pose(self._pose, self._velocity, self._timestep_s)
        met = self._world.pose()
        is_pushed = any(touch.push > 0.0 for touch in self._touching_points())
        if not is_pushed and is_rounded(free, met, solves * SOLVER_ITERATIONS):
            self._place(free)
        else:
            self._pose = met

    def pose(self) -> Pose:
        """Where the agent's feet are."""
        return self._pose

    def contacts(self) -> list[Contact]:
        """What touched the agent in the latest step."""
        return [
            Contact(touch.point_m, touch.normal, self._names[touch.mesh])
            for touch in self._touching_points()
        ]

    def deepest_overlap_m(self) -> float:
        """How far the agent and its surroundings overlapped."""
        return max((SKIN_M - touch.separation_m for touch in self._touching_points()), default=0.0)

    def _named(self, meshes: Sequence[SceneMesh]) -> tuple[list[SceneMesh], list[str]]:
        """The meshes of another scene as PhysX can have them.

        Returns:
            First those that collide, in the order of their names; then what is only seen.
        """
        usable, problems = clean_meshes([mesh for mesh in meshes if mesh.collides])
        self._names = [mesh.name for mesh in usable]
        seen, _ = clean_meshes([mesh for mesh in meshes if not mesh.collides])
        return [*usable, *seen], problems

    def _rest_at(self, pose: Pose) -> None:
        """Put a new agent there, at rest."""
        self._place(pose)
        self.set_velocity(0.0, 0.0, 0.0, 0.0)
        self._touching = []

    def _place(self, pose: Pose) -> None:
        self._pose = pose
        self._world.place(pose)

    def _touching_points(self) -> list[TouchPoint]:
        if self._touching is None:
            touching = [
                touch
                for touch in self._world.touch_points()
                if touch.separation_m < SKIN_M + TOUCH_M or touch.push > 0.0
            ]
            # By object, then push, every run is the same.
            touching.sort(key=lambda touch: (touch.mesh, -touch.push, touch.point_m))
            self._touching = touching
        return self._touching
