"""Faces as trimesh hands them on, as triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import trimesh.geometry
from numpy.typing import NDArray

from waypost.geometry.triangulate import triangulate


def triangles_of(points: NDArray[np.float64], faces: Any) -> NDArray[np.int32]:
    """(F, 3) triangles of faces of any number of corners, concave ones included.

    Args:
        points: (V, 3).
        faces: (N, corners), or a list of rows of three and four.
    """
    if faces is None or not len(faces):
        return np.empty((0, 3), dtype=np.int32)
    if not isinstance(faces, np.ndarray) or faces.ndim != 2:
        faces = trimesh.geometry.triangulate_quads(faces)
    rows = np.asarray(faces, dtype=np.int64)
    is_sound = bool(rows.min() >= 0 and rows.max() < len(points))
    if rows.shape[1] != 3 and is_sound:
        flat = rows.reshape(-1)
        counts = np.full(len(rows), rows.shape[1], dtype=np.int64)
        rows = flat[triangulate(points, counts, flat)[0]]
    elif rows.shape[1] != 3:
        rows = rows[:, :3]  # what names no vertex is left out by name later
    return rows.astype(np.int32)
