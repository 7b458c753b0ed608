"""PhysX on the CPU through sapien, without a renderer: the default engine.

PhysX meets triangles from the side of their normal only (measured: an inverted wall lets both
rays and bodies through), so every triangle is added in both windings.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.simulators.backends.engine import (
    Collider,
    EngineMissingError,
    Pose,
    RayHit,
    SceneMesh,
    clean_meshes,
)
from waypost.simulators.backends.hull import (
    SKIN_M,
    TOUCH_M,
    HullPart,
    hull_parts,
    prism_points,
)
from waypost.simulators.protocol import (
    Contact,
    EngineInfo,
    EngineParameters,
    MoverSettings,
    Vec3,
)

try:
    with warnings.catch_warnings():
        # sapien complains about a missing Vulkan, which only its renderer needs.
        warnings.simplefilter("ignore")
        import sapien
        from sapien import physx
except ImportError as error:
    raise EngineMissingError(
        f"sapien is not installed for this Python ({error}); install it with: pip install sapien"
    ) from error

_Z_FROM_CAPSULE_AXIS = (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0)
"""Quaternion (w, x, y, z): sapien's capsules lie along X."""

_PRISM_SIDES = 48
"""Of the prism that stands for a cylinder: its width is true to 0.2 %."""

_FRICTION = 0.0


