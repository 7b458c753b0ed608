"""Reduced copies of textures, made beside the window: the card would stop it to make them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""(H, W, 4) RGBA."""


def mip_levels(picture: Picture) -> tuple[Picture, ...]:
    """Every level below the full picture, each half as large, down to a single pixel.

    A side that is odd loses its last row or column, as OpenGL sizes its levels.

    Args:
        picture: (H, W, 4), at least one pixel.
    """
    levels: list[Picture] = []
    while max(picture.shape[:2]) > 1:
        picture = _halved(picture)
        levels.append(picture)
    return tuple(levels)


def _halved(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    sums = picture.astype(np.uint16)
    if height > 1:
        sums = sums[0 : height - 1 : 2] + sums[1:height:2]
    if width > 1:
        sums = sums[:, 0 : width - 1 : 2] + sums[:, 1:width:2]
    pixels = (2 if height > 1 else 1) * (2 if width > 1 else 1)
    return ((sums + pixels // 2) // pixels).astype(np.uint8)
