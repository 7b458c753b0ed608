"""Cut polygon faces into triangles that cover exactly the polygon, concave ones included."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_EPSILON = 1e-12


def triangulate(
    points: NDArray[np.float64], counts: NDArray[np.int64], indices: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cut faces into triangles with the winding of their face.

    Args:
        points: (P, 3) positions.
        counts: (F,) corners of each face; faces of fewer than 3 corners give no triangle.
        indices: (sum of counts,) point of every corner, face after face.

    Returns:
        (T, 3) positions in ``indices`` (corners, not points, so that per-corner values can
        follow) and (T,) the face each triangle comes from, ascending.
    """
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    corner_blocks: list[NDArray[np.int64]] = []
    face_blocks: list[NDArray[np.int64]] = []
    for size in np.unique(counts):
        if size < 3:
            continue
        faces = np.flatnonzero(counts == size)
        corners = starts[faces][:, None] + np.arange(size)
        if size > 3:
            local = _cut(points[indices[corners]])
            corners = np.take_along_axis(corners[:, None, :], local, axis=2).reshape(-1, 3)
        corner_blocks.append(corners)
        face_blocks.append(np.repeat(faces, size - 2))
    if not corner_blocks:
        return np.empty((0, 3), np.int64), np.empty(0, np.int64)
    if len(corner_blocks) == 1:
        return corner_blocks[0], face_blocks[0]
    all_faces = np.concatenate(face_blocks)
    order = np.argsort(all_faces, kind="stable")
    return np.concatenate(corner_blocks)[order], all_faces[order]


def _cut(polygons: NDArray[np.float64]) -> NDArray[np.int64]:
    """(N, size − 2, 3) corner numbers within each of (N, size, 3) polygons."""
    amount, size, _ = polygons.shape
    steps = np.arange(1, size - 1)
    fan = np.stack([np.zeros_like(steps), steps, steps + 1], axis=1)
    local = np.repeat(fan[None], amount, axis=0)
    for row in np.flatnonzero(~_is_convex(polygons)):
        local[row] = _clip_ears(_flatten(polygons[row]))
    return local


def _normals(polygons: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 3) Newell normals, twice the area long."""
    centred = polygons - polygons[:, :1]
    normals: NDArray[np.float64] = np.cross(centred, np.roll(centred, -1, axis=1)).sum(axis=1)
    return normals


def _is_convex(polygons: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) whether a fan from the first corner stays inside each (size, 3) polygon."""
    first = polygons[:, 1:-1] - polygons[:, :1]
    second = polygons[:, 2:] - polygons[:, :1]
    fan = np.einsum("nti,ni->nt", np.cross(first, second), _normals(polygons))
    edges = np.roll(polygons, -1, axis=1) - polygons
    turns = np.cross(edges, np.roll(edges, -1, axis=1))
    corner = np.einsum("nci,ni->nc", turns, _normals(polygons))
    return np.asarray((fan >= -_EPSILON).all(axis=1) & (corner >= -_EPSILON).all(axis=1))


def _flatten(polygon: NDArray[np.float64]) -> NDArray[np.float64]:
    """(size, 2) the polygon in its own plane, counter-clockwise."""
    normal = _normals(polygon[None])[0]
    axis = int(np.argmax(np.abs(normal)))
    plane = polygon[:, [(axis + 1) % 3, (axis + 2) % 3]]
    return plane if normal[axis] >= 0 else plane * [-1.0, 1.0]


def _clip_ears(plane: NDArray[np.float64]) -> NDArray[np.int64]:
    """(size − 2, 3) triangles of a simple counter-clockwise polygon."""
    left = list(range(len(plane)))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 3:
        at = next((i for i in range(len(left)) if _is_ear(plane, left, i)), None)
        if at is None:  # a polygon that crosses itself has no ear: cut its flattest corner
            at = min(range(len(left)), key=lambda i: abs(_turn(plane, left, i)))
        triangles.append((left[at - 1], left[at], left[(at + 1) % len(left)]))
        del left[at]
    triangles.append((left[0], left[1], left[2]))
    return np.asarray(triangles, dtype=np.int64)


def _turn(plane: NDArray[np.float64], left: list[int], at: int) -> float:
    before, here, after = plane[left[at - 1]], plane[left[at]], plane[left[(at + 1) % len(left)]]
    return _cross(here - before, after - here)


def _is_ear(plane: NDArray[np.float64], left: list[int], at: int) -> bool:
    if _turn(plane, left, at) <= _EPSILON:
        return False
    a, b, c = plane[left[at - 1]], plane[left[at]], plane[left[(at + 1) % len(left)]]
    for index in left:
        p = plane[index]
        if any(np.array_equal(p, corner) for corner in (a, b, c)):
            continue
        if min(_cross(b - a, p - a), _cross(c - b, p - b), _cross(a - c, p - c)) >= 0:
            return False
    return True


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(a[0] * b[1] - a[1] * b[0])
