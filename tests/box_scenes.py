"""Scenes made of boxes and plates for the geometry tests."""

from __future__ import annotations

import numpy as np
from scene_files import CUBE_FACES, CUBE_POINTS

from waypost.domain.frames import Vec3
from waypost.domain.scene import Mesh, Scene


def box(name: str, low: Vec3, high: Vec3) -> Mesh:
    size = np.subtract(high, low)
    points = (CUBE_POINTS * size + np.array(low)).astype(np.float32)
    return Mesh(name, points, CUBE_FACES.astype(np.int32))


def plate(name: str, low: tuple[float, float], high: tuple[float, float], z: float) -> Mesh:
    """A level rectangle that faces up."""
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    points = np.array([(x, y, z) for x, y in corners], dtype=np.float32)
    return Mesh(name, points, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))


def scene(*meshes: Mesh, origin: Vec3 = (0.0, 0.0, 0.0)) -> Scene:
    return Scene("boxes", "boxes.glb", "glb", meshes, origin_m=origin)
