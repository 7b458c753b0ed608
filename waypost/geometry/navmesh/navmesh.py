"""A navmesh: made from a scene or read from a file, and asked for shortest ways."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import GLTF
from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry.navmesh.recast import Recast, shared
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.geometry.navmesh.tiles import Polygons, read_polygons

_FRAME = GLTF
_NEAREST_HALF_M = [2.0, 4.0, 2.0]
_MOST_COLUMNS = 60_000_000
"""Cells in plan; at 4 bytes and about two spans each Recast stays below its memory."""


@dataclass(frozen=True, eq=False)
class Navmesh:
    """Polygons on which the centre of a round agent can stand; let go with the object.

    Points given and returned are in the scene frame, metres.
    """

    recast: Recast
    key: int
    settings: NavmeshSettings | None
    """What it was made for; ``None`` where the file does not say."""

    def __post_init__(self) -> None:
        ended = weakref.finalize(self, self.recast.close, self.key)
        ended.atexit = False  # V8 has ended by then, and would never answer

    @classmethod
    def of_file(cls, file: bytes, settings: NavmeshSettings | None) -> Navmesh:
        """Open Detour's set of tiles, version 1.

        Raises:
            InputError: If the bytes are damaged, or the extra is missing.
        """
        read_polygons(file)
        recast = shared()
        return cls(recast, recast.open(file), settings)

    @cached_property
    def file(self) -> bytes:
        """Detour's set of tiles, version 1."""
        return self.recast.file(self.key)

    @cached_property
    def polygons(self) -> Polygons:
        """Where one can stand, scene frame."""
        found = read_polygons(self.file)
        corners = _FRAME.to_scene(found.triangles_m.reshape(-1, 3))
        return replace(found, triangles_m=corners.reshape(-1, 3, 3))

    def snapped_m(self, points_m: ArrayLike) -> NDArray[np.float64]:
        """(N, 3) the nearest points of the navmesh to (N, 3) points, NaN where none is near.

        Near is within 2 m in plan and 4 m in height, as for ``geodesics_m``.
        """
        points = np.asarray(points_m, dtype=np.float64).reshape(-1, 3)
        found = self.recast.nearest_m(self.key, _FRAME.from_scene(points), _NEAREST_HALF_M)
        return _FRAME.to_scene(found)

    def geodesics_m(self, points_m: ArrayLike, goal_m: ArrayLike) -> NDArray[np.float64]:
        """(N,) length of the shortest way from each of (N, 3) points to the goal, metres.

        As habitat-sim computes it: the nearest polygon within 2 m in plan and 4 m in height, at
        most 256 polygons, which must lead all the way, and the straight way through them from the
        point itself. Infinite without a way.

        Source:
            facebookresearch/habitat-sim:src/esp/nav/PathFinder.cpp.
        """
        points = np.asarray(points_m, dtype=np.float64).reshape(-1, 3)
        goal = np.asarray(goal_m, dtype=np.float64)
        is_real = np.isfinite(points).all(axis=1) & bool(np.isfinite(goal).all())
        ways = np.full(len(points), np.inf)
        if is_real.any():
            ways[is_real] = self.recast.lengths_m(
                self.key,
                _FRAME.from_scene(points[is_real]),
                _FRAME.from_scene(goal),
                _NEAREST_HALF_M,
            )
        return ways


def make_navmesh(scene: Scene, settings: NavmeshSettings) -> Navmesh:
    """Build the navmesh of everything in the scene that stops an agent.

    Raises:
        InputError: If the scene has no such triangles or is too large for the cells, if nothing in
            it can be stood on, or the extra is missing.
    """
    corners, faces = _soup(scene)
    columns = np.prod(np.ptp(corners[:, (0, 2)], axis=0) / settings.cell_size_m + 1)
    if columns > _MOST_COLUMNS:
        raise InputError(
            f"{columns / 1e6:,.0f} million cells of {settings.cell_size_m:g} m cover the scene,"
            f" more than {_MOST_COLUMNS / 1e6:,.0f} million; larger cells need fewer"
        )
    recast = shared()
    return Navmesh(recast, recast.build(corners, faces, settings.config), settings)


def _soup(scene: Scene) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    corners: list[NDArray[np.float64]] = []
    faces: list[NDArray[np.int64]] = []
    count = 0
    for mesh in _colliders(scene):
        corners.append(mesh.vertices.astype(np.float64) + scene.origin_m)
        faces.append(mesh.faces.astype(np.int64) + count)
        count += len(mesh.vertices)
    if not faces:
        raise InputError("the scene has no triangles that stop an agent")
    points = _FRAME.from_scene(np.concatenate(corners)).astype(np.float32)
    return points, np.concatenate(faces).astype(np.uint32)


def _colliders(scene: Scene) -> Iterable[Mesh]:
    return (mesh for mesh in scene.meshes if mesh.is_collider and len(mesh.faces))
