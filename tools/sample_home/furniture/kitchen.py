"""Kitchen units: counters, sink, stove, fridge, wall cupboards and an island."""

from __future__ import annotations

from tools.sample_home.pieces import Pieces, made_of, placed
from tools.sample_home.solids import box, cylinder, frustum, timber

DEPTH_M = 0.6
HEIGHT_M = 0.9


def counter(width_m: float, front: str) -> Pieces:
    """Base cupboards under a stone worktop."""
    w, d = width_m / 2, DEPTH_M / 2
    body = box((-w, -d + 0.03, 0.1), (w, d, HEIGHT_M - 0.04))
    plinth = box((-w, -d + 0.08, 0), (w, d, 0.1))
    top = box((-w, -d, HEIGHT_M - 0.04), (w, d, HEIGHT_M))
    return (
        made_of("white wood", body)
        + made_of("dark frame", plinth)
        + made_of("marble", top)
        + _fronts(width_m, front, (0.12, HEIGHT_M - 0.06), -d + 0.012)
    )


def _fronts(width_m: float, front: str, heights: tuple[float, float], y: float) -> Pieces:
    count = max(1, round(width_m / 0.6))
    step = width_m / count
    doors, grips = [], []
    for number in range(count):
        x0, x1 = -width_m / 2 + number * step + 0.004, -width_m / 2 + (number + 1) * step - 0.004
        doors.append(timber((x0, y, heights[0]), (x1, y + 0.018, heights[1])))
        middle = (x0 + x1) / 2
        z = heights[1] - 0.07 if heights[1] < 1.2 else heights[0] + 0.05
        grips.append(box((middle - 0.08, y - 0.022, z), (middle + 0.08, y, z + 0.014)))
    return made_of(front, *doors) + made_of("brass", *grips)


def sink_counter(width_m: float, front: str) -> Pieces:
    """A counter with a sunken steel sink and a tap."""
    w, d = width_m / 2, DEPTH_M / 2
    base = tuple(p for p in counter(width_m, front) if p.finish not in {"marble", "white wood"})
    top_low, top = HEIGHT_M - 0.04, HEIGHT_M
    bx, by0, by1, depth = 0.27, -0.18, 0.16, HEIGHT_M - 0.18
    tops = [
        box((-w, -d, top_low), (-bx, d, top)),
        box((bx, -d, top_low), (w, d, top)),
        box((-bx, -d, top_low), (bx, by0, top)),
        box((-bx, by1, top_low), (bx, d, top)),
    ]
    bowl = [
        box((-bx, by0, depth - 0.01), (bx, by1, depth)),
        box((-bx - 0.01, by0, depth), (-bx, by1, top + 0.004)),
        box((bx, by0, depth), (bx + 0.01, by1, top + 0.004)),
        box((-bx, by0 - 0.01, depth), (bx, by0, top + 0.004)),
        box((-bx, by1, depth), (bx, by1 + 0.01, top + 0.004)),
    ]
    tap = [
        cylinder((0, by1 + 0.06), 0.018, (top, top + 0.28), 8),
        box((-0.012, by1 - 0.12, top + 0.26), (0.012, by1 + 0.06, top + 0.285)),
        box((-0.01, by1 - 0.12, top + 0.21), (0.01, by1 - 0.1, top + 0.26)),
    ]
    sides = box((-w, -d + 0.03, 0.1), (w, d, top_low), ("-x", "+x", "-y", "+y"))
    return (
        base
        + made_of("marble", *tops)
        + made_of("steel", *bowl)
        + made_of("chrome", *tap)
        + made_of("white wood", sides)
    )


