"""Sofas, chairs and stools."""

from __future__ import annotations

from tools.sample_home.pieces import Pieces, made_of, placed
from tools.sample_home.solids import bar, box, cushion, cylinder, timber


def sofa(width_m: float, cloth: str, pillows: tuple[str, ...], depth_m: float = 0.9) -> Pieces:
    """An upholstered sofa with loose seat cushions and pillows from one arm to the other."""
    w, d = width_m / 2, depth_m / 2
    arm = 0.15
    solids = [
        cushion((-w, -d, 0.1), (w, d, 0.3), 0.03),
        cushion((-w, -d, 0.1), (-w + arm, d, 0.6), 0.04),
        cushion((w - arm, -d, 0.1), (w, d, 0.6), 0.04),
        cushion((-w, d - 0.2, 0.1), (w, d, 0.8), 0.05),
    ]
    seats = max(1, round((width_m - 2 * arm) / 0.8))
    step = (width_m - 2 * arm) / seats
    for number in range(seats):
        x = -w + arm + number * step
        solids.append(
            cushion((x + 0.005, -d + 0.01, 0.29), (x + step - 0.005, d - 0.2, 0.44), 0.04)
        )
        back = cushion((x + 0.01, d - 0.34, 0.42), (x + step - 0.01, d - 0.17, 0.84), 0.05)
        solids.append(back)
    pieces = made_of(cloth, *solids)
    for number, tint in enumerate(pillows):
        share = (number + 0.5) / len(pillows) if len(pillows) < 2 else number / (len(pillows) - 1)
        x = -w + 0.42 + share * (width_m - 0.84)
        pillow = cushion((-0.21, -0.07, 0.0), (0.21, 0.07, 0.38), 0.06)
        pieces += placed(made_of(tint, pillow), x, d - 0.42, 0.44, 14.0 - 26.0 * share)
    feet = [
        box((x - 0.03, y - 0.03, 0), (x + 0.03, y + 0.03, 0.1))
        for x in (-w + 0.07, w - 0.07)
        for y in (-d + 0.07, d - 0.07)
    ]
    return pieces + made_of("walnut", *feet)


def armchair(cloth: str, pillow: str) -> Pieces:
    """A narrow sofa for one."""
    return sofa(0.85, cloth, (pillow,), 0.8)


def chair(wood: str, cloth: str) -> Pieces:
    """A dining chair with an upholstered seat and a slatted back."""
    w, d = 0.22, 0.22
    solids = [timber((x, -d, 0), (x + 0.04, -d + 0.04, 0.43)) for x in (-w, w - 0.04)]
    solids += [bar((x, d - 0.02, 0), (x, d + 0.05, 0.94), 0.04) for x in (-w + 0.02, w - 0.02)]
    solids += [
        timber((-w, -d, 0.39), (w, d, 0.43)),
        timber((-w + 0.02, d + 0.025, 0.84), (w - 0.02, d + 0.055, 0.94)),
        timber((-w + 0.02, d + 0.015, 0.62), (w - 0.02, d + 0.04, 0.68)),
    ]
    seat = cushion((-w, -d - 0.01, 0.43), (w, d - 0.03, 0.48), 0.02)
    return made_of(wood, *solids) + made_of(cloth, seat)


def stool(wood: str, height_m: float) -> Pieces:
    """A round stool on four splayed legs."""
    legs = [
        bar((x * 0.17, y * 0.17, 0), (x * 0.11, y * 0.11, height_m - 0.03), 0.03)
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    ring = [timber((-0.14, y - 0.01, 0.22), (0.14, y + 0.01, 0.24)) for y in (-0.14, 0.14)]
    seat = cylinder((0, 0), 0.18, (height_m - 0.04, height_m), 16)
    return made_of("black", *legs, *ring) + made_of(wood, seat)


def desk_chair(cloth: str) -> Pieces:
    """A swivel chair on a five-star base."""
    arms = []
    for x, y in ((0.0, -0.27), (0.257, -0.083), (0.159, 0.218), (-0.159, 0.218), (-0.257, -0.083)):
        arms.append(bar((0, 0, 0.09), (x, y, 0.06), 0.035))
        arms.append(cylinder((x, y), 0.028, (0.0, 0.05), 8))
    post = cylinder((0, 0), 0.025, (0.08, 0.42), 8)
    stem = box((-0.03, 0.2, 0.42), (0.03, 0.24, 0.62))
    seat = cushion((-0.24, -0.24, 0.42), (0.24, 0.22, 0.5), 0.03)
    back = cushion((-0.22, 0.19, 0.58), (0.22, 0.26, 1.05), 0.03)
    return made_of("black", *arms, post, stem) + made_of(cloth, seat, back)


def lounger(cloth: str) -> Pieces:
    """A garden lounger with a raised head."""
    frame = [timber((x, -0.95, 0.24), (x + 0.05, 0.95, 0.3)) for x in (-0.33, 0.28)]
    frame += [
        timber((x, y, 0), (x + 0.05, y + 0.05, 0.24)) for x in (-0.33, 0.28) for y in (-0.8, 0.7)
    ]
    flat = cushion((-0.32, -0.95, 0.3), (0.32, 0.35, 0.38), 0.03)
    head = [bar((x, 0.3, 0.33), (x, 0.85, 0.75), 0.09) for x in (-0.24, -0.12, 0.0, 0.12, 0.24)]
    return made_of("oak", *frame) + made_of(cloth, flat, *head)
