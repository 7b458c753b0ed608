"""What lies under a way: furniture is no floor, however low it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.object_kinds import ObjectKind, object_kind
from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry.ray_index import RayIndex

_ABOVE_M: Final = 0.05
_RAISED_M: Final = 0.05
_SMALL_M2: Final = 2.0
"""An object that is raised and smaller than this is no floor, whatever it is called."""

_EVERY_M: Final = 0.05
_DOWN: Final = (0.0, 0.0, -1.0)


class Underfoot:
    """Names the furniture that ways lead over."""

    def __init__(self, scene: Scene, rays: RayIndex) -> None:
        self._rays = rays
        self._meshes = {mesh.name: mesh for mesh in scene.meshes if mesh.is_collider}
        self._areas: dict[str, float] = {}

    def furniture(self, way: Iterable[Vec3], storey_z_m: float | None) -> tuple[str, ...]:
        """Furniture under the middle of an agent, in order.

        Args:
            way: Positions on the ground.
            storey_z_m: Height of the floor; ``None`` where the way leads to another one, so that
                only names can tell.
        """
        names: dict[str, None] = {}
        last: Vec3 | None = None
        for place in way:
            if last is not None and np.hypot(place[0] - last[0], place[1] - last[1]) < _EVERY_M:
                continue
            last = place
            hit = self._rays.first_hit((place[0], place[1], place[2] + _ABOVE_M), _DOWN)
            if hit is None or hit.mesh_name in names:
                continue
            is_raised = storey_z_m is not None and hit.point_m[2] > storey_z_m + _RAISED_M
            if self._is_furniture(hit.mesh_name, is_raised=is_raised):
                names[hit.mesh_name] = None
        return tuple(names)

    def _is_furniture(self, name: str, *, is_raised: bool) -> bool:
        kind = object_kind(name)
        if kind is ObjectKind.FURNITURE:
            return True
        return kind is not ObjectKind.GROUND and is_raised and self._area_m2(name) < _SMALL_M2

    def _area_m2(self, name: str) -> float:
        if name not in self._areas:
            mesh = self._meshes.get(name)
            self._areas[name] = _plan_area_m2(mesh) if mesh is not None else 0.0
        return self._areas[name]


def _plan_area_m2(mesh: Mesh) -> float:
    """Area of the upward triangles of a mesh, seen from above."""
    a, b, c = (mesh.vertices[mesh.faces[:, corner], :2].astype(np.float64) for corner in range(3))
    u, v = b - a, c - a
    return float(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum() / 4)
