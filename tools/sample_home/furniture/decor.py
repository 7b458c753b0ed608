"""What makes a house a home: rugs, plants, pictures, lamps, curtains and a television."""

from __future__ import annotations

import itertools
import math

import numpy as np

from tools.sample_home.pieces import Pieces, made_of
from tools.sample_home.solids import (
    Solid,
    box,
    convex,
    cushion,
    cylinder,
    frustum,
    merged,
    sheet,
    timber,
    two_sided,
)

RUG_HEIGHT_M = 0.004
"""Rugs lie so flat that no agent notices them."""


def rug(width_m: float, depth_m: float, finish: str) -> Pieces:
    """A rug whose picture fills it."""
    w, d, z = width_m / 2, depth_m / 2, RUG_HEIGHT_M
    face = sheet(((-w, -d, z), (w, -d, z), (w, d, z), (-w, d, z)), (1.0, 1.0))
    return made_of(finish, face)


def mat(width_m: float, depth_m: float, cloth: str) -> Pieces:
    """A plain mat."""
    w, d = width_m / 2, depth_m / 2
    return made_of(cloth, box((-w, -d, 0), (w, d, RUG_HEIGHT_M), ("+z", "-x", "+x", "-y", "+y")))


def picture(width_m: float, height_m: float, finish: str, low_m: float) -> Pieces:
    """A framed picture with its back against a wall at y = 0."""
    w, high = width_m / 2, low_m + height_m
    frame = [
        timber((-w, -0.03, low_m), (w, 0, low_m + 0.04)),
        timber((-w, -0.03, high - 0.04), (w, 0, high)),
        timber((-w, -0.03, low_m + 0.04), (-w + 0.04, 0, high - 0.04)),
        timber((w - 0.04, -0.03, low_m + 0.04), (w, 0, high - 0.04)),
    ]
    x, z0, z1 = w - 0.04, low_m + 0.04, high - 0.04
    canvas = sheet(((-x, -0.012, z0), (x, -0.012, z0), (x, -0.012, z1), (-x, -0.012, z1)), (1, 1))
    return made_of("walnut", *frame) + made_of(finish, canvas)


def television(width_m: float) -> Pieces:
    """A flat screen on a foot; its back at y = +0.1."""
    w, height = width_m / 2, width_m * 0.57
    case = box((-w, 0.02, 0.08), (w, 0.06, 0.08 + height))
    x, z0, z1 = w - 0.015, 0.095, 0.065 + height
    glass = sheet(((-x, 0.019, z0), (x, 0.019, z0), (x, 0.019, z1), (-x, 0.019, z1)), (1, 1))
    foot = box((-0.2, -0.06, 0), (0.2, 0.1, 0.02))
    neck = box((-0.03, 0.03, 0.02), (0.03, 0.06, 0.1))
    return made_of("black", case, foot, neck) + made_of("screen", glass)


def floor_lamp() -> Pieces:
    """A standing lamp, 1.6 m high."""
    foot = cylinder((0, 0), 0.14, (0, 0.025), 16)
    stem = cylinder((0, 0), 0.014, (0.025, 1.3), 6)
    shade = frustum((0, 0), (0.21, 0.14), (1.28, 1.6), 16)
    return made_of("brass", foot, stem) + made_of("shade", shade)


def pendant(low_m: float, ceiling_m: float, radius_m: float, shade: str) -> Pieces:
    """A lamp hanging from the ceiling; ``low_m`` is its lower edge."""
    high = low_m + 0.3
    cone = frustum((0, 0), (radius_m, radius_m * 0.35), (low_m, high), 20)
    bulb = cylinder((0, 0), radius_m * 0.3, (low_m + 0.001, low_m + 0.02), 12)
    cord = cylinder((0, 0), 0.012, (high, ceiling_m), 6)
    rose = cylinder((0, 0), 0.06, (ceiling_m - 0.02, ceiling_m), 12)
    return made_of(shade, cone) + made_of("glow", bulb) + made_of("black", cord, rose)


def linear_pendant(low_m: float, ceiling_m: float, length_m: float, shade: str) -> Pieces:
    """A long flat-sided lamp along x on two cords; ``low_m`` is its lower edge."""
    w, high = length_m / 2, low_m + 0.13
    body = box((-w, -0.08, low_m), (w, 0.08, high - 0.01))
    xs = (-w * 0.6, w * 0.6)
    cords = [cylinder((x, 0), 0.008, (high, ceiling_m), 6) for x in xs]
    roses = [cylinder((x, 0), 0.05, (ceiling_m - 0.02, ceiling_m), 12) for x in xs]
    rim = timber((-w - 0.01, -0.09, high - 0.02), (w + 0.01, 0.09, high))
    return made_of(shade, body) + made_of("black", *cords, *roses) + made_of("walnut", rim)


