"""Rays against the triangles of a scene: picking, floors under feet, walls between nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import ArrayLike, NDArray

from waypost.domain.frames import Vec3
from waypost.domain.scene import Scene

_UPWARD_COSINE = math.cos(math.radians(45)) - 1e-6
_LIFT_M = 0.01
"""A floor is searched from a little above the point, so that a point on the floor finds it."""
_STEP_M = 1e-4
"""How far behind a hit the next search starts."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The first triangle on a ray."""

    point_m: Vec3
    """Scene frame."""

    normal: Vec3
    """Unit normal of the triangle on the side the ray came from."""

    distance_m: float
    """From the origin of the ray."""

    mesh_name: str
    is_back: bool = False
    """Whether the ray came from behind the triangle, as when it leaves a closed body."""


class RayIndex:
    """A spatial index over all meshes of one scene; made by ``build``.

    Building takes about 1 s for a million triangles and may happen on any thread. Queries
    do not change the index. Triangles stop a ray from both sides.
    """

    def __init__(self, embree: EmbreeScene, scene: Scene, names: tuple[str, ...]) -> None:
        self._embree = embree
        self._origin = np.asarray(scene.origin_m, dtype=np.float64)
        self._names = names

    @classmethod
    def build(cls, scene: Scene) -> RayIndex:
        """Index the triangles of a scene."""
        # robust: without it rays slip through the edges that triangles share
        embree = EmbreeScene(robust=True)
        names = []
        for mesh in scene.meshes:
            if len(mesh.faces):
                TriangleMesh(embree, np.array(mesh.vertices), np.array(mesh.faces))
                names.append(mesh.name)
        down = np.array([[0.0, 0.0, -1.0]], dtype=np.float32)
        if names:
            embree.run(down, down)  # the tree is built by the first ray; do it here, not in a click
        return cls(embree, scene, tuple(names))

    def first_hit(
        self,
        origin: Vec3,
        direction: Vec3,
        *,
        max_distance_m: float = math.inf,
        cut_z_m: float | None = None,
    ) -> Hit | None:
        """The first triangle on a ray.

        Args:
            origin: Start of the ray, scene frame, metres.
            direction: Need not be of unit length; zero hits nothing.
            max_distance_m: Length of the ray.
            cut_z_m: Everything above this height is hidden and cannot be hit.
        """
        start = np.asarray(origin, dtype=np.float64)
        heading = np.asarray(direction, dtype=np.float64)
        length = float(np.linalg.norm(heading))
        if not self._names or not length > 0 or not math.isfinite(length):
            return None
        heading = heading / length
        near, far = _visible_span(float(start[2]), float(heading[2]), cut_z_m)
        far = min(far, max_distance_m)
        if near > far:
            return None
        first = start + heading * near
        found = self._embree.run(
            (first - self._origin).astype(np.float32)[None],
            heading.astype(np.float32)[None],
            np.array([min(far - near, 1e30)], dtype=np.float32),
            output=True,
        )
        geometry = int(found["geomID"][0])
        if geometry < 0:
            return None
        distance = near + max(0.0, float(found["tfar"][0]))
        normal = np.asarray(found["Ng"][0], dtype=np.float64)
        normal /= max(float(np.linalg.norm(normal)), 1e-300)
        is_back = float(normal @ heading) > 0
        if is_back:
            normal = -normal
        point = start + heading * distance
        return Hit(_vec3(point), _vec3(normal), distance, self._names[geometry], is_back)

    def first_hit_distances(self, origins: ArrayLike, directions: ArrayLike) -> NDArray[np.float64]:
        """Distances to the first triangles on many rays.

        Args:
            origins: (N, 3) scene frame, metres.
            directions: (N, 3); lengths do not matter.

        Returns:
            (N,) metres; infinity where nothing is hit.
        """
        starts = np.asarray(origins, dtype=np.float64).reshape(-1, 3)
        headings = np.asarray(directions, dtype=np.float64).reshape(-1, 3)
        distances = np.full(len(starts), math.inf)
        lengths = np.linalg.norm(headings, axis=1)
        usable = np.flatnonzero(np.isfinite(lengths) & (lengths > 0))
        if not self._names or not len(usable):
            return distances
        units = headings[usable] / lengths[usable, None]
        found = self._embree.run(
            (starts[usable] - self._origin).astype(np.float32),
            units.astype(np.float32),
            output=True,
        )
        is_hit = found["geomID"] >= 0
        distances[usable[is_hit]] = np.maximum(found["tfar"][is_hit].astype(np.float64), 0.0)
        return distances

    def floor_below(self, point: Vec3, max_drop_m: float = 3.0) -> Hit | None:
        """The first surface under a point that is within 45° of level; steeper ones are passed.

        Args:
            point: Scene frame, metres; 1 cm of tolerance above it is searched as well.
            max_drop_m: How far down to look.

        Returns:
            The floor; its distance counts from the point and is negative within the tolerance.
        """
        x, y, z = point
        top, bottom = z + _LIFT_M, z - max_drop_m
        while top >= bottom:
            hit = self.first_hit((x, y, top), (0.0, 0.0, -1.0), max_distance_m=top - bottom)
            if hit is None:
                return None
            if hit.normal[2] >= _UPWARD_COSINE:
                return Hit(hit.point_m, hit.normal, z - hit.point_m[2], hit.mesh_name, hit.is_back)
            top = hit.point_m[2] - _STEP_M
        return None


def _visible_span(start_z: float, heading_z: float, cut_z: float | None) -> tuple[float, float]:
    """Distances along a unit ray between which it is not above the cut; near > far if never."""
    if cut_z is None:
        return 0.0, math.inf
    above = start_z - cut_z
    if above > 0:
        return (above / -heading_z, math.inf) if heading_z < 0 else (math.inf, 0.0)
    return 0.0, (-above / heading_z if heading_z > 0 else math.inf)


def _vec3(array: NDArray[np.float64]) -> Vec3:
    return (float(array[0]), float(array[1]), float(array[2]))
