"""How much level area a set of triangles has at each height: the evidence for floors."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene import Mesh

_LEVEL_COSINE = 0.95


def facing_areas(
    meshes: Iterable[Mesh], axis: int, *, one_sided: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Triangles whose plane is square to an axis, within 18°.

    Args:
        meshes: Their vertices' own frame is used.
        axis: 0, 1 or 2.
        one_sided: Count only triangles that face the positive direction.

    Returns:
        (N,) coordinates of their centres along the axis and (N,) areas, square metres.
    """
    centres: list[NDArray[np.float64]] = []
    areas: list[NDArray[np.float64]] = []
    for mesh in meshes:
        corners = mesh.vertices[mesh.faces]
        cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(cross, axis=1)
        along = cross[:, axis] if one_sided else np.abs(cross[:, axis])
        chosen = (along > _LEVEL_COSINE * length) & (length > 0)
        centres.append(corners[chosen, :, axis].mean(axis=1, dtype=np.float64))
        areas.append(length[chosen].astype(np.float64) / 2)
    if not centres:
        return np.empty(0), np.empty(0)
    return np.concatenate(centres), np.concatenate(areas)


def histogram(
    values: NDArray[np.float64], weights: NDArray[np.float64], width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum of weights in the bins of one width that are not empty.

    Returns:
        (B,) lower ends of the bins, ascending, and (B,) the sums.
    """
    if not len(values):
        return np.zeros(0), np.zeros(0)
    # half a bin of margin keeps coplanar floors from being split by rounding
    low = float(values.min()) - width / 2
    bins, places = np.unique(np.floor((values - low) / width), return_inverse=True)
    return low + bins * width, np.bincount(places, weights).astype(np.float64)