class PhysxEngine:
    """One PhysX world; see ``Engine`` for what its methods promise."""

    def __init__(self, settings: MoverSettings) -> None:
        iterations = physx.PhysxRigidDynamicComponent().solver_position_iterations
        parameters = EngineParameters(iterations, _FRICTION, _PRISM_SIDES, SKIN_M)
        title = f"SAPIEN {sapien.__version__} (PhysX)"
        self.info = EngineInfo("physx", sapien.__version__, title, parameters)
        physx.set_scene_config(gravity=np.zeros(3), enable_enhanced_determinism=True)
        physx.set_shape_config(contact_offset=settings.contact_offset_m, rest_offset=0.0)
        self._timestep_s = 1.0 / settings.physics_hz
        self._material = physx.PhysxMaterial(_FRICTION, _FRICTION, 0.0)
        self._solves = 1
        self._names: list[str] = []
        self._entity: Any = None
        self._body: Any = None
        self._open_world()

    def load_scene(self, meshes: Sequence[SceneMesh]) -> list[str]:
        """Replace the scene; one static body of exact triangles per object."""
        self._open_world()
        self._names = []
        usable, problems = clean_meshes(meshes)
        for mesh in usable:
            self._add_static(mesh)
        return problems

    def spawn_agent(self, collider: Collider, pose: Pose) -> None:
        """Replace the agent; its body's origin is its feet."""
        self.remove_agent()
        self._solves = collider.solves_per_step
        self._system.set_timestep(self._timestep_s / self._solves)
        body = physx.PhysxRigidDynamicComponent()
        for part in hull_parts(collider):
            shape = _shape(part, self._material)
            shape.set_contact_offset(collider.contact_offset_m)
            shape.set_rest_offset(SKIN_M)
            body.attach(shape)
        body.set_locked_motion_axes([False, False, False, True, True, False])
        body.set_disable_gravity(True)
        body.set_linear_damping(0.0)
        body.set_angular_damping(0.0)
        body.set_sleep_threshold(0.0)
        body.set_max_depenetration_velocity(1.0)
        entity = sapien.Entity()
        entity.name = ""
        entity.add_component(body)
        half = pose.yaw_rad / 2
        entity.set_pose(
            sapien.Pose([pose.x_m, pose.y_m, pose.z_m], [math.cos(half), 0, 0, math.sin(half)])
        )
        self._scene.add_entity(entity)
        self._entity, self._body = entity, body

    def remove_agent(self) -> None:
        """Take the agent away."""
        if self._entity is not None:
            self._scene.remove_entity(self._entity)
        self._entity = self._body = None

    def raycast(
        self, origins: NDArray[np.float64], direction: Vec3, length_m: float
    ) -> list[float]:
        """Distances to the first surface; one engine call per ray (1–2 µs each)."""
        cast = self._system.raycast
        towards = np.asarray(direction, dtype=np.float32)
        hits = [cast(origin, towards, length_m) for origin in origins.astype(np.float32)]
        return [math.inf if hit is None else hit.distance for hit in hits]

    def raycast_hit(self, origin: Vec3, direction: Vec3, length_m: float) -> RayHit | None:
        """The first surface along one ray."""
        hit = self._system.raycast(origin, direction, length_m)
        if hit is None:
            return None
        x, y, z = (float(value) for value in hit.normal)
        return RayHit(float(hit.distance), (x, y, z))

    def set_velocity(self, x_mps: float, y_mps: float, z_mps: float, turn_radps: float) -> None:
        """Give the agent this velocity for the next step."""
        self._body.set_linear_velocity((x_mps, y_mps, z_mps))
        self._body.set_angular_velocity((0.0, 0.0, turn_radps))

    def step(self) -> None:
        """Advance by one physics step."""
        for _ in range(self._solves):
            self._system.step()

    def pose(self) -> Pose:
        """Where the agent's feet are."""
        pose = self._body.get_pose()
        x, y, z = pose.p.tolist()
        w, _, _, k = pose.q.tolist()
        return Pose(x, y, z, 2 * math.atan2(k, w))

    def contacts(self) -> list[Contact]:
        """What touched the agent in the latest step."""
        return [
            Contact(_vec3(point.position), _vec3(sign * point.normal), name)
            for point, sign, name in self._touching_points()
        ]

    def deepest_overlap_m(self) -> float:
        """How far the agent and its surroundings overlapped."""
        depths = [SKIN_M - float(point.separation) for point, _, _ in self._touching_points()]
        return max(depths, default=0.0)

    def _touching_points(self) -> list[tuple[Any, float, str]]:
        pairs = self._system.get_contacts()
        if not pairs:
            return []
        touching: list[tuple[int, float, tuple[float, ...], Any, float]] = []
        for contact in pairs:
            first, second = (body.entity.name for body in contact.bodies)
            # The normal points from the second body to the first; the agent has no name.
            sign, index = (1.0, second) if first == "" else (-1.0, first)
            for point in contact.points:
                impulse = point.impulse
                force = float(np.sqrt(impulse.dot(impulse)))
                if point.separation < SKIN_M + TOUCH_M or force > 0:
                    place = tuple(point.position.tolist())
                    touching.append((int(index), -force, place, point, sign))
        # PhysX lists pairs by address; by object, then force, every run is the same.
        touching.sort(key=lambda entry: entry[:3])
        return [(point, sign, self._names[index]) for index, _, _, point, sign in touching]

    def _open_world(self) -> None:
        self._entity = self._body = None
        self._system = physx.PhysxCpuSystem()
        self._system.set_timestep(self._timestep_s)
        self._scene = sapien.Scene([self._system])

    def _add_static(self, mesh: SceneMesh) -> None:
        both_sides = np.concatenate([mesh.faces, mesh.faces[:, ::-1]]).astype(np.uint32)
        shape = physx.PhysxCollisionShapeTriangleMesh(
            mesh.vertices, both_sides, np.ones(3, dtype=np.float32), self._material
        )
        body = physx.PhysxRigidStaticComponent()
        body.attach(shape)
        entity = sapien.Entity()
        entity.name = str(len(self._names))
        entity.add_component(body)
        self._scene.add_entity(entity)
        self._names.append(mesh.name)


def build_engine(settings: MoverSettings) -> PhysxEngine:
    """The engine behind the backend key ``physx``."""
    return PhysxEngine(settings)


def _shape(part: HullPart, material: Any) -> Any:
    if part.kind == "box":
        half_size = np.array([part.depth_m / 2, part.width_m / 2, part.height_m / 2], np.float32)
        box = physx.PhysxCollisionShapeBox(half_size, material)
        box.set_local_pose(sapien.Pose([0, 0, part.middle_m]))
        return box
    if part.kind == "capsule":
        half_length = part.height_m / 2 - part.radius_m
        cap = physx.PhysxCollisionShapeCapsule(part.radius_m, half_length, material)
        cap.set_local_pose(sapien.Pose([0, 0, part.middle_m], list(_Z_FROM_CAPSULE_AXIS)))
        return cap
    points = prism_points(part, _PRISM_SIDES)
    return physx.PhysxCollisionShapeConvexMesh(points, np.ones(3, dtype=np.float32), material)


def _vec3(array: Any) -> Vec3:
    return (float(array[0]), float(array[1]), float(array[2]))
