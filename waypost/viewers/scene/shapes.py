"""The shapes that overlays are made of: discs, bands, boxes and round bodies, true to size."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3, vec3
from waypost.viewers.scene.drawing import Color, PolyLine, SolidMesh


def disc(center: Vec3, radius_m: float, color: Color, *, is_on_top: bool = False) -> SolidMesh:
    """A flat horizontal disc, e.g. a turning circle on the floor."""
    angles = np.linspace(0.0, 2.0 * math.pi, 49)[:-1]
    rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)]) * radius_m
    vertices = np.vstack([np.zeros((1, 3)), rim]) + np.asarray(center, dtype=np.float64)
    ring = np.arange(1, 49)
    faces = np.column_stack([np.zeros(48), ring, np.roll(ring, -1)]).astype(np.int32)
    return SolidMesh(vertices, faces, color, is_shaded=False, is_on_top=is_on_top)


def circle(center: Vec3, radius_m: float, color: Color, *, width_px: float = 2.0) -> PolyLine:
    """A horizontal circle, hidden by what stands in front of it."""
    angles = np.linspace(0.0, 2.0 * math.pi, 65)
    x, y, z = center
    points = tuple(
        (x + radius_m * math.cos(a), y + radius_m * math.sin(a), z) for a in angles.tolist()
    )
    return PolyLine(points, color, width_px, is_on_top=False)


def ribbon(points: tuple[Vec3, ...], width_m: float, color: Color) -> SolidMesh:
    """A flat band of real width along a path, e.g. the corridor an agent sweeps.

    Args:
        points: Two or more, distinct in plan; metres, scene frame.
        width_m: Full width across the path.
        color: Fill colour.
    """
    path = np.asarray(points, dtype=np.float64)
    steps = np.diff(path[:, :2], axis=0)
    lengths = np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-9)
    sideways = np.column_stack([-steps[:, 1], steps[:, 0]]) / lengths
    across = np.vstack([sideways[:1], (sideways[:-1] + sideways[1:]) / 2, sideways[-1:]])
    squared = np.maximum((across**2).sum(axis=1, keepdims=True), 0.25)
    offset = np.column_stack([across / squared, np.zeros(len(path))]) * (width_m / 2)
    vertices = np.vstack([path + offset, path - offset])
    count = len(path)
    i = np.arange(count - 1)
    faces = np.vstack(
        [np.column_stack([i, i + count, i + 1]), np.column_stack([i + 1, i + count, i + count + 1])]
    ).astype(np.int32)
    return SolidMesh(vertices, faces, color, is_shaded=False)


def box(center: Vec3, size_m: Vec3, yaw_rad: float, color: Color) -> SolidMesh:
    """An upright box: size along its own forward, left and up axes, turned by the yaw."""
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    vertices = _turned(corners * (np.asarray(size_m) / 2), yaw_rad) + np.asarray(center)
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
    faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    return SolidMesh(vertices, np.asarray(faces, dtype=np.int32), color)


def box_edges(
    center: Vec3, size_m: Vec3, yaw_rad: float, color: Color, *, width_px: float = 2.0
) -> tuple[PolyLine, ...]:
    """The twelve edges of the same box, hidden by what stands in front of them."""
    low, high = (-size_m[2] / 2, size_m[2] / 2)
    plan = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
    half = (size_m[0] / 2, size_m[1] / 2)
    rings = []
    for z in (low, high):
        corners = np.array([(x * half[0], y * half[1], z) for x, y in plan])
        rings.append(_turned(corners, yaw_rad) + np.asarray(center, dtype=np.float64))
    loops = [tuple(vec3(p) for p in ring) for ring in rings]
    posts = [(vec3(a), vec3(b)) for a, b in zip(rings[0][:4], rings[1][:4], strict=True)]
    return tuple(PolyLine(p, color, width_px, is_on_top=False) for p in [*loops, *posts])


def upright_cylinder(center: Vec3, radius_m: float, height_m: float, color: Color) -> SolidMesh:
    """A closed upright cylinder around its centre."""
    angles = np.linspace(0.0, 2.0 * math.pi, 33)[:-1]
    rim = np.column_stack([np.cos(angles) * radius_m, np.sin(angles) * radius_m])
    low = np.column_stack([rim, np.full(32, -height_m / 2)])
    high = np.column_stack([rim, np.full(32, height_m / 2)])
    caps = np.array([(0.0, 0.0, -height_m / 2), (0.0, 0.0, height_m / 2)])
    vertices = np.vstack([low, high, caps]) + np.asarray(center, dtype=np.float64)
    i = np.arange(32)
    j = np.roll(i, -1)
    faces = [np.column_stack([i, j, j + 32]), np.column_stack([i, j + 32, i + 32])]
    faces += [np.column_stack([np.full(32, 64), j, i])]
    faces += [np.column_stack([np.full(32, 65), i + 32, j + 32])]
    return SolidMesh(vertices, np.vstack(faces).astype(np.int32), color)


def upright_capsule(center: Vec3, radius_m: float, height_m: float, color: Color) -> SolidMesh:
    """An upright capsule around its centre; the height includes both round ends."""
    rows = np.linspace(-math.pi / 2, math.pi / 2, 13)
    rows = np.insert(rows, 6, 0.0)
    straight = np.where(np.arange(14) < 7, -1.0, 1.0) * (height_m / 2 - radius_m)
    angles = np.linspace(0.0, 2.0 * math.pi, 33)[:-1]
    ring_radius = np.repeat(np.cos(rows) * radius_m, 32)
    turn = np.tile(angles, 14)
    z = np.repeat(np.sin(rows) * radius_m + straight, 32)
    vertices = np.column_stack([np.cos(turn) * ring_radius, np.sin(turn) * ring_radius, z])
    i = np.arange(13 * 32)
    j = (i // 32) * 32 + (i + 1) % 32
    faces = np.vstack([np.column_stack([i, j, j + 32]), np.column_stack([i, j + 32, i + 32])])
    return SolidMesh(vertices + np.asarray(center), faces.astype(np.int32), color)


def _turned(points: NDArray[np.float64], yaw_rad: float) -> NDArray[np.float64]:
    cosine, sine = math.cos(yaw_rad), math.sin(yaw_rad)
    turned = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(points @ turned)
