"""Small matrices on many points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def transform_points(
    points: NDArray[np.float64], linear: NDArray[np.float64], offset: ArrayLike
) -> NDArray[np.float64]:
    """``linear @ point + offset`` for every point.

    Args:
        points: (N, 3).
        linear: (3, 3).
        offset: (3,).
    """
    # not ``@``: BLAS starts its threads for a 3 × 3 product, 7 times slower on a busy machine
    moved: NDArray[np.float64] = np.einsum("ni,ki->nk", points, linear)
    moved += np.asarray(offset, dtype=np.float64)
    return moved


SQUASHED = "its transform squashes it into a plane, a line or a point"
"""Why a mesh for which ``is_squashed`` cannot be shown as it is."""

_NO_VOLUME = 1e-9


def is_squashed(linear: NDArray[np.float64], points: NDArray[np.float64]) -> bool:
    """Whether a transform takes away an extent that points have; flat meshes may lie in its plane.

    Args:
        linear: (3, 3); singular is a determinant of no size beside its columns.
        points: (N, 3) before the transform.
    """
    with np.errstate(all="ignore"):
        lengths = float(np.prod(np.linalg.norm(linear, axis=0)))
        if not abs(float(np.linalg.det(linear))) <= _NO_VOLUME * lengths:
            return False
    if not (np.isfinite(linear).all() and np.isfinite(points).all()):
        return False  # something else is wrong
    centred = points - points.mean(axis=0)
    before = np.linalg.matrix_rank(centred.T @ centred, tol=1e-12 * float((centred**2).sum()))
    moved = transform_points(centred, linear, np.zeros(3))
    after = np.linalg.matrix_rank(moved.T @ moved, tol=1e-12 * float((moved**2).sum()))
    return bool(after < before)
