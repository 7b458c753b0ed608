"""Rooms of boxes with known answers, as triangles."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.scene_ground import SceneGround

Triangles = NDArray[np.float64]

_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
_FACES = np.array([t for a, b, c, d in _SIDES for t in ((a, b, c), (a, c, d))])


def block(x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> Triangles:
    """A box."""
    corners = np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)])
    return corners[_FACES]


def room(*parts: Triangles, length: float = 4.0, half: float = 1.0) -> Triangles:
    """A floor between four walls, along x from 0, about y = 0."""
    return np.concatenate([block(0, length, -half, half, -0.1, 0), walls(length, half), *parts])


def walls(length: float = 4.0, half: float = 1.0, low: float = -0.5) -> Triangles:
    """Four walls around a room."""
    return np.concatenate(
        [
            block(0, length, -half - 0.1, -half, low, 2.6),
            block(0, length, half, half + 0.1, low, 2.6),
            block(-0.1, 0, -half - 0.1, half + 0.1, low, 2.6),
            block(length, length + 0.1, -half - 0.1, half + 0.1, low, 2.6),
        ]
    )


def door(width: float, off: float = 0.0, thick: float = 0.12, half: float = 1.0) -> Triangles:
    """A wall across the room with a doorway."""
    return room(
        block(2, 2 + thick, -half, off - width / 2, 0, 2.6),
        block(2, 2 + thick, off + width / 2, half, 0, 2.6),
        block(2, 2 + thick, off - width / 2, off + width / 2, 2.05, 2.6),
        half=half,
    )


def sill(height: float) -> Triangles:
    """A sill across the whole room."""
    return room(block(2, 2.12, -1, 1, 0, height))


def drop(depth: float) -> Triangles:
    """A floor that is lower beyond the middle."""
    return np.concatenate([block(0, 2, -1, 1, -1.0, 0), block(2, 4, -1, 1, -1.0, -depth), walls()])


def corner(width: float, arm: float = 2.6) -> Triangles:
    """Two corridors of one width that meet at a right angle."""
    return np.concatenate(
        [
            block(0, arm, 0, arm, -0.1, 0),
            block(-0.1, arm, -0.1, 0, 0, 2.6),
            block(-0.1, 0, -0.1, arm, 0, 2.6),
            block(width, arm + 0.1, width, arm + 0.1, 0, 2.6),
            block(arm, arm + 0.1, -0.1, width, 0, 2.6),
            block(-0.1, width, arm, arm + 0.1, 0, 2.6),
        ]
    )


def switchbacks(number: int, width: float) -> tuple[Triangles, Vec3, Vec3]:
    """A way that turns back by 120° so many times, and its ends.

    Its corridors cross at 60° and go on by 0.75 m, so that a body turns by 60° where they cross
    and leaves the other way round. To turn by 120° instead, it would have to fit past the corners
    of the obtuse angles, which are width / √3 from the middle of a crossing.
    """
    places = [np.zeros(2)]
    for k in range(number + 1):
        length = 1.2 if k in {0, number} else 1.5
        bearing = math.radians(120) if k % 2 else 0.0
        places.append(places[-1] + length * np.array([math.cos(bearing), math.sin(bearing)]))
    corridors = []
    for a, b in pairwise(places):
        along = (b - a) / np.hypot(*(b - a))
        axes = np.array([along, [-along[1], along[0]]])
        corridors.append(((a + b) / 2, axes, np.array([np.hypot(*(b - a)) / 2 + 0.75, width / 2])))
    parts = []
    for k, (middle, axes, half) in enumerate(corridors):
        corners = middle + (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half) @ axes
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            at = 0.0
            crossed = [_share_inside(a, b, *corridors[j]) for j in range(number + 1) if j != k]
            for low, high in [*sorted(crossed), (1.0, 1.0)]:
                if low > at:
                    parts.append(_upright(a + at * (b - a), a + low * (b - a)))
                at = max(at, high)
    corners = np.concatenate(parts).reshape(-1, 3)
    (x0, y0, _), (x1, y1, _) = corners.min(axis=0), corners.max(axis=0)
    (ax, ay), (bx, by) = places[0], places[-1]
    made = np.concatenate([block(x0, x1, y0, y1, -0.1, 0), *parts])
    return made, (float(ax), float(ay), 0.0), (float(bx), float(by), 0.0)


def _share_inside(
    a: Triangles, b: Triangles, middle: Triangles, axes: Triangles, half: Triangles
) -> tuple[float, float]:
    """Which part of a line is inside a rectangle: where it begins and ends, from 0 to 1."""
    start, step = axes @ (a - middle), axes @ (b - a)
    step = np.where(step == 0, 1e-12, step)
    ends = np.sort([(-half - start) / step, (half - start) / step], axis=0)
    low, high = max(0.0, float(ends[0].max())), min(1.0, float(ends[1].min()))
    return (low, high) if high > low else (0.0, 0.0)


def _upright(a: Triangles, b: Triangles) -> Triangles:
    """A wall without thickness."""
    low, high = -0.1, 2.6
    return np.array([[(*a, low), (*b, low), (*b, high)], [(*a, low), (*b, high), (*a, high)]])


def slot(width: float, half_y: float = 1.0, off: float = 0.0) -> Triangles:
    """A hole in the floor: across the whole room, or of some width about y = off."""
    parts = [block(0, 2, -1, 1, -0.1, 0), block(2 + width, 4, -1, 1, -0.1, 0), walls()]
    if half_y < 1:
        parts.append(block(2, 2 + width, -1, off - half_y, -0.1, 0))
        parts.append(block(2, 2 + width, off + half_y, 1, -0.1, 0))
    return np.concatenate(parts)


def overhang(height: float) -> Triangles:
    """A beam across the room."""
    return room(block(2, 2.4, -1, 1, height, 2.6))


def stairs(risers: int, rise: float = 0.17, tread: float = 0.28) -> Triangles:
    """A flight up to a landing."""
    steps = [block(1.5 + k * tread, 4.5, -1, 1, k * rise, (k + 1) * rise) for k in range(risers)]
    return np.concatenate([block(0, 4.5, -1, 1, -0.1, 0), walls(4.5), *steps])


def ramp(slope_deg: float, length: float = 1.5) -> Triangles:
    """A ramp up to a level floor."""
    rise = length * math.tan(math.radians(slope_deg))
    a, b = (1.0, 0.0), (1.0 + length, rise)
    quad = np.array(
        [
            [[a[0], -1, a[1]], [b[0], -1, b[1]], [b[0], 1, b[1]]],
            [[a[0], -1, a[1]], [b[0], 1, b[1]], [a[0], 1, a[1]]],
        ]
    )
    high = block(1.0 + length, 4, -1, 1, rise - 0.1, rise)
    return np.concatenate([block(0, 1, -1, 1, -0.1, 0), quad, high, walls(4.0)])


def noisy_floor(
    sigma: float, length: float = 4.0, half: float = 1.0, cell: float = 0.05
) -> Triangles:
    """A floor scanned as a grid with normal noise of its heights."""
    random = np.random.default_rng(0)
    x, y = np.meshgrid(
        np.arange(0, length + 0.01, cell), np.arange(-half, half + 0.01, cell), indexing="ij"
    )
    points = np.stack([x, y, random.normal(0, sigma, x.shape)], axis=2)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.concatenate(
        [np.stack([a, b, c], 2).reshape(-1, 3, 3), np.stack([a, c, d], 2).reshape(-1, 3, 3)]
    )


def turned(triangles: Triangles, angle: float, mirror: bool = False) -> Triangles:
    """The room turned about the origin, or mirrored in the x axis first."""
    cos, sin = math.cos(angle), math.sin(angle)
    made = triangles * np.array([1.0, -1.0, 1.0]) if mirror else triangles
    return made @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])


def ground(*named: tuple[str, Triangles]) -> SceneGround:
    """A scene of named parts."""
    return SceneGround(
        np.concatenate([part for _, part in named]).astype(np.float32),
        np.repeat(np.arange(len(named), dtype=np.int32), [len(part) for _, part in named]),
        tuple(name for name, _ in named),
    )
