"""Scenes of a chosen size for the benchmarks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Material, Mesh, Scene

SMALL_HOUSE = Path(__file__).resolve().parents[2] / "shared/data/scenes/small_house/small_house.glb"
"""The real house; benchmarks that use it say so when it is absent."""


def bumpy_room(triangle_count: int) -> Scene:
    """A 20 × 20 m textured floor with waves of 5 cm, as two-triangle cells.

    Args:
        triangle_count: Approximate; rounded to a square grid of cells.
    """
    cells = max(1, round(math.sqrt(triangle_count / 2)))
    axis = np.linspace(-10, 10, cells + 1)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    z = 0.05 * np.sin(3 * x) * np.cos(3 * y)
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3).astype(np.float32)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    right, up = corner + cells + 1, corner + 1
    faces = np.concatenate(
        [np.stack([corner, right, right + 1], axis=1), np.stack([corner, right + 1, up], axis=1)]
    ).astype(np.int32)
    return _tiled("bumpy room", vertices, faces, f"bumpy-{cells}")


def many_rooms(triangle_count: int) -> Scene:
    """A storey of 10 × 10 closed rooms of 4 × 4 × 2.8 m with finely meshed insides, all tiled.

    The middle of room (i, j) is at (4 i + 2, 4 j + 2).

    Args:
        triangle_count: Approximate; rounded to square grids of cells on the six sides of a room.
    """
    cells = max(1, round(math.sqrt(triangle_count / 1200)))
    axis = np.linspace(0.0, 1.0, cells + 1)
    a, b = (part.ravel() for part in np.meshgrid(axis, axis, indexing="ij"))
    sides = [
        np.stack(
            [np.full_like(a, end) if k == fixed else (a, b)[k - (k > fixed)] for k in range(3)], 1
        )
        for fixed in range(3)
        for end in (0.0, 1.0)
    ]
    room = np.concatenate(sides) * (4.0, 4.0, 2.8)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    right, up = corner + cells + 1, corner + 1
    side = np.concatenate(
        [np.stack([corner, right, right + 1], axis=1), np.stack([corner, right + 1, up], axis=1)]
    )
    room_faces = np.concatenate([side + number * len(a) for number in range(6)])
    places = [(4.0 * i, 4.0 * j, 0.0) for i in range(10) for j in range(10)]
    vertices = np.concatenate([room + place for place in places]).astype(np.float32)
    faces = np.concatenate([room_faces + n * len(room) for n in range(100)]).astype(np.int32)
    return _tiled("many rooms", vertices, faces, f"rooms-{cells}")


def _tiled(
    name: str, vertices: NDArray[np.float32], faces: NDArray[np.int32], content_hash: str
) -> Scene:
    """One mesh under a chequered texture."""
    uvs = ((vertices[:, :2] + vertices[:, 2:]) / 2).astype(np.float32)
    tile = np.indices((512, 512)).sum(axis=0) // 32 % 2 * 120 + 100
    texture = np.repeat(tile[..., None], 4, axis=2).astype(np.uint8)
    texture[..., 3] = 255
    return Scene(
        name=name,
        path="",
        format="glb",
        meshes=(Mesh("tiles", vertices, faces, uvs, 0),),
        materials=(Material("tiles", (1.0, 1.0, 1.0, 1.0), 0),),
        textures=(texture,),
        content_hash=content_hash,
    )
