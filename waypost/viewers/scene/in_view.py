"""Whether a camera sees anything of a box: what tells an empty picture before it is drawn."""

from __future__ import annotations

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.viewers.scene.lens import ViewLens

_RAYS = 7
"""Along each side of the picture."""


def sees_box(lens: ViewLens, low_m: Vec3, high_m: Vec3) -> bool:
    """Whether the ray through any of some pixels meets a box.

    Args:
        lens: Of the picture.
        low_m: Lowest corner, scene frame.
        high_m: Highest corner.
    """
    low, high = np.asarray(low_m), np.asarray(high_m)
    for x_px in np.linspace(0.0, lens.width_px, _RAYS):
        for y_px in np.linspace(0.0, lens.height_px, _RAYS):
            origin, direction = (np.asarray(part) for part in lens.ray_at(x_px, y_px))
            safe = np.where(np.abs(direction) < 1e-12, 1e-12, direction)
            one, other = (low - origin) / safe, (high - origin) / safe
            enters = np.minimum(one, other).max()
            leaves = np.maximum(one, other).min()
            if leaves >= max(enters, 0.0):
                return True
    return False