def plant(height_m: float, seed: int, pot: str = "terracotta") -> Pieces:
    """A pot plant with arching leaves."""
    rng = np.random.default_rng(seed)
    base = 0.24 if height_m > 0.7 else 0.14
    radius = base * 0.62
    vessel = frustum((0, 0), (radius * 0.75, radius), (0, base), 14)
    earth = cylinder((0, 0), radius * 0.9, (base, base + 0.004), 14)
    pieces = made_of(pot, vessel) + made_of("soil", earth)
    by_tint: dict[str, list[Solid]] = {"leaf": [], "leaf dark": [], "leaf light": []}
    for number in range(16):
        tint = list(by_tint)[number % 3]
        reach = height_m * float(rng.uniform(0.22, 0.46))
        rise = (height_m - base) * float(rng.uniform(0.55, 1.0))
        by_tint[tint].append(_leaf(number * 137.5, reach, base, rise, height_m * 0.13))
    for tint, leaves in by_tint.items():
        pieces += made_of(tint, two_sided(merged(leaves)))
    return pieces


def _leaf(angle_deg: float, reach: float, base: float, rise: float, width: float) -> Solid:
    """One leaf: a strip that widens, arches over and ends in a point."""
    path = [
        (0.03, base, 0.25),
        (reach * 0.35, base + rise * 0.7, 0.8),
        (reach * 0.75, base + rise, 1.0),
        (reach, base + rise * 0.82, 0.0),
    ]
    rows = [[(x, s * w * width / 2, z) for s in (-1, 1)] for x, z, w in path]
    points = [*rows[0], *rows[1], *rows[2], rows[3][0]]
    faces = [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3), (4, 6, 5)]
    vertices = np.array(points, dtype=np.float64)
    strip = Solid(vertices, np.array(faces, dtype=np.int32), vertices[:, :2].copy())
    return strip.turned(angle_deg)


def coats(cloths: tuple[str, ...]) -> Pieces:
    """A rail with hooks, 1.7 m up, and coats on them; its back at y = 0."""
    w = 0.13 * len(cloths)
    pieces = made_of("oak", timber((-w, -0.03, 1.66), (w, 0, 1.76)))
    for number, cloth in enumerate(cloths):
        x = -w + 0.26 * number + 0.13
        hook = box((x - 0.01, -0.06, 1.68), (x + 0.01, -0.03, 1.7))
        shoulders = cushion((x - 0.14, -0.1, 1.42), (x + 0.14, -0.015, 1.68), 0.05)
        coat = cushion((x - 0.15, -0.11, 0.85 + 0.08 * (number % 2)), (x + 0.15, -0.02, 1.5), 0.03)
        pieces += made_of("brass", hook) + made_of(cloth, shoulders, coat)
    return pieces


def hedge(length_m: float, height_m: float, seed: int) -> Pieces:
    """A clipped hedge along x made of uneven blocks."""
    rng = np.random.default_rng(seed)
    count = max(1, round(length_m / 0.6))
    step = length_m / count
    blocks = []
    for number in range(count):
        x = -length_m / 2 + number * step
        d = 0.25 + float(rng.uniform(-0.03, 0.05))
        top = height_m + float(rng.uniform(-0.06, 0.08))
        blocks.append(cushion((x - 0.02, -d, 0), (x + step + 0.02, d, top), 0.08))
    return made_of("leaf dark", *blocks[::2]) + made_of("leaf", *blocks[1::2])


def curtain(width_m: float, low_m: float, high_m: float, cloth: str) -> Pieces:
    """A gathered curtain hanging at y = 0, five centimetres deep."""
    count = max(4, round(width_m / 0.05))
    xs = np.linspace(-width_m / 2, width_m / 2, count + 1)
    ys = np.where(np.arange(count + 1) % 2 == 0, -0.05, -0.01)
    rows = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
    strips = [
        sheet(((x0, y0, low_m), (x1, y1, low_m), (x1, y1, high_m), (x0, y0, high_m)), (0.06, 1.5))
        for (x0, y0), (x1, y1) in itertools.pairwise(rows)
    ]
    return made_of(cloth, two_sided(merged(strips)))


def tree(height_m: float, seed: int) -> Pieces:
    """A small garden tree with a faceted crown."""
    rng = np.random.default_rng(seed)
    trunk = frustum((0, 0), (0.09, 0.06), (0, height_m * 0.5), 8)
    crowns = []
    for number in range(5):
        angle = number * 2.4
        offset = 0.0 if number == 0 else height_m * 0.16
        x, y = offset * math.cos(angle), offset * math.sin(angle)
        size = height_m * float(rng.uniform(0.2, 0.27))
        z = height_m * (0.72 if number == 0 else float(rng.uniform(0.5, 0.64)))
        crowns.append(_ball((x, y, z), size))
    return (
        made_of("walnut", trunk) + made_of("leaf", *crowns[:3]) + made_of("leaf light", *crowns[3:])
    )


def _ball(centre: tuple[float, float, float], radius: float) -> Solid:
    cx, cy, cz = centre
    rings = []
    for level, share in ((-0.85, 0.45), (-0.35, 0.94), (0.35, 0.94), (0.85, 0.45)):
        angles = np.arange(8) * math.tau / 8
        rings.append(
            np.column_stack(
                [
                    cx + radius * share * np.cos(angles),
                    cy + radius * share * np.sin(angles),
                    np.full(8, cz + radius * level),
                ]
            )
        )
    polygons = [rings[0], rings[-1]]
    for low, high in itertools.pairwise(rings):
        polygons += [np.array([low[k - 1], low[k], high[k], high[k - 1]]) for k in range(8)]
    return convex(polygons)
