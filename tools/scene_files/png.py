"""Encode the textures of a scene for the files that carry them."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def encode_png(texture: NDArray[np.uint8]) -> bytes:
    """A texture of (H, W, 4) RGBA as a PNG file; opaque ones are stored without alpha."""
    is_opaque = bool((texture[..., 3] == 255).all())
    pixels = np.ascontiguousarray(texture[..., :3] if is_opaque else texture)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, format="PNG", compress_level=5)
    return stream.getvalue()
