"""Scenes made of boxes and plates."""

from __future__ import annotations

import numpy as np
from worlds.scene_files import CUBE_FACES, CUBE_POINTS

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Mesh, Scene


def box(name: str, low: Vec3, high: Vec3) -> Mesh:
    size = np.subtract(high, low)
    points = (CUBE_POINTS * size + np.array(low)).astype(np.float32)
    return Mesh(name, points, CUBE_FACES.astype(np.int32))


def body(name: str, center: Vec3, size: Vec3, material_index: int | None = None) -> Mesh:
    """A box around its centre, with a texture laid over it from above every two metres."""
    low = np.subtract(center, np.divide(size, 2))
    bare = box(name, tuple(low.tolist()), tuple(np.add(low, size).tolist()))
    uvs = (bare.vertices[:, :2] / 2.0).astype(np.float32)
    return Mesh(name, bare.vertices, bare.faces, uvs, material_index)


def plate(name: str, low: tuple[float, float], high: tuple[float, float], z: float) -> Mesh:
    """A level rectangle that faces up."""
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    points = np.array([(x, y, z) for x, y in corners], dtype=np.float32)
    return Mesh(name, points, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))


def scene(*meshes: Mesh, origin: Vec3 = (0.0, 0.0, 0.0)) -> Scene:
    return Scene("boxes", "boxes.glb", "glb", meshes, origin_m=origin)
