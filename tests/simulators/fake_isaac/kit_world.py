"""What stands behind the fakes of Isaac Sim's modules: a stage read by OpenUSD, driven by SAPIEN.

It builds bodies from what the stage says and from nothing else, so that a session without a contact
offset, a material or a locked axis behaves here as it would there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import sapien
from pxr import Usd, UsdGeom, UsdUtils
from sapien import physx

MOST_HULL_POINTS = 64
"""PhysX of Omniverse cooks convex hulls of at most so many corners."""

_Z_FROM_CAPSULE_AXIS = [math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0]


class World:
    """The one stage of a Kit, and its physics while that is loaded."""

    def __init__(self) -> None:
        self.stage: Any = None
        self.stage_id = -1
        self.system: Any = None
        self.has_stepped = False
        self.is_started = False
        self.updates = 0
        self.engine = ""
        self.is_on_cpu = False
        self._scene: Any = None
        self._bodies: dict[str, Any] = {}
        self._paths: list[str] = [""]
        self._reported: set[str] = set()

    def open(self, url: str) -> bool:
        """Replace the stage; physics of the former one is gone."""
        self.release()
        stage = Usd.Stage.Open(url)
        if stage is None:
            return False
        cache = UsdUtils.StageCache.Get()
        cache.Clear()
        self.stage = stage
        self.stage_id = cache.Insert(stage).ToLongInt()
        return True

    def release(self) -> None:
        """Forget all bodies."""
        self.system = self._scene = None
        self._bodies, self._reported = {}, set()
        self.has_stepped = self.is_started = False

    def load(self) -> None:
        """Make bodies of the prims that have the schemas of physics."""
        self.release()
        scene = next(p for p in self.stage.Traverse() if p.GetTypeName() == "PhysicsScene")
        if _value(scene, "physxScene:enableGPUDynamics", True):
            raise RuntimeError("the fake has no GPU: the scene must not ask for its dynamics")
        gravity = np.array(_value(scene, "physics:gravityDirection", (0, 0, -1)), float)
        gravity *= _value(scene, "physics:gravityMagnitude", 9.81)
        physx.set_scene_config(gravity=gravity, enable_enhanced_determinism=True)
        self.system = physx.PhysxCpuSystem()
        self._scene = sapien.Scene([self.system])
        for prim in self.stage.Traverse():
            schemas = _schemas(prim)
            if "PhysicsRigidBodyAPI" in schemas:
                self._add_dynamic(prim)
            elif "PhysicsCollisionAPI" in schemas and not _rigid_parent(prim):
                self._add_static(prim)

    def step(self, seconds: float) -> None:
        """Advance physics."""
        if self.engine != "physx":
            raise RuntimeError(f"{self.engine} collides differently")
        moving = [b for b in self._bodies.values() if hasattr(b, "set_linear_velocity")]
        before = [body.entity.pose.p for body in moving]
        self.system.set_timestep(seconds)
        self.system.step()
        if not self.system.get_contacts():
            for body, start in zip(moving, before):
                _round(body, start)
        self.has_stepped = True

    def body(self, path: str) -> Any:
        """The rigid body of a prim."""
        return self._bodies[path]

    def path_id(self, path: str) -> int:
        """The number that stands for a path in reports of contacts."""
        if path not in self._paths:
            self._paths.append(path)
        return self._paths.index(path)

    def collider_id(self, body_id: int) -> int:
        """The number of the first collider of a body; a body at rest is its own collider."""
        path = self._paths[body_id]
        prim = self.stage.GetPrimAtPath(path)
        if "PhysicsRigidBodyAPI" not in _schemas(prim):
            return body_id
        shapes = (c for c in Usd.PrimRange(prim) if "PhysicsCollisionAPI" in _schemas(c))
        return self.path_id(str(next(shapes).GetPath()))

    def path_of(self, number: int) -> str:
        """The path behind such a number."""
        return self._paths[number]

    def raycast(self, origin: Any, direction: Any, length_m: float) -> Any:
        """The closest hit; none before physics has been simulated, as in Isaac Sim."""
        if self.system is None or not self.has_stepped:
            return None
        return self.system.raycast(origin, direction, length_m)

    @contextmanager
    def only_what_is_seen(self) -> Iterator[None]:
        """Moving colliders out of the way: they are guides, and no camera draws guides."""
        moving = [b for b in self._bodies.values() if hasattr(b, "set_linear_velocity")]
        places = [body.entity.pose for body in moving]
        for body in moving:
            body.entity.set_pose(sapien.Pose([0, 0, -9000]))
        yield
        for body, place in zip(moving, places):
            body.entity.set_pose(place)

    def contacts(self) -> list[tuple[str, str, Any]]:
        """Paths of both bodies and the points of each pair of which one side wants reports."""
        found = []
        for pair in self.system.get_contacts() if self.system else []:
            first, second = (body.entity.name for body in pair.bodies)
            if {first, second} & self._reported:
                found.append((first, second, pair.points))
        return found

    def _add_static(self, prim: Any) -> None:
        body = physx.PhysxRigidStaticComponent()
        for shape in _mesh_shapes(prim, self.stage, is_dynamic=False):
            body.attach(shape)
        self._place(prim, body)

    def _add_dynamic(self, prim: Any) -> None:
        body = physx.PhysxRigidDynamicComponent()
        for child in Usd.PrimRange(prim):
            if "PhysicsCollisionAPI" in _schemas(child):
                for shape in _shapes(child, prim, self.stage):
                    body.attach(shape)
        body.set_mass(_value(prim, "physics:mass", 1.0))
        body.set_cmass_local_pose(
            sapien.Pose(list(_value(prim, "physics:centerOfMass", (0, 0, 0))))
        )
        body.set_inertia(list(_value(prim, "physics:diagonalInertia", (1, 1, 1))))
        locked = _value(prim, "physxRigidBody:lockedRotAxis", 0)
        body.set_locked_motion_axes([False] * 3 + [bool(locked & bit) for bit in (1, 2, 4)])
        body.set_disable_gravity(_value(prim, "physxRigidBody:disableGravity", False))
        body.set_linear_damping(_value(prim, "physxRigidBody:linearDamping", 0.0))
        body.set_angular_damping(_value(prim, "physxRigidBody:angularDamping", 0.05))
        body.set_sleep_threshold(_value(prim, "physxRigidBody:sleepThreshold", 5e-5))
        body.set_max_depenetration_velocity(
            _value(prim, "physxRigidBody:maxDepenetrationVelocity", 3.0)
        )
        body.set_solver_position_iterations(
            _value(prim, "physxRigidBody:solverPositionIterationCount", 16)
        )
        if "PhysxContactReportAPI" in _schemas(prim):
            self._reported.add(str(prim.GetPath()))
        self._place(prim, body)

    def _place(self, prim: Any, body: Any) -> None:
        entity = sapien.Entity()
        entity.name = str(prim.GetPath())
        entity.add_component(body)
        matrix = UsdGeom.XformCache().GetLocalToWorldTransform(prim)
        turn = matrix.ExtractRotationQuat()
        entity.set_pose(
            sapien.Pose(list(matrix.ExtractTranslation()), [turn.real, *turn.imaginary])
        )
        self._scene.add_entity(entity)
        self._bodies[entity.name] = body


def _round(body: Any, start: Any) -> None:
    """Have a free body where PhysX of Omniverse gets it, which moves it in each iteration anew."""
    count = body.get_solver_position_iterations()
    pieces = np.repeat((body.entity.pose.p - start)[None] / np.float32(count), count, axis=0)
    place = np.add.accumulate(np.concatenate([start[None], pieces]), axis=0)[-1]
    body.entity.set_pose(sapien.Pose(place, body.entity.pose.q))


def _shapes(prim: Any, owner: Any, stage: Any) -> list[Any]:
    local = UsdGeom.XformCache().ComputeRelativeTransform(prim, owner)[0]
    at = sapien.Pose(list(local.ExtractTranslation()))
    material = _material(prim, stage)
    kind = prim.GetTypeName()
    if kind == "Mesh":
        return _mesh_shapes(prim, stage, is_dynamic=True)
    if kind == "Cube":
        half = np.array([local[axis][axis] for axis in range(3)]) * prim.GetAttribute("size").Get()
        shape = physx.PhysxCollisionShapeBox(half.astype(np.float32) / 2, material)
        shape.set_local_pose(at)
    elif kind == "Capsule":
        radius, height = prim.GetAttribute("radius").Get(), prim.GetAttribute("height").Get()
        if prim.GetAttribute("axis").Get() != "Z":
            raise NotImplementedError("capsules of the fake stand upright")
        shape = physx.PhysxCollisionShapeCapsule(radius, height / 2, material)
        shape.set_local_pose(sapien.Pose(at.p, _Z_FROM_CAPSULE_AXIS))
    else:
        raise NotImplementedError(f"the fake knows no collider of type {kind}")
    return [_with_offsets(shape, prim)]


def _mesh_shapes(prim: Any, stage: Any, *, is_dynamic: bool) -> list[Any]:
    points = np.array(prim.GetAttribute("points").Get(), np.float32)
    kind = prim.GetAttribute("physics:approximation").Get()
    material, one = _material(prim, stage), np.ones(3, np.float32)
    if kind == "convexHull":
        if len(points) > MOST_HULL_POINTS:
            raise RuntimeError(f"{prim.GetPath()}: a hull of {len(points)} corners is simplified")
        shape = physx.PhysxCollisionShapeConvexMesh(points, one, material)
    elif kind == "none" and not is_dynamic:
        if set(prim.GetAttribute("faceVertexCounts").Get()) != {3}:
            raise NotImplementedError("the fake knows triangles only")
        faces = np.array(prim.GetAttribute("faceVertexIndices").Get(), np.uint32).reshape(-1, 3)
        shape = physx.PhysxCollisionShapeTriangleMesh(points, faces, one, material)
    else:
        raise RuntimeError(f"{prim.GetPath()}: {kind!r} falls back to a hull for a moving body")
    return [_with_offsets(shape, prim)]


def _with_offsets(shape: Any, prim: Any) -> Any:
    shape.set_contact_offset(_value(prim, "physxCollision:contactOffset", 0.02))
    shape.set_rest_offset(_value(prim, "physxCollision:restOffset", 0.0))
    return shape


def _material(prim: Any, stage: Any) -> Any:
    """What is bound for physics; Isaac Sim's default has a friction of 0.5."""
    bound = prim.GetRelationship("material:binding:physics")
    targets = bound.GetTargets() if bound else []
    if not targets:
        # The friction of a pair is made by its sides: the mode "min" wins over the default.
        return physx.PhysxMaterial(0.0, 0.0, 0.0)
    found = stage.GetPrimAtPath(targets[0])
    if _value(found, "physxMaterial:frictionCombineMode", "average") != "min":
        raise RuntimeError("without the mode 'min' the agent sticks to walls")
    return physx.PhysxMaterial(
        _value(found, "physics:staticFriction", 0.5),
        _value(found, "physics:dynamicFriction", 0.5),
        _value(found, "physics:restitution", 0.0),
    )


def _rigid_parent(prim: Any) -> bool:
    parent = prim.GetParent()
    while parent and not parent.IsPseudoRoot():
        if "PhysicsRigidBodyAPI" in _schemas(parent):
            return True
        parent = parent.GetParent()
    return False


def _schemas(prim: Any) -> set[str]:
    listed = prim.GetMetadata("apiSchemas")
    return set(listed.GetAddedOrExplicitItems()) if listed else set()


def _value(prim: Any, name: str, default: Any) -> Any:
    attribute = prim.GetAttribute(name)
    value = attribute.Get() if attribute else None
    return default if value is None else value


WORLD = World()
