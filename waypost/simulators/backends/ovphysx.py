"""NVIDIA's Omniverse PhysX without Kit, on the CPU: the plugin that Isaac Sim simulates with.

The scene is made of the same triangles as on every other engine and given as the text of a USD
stage, so that what collides does not depend on anybody's reader of USD.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import Collider, Pose, RayHit, SceneMesh, clean_mesh
from waypost.simulators.backends.free_motion import free_pose, is_rounded
from waypost.simulators.backends.hull import SKIN_M, TOUCH_M
from waypost.simulators.backends.ovphysx_session import VERSION, ContactPoint, OvphysxSession
from waypost.simulators.backends.usd_text import (
    FRICTION,
    FRICTION_COMBINE_MODE,
    PRISM_SIDES,
    SOLVER_ITERATIONS,
    agent_text,
    scene_text,
)
from waypost.simulators.protocol import Contact, EngineInfo, EngineParameters, MoverSettings, Vec3

_AWAY = Pose(0.0, 0.0, -100_000.0, 0.0)
"""Where an agent waits that was taken away: making it anew costs 10 ms, moving it 10 µs."""


class OvphysxEngine:
    """One world of ovphysx; see ``Engine`` for what its methods promise."""

    def __init__(self, settings: MoverSettings) -> None:
        parameters = EngineParameters(
            SOLVER_ITERATIONS, FRICTION, PRISM_SIDES, SKIN_M, FRICTION_COMBINE_MODE
        )
        self.info = EngineInfo("ovphysx", VERSION, f"ovphysx {VERSION} (PhysX 5.12)", parameters)
        self._settings = settings
        self._session = OvphysxSession()
        self._timestep_s = 1.0 / settings.physics_hz
        self._collider: Collider | None = None
        self._names: list[str] = []
        self._pose = _AWAY
        self._velocity = (0.0, 0.0, 0.0, 0.0)
        self._touching: list[ContactPoint] | None = None

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene; one static collider of exact triangles per object."""
        self._collider = None
        problems: list[str] = []
        usable: list[SceneMesh] = []
        for mesh in meshes:
            cleaned, problem = clean_mesh(mesh)
            if problem:
                problems.append(problem)
            if len(cleaned.faces):
                usable.append(cleaned)
        self._names = [mesh.name for mesh in usable]
        self._session.open_scene(scene_text(usable, self._settings.contact_offset_m))
        return problems

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent; its body's origin is its feet."""
        if collider != self._collider:
            self._session.put_body(agent_text(collider))
            self._collider = collider
        self._place(pose)
        self.set_velocity(0.0, 0.0, 0.0, 0.0)
        self._touching = []

    def remove_agent(self) -> None:
        """Take the agent away."""
        if self._collider is not None:
            self._place(_AWAY)

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Distances to the first surface; one engine call per ray (8 µs each)."""
        cast = self._session.raycast
        hits = [cast(origin, direction, length_m) for origin in origins.tolist()]
        return [math.inf if hit is None else hit.distance_m for hit in hits]

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along one ray."""
        return self._session.raycast(origin, direction, length_m)

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step; contacts may change it."""
        self._velocity = (x_mps, y_mps, z_mps, turn_radps)
        self._session.set_velocity(*self._velocity)

    def step(self) -> None:
        """Advance by one physics step.

        An agent that nothing but rounding took off the way that was set is put there.
        """
        solves = 1 if self._collider is None else self._collider.solves_per_step
        for _ in range(solves):
            self._session.step(self._timestep_s / solves)
        self._touching = None
        if self._collider is None:
            return
        free = free_pose(self._pose, self._velocity, self._timestep_s)
        met = self._session.pose()
        is_pushed = any(touch.force_n != 0.0 for touch in self._touching_points())
        if not is_pushed and is_rounded(free, met, solves * SOLVER_ITERATIONS):
            self._place(free)
        else:
            self._pose = met

    def pose(self) -> Pose:
        """Where the agent's feet are."""
        return self._pose

    def contacts(self) -> list[Contact]:
        """What touched the agent in the latest step."""
        touching = self._touching_points()
        if not touching:
            return []
        x, y, z, _ = self._pose
        collider = self._collider
        middle = 0.0 if collider is None else (collider.bottom_m + collider.top_m) / 2
        centre = (x, y, z + middle)
        return [
            Contact(touch.point_m, _facing(touch, centre), self._names[touch.mesh])
            for touch in touching
        ]

    def deepest_overlap_m(self) -> float:
        """How far the agent and its surroundings overlapped."""
        return max((SKIN_M - touch.separation_m for touch in self._touching_points()), default=0.0)

    def close(self) -> None:
        """End; the folder in which ovphysx keeps what it made of the meshes goes with it."""
        self._session.close()

    def _place(self, pose: Pose) -> None:
        self._pose = pose
        self._session.place(pose)

    def _touching_points(self) -> list[ContactPoint]:
        if self._touching is None:
            touching = [
                touch
                for touch in self._session.contact_points()
                if touch.separation_m < SKIN_M + TOUCH_M or touch.force_n != 0.0
            ]
            # By object, then force, every run is the same.
            touching.sort(key=lambda touch: (touch.mesh, -abs(touch.force_n), touch.point_m))
            self._touching = touching
        return self._touching


def build_engine(settings: MoverSettings) -> OvphysxEngine:
    """The engine behind the backend key ``ovphysx``."""
    return OvphysxEngine(settings)


def _facing(touch: ContactPoint, centre: Vec3) -> Vec3:
    """The normal towards the agent: its hull is convex, so its centre is on that side."""
    nx, ny, nz = touch.normal
    px, py, pz = touch.point_m
    inward = nx * (centre[0] - px) + ny * (centre[1] - py) + nz * (centre[2] - pz)
    return (nx, ny, nz) if inward >= 0 else (-nx, -ny, -nz)
