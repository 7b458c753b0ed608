"""Where the horizontal cut opens closed bodies, so that walls read as solid from above."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Mesh

_MOST_SEGMENTS = 20_000
_MOST_GAPS = 200
_SAME_POINT_M = 1e-4


def section_triangles(meshes: Sequence[Mesh], cut_z: float) -> NDArray[np.float32]:
    """Fans whose signed windings add up to the section of closed bodies.

    Each outline segment makes one triangle with a pivot of its own body. Drawn into a stencil
    that counts up for one winding and down for the other, the count is not zero exactly inside
    a body, however bodies overlap and whatever holes they have.

    Args:
        meshes: Closed bodies whose triangles face outwards.
        cut_z: Height of the plane, in the frame of the vertices.

    Returns:
        (T, 3, 3) triangles in the plane; none if there would be too many to fill quickly.
    """
    fans: list[NDArray[np.float32]] = []
    count = 0
    for mesh in meshes:
        segments = closed_outline(section_segments(mesh.vertices, mesh.faces, cut_z))
        if not len(segments):
            continue
        pivot = segments.reshape(-1, 2).mean(axis=0)
        fan = np.full((len(segments), 3, 3), cut_z, dtype=np.float32)
        fan[:, 0, :2] = pivot
        fan[:, 1:, :2] = segments
        fans.append(fan)
        count += len(fan)
    if not fans or count > _MOST_SEGMENTS:
        return np.empty((0, 3, 3), dtype=np.float32)
    return np.concatenate(fans)


def section_segments(
    vertices: NDArray[np.float32], faces: NDArray[np.int32], cut_z: float
) -> NDArray[np.float64]:
    """(S, 2, 2) outline of one body in the plane, the body to the left of each segment.

    Args:
        vertices: (V, 3).
        faces: (F, 3) vertex indices, counter-clockwise seen from outside.
        cut_z: Height of the plane, in the frame of the vertices.
    """
    is_above = vertices[:, 2] >= cut_z
    if not is_above.any() or is_above.all():
        return np.empty((0, 2, 2))
    above = is_above[faces]
    # Summed by columns: many times faster than along the short axis.
    count = above[:, 0].astype(np.int8) + above[:, 1] + above[:, 2]
    crossed = (count == 1) | (count == 2)
    faces, above, count = faces[crossed], above[crossed], count[crossed]
    # The corner that is alone on its side comes first; the winding stays.
    alone = np.where(count == 1, above.argmax(axis=1), above.argmin(axis=1))
    order = (alone[:, None] + np.arange(3)) % 3
    corners = vertices[np.take_along_axis(faces, order, axis=1)].astype(np.float64)
    apex, first, second = corners[:, 0], corners[:, 1], corners[:, 2]
    ends = [
        apex + (end - apex) * ((cut_z - apex[:, 2]) / (end[:, 2] - apex[:, 2]))[:, None]
        for end in (first, second)
    ]
    segments = np.stack([ends[0][:, :2], ends[1][:, :2]], axis=1)
    is_apex_below = count == 2
    segments[is_apex_below] = segments[is_apex_below][:, ::-1]
    return segments


def closed_outline(segments: NDArray[np.float64]) -> NDArray[np.float64]:
    """The outline with its gaps bridged; none if it is too broken to enclose anything.

    Real walls lack a face here and there, and one missing segment would spoil the whole count.

    Args:
        segments: (S, 2, 2) from start to end.
    """
    if not len(segments):
        return segments
    points = np.rint(segments.reshape(-1, 2) / _SAME_POINT_M).astype(np.int64)
    unique, number = np.unique(points, axis=0, return_inverse=True)
    number = number.reshape(-1, 2)
    count = len(unique)
    surplus = np.bincount(number[:, 1], minlength=count) - np.bincount(
        number[:, 0], minlength=count
    )
    dangling = np.repeat(np.arange(count), np.maximum(surplus, 0))
    wanted = np.repeat(np.arange(count), np.maximum(-surplus, 0))
    if len(dangling) > _MOST_GAPS:
        return np.empty((0, 2, 2))
    # Neighbours meet in exactly the same point, or specks would shine through the seam.
    places = unique.astype(np.float64) * _SAME_POINT_M
    segments = places[number]
    away = np.linalg.norm(places[dangling][:, None] - places[wanted][None], axis=2)
    bridges = []
    for _ in range(len(dangling)):
        row, column = np.unravel_index(int(away.argmin()), away.shape)
        bridges.append((places[dangling[row]], places[wanted[column]]))
        away[row, :] = np.inf
        away[:, column] = np.inf
    return np.concatenate([segments, np.array(bridges)]) if bridges else segments
