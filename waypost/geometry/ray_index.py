"""Rays against the triangles of a scene: picking, floors under feet, walls between nodes."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.frames import Vec3, vec3
from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.scene.cut import hidden_from_m
from waypost.domain.scene.scene import Scene

_UPWARD_COSINE = math.cos(math.radians(45)) - 1e-6
_LIFT_M = 0.01
"""A floor is searched from a little above the point, so that a point on the floor finds it."""
_SHARD_TRIANGLES = 60_000
"""In one tree; fewer and larger trees answer sooner."""

_PIECE_TRIANGLES = 6_000
"""Copied in some 6 ms, during which nothing else runs."""

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

    Building takes about 1 s for a million triangles and may happen on any thread; the engine
    holds the interpreter's lock meanwhile, so ``build_steps`` builds it in shards and pauses
    between them. Queries do not change the index. Triangles stop a ray from both sides.
    """

    def __init__(self, shards: tuple[_Shard, ...], origin_m: Vec3) -> None:
        self._shards = shards
        self._origin = np.asarray(origin_m, dtype=np.float64)

    @classmethod
    def build(cls, scene: Scene, *, in_one_tree: bool = False) -> RayIndex:
        """Index the triangles of a scene at once.

        Args:
            scene: Its meshes.
            in_one_tree: Whether the interpreter's lock may be held until all of it is built; such
                an index answers sooner.
        """
        most = scene.triangle_count if in_one_tree else _SHARD_TRIANGLES
        return exhaust(cls.build_steps(scene, most))

    @classmethod
    def build_steps(
        cls, scene: Scene, shard_triangles: int | None = None
    ) -> Generator[Progress, None, RayIndex]:
        """Index the triangles of a scene in steps of less than a tenth of a second.

        Args:
            scene: Its meshes.
            shard_triangles: So many are built at once; by default, few enough for such steps.

        Yields:
            Progress in triangles.

        Returns:
            The index.
        """
        shards: list[_Shard] = []
        done, total = 0, scene.triangle_count
        for parts in _shard_parts(scene, shard_triangles or _SHARD_TRIANGLES):
            shard = _Shard()
            for name, vertices, faces in parts:
                yield Progress(done, total, f"Making {total:,} triangles ready for clicks")
                shard.add(name, vertices, faces)
                done += len(faces)
            shard.finish()
            shards.append(shard)
        return cls(tuple(shards), scene.origin_m)

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
            cut_z_m: What a cut at this height hides cannot be hit.
        """
        start = np.asarray(origin, dtype=np.float64)
        heading = np.asarray(direction, dtype=np.float64)
        length = float(np.linalg.norm(heading))
        if not self._shards or not length > 0 or not math.isfinite(length):
            return None
        heading = heading / length
        hidden_z_m = None if cut_z_m is None else hidden_from_m(cut_z_m)
        near, far = _visible_span(float(start[2]), float(heading[2]), hidden_z_m)
        far = min(far, max_distance_m)
        if near > far:
            return None
        first = start + heading * near
        local = (first - self._origin).astype(np.float32)[None]
        unit = heading.astype(np.float32)[None]
        reach = min(far - near, 1e30)
        nearest = None
        for shard in self._shards:
            found = shard.first(local, unit, reach)
            if found is not None:
                nearest, reach = found, found[0]
        if nearest is None:
            return None
        distance = near + max(0.0, nearest[0])
        normal = nearest[1] / max(float(np.linalg.norm(nearest[1])), 1e-300)
        is_back = float(normal @ heading) > 0
        if is_back:
            normal = -normal
        point = start + heading * distance
        return Hit(vec3(point), vec3(normal), distance, nearest[2], is_back)

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
        if not self._shards or not len(usable):
            return distances
        units = (headings[usable] / lengths[usable, None]).astype(np.float32)
        local = (starts[usable] - self._origin).astype(np.float32)
        for shard in self._shards:
            distances[usable] = np.minimum(distances[usable], shard.distances(local, units))
        return distances

    def distances_below(self, origins: NDArray[np.float64]) -> NDArray[np.float64]:
        """Distances to the first triangles straight below many places.

        Args:
            origins: (N, 3) scene frame, metres, finite.

        Returns:
            (N,) metres; infinity where nothing is below.
        """
        local = (origins - self._origin).astype(np.float32)
        down = np.zeros_like(local)
        down[:, 2] = -1.0
        distances = np.full(len(local), math.inf)
        for shard in self._shards:
            np.minimum(distances, shard.distances(local, down), out=distances)
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


_Part = tuple[str, NDArray[np.float32], NDArray[np.int32]]
"""Name, vertices and faces of a mesh or of a piece of one."""


class _Shard:
    """Some of a scene's triangles in a tree of their own."""

    def __init__(self) -> None:
        # robust: without it rays slip through the edges that triangles share
        self._embree = EmbreeScene(robust=True)
        self._names: list[str] = []

    def add(self, name: str, vertices: NDArray[np.float32], faces: NDArray[np.int32]) -> None:
        """Copy the triangles of a mesh, or of a piece of one."""
        self._names.append(name)
        TriangleMesh(self._embree, np.array(vertices), np.array(faces))

    def finish(self) -> None:
        """Build the tree; nothing can be added any more."""
        down = np.array([[0.0, 0.0, -1.0]], dtype=np.float32)
        self._embree.run(down, down)  # the tree is built by the first ray; not in a click

    def first(
        self, origin: NDArray[np.float32], unit: NDArray[np.float32], reach_m: float
    ) -> tuple[float, NDArray[np.float64], str] | None:
        """Distance, unscaled normal and mesh name of the first triangle within reach."""
        reach = np.array([reach_m], dtype=np.float32)
        found = self._embree.run(origin, unit, reach, output=True)
        geometry = int(found["geomID"][0])
        if geometry < 0:
            return None
        normal = np.asarray(found["Ng"][0], dtype=np.float64)
        return float(found["tfar"][0]), normal, self._names[geometry]

    def distances(
        self, origins: NDArray[np.float32], units: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """(N,) distances to the first triangles; infinity where nothing is hit."""
        found = self._embree.run(origins, units, output=True)
        distances = np.maximum(found["tfar"].astype(np.float64), 0.0)
        return np.where(found["geomID"] >= 0, distances, math.inf)


def _shard_parts(scene: Scene, shard_triangles: int) -> Iterator[list[_Part]]:
    """The meshes in groups of at most so many triangles; larger meshes come in pieces."""
    group: list[_Part] = []
    room = shard_triangles
    most = min(_PIECE_TRIANGLES, shard_triangles)
    for mesh in scene.meshes:
        for begin in range(0, len(mesh.faces), most):
            faces = mesh.faces[begin : begin + most]
            vertices = mesh.vertices
            if len(faces) < len(mesh.faces):
                used, renamed = np.unique(faces, return_inverse=True)
                vertices = vertices[used]
                faces = renamed.reshape(-1, 3).astype(np.int32)
            if len(faces) > room and group:
                yield group
                group, room = [], shard_triangles
            group.append((mesh.name, vertices, faces))
            room -= len(faces)
    if group:
        yield group


def _visible_span(start_z: float, heading_z: float, cut_z: float | None) -> tuple[float, float]:
    """Distances along a unit ray between which it is not above the cut; near > far if never."""
    if cut_z is None:
        return 0.0, math.inf
    above = start_z - cut_z
    if above > 0:
        return (above / -heading_z, math.inf) if heading_z < 0 else (math.inf, 0.0)
    return 0.0, (-above / heading_z if heading_z > 0 else math.inf)
