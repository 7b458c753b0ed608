"""Fake of ``omni.physics.tensors``: the view of one rigid body as numpy arrays."""

from __future__ import annotations

import numpy as np
import sapien
from kit_world import WORLD


class RigidBodyView:
    def __init__(self, pattern: str) -> None:
        self.count = 1
        self.prim_paths = [pattern]
        self._body = WORLD.body(pattern)
        self._transforms = np.zeros((1, 7), np.float32)

    def get_transforms(self) -> np.ndarray:
        pose = self._body.get_pose()
        w, x, y, z = pose.q
        self._transforms[0] = (*pose.p, x, y, z, w)
        return self._transforms

    def set_transforms(self, data: np.ndarray, indices: np.ndarray) -> bool:
        _check(data, (1, 7), indices)
        x, y, z, i, j, k, w = data[0].tolist()
        self._body.entity.set_pose(sapien.Pose([x, y, z], [w, i, j, k]))
        return True

    def set_velocities(self, data: np.ndarray, indices: np.ndarray) -> bool:
        _check(data, (1, 6), indices)
        self._body.set_linear_velocity(data[0, :3])
        self._body.set_angular_velocity(data[0, 3:])
        return True


class SimulationView:
    def __init__(self) -> None:
        self.is_valid = True

    def create_rigid_body_view(self, pattern: str) -> RigidBodyView:
        return RigidBodyView(pattern)

    def invalidate(self) -> None:
        self.is_valid = False


def create_simulation_view(
    frontend_name: str, stage_id: int = -1, backend: str = "physx"
) -> SimulationView:
    if frontend_name != "numpy" or backend != "physx":
        raise ValueError(f"the fake has no {frontend_name} over {backend}")
    if not WORLD.is_on_cpu:
        raise RuntimeError("the numpy frontend cannot be used with GPU pipelines")
    if stage_id != WORLD.stage_id or not WORLD.has_stepped:
        raise RuntimeError("Failed to create simulation view with backend 'physx'")
    return SimulationView()


def _check(data: np.ndarray, shape: tuple[int, int], indices: np.ndarray) -> None:
    if data.dtype != np.float32 or data.shape != shape:
        raise TypeError(f"{data.dtype} {data.shape}: float32 {shape} is wanted")
    if indices.dtype != np.uint32:
        raise TypeError("indices are uint32")