def stove() -> Pieces:
    """A cooker with four rings, an oven door and a pot."""
    d = DEPTH_M / 2
    body = box((-0.3, -d + 0.02, 0.05), (0.3, d, HEIGHT_M))
    glass = box((-0.24, -d + 0.006, 0.22), (0.24, -d + 0.02, 0.62))
    top = box((-0.29, -d + 0.03, HEIGHT_M), (0.29, d - 0.01, HEIGHT_M + 0.006))
    grip = box((-0.22, -d - 0.02, 0.67), (0.22, -d + 0.02, 0.69))
    rings = [
        cylinder((x, y), radius, (HEIGHT_M + 0.006, HEIGHT_M + 0.014), 16)
        for x, y, radius in (
            (-0.14, -0.1, 0.09),
            (0.14, -0.1, 0.07),
            (-0.14, 0.14, 0.07),
            (0.14, 0.14, 0.09),
        )
    ]
    knobs = [
        box((x - 0.018, -d, 0.78), (x + 0.018, -d + 0.02, 0.82)) for x in (-0.2, -0.07, 0.07, 0.2)
    ]
    pot = cylinder((0.14, 0.14), 0.1, (HEIGHT_M + 0.014, HEIGHT_M + 0.15), 16)
    lid = frustum((0.14, 0.14), (0.1, 0.02), (HEIGHT_M + 0.15, HEIGHT_M + 0.19), 16)
    return (
        made_of("steel", body)
        + made_of("black", glass, top, *knobs)
        + made_of("dark frame", *rings)
        + made_of("chrome", grip)
        + made_of("coral cloth", pot, lid)
    )


def hood() -> Pieces:
    """The extractor above the stove, its lower edge at 1.6 m."""
    shade = frustum((0, 0), (0.4, 0.16), (1.6, 1.82), 4)
    pipe = box((-0.1, 0.05, 1.82), (0.1, 0.25, 2.5))
    return placed(made_of("steel", shade), 0, 0.0, 0, 45) + made_of("steel", pipe)


def fridge() -> Pieces:
    """A tall fridge with a freezer below."""
    body = box((-0.33, -0.31, 0.04), (0.33, 0.33, 1.86))
    upper = box((-0.325, -0.345, 0.72), (0.325, -0.31, 1.85))
    lower = box((-0.325, -0.345, 0.06), (0.325, -0.31, 0.7))
    grips = [
        box((-0.28, -0.385, 0.8), (-0.255, -0.345, 1.35)),
        box((-0.28, -0.385, 0.3), (-0.255, -0.345, 0.64)),
    ]
    note = box((0.05, -0.348, 1.3), (0.2, -0.345, 1.5))
    return (
        made_of("steel", body)
        + made_of("sage wall", upper, lower)
        + made_of("chrome", *grips)
        + made_of("mustard cloth", note)
    )


def wall_cupboards(width_m: float, front: str) -> Pieces:
    """Cupboards from 1.45 m to 2.15 m."""
    body = box((-width_m / 2, -0.02, 1.45), (width_m / 2, 0.3, 2.15))
    return made_of("white wood", body) + _fronts(width_m, front, (1.46, 2.14), -0.038)


def island(length_m: float, width_m: float) -> Pieces:
    """A free-standing block; the worktop overhangs one long side for stools."""
    w, d = length_m / 2, width_m / 2
    body = box((-w + 0.02, -d + 0.22, 0.1), (w - 0.02, d - 0.02, HEIGHT_M - 0.04))
    plinth = box((-w + 0.06, -d + 0.26, 0), (w - 0.06, d - 0.06, 0.1))
    top = timber((-w, -d, HEIGHT_M - 0.04), (w, d, HEIGHT_M))
    board = timber((-0.5, -0.05, HEIGHT_M), (-0.15, 0.17, HEIGHT_M + 0.02))
    bowl = frustum((0.35, 0.05), (0.06, 0.13), (HEIGHT_M, HEIGHT_M + 0.08), 14)
    return (
        made_of("blue wood", body)
        + made_of("dark frame", plinth)
        + made_of("oak", top)
        + made_of("walnut", board)
        + made_of("porcelain", bowl)
    )
