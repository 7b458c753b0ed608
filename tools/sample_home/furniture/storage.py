"""Shelves with books, wardrobes, chests and sideboards."""

from __future__ import annotations

import itertools

import numpy as np

from tools.sample_home.pieces import Pieces, made_of
from tools.sample_home.solids import box, cushion, timber

_COVERS = ("book red", "book blue", "book green", "book ochre", "book cream", "book plum")


def bookshelf(
    width_m: float, height_m: float, depth_m: float, wood: str, seed: int, *, has_back: bool = True
) -> Pieces:
    """Open shelves, about two thirds full of books."""
    w, d = width_m / 2, depth_m / 2
    count = max(2, round(height_m / 0.36))
    levels = [0.06 + (height_m - 0.09) * k / count for k in range(count + 1)]
    solids = [
        timber((-w, -d, 0), (-w + 0.03, d, height_m)),
        timber((w - 0.03, -d, 0), (w, d, height_m)),
    ]
    solids += [timber((-w + 0.03, -d, z), (w - 0.03, d, z + 0.025)) for z in levels]
    if has_back:
        solids.append(timber((-w, d - 0.015, 0), (w, d, height_m)))
    pieces = made_of(wood, *solids)
    rng = np.random.default_rng(seed)
    for low, high in itertools.pairwise(levels):
        room = high - low - 0.025
        pieces += _row_of_books(rng, (-w + 0.04, w - 0.04), low + 0.025, room, depth_m)
    return pieces


def _row_of_books(
    rng: np.random.Generator, span: tuple[float, float], z: float, room: float, depth_m: float
) -> Pieces:
    pieces: Pieces = ()
    x, end = span
    end -= float(rng.uniform(0.05, 0.4)) * (end - x)
    while x < end - 0.05:
        thick = float(rng.uniform(0.022, 0.05))
        tall = room * float(rng.uniform(0.62, 0.92))
        deep = min(depth_m - 0.05, float(rng.uniform(0.15, 0.22)))
        y = -depth_m / 2 + 0.02
        book = box((x, y, z), (x + thick, y + deep, z + tall), ("-x", "+x", "-y", "+y", "+z"))
        pieces += made_of(_COVERS[int(rng.integers(len(_COVERS)))], book)
        x += thick + 0.001 if rng.uniform() < 0.93 else thick + 0.06
    return pieces


def wardrobe(width_m: float, wood: str, front: str, doors: int) -> Pieces:
    """A tall wardrobe."""
    w, d, height = width_m / 2, 0.3, 2.1
    body = timber((-w, -d + 0.02, 0.06), (w, d, height))
    plinth = box((-w + 0.02, -d + 0.05, 0), (w - 0.02, d, 0.06))
    crown = timber((-w - 0.02, -d, height), (w + 0.02, d, height + 0.04))
    step = width_m / doors
    fronts, knobs = [], []
    for number in range(doors):
        x0, x1 = -w + number * step + 0.005, -w + (number + 1) * step - 0.005
        fronts.append(timber((x0, -d, 0.08), (x1, -d + 0.02, height - 0.01)))
        fronts.append(timber((x0 + 0.07, -d - 0.008, 0.2), (x1 - 0.07, -d, 0.95)))
        fronts.append(timber((x0 + 0.07, -d - 0.008, 1.05), (x1 - 0.07, -d, height - 0.12)))
        x = x1 - 0.04 if number % 2 == 0 else x0 + 0.04
        knobs.append(box((x - 0.012, -d - 0.03, 0.95), (x + 0.012, -d, 1.1)))
    return made_of(wood, body, plinth, crown) + made_of(front, *fronts) + made_of("brass", *knobs)


def chest(width_m: float, height_m: float, depth_m: float, wood: str, front: str) -> Pieces:
    """A chest of drawers, two columns; the knobs stay within the depth."""
    w, d = width_m / 2, depth_m / 2
    body = timber((-w, -d + 0.035, 0.06), (w, d, height_m - 0.03))
    top = timber((-w, -d, height_m - 0.03), (w, d, height_m))
    plinth = box((-w + 0.03, -d + 0.05, 0), (w - 0.03, d - 0.02, 0.06))
    rows = max(2, round((height_m - 0.1) / 0.24))
    step = (height_m - 0.11) / rows
    fronts, knobs = [], []
    for row in range(rows):
        z = 0.07 + row * step
        for x0, x1 in ((-w + 0.015, -0.006), (0.006, w - 0.015)):
            fronts.append(timber((x0, -d + 0.02, z), (x1, -d + 0.035, z + step - 0.012)))
            x = (x0 + x1) / 2
            knobs.append(
                box(
                    (x - 0.06, -d + 0.004, z + step / 2),
                    (x + 0.06, -d + 0.02, z + step / 2 + 0.015),
                )
            )
    return made_of(wood, body, top, plinth) + made_of(front, *fronts) + made_of("brass", *knobs)


def vase_and_bowl(height_m: float) -> Pieces:
    """Things to put on a chest of the given height."""
    vase = cushion((-0.3, -0.06, height_m), (-0.18, 0.06, height_m + 0.26), 0.04)
    stack = [
        box((0.1, -0.1, height_m + 0.03 * k), (0.32 - 0.02 * k, 0.08, height_m + 0.03 * (k + 1)))
        for k in range(3)
    ]
    return (
        made_of("terracotta", vase)
        + made_of("book cream", stack[0])
        + made_of("book plum", stack[1])
        + made_of("book ochre", stack[2])
    )
