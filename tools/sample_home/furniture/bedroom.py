"""Beds."""

from __future__ import annotations

from tools.sample_home.pieces import Pieces, made_of, placed
from tools.sample_home.solids import cushion, timber


def bed(width_m: float, length_m: float, wood: str, cover: str, pillow: str) -> Pieces:
    """A made bed; the head is at y = +length/2, the foot at −length/2."""
    w, d = width_m / 2, length_m / 2
    frame = [
        timber((-w, -d, 0.12), (w, d, 0.3)),
        timber((-w, d - 0.06, 0), (w, d, 1.05)),
        timber((-w, -d, 0), (w, -d + 0.05, 0.42)),
    ]
    frame += [timber((x, -d + 0.1, 0), (x + 0.06, -d + 0.16, 0.12)) for x in (-w, w - 0.06)]
    mattress = cushion((-w + 0.02, -d + 0.06, 0.28), (w - 0.02, d - 0.07, 0.48), 0.04)
    blanket = cushion((-w + 0.005, -d + 0.055, 0.34), (w - 0.005, d - 0.62, 0.53), 0.05)
    fold = cushion((-w + 0.003, d - 0.78, 0.4), (w - 0.003, d - 0.58, 0.55), 0.04)
    throw = cushion((-w - 0.0, -d + 0.2, 0.36), (w, -d + 0.62, 0.54), 0.05)
    pieces = (
        made_of(wood, *frame)
        + made_of("linen", mattress, fold)
        + made_of(cover, blanket)
        + made_of(pillow, throw)
    )
    count = 2 if width_m > 1.2 else 1
    step = width_m / count
    for number in range(count):
        x = -w + step * (number + 0.5)
        soft = cushion((-0.32, -0.19, 0), (0.32, 0.19, 0.15), 0.06)
        pieces += placed(made_of("linen", soft), x, d - 0.32, 0.47)
        small = cushion((-0.2, -0.06, 0), (0.2, 0.06, 0.32), 0.05)
        pieces += placed(made_of(pillow, small), x, d - 0.46, 0.5, 6.0 - 12.0 * number)
    return pieces
