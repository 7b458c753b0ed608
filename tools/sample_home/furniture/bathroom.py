"""Bathtub, toilet, wash basin and shower."""

from __future__ import annotations

from tools.sample_home.pieces import Pieces, made_of
from tools.sample_home.solids import bar, box, cushion, cylinder, frustum, timber


def bathtub(length_m: float = 1.7, width_m: float = 0.75) -> Pieces:
    """A tub along x with water in it."""
    w, d, rim, wall = length_m / 2, width_m / 2, 0.56, 0.07
    shell = [
        cushion((-w, -d, 0), (w, -d + wall, rim), 0.02),
        cushion((-w, d - wall, 0), (w, d, rim), 0.02),
        cushion((-w, -d, 0), (-w + wall, d, rim), 0.02),
        cushion((w - wall, -d, 0), (w, d, rim), 0.02),
        box((-w + wall, -d + wall, 0.1), (w - wall, d - wall, 0.14)),
    ]
    water = box((-w + wall, -d + wall, 0.14), (w - wall, d - wall, 0.38), ("+z",))
    tap = [
        box((-w + 0.02, -0.03, rim), (-w + 0.05, 0.03, rim + 0.14)),
        box((-w + 0.02, -0.02, rim + 0.11), (-w + 0.17, 0.02, rim + 0.14)),
    ]
    return made_of("porcelain", *shell) + made_of("water", water) + made_of("chrome", *tap)


def toilet() -> Pieces:
    """A close-coupled toilet, back at y = +0.33."""
    foot = cushion((-0.12, -0.22, 0), (0.12, 0.2, 0.32), 0.05)
    bowl = cushion((-0.18, -0.33, 0.26), (0.18, 0.18, 0.4), 0.07)
    lid = cushion((-0.185, -0.335, 0.4), (0.185, 0.16, 0.435), 0.015)
    tank = cushion((-0.19, 0.15, 0.36), (0.19, 0.33, 0.78), 0.03)
    button = cylinder((0, 0.24), 0.03, (0.78, 0.79), 10)
    return made_of("porcelain", foot, bowl, tank) + made_of("trim", lid) + made_of("chrome", button)


def basin(width_m: float, wood: str) -> Pieces:
    """A wash basin on a cupboard with a mirror above; back at y = +0.22."""
    w, d = width_m / 2, 0.22
    body = timber((-w, -d + 0.02, 0.25), (w, d, 0.76))
    fronts = [
        timber((x0, -d + 0.005, 0.27), (x1, -d + 0.02, 0.74))
        for x0, x1 in ((-w + 0.01, -0.004), (0.004, w - 0.01))
    ]
    slab = box((-w - 0.01, -d, 0.76), (w + 0.01, d, 0.79))
    bowl = frustum((0, -0.02), (0.13, 0.19), (0.79, 0.89), 18)
    inner = cylinder((0, -0.02), 0.16, (0.885, 0.892), 18)
    tap = [
        cylinder((0, d - 0.05), 0.015, (0.79, 1.02), 8),
        box((-0.012, d - 0.16, 1.0), (0.012, d - 0.05, 1.02)),
    ]
    frame = timber((-w, d - 0.03, 1.1), (w, d, 1.85))
    glass = box((-w + 0.03, d - 0.035, 1.13), (w - 0.03, d - 0.03, 1.82), ("-y",))
    return (
        made_of(wood, body, frame)
        + made_of("white wood", *fronts)
        + made_of("marble", slab)
        + made_of("porcelain", bowl)
        + made_of("water", inner)
        + made_of("chrome", *tap)
        + made_of("mirror", glass)
    )


def shower(size_m: float = 0.9) -> Pieces:
    """A shower corner: a flat tray, a rail and a curtain drawn back; back at +y."""
    h = size_m / 2
    tray = cushion((-h, -h, 0), (h, h, 0.09), 0.02)
    drain = cylinder((0, 0), 0.05, (0.09, 0.095), 12)
    pipe = bar((0, h - 0.05, 0.95), (0, h - 0.05, 2.1), 0.03)
    arm = bar((0, h - 0.05, 2.09), (0, h - 0.3, 2.09), 0.03)
    rose = frustum((0, h - 0.3), (0.1, 0.03), (2.03, 2.08), 14)
    rail = bar((-h, -h, 2.0), (h, -h, 2.0), 0.025)
    return made_of("porcelain", tray) + made_of("chrome", drain, pipe, arm, rose, rail)


def towel_rail(cloth: str) -> Pieces:
    """A rail with a towel over it, back at y = 0."""
    rail = bar((-0.3, -0.07, 1.2), (0.3, -0.07, 1.2), 0.02)
    holders = [box((x - 0.01, -0.08, 1.19), (x + 0.01, 0, 1.21)) for x in (-0.29, 0.29)]
    towel = cushion((-0.22, -0.1, 0.7), (0.18, -0.045, 1.215), 0.012)
    return made_of("chrome", rail, *holders) + made_of(cloth, towel)
