"""The one module that talks to the physics of Isaac Sim: stage, steps, rays, poses and contacts.

It uses what did not change from 4.5 to 6.x: ``omni.usd``, ``omni.physx`` (simulation, scene
queries, contact report) and ``omni.physics.tensors``. The timeline never plays, so that Kit steps
nothing by itself.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np

from waypost.simulators.backends.engine import Pose, RayHit
from waypost.simulators.backends.isaac_start import isaac_module
from waypost.simulators.backends.omniverse_physx import TouchPoint
from waypost.simulators.protocol import Vec3

AGENT = "/Agent"
_FIRST_STEP_S = 1e-6
"""Before physics was stepped once, rays meet nothing and bodies cannot be read."""

_ON_CPU = 0
"""Whatever the user's own settings say: poses are read as numpy arrays, which no GPU gives."""

_LONGEST_LOAD_UPDATES = 100_000


class IsaacSession:
    """One stage in a Kit that has started, and its physics; the agent is ``/Agent``."""

    def __init__(self, app: Any) -> None:
        self.app = app
        physx = isaac_module("omni.physx")
        self._float3 = isaac_module("carb").Float3
        self._tensors = isaac_module("omni.physics.tensors")
        self._path_of = isaac_module("pxr.PhysicsSchemaTools").intToSdfPath
        self._physx = physx.get_physx_interface()
        self._simulation = physx.get_physx_simulation_interface()
        self._query = physx.get_physx_scene_query_interface()
        self._usd = isaac_module("omni.usd").get_context()
        self._folder = tempfile.TemporaryDirectory(prefix="waypost-isaac-")
        self._files = 0
        self._view: Any = None
        self._body: Any = None
        self._time_s = 0.0
        self._only = np.zeros(1, np.uint32)
        self._pose = np.zeros((1, 7), np.float32)
        self._velocity = np.zeros((1, 6), np.float32)

    def write_layer(self, text: str) -> str:
        """Keep the text of a layer as a file.

        Returns:
            Its path, for ``open``.
        """
        self._files += 1
        path = Path(self._folder.name) / f"layer{self._files}.usda"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def open(self, path: str, prepare: Callable[[Any], None], *, has_agent: bool) -> None:
        """Replace the stage and its physics.

        Args:
            path: Of the strongest layer.
            prepare: Called with the stage before physics is made of it.
            has_agent: Whether the stage has a body.

        Raises:
            RuntimeError: If Kit refuses the stage.
        """
        self._drop_view()
        self._physx.release_physics_objects()
        self._physx.overwrite_gpu_setting(_ON_CPU)
        if not self._usd.open_stage(path):
            raise RuntimeError("Isaac Sim could not open the scene")
        self._await_stage()
        prepare(self._usd.get_stage())
        self._physx.force_load_physics_from_usd()
        self._physx.start_simulation()
        self._time_s = 0.0
        self.step(_FIRST_STEP_S)
        if has_agent:
            self._view = self._tensors.create_simulation_view("numpy", self._usd.get_stage_id())
            self._body = self._view.create_rigid_body_view(AGENT)

    def step(self, timestep_s: float) -> None:
        """Advance physics, and physics only."""
        self._simulation.simulate(timestep_s, self._time_s)
        self._simulation.fetch_results()
        self._time_s += timestep_s

    def place(self, pose: Pose) -> None:
        """Put the agent there at once."""
        half = pose.yaw_rad / 2
        turn = (0.0, 0.0, math.sin(half), math.cos(half))
        self._pose[0] = (pose.x_m, pose.y_m, pose.z_m, *turn)
        self._body.set_transforms(self._pose, self._only)

    def pose(self) -> Pose:
        """Where the agent is."""
        x, y, z, _, _, k, w = np.asarray(self._body.get_transforms())[0].tolist()
        return Pose(x, y, z, 2 * math.atan2(k, w))

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step."""
        self._velocity[0] = (x_mps, y_mps, z_mps, 0.0, 0.0, turn_radps)
        self._body.set_velocities(self._velocity, self._only)

    def raycast(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along one ray, met from both sides."""
        start, towards = self._triple(origin), self._triple(direction)
        hit = self._query.raycast_closest(start, towards, float(length_m), True)
        if not hit["hit"]:
            return None
        x, y, z = (float(value) for value in hit["normal"])
        facing = x * direction[0] + y * direction[1] + z * direction[2] <= 0
        return RayHit(float(hit["distance"]), (x, y, z) if facing else (-x, -y, -z))

    def touch_points(self) -> list[TouchPoint]:
        """Where the agent was close to a mesh in the latest step; normals point to the agent."""
        # Since 6.0 a third part tells of friction.
        headers, data = self._simulation.get_contact_report()[:2]
        points: list[TouchPoint] = []
        for header in headers:
            first, second = (str(self._path_of(c)) for c in (header.collider0, header.collider1))
            # The normal points from the second body to the first.
            sign, path = (1.0, second) if first.startswith(f"{AGENT}/") else (-1.0, first)
            mesh = int(path.rsplit("/m", 1)[1])
            start = header.contact_data_offset
            touched = data[start : start + header.num_contact_data]
            points.extend(_touch_point(point, sign, mesh) for point in touched)
        return points

    def update(self) -> None:
        """Let Kit's own loop go on.

        Raises:
            RuntimeError: If somebody has closed its window.
        """
        if not self.app.is_running():
            raise RuntimeError("the window of Isaac Sim was closed")
        self.app.update()

    def close(self) -> None:
        """Take the files away and end Kit, which ends the process."""
        self._drop_view()
        self._folder.cleanup()
        self.app.close()

    def _triple(self, values: Vec3) -> Any:
        return self._float3(float(values[0]), float(values[1]), float(values[2]))

    def _await_stage(self) -> None:
        for _ in range(_LONGEST_LOAD_UPDATES):
            self.update()
            if self._usd.get_stage_loading_status()[2] == 0:
                return
        raise RuntimeError("Isaac Sim does not finish to load the scene")

    def _drop_view(self) -> None:
        if self._view is not None:
            self._view.invalidate()
        self._view = self._body = None


def _touch_point(point: Any, sign: float, mesh: int) -> TouchPoint:
    place = (float(point.position[0]), float(point.position[1]), float(point.position[2]))
    nx, ny, nz = (sign * float(value) for value in point.normal)
    impulse = math.sqrt(sum(float(value) ** 2 for value in point.impulse))
    return TouchPoint(mesh, place, (nx, ny, nz), impulse, float(point.separation))
