"""Scenes of a chosen size for the benchmarks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

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
    uvs = (vertices[:, :2] / 2).astype(np.float32)
    tile = np.indices((512, 512)).sum(axis=0) // 32 % 2 * 120 + 100
    texture = np.repeat(tile[..., None], 4, axis=2).astype(np.uint8)
    texture[..., 3] = 255
    return Scene(
        name="bumpy room",
        path="",
        format="glb",
        meshes=(Mesh("floor", vertices, faces, uvs, 0),),
        materials=(Material("tiles", (1.0, 1.0, 1.0, 1.0), 0),),
        textures=(texture,),
        content_hash=f"bumpy-{cells}",
    )
