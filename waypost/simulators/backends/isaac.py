"""NVIDIA Isaac Sim 4.5, 5.x and 6.x as an engine, in Isaac Sim's own Python.

The scene is made of the same triangles as on every other engine, so that what collides does not
depend on how Isaac Sim imports a file. We have never run it: its code runs in our tests on fakes of
Isaac Sim's modules over SAPIEN (docs/isaac.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.cameras import CameraPicture, CameraSettings
from waypost.simulators.backends.engine import (
    Collider,
    EngineStart,
    Pose,
    RayHit,
    SceneMesh,
    clean_mesh,
)
from waypost.simulators.backends.hull import SKIN_M, TOUCH_M
from waypost.simulators.backends.isaac_display import IsaacDisplay
from waypost.simulators.backends.isaac_session import IsaacSession, TouchPoint
from waypost.simulators.backends.isaac_stage import session_text
from waypost.simulators.backends.isaac_start import isaac_version, start_kit
from waypost.simulators.backends.usd_text import (
    PRISM_SIDES,
    SOLVER_ITERATIONS,
    agent_text,
    scene_text,
)
from waypost.simulators.protocol import (
    Contact,
    EngineInfo,
    EngineParameters,
    MoverSettings,
    Vec3,
)

_AWAY = Pose(0.0, 0.0, -5000.0, 0.0)
"""Where an agent waits that was taken away: making it anew opens the stage again."""

_WINDOW_EVERY_S = 1 / 30
_HEADLESS_EVERY_S = 1.0


class IsaacEngine:
    """One Isaac Sim; see ``Engine`` for what its methods promise."""

    def __init__(self, settings: MoverSettings) -> None:
        self.info = EngineInfo("isaac", "", "NVIDIA Isaac Sim")
        self.idle_every_s = _HEADLESS_EVERY_S
        self._settings = settings
        self._timestep_s = 1.0 / settings.physics_hz
        self._session: IsaacSession | None = None
        self._display: IsaacDisplay | None = None
        self._scene_layer = ""
        self._robot_usd = ""
        self._collider: Collider | None = None
        self._is_away = True
        self._names: list[str] = []
        self._touching: list[TouchPoint] | None = None

    def open(self, start: EngineStart) -> None:
        """Start Kit.

        Args:
            start: Options: ``window`` shows Isaac Sim's window, ``robot_usd`` is a file that is
                shown where the agent is.

        Raises:
            EngineMissingError: If Isaac Sim cannot run here, in one sentence.
        """
        self._session = IsaacSession(start_kit(start))
        self._display = IsaacDisplay()
        self._robot_usd = str(start.options.get("robot_usd", ""))
        if start.options.get("window", False):
            self.idle_every_s = _WINDOW_EVERY_S
        version = isaac_version() or "of unknown version"
        parameters = EngineParameters(SOLVER_ITERATIONS, 0.0, PRISM_SIDES, SKIN_M, "min")
        self.info = EngineInfo("isaac", version, f"NVIDIA Isaac Sim {version} (PhysX)", parameters)

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene; one static collider of exact triangles per object."""
        problems: list[str] = []
        usable: list[SceneMesh] = []
        for mesh in meshes:
            cleaned, problem = clean_mesh(mesh)
            if problem:
                problems.append(problem)
            if len(cleaned.faces):
                usable.append(cleaned)
        self._names = [mesh.name for mesh in usable]
        text = scene_text(usable, self._settings.contact_offset_m)
        self._scene_layer = self._kit.write_layer(text)
        self._open(None)
        return problems

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent; its body's origin is its feet."""
        if collider != self._collider:
            self._open(collider)
        self._is_away = False
        self._kit.place(pose)
        self.set_velocity(0.0, 0.0, 0.0, 0.0)
        self._touching = []

    def remove_agent(self) -> None:
        """Take the agent away."""
        if not self._is_away:
            self._kit.place(_AWAY)
            self._is_away = True

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Distances to the first surface; one call of Isaac Sim per ray."""
        cast = self._kit.raycast
        hits = [cast((x, y, z), direction, length_m) for x, y, z in origins.tolist()]
        return [math.inf if hit is None else hit.distance_m for hit in hits]

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along one ray."""
        return self._kit.raycast(origin, direction, length_m)

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step."""
        self._kit.set_velocity(x_mps, y_mps, z_mps, turn_radps)

    def step(self) -> None:
        """Advance by one physics step."""
        solves = 1 if self._collider is None else self._collider.solves_per_step
        for _ in range(solves):
            self._kit.step(self._timestep_s / solves)
        self._touching = None

    def pose(self) -> Pose:
        """Where the agent's feet are."""
        return self._kit.pose()

    def contacts(self) -> list[Contact]:
        """What touched the agent in the latest step."""
        return [
            Contact(touch.point_m, touch.normal, self._names[touch.mesh])
            for touch in self._touching_points()
        ]

    def deepest_overlap_m(self) -> float:
        """How far the agent and its surroundings overlapped."""
        return max((SKIN_M - touch.separation_m for touch in self._touching_points()), default=0.0)

    def idle(self) -> None:
        """Let Kit go on: its window answers and is drawn; the timeline stands still."""
        if not self._is_away:
            self._shown.show_agent(self._kit.pose())
        self._kit.update()

    def open_camera(self, settings: CameraSettings) -> None:
        """Have pictures of a camera on the agent from now on."""
        self._shown.open_camera(settings)

    def close_camera(self) -> None:
        """Make no more pictures."""
        self._shown.close_camera()

    def picture(self, pose: Pose, tilt_rad: float) -> CameraPicture:
        """What the camera sees from an agent with these feet."""
        return self._shown.picture(pose, tilt_rad)

    def close(self) -> None:
        """End Kit, and with it the process."""
        if self._session is not None:
            self._session.close()

    @property
    def _kit(self) -> IsaacSession:
        if self._session is None:
            raise RuntimeError("Isaac Sim has not been started")
        return self._session

    @property
    def _shown(self) -> IsaacDisplay:
        if self._display is None:
            raise RuntimeError("Isaac Sim has not been started")
        return self._display

    def _open(self, collider: Collider | None) -> None:
        layers = [self._scene_layer]
        if collider is not None:
            layers.insert(0, self._kit.write_layer(agent_text(collider)))
        solves = 1 if collider is None else collider.solves_per_step
        steps_hz = self._settings.physics_hz * solves
        session = session_text(layers, steps_hz, _AWAY, collider, self._robot_usd)
        path = self._kit.write_layer(session)
        self._kit.open(path, self._shown.renew, has_agent=collider is not None)
        self._collider, self._is_away = collider, True
        self._touching = []

    def _touching_points(self) -> list[TouchPoint]:
        if self._touching is None:
            touching = [
                touch
                for touch in self._kit.touch_points()
                if touch.separation_m < SKIN_M + TOUCH_M or touch.impulse_ns > 0.0
            ]
            # By object, then force, every run is the same.
            touching.sort(key=lambda touch: (touch.mesh, -touch.impulse_ns, touch.point_m))
            self._touching = touching
        return self._touching


def build_engine(settings: MoverSettings) -> IsaacEngine:
    """The engine behind the backend key ``isaac``."""
    return IsaacEngine(settings)
