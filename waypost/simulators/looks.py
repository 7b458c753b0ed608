"""What colour each object of a scene has as a whole, for engines that show one colour an object."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Material, Mesh, Scene

_MOST_TEXELS = 64
"""Along each side of a picture: its mean needs no more."""

_NO_MATERIAL = Material("")


def mean_colours(scene: Scene, meshes: Sequence[Mesh]) -> list[tuple[float, float, float]]:
    """The mean colour of each mesh: base colour, texture and vertex colours multiplied.

    Args:
        scene: Has materials and textures.
        meshes: Of that scene.

    Returns:
        Linear RGB in [0, 1], in the order of the meshes.
    """
    of_texture = [_mean(_thinned(texture)) for texture in scene.textures]
    return [_mean_colour(scene, mesh, of_texture) for mesh in meshes]


def _mean_colour(
    scene: Scene, mesh: Mesh, of_texture: list[NDArray[np.float64]]
) -> tuple[float, float, float]:
    material = _NO_MATERIAL if mesh.material_index is None else scene.materials[mesh.material_index]
    colour = np.array(material.base_color[:3], np.float64)
    if material.texture_index is not None:
        colour = colour * of_texture[material.texture_index]
    if mesh.colors is not None and len(mesh.colors):
        colour = colour * _mean(mesh.colors)
    red, green, blue = np.clip(colour, 0.0, 1.0).tolist()
    return (red, green, blue)


def _thinned(texture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = (max(1, -(-size // _MOST_TEXELS)) for size in texture.shape[:2])
    return texture[::rows, ::columns]


def _mean(srgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The mean light of sRGB bytes; their last axis is RGB, or RGBA whose alpha counts for none."""
    shares = srgb.reshape(-1, srgb.shape[-1])[:, :3] / 255.0
    light = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    mean: NDArray[np.float64] = light.mean(axis=0)
    return mean
