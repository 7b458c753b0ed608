"""Tables, desks and what stands on them."""

from __future__ import annotations

from tools.sample_home.pieces import Pieces, made_of, placed
from tools.sample_home.solids import Solid, box, cushion, cylinder, frustum, timber


def table(
    width_m: float, depth_m: float, height_m: float, wood: str, leg_m: float = 0.06
) -> Pieces:
    """A four-legged table; the top is 4 cm thick and overhangs the legs by 3 cm."""
    w, d = width_m / 2, depth_m / 2
    top = timber((-w, -d, height_m - 0.04), (w, d, height_m))
    return made_of(wood, top, *_legs(w - 0.03, d - 0.03, height_m - 0.04, leg_m))


def dining_table(width_m: float, depth_m: float) -> Pieces:
    """A table laid with a runner, plates and a bowl of fruit."""
    pieces = table(width_m, depth_m, 0.75, "oak", 0.08)
    w = width_m / 2
    runner = box((-w + 0.1, -0.16, 0.75), (w - 0.1, 0.16, 0.754))
    plates = []
    places = [(x, y) for x in (-width_m / 4, width_m / 4) for y in (-0.3, 0.3)]
    for x, y in places:
        plates.append(frustum((x, y), (0.08, 0.13), (0.75, 0.768), 16))
    bowl = frustum((0, 0), (0.07, 0.15), (0.755, 0.83), 16)
    fruit = [
        cushion((x - 0.045, y - 0.045, 0.8), (x + 0.045, y + 0.045, 0.89), 0.03)
        for x, y in ((-0.06, -0.03), (0.05, -0.05), (0.0, 0.06))
    ]
    return (
        pieces
        + made_of("teal cloth", runner)
        + made_of("porcelain", *plates)
        + made_of("walnut", bowl)
        + made_of("fruit", *fruit)
    )


def desk(width_m: float, depth_m: float, wood: str) -> Pieces:
    """A writing desk with drawers, a screen, a keyboard and papers."""
    w, d = width_m / 2, depth_m / 2
    pieces = table(width_m, depth_m, 0.74, wood, 0.05)
    chest = timber((w - 0.46, -d + 0.05, 0.14), (w - 0.05, d - 0.05, 0.7))
    fronts = [
        timber((w - 0.45, -d + 0.035, z), (w - 0.06, -d + 0.05, z + 0.165))
        for z in (0.16, 0.34, 0.52)
    ]
    screen = box((-0.34, d - 0.2, 0.86), (0.34, d - 0.17, 1.24))
    glass = box((-0.32, d - 0.204, 0.88), (0.32, d - 0.2, 1.22), ("-y",))
    foot = box((-0.1, d - 0.26, 0.74), (0.1, d - 0.1, 0.755))
    stem = box((-0.02, d - 0.17, 0.755), (0.02, d - 0.14, 0.9))
    keys = box((-0.22, -d + 0.18, 0.74), (0.2, -d + 0.32, 0.76))
    papers = box((-w + 0.12, -d + 0.12, 0.74), (-w + 0.34, -d + 0.42, 0.752))
    return (
        pieces
        + made_of(wood, chest)
        + made_of("white wood", *fronts)
        + made_of("black", screen, foot, stem, keys)
        + made_of("mirror", glass)
        + made_of("trim", papers)
    )


def bedside_table(wood: str) -> Pieces:
    """A small chest with a lamp and a book."""
    body = timber((-0.22, -0.2, 0.08), (0.22, 0.2, 0.5))
    drawers = [timber((-0.2, -0.212, z), (0.2, -0.2, z + 0.18)) for z in (0.1, 0.3)]
    book = box((-0.16, -0.12, 0.5), (0.0, 0.08, 0.53))
    return (
        made_of(wood, body, *_legs(0.21, 0.19, 0.08, 0.04))
        + made_of("white wood", *drawers)
        + made_of("book blue", book)
        + placed(table_lamp(), 0.08, 0.06, 0.5)
    )


def table_lamp() -> Pieces:
    """A small lamp with a cloth shade."""
    foot = frustum((0, 0), (0.07, 0.03), (0.0, 0.16), 12)
    stem = cylinder((0, 0), 0.012, (0.16, 0.24), 6)
    shade = frustum((0, 0), (0.13, 0.08), (0.22, 0.4), 14)
    return made_of("teal wall", foot) + made_of("brass", stem) + made_of("shade", shade)


def garden_table() -> Pieces:
    """A round outdoor table."""
    top = cylinder((0, 0), 0.5, (0.7, 0.73), 20)
    stem = cylinder((0, 0), 0.04, (0.03, 0.7), 8)
    foot = cylinder((0, 0), 0.26, (0.0, 0.03), 14)
    return made_of("oak", top) + made_of("dark frame", stem, foot)


def _legs(w: float, d: float, height_m: float, thick_m: float) -> list[Solid]:
    return [
        timber((x, y, 0), (x + thick_m, y + thick_m, height_m))
        for x in (-w, w - thick_m)
        for y in (-d, d - thick_m)
    ]
