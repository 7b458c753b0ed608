"""How uneven a floor is in itself."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import uniform_filter

from waypost.geometry.measuring.ground_flood import GroundSheet

_AROUND_CELLS = 15
_FLAT_M = 1e-5
_MOST_M = 0.1

_BETWEEN = 1.41
"""Most cells lie between the vertices of a mesh, where heights vary by half of their variance."""


def floor_noise_m(sheet: GroundSheet) -> float:
    """Standard deviation of the ground about its own mean within 0.3 m, in metres.

    Half of the cells decide (1.48 × the median distance), so that sills and stairs do not count,
    and a slope has none, because its mean is its middle.
    """
    ground = sheet.is_ground
    heights = sheet.z_m[ground]
    if not len(heights) or heights.max() - heights.min() < _FLAT_M:
        return 0.0
    share = uniform_filter(ground.astype(np.float64), _AROUND_CELLS)
    mean = uniform_filter(np.where(ground, sheet.z_m, 0.0), _AROUND_CELLS)
    inner = ground & (share > 0.999)
    rest = np.abs(sheet.z_m[inner] - mean[inner] / share[inner])
    rest = rest[rest < _MOST_M]
    noise = float(1.4826 * _BETWEEN * np.median(rest)) if len(rest) else 0.0
    return noise if noise > _FLAT_M else 0.0
