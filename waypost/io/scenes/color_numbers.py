"""Colours of files as the bytes that meshes keep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

_STEPS = 65535


def srgb_bytes(linear: NDArray[np.floating]) -> NDArray[np.uint8]:
    """Linear parts in [0, 1] as sRGB bytes; what is no number is 0.

    Source:
        IEC 61966-2-1.
    """
    scaled = np.nan_to_num(np.clip(linear, 0.0, 1.0), nan=0.0) * _STEPS
    bytes_of: NDArray[np.uint8] = _byte_table()[np.rint(scaled).astype(np.uint16)]
    return bytes_of


@cache
def _byte_table() -> NDArray[np.uint8]:
    """(65536,) the sRGB byte of each linear step."""
    linear = np.arange(_STEPS + 1) / _STEPS
    srgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(srgb * 255.0).astype(np.uint8)


def linear_of_srgb(srgb: Sequence[float]) -> tuple[float, float, float]:
    """Linear parts of an sRGB colour in [0, 1].

    Source:
        IEC 61966-2-1.
    """
    parts = np.clip(np.asarray(srgb, dtype=np.float64), 0.0, 1.0)
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    red, green, blue = (float(part) for part in linear)
    return (red, green, blue)
