"""Simple shapes with texture coordinates in metres, so that textures keep their true scale.

A shape is built in the scene frame (Z up, metres) or around its own origin and then placed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3

FloatArray = NDArray[np.float64]

Polygon = FloatArray | Sequence[Sequence[float] | FloatArray]
"""Corners in order."""

SIDES = ("-x", "+x", "-y", "+y", "-z", "+z")
"""Names of the six faces of a box."""

_CORNERS = np.array(
    [
        [[0, 1, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1]],
        [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]],
        [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]],
        [[1, 1, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]],
        [[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]],
        [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]],
    ],
    dtype=np.float64,
)
_PLANES = ((1, 2), (0, 2), (0, 1))
"""Axes that span a face whose normal is x, y or z: (u, v)."""


@dataclass(frozen=True, eq=False, slots=True)
class Solid:
    """Triangles with texture coordinates in metres."""

    vertices: FloatArray
    """(V, 3) metres."""

    faces: NDArray[np.int32]
    """(F, 3) vertex indices, counter-clockwise seen from outside."""

    uvs: FloatArray
    """(V, 2) metres along the surface."""

    def moved(self, x: float, y: float, z: float = 0.0) -> Solid:
        """The solid shifted by metres; its texture moves along."""
        return Solid(self.vertices + np.array([x, y, z]), self.faces, self.uvs)

    def turned(self, yaw_deg: float) -> Solid:
        """The solid turned about the vertical axis through the origin, counter-clockwise.

        Quarter turns are exact.
        """
        cos, sin = _cos_sin(yaw_deg)
        matrix = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        return Solid(self.vertices @ matrix.T, self.faces, self.uvs)


def merged(solids: Iterable[Solid]) -> Solid:
    """One solid holding all triangles, in order."""
    parts = list(solids)
    starts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    return Solid(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([p.faces + int(s) for p, s in zip(parts, starts, strict=True)]).astype(
            np.int32
        ),
        np.concatenate([part.uvs for part in parts]),
    )


def box(low: Vec3, high: Vec3, only: Sequence[str] = SIDES, *, grain: bool = False) -> Solid:
    """A box between two corners.

    Args:
        low: Lowest corner.
        high: Highest corner.
        only: The faces to make.
        grain: Run the texture's u along the longer side of each face, as timber is cut;
            otherwise u and v follow the scene axes, so that neighbouring boxes match.
    """
    corner, size = np.asarray(low, dtype=np.float64), np.subtract(high, low)
    vertices: list[FloatArray] = []
    uvs: list[FloatArray] = []
    faces: list[tuple[int, int, int]] = []
    for side in only:
        number = SIDES.index(side)
        points = corner + _CORNERS[number] * size
        u, v = _PLANES[number // 2]
        if grain and size[v] > size[u]:
            u, v = v, u
        start = 4 * len(vertices)
        faces += [(start, start + 1, start + 2), (start, start + 2, start + 3)]
        vertices.append(points)
        uvs.append(points[:, (u, v)])
    return Solid(np.concatenate(vertices), np.array(faces, dtype=np.int32), np.concatenate(uvs))


def timber(low: Vec3, high: Vec3) -> Solid:
    """A box of wood whose grain runs along its length."""
    return box(low, high, grain=True)


def convex(polygons: Iterable[Polygon]) -> Solid:
    """A closed convex solid from flat polygons in any winding; normals come out outward."""
    rings = [np.asarray(polygon, dtype=np.float64) for polygon in polygons]
    centre = np.concatenate(rings).mean(axis=0)
    vertices, uvs, faces = [], [], []
    start = 0
    for ring in rings:
        normal = np.cross(ring[1] - ring[0], ring[2] - ring[1])
        outward = ring if normal @ (ring.mean(axis=0) - centre) > 0 else ring[::-1]
        u, v = _PLANES[int(np.argmax(np.abs(normal)))]
        vertices.append(outward)
        uvs.append(outward[:, (u, v)])
        faces += [(start, start + k, start + k + 1) for k in range(1, len(ring) - 1)]
        start += len(ring)
    return Solid(np.concatenate(vertices), np.array(faces, dtype=np.int32), np.concatenate(uvs))


def cushion(low: Vec3, high: Vec3, bevel_m: float) -> Solid:
    """A box with bevelled edges and corners: upholstery, pillows, porcelain."""
    corners = np.array([low, high], dtype=np.float64)
    bevel = min(bevel_m, float(np.min(corners[1] - corners[0])) * 0.49)
    levels = np.array([corners[0], corners[0] + bevel, corners[1] - bevel, corners[1]])
    steps, axes, faces = _cushion_template()
    vertices = levels[steps, np.arange(3)]
    return Solid(vertices, faces, np.take_along_axis(vertices, axes, axis=1))


@functools.cache
def _cushion_template() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Vertices as steps 0 to 3 along each axis, the axes of their texture, and the faces.

    The three axes are kept apart by an offset of ten, so that each texture coordinate tells
    which axis it came from.
    """
    offset = np.array([0.0, 10.0, 20.0])

    def point(corner: list[int], face_axis: int) -> FloatArray:
        steps = np.where(np.array(corner) == 0, 1.0, 2.0)
        steps[face_axis] = 3.0 * corner[face_axis]
        return np.asarray(steps + offset)

    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    polygons: list[list[FloatArray]] = []
    for axis in range(3):
        a, b = (k for k in range(3) if k != axis)
        corner = [0, 0, 0]
        for corner[axis] in (0, 1):
            ring = []
            for corner[a], corner[b] in square:
                ring.append(point(corner, axis))
            polygons.append(ring)
        for corner[a], corner[b] in square:
            near = [*corner[:axis], 0, *corner[axis + 1 :]]
            far = [*corner[:axis], 1, *corner[axis + 1 :]]
            polygons.append([point(near, a), point(far, a), point(far, b), point(near, b)])
    for number in range(8):
        corner = [number & 1, number >> 1 & 1, number >> 2 & 1]
        polygons.append([point(corner, axis) for axis in range(3)])
    solid = convex(polygons)
    steps = np.rint(solid.vertices - offset).astype(np.int64)
    return steps, (solid.uvs // 10).astype(np.int64), solid.faces


def frustum(
    centre: tuple[float, float],
    radii_m: tuple[float, float],
    heights_m: tuple[float, float],
    sides: int = 14,
) -> Solid:
    """An upright cylinder, or cone, between two heights with the radius at either end."""
    angles = np.arange(sides) * (math.tau / sides)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = [
        np.column_stack([np.asarray(centre) + circle * radius, np.full(sides, height)])
        for radius, height in zip(radii_m, heights_m, strict=True)
    ]
    widest = max(radii_m)
    parts = [
        _disc(rings[0][::-1], centre),
        _disc(rings[1], centre),
        _band(rings[0], rings[1], math.tau * widest / sides),
    ]
    return merged(part for part, radius in zip(parts, (*radii_m, widest), strict=True) if radius)


def cylinder(
    centre: tuple[float, float], radius_m: float, heights_m: tuple[float, float], sides: int = 14
) -> Solid:
    """An upright cylinder between two heights."""
    return frustum(centre, (radius_m, radius_m), heights_m, sides)


def bar(start: Vec3, end: Vec3, thickness_m: float) -> Solid:
    """A square bar between two points, in any direction: rails, stems, slanted legs."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    along = (b - a) / np.linalg.norm(b - a)
    helper = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = np.cross(along, helper)
    side *= thickness_m / 2 / np.linalg.norm(side)
    up = np.cross(side, along)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ends = [[p + s * side + t * up for s, t in signs] for p in (a, b)]
    sides = [[ends[0][k], ends[0][k - 1], ends[1][k - 1], ends[1][k]] for k in range(4)]
    return convex([*ends, *sides])


def sheet(corners: Sequence[Vec3], uv_size_m: tuple[float, float]) -> Solid:
    """A flat four-cornered sheet seen counter-clockwise; the texture spans it from (0, 0)."""
    u, v = uv_size_m
    return Solid(
        np.asarray(corners, dtype=np.float64),
        np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32),
        np.array([(0, 0), (u, 0), (u, v), (0, v)], dtype=np.float64),
    )


def two_sided(solid: Solid) -> Solid:
    """The solid with every triangle repeated facing the other way, for leaves and cloth."""
    return merged([solid, Solid(solid.vertices, solid.faces[:, ::-1], solid.uvs)])


def _cos_sin(angle_deg: float) -> tuple[float, float]:
    quarter, rest = divmod(angle_deg, 90.0)
    if rest == 0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))


def _disc(ring: FloatArray, centre: tuple[float, float]) -> Solid:
    faces = [(0, k, k + 1) for k in range(1, len(ring) - 1)]
    return Solid(ring, np.array(faces, dtype=np.int32), ring[:, :2] - np.asarray(centre))


def _band(lower: FloatArray, upper: FloatArray, step_m: float) -> Solid:
    count = len(lower)
    order = [*range(count), 0]
    vertices = np.concatenate([lower[order], upper[order]])
    u = np.tile(np.arange(count + 1) * step_m, 2)
    faces = []
    for k in range(count):
        a, b, c, d = k, k + 1, count + 2 + k, count + 1 + k
        faces += [(a, b, c), (a, c, d)]
    return Solid(vertices, np.array(faces, dtype=np.int32), np.column_stack([u, vertices[:, 2]]))
