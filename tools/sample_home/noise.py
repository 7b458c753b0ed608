"""Seeded, seamless random fields from which the textures are painted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.float64]
Rgb = NDArray[np.float64]
"""(H, W, 3) sRGB in [0, 1]."""


def cloud(seed: int, size: int, roughness: float, stretch: tuple[float, float] = (1, 1)) -> Grey:
    """A field in [0, 1] that repeats without a seam.

    Args:
        seed: Same seed, same picture.
        size: Edge in pixels.
        roughness: Power of the fall-off over frequency; 0 is white noise, 2 is soft cloud.
        stretch: How much longer the shapes are across (x) and down (y).
    """
    rng = np.random.default_rng(seed)
    spectrum = np.fft.fft2(rng.standard_normal((size, size)))
    frequency = np.fft.fftfreq(size) * size
    fx, fy = np.meshgrid(frequency * stretch[0], frequency * stretch[1])
    radius = np.hypot(fx, fy)
    radius[0, 0] = np.inf
    field = np.fft.ifft2(spectrum / radius**roughness).real
    low, high = np.percentile(field, [1, 99])
    return np.asarray(np.clip((field - low) / (high - low), 0, 1))


def blend(dark: str, light: str, amount: Grey) -> Rgb:
    """A picture between two sRGB colours; ``amount`` 0 is the first."""
    first, second = colour(dark), colour(light)
    return np.asarray(first + (second - first) * amount[..., None])


def colour(text: str) -> NDArray[np.float64]:
    """(3,) sRGB in [0, 1] from ``#rrggbb``."""
    return np.array([int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)])


def rgba8(picture: Rgb, levels: int = 64) -> NDArray[np.uint8]:
    """(H, W, 4) bytes, opaque, read-only; few levels let the file compress."""
    stepped = np.round(np.clip(picture, 0, 1) * (levels - 1)) * (255 / (levels - 1))
    opaque = np.full((*picture.shape[:2], 1), 255.0)
    image = np.concatenate([stepped, opaque], axis=2).round().astype(np.uint8)
    image.flags.writeable = False
    return image
