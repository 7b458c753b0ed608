"""Which texture coordinates a glTF texture reads, and how it turns, scales and moves them.

Source:
    Khronos glTF extension KHR_texture_transform.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_Pair = tuple[float, float]


class UvSource(NamedTuple):
    """An attribute and what is done to it."""

    uv_set: int = 0
    """Which TEXCOORD attribute."""

    offset: _Pair = (0.0, 0.0)
    scale: _Pair = (1.0, 1.0)
    rotation_rad: float = 0.0
    """Counter-clockwise about the top left corner of the picture, v downwards."""

    def placed(self, uvs: NDArray[np.float64]) -> NDArray[np.float32]:
        """(V, 2) stored coordinates, v = 0 at the top row, transformed; v = 0 at the bottom row."""
        if self[1:] != UvSource()[1:]:
            cosine, sine = math.cos(self.rotation_rad), math.sin(self.rotation_rad)
            turned_from_scaled = np.array([[cosine, sine], [-sine, cosine]])
            uvs = uvs * self.scale @ turned_from_scaled.T + self.offset
        return np.column_stack([uvs[:, 0], 1.0 - uvs[:, 1]]).astype(np.float32)


def uv_source(reference: dict[str, Any]) -> UvSource:
    """Where the texture that a reference of a material names takes its coordinates."""
    moved = reference.get("extensions", {}).get("KHR_texture_transform", {})
    offset, scale = moved.get("offset", (0.0, 0.0)), moved.get("scale", (1.0, 1.0))
    return UvSource(
        int(moved.get("texCoord", reference.get("texCoord", 0))),
        (float(offset[0]), float(offset[1])),
        (float(scale[0]), float(scale[1])),
        float(moved.get("rotation", 0.0)),
    )
