"""The straight staircase with its balustrades, and the ramp outside."""

from __future__ import annotations

import math

from tools.sample_home.pieces import Pieces, made_of
from tools.sample_home.solids import Solid, bar, box, convex, timber

RISER_M = 0.17
GOING_M = 0.27
RISER_COUNT = 16
STOREY_M = RISER_M * RISER_COUNT

STAIR_X_M = (6.24, 7.34)
"""Clear width of the flight, between balustrade and wall."""

STAIR_START_Y_M = 2.0
"""The first riser; the flight climbs towards +y."""

STAIR_END_Y_M = STAIR_START_Y_M + GOING_M * (RISER_COUNT - 1)
"""The last riser, flush with the edge of the upper floor."""

VOID_START_Y_M = STAIR_START_Y_M + 0.2
"""The hole in the upper floor begins above the first tread, 2.31 m below the ceiling."""

RAMP_SLOPE_DEG = 5.0
RAMP_RISE_M = 0.15
RAMP_RUN_M = RAMP_RISE_M / math.tan(math.radians(RAMP_SLOPE_DEG))
RAMP_X_M = (4.55, 6.35)
PORCH_Y_M = (-1.5, 0.0)


def stair_pieces() -> Pieces:
    """Sixteen risers, fifteen treads; closed underneath, with a cupboard front."""
    west, east = STAIR_X_M
    treads, body, nosings = [], [], []
    for number in range(1, RISER_COUNT):
        y = STAIR_START_Y_M + GOING_M * (number - 1)
        top = RISER_M * number
        treads.append(timber((west, y, top - 0.03), (east, y + GOING_M, top)))
        body.append(box((west, y, 0), (east, y + GOING_M, top - 0.03), ("-y", "-x", "+y")))
        nosings.append(box((west, y - 0.004, top - 0.032), (east, y + 0.035, top + 0.0005)))
    last = box((west, STAIR_END_Y_M, 0), (east, STAIR_END_Y_M + 0.15, 2.5), ("-x", "-y", "+y"))
    doors = []
    for number, (y0, y1) in enumerate(((4.1, 4.72), (4.76, 5.38), (5.42, 6.04))):
        top = RISER_M * math.floor((y0 - STAIR_START_Y_M) / GOING_M + 1) - 0.16
        doors.append(box((west - 0.012, y0, 0.1), (west, y1, top)))
        knob_y = y1 - 0.06 if number != 1 else y0 + 0.06
        doors.append(
            box((west - 0.035, knob_y - 0.015, 0.95), (west - 0.012, knob_y + 0.015, 0.98))
        )
    return (
        made_of("oak", *treads)
        + made_of("walnut", *nosings)
        + made_of("white wall", *body, last)
        + made_of("blue wood", *doors[::2])
        + made_of("brass", *doors[1::2])
    )


def balustrade_pieces() -> Pieces:
    """The rail that climbs with the flight on its open side, with a newel at the foot."""
    x = STAIR_X_M[0] - 0.02
    slope = RISER_M / GOING_M
    posts: list[Solid] = []
    for number in range(1, RISER_COUNT):
        foot = RISER_M * number
        for share in (0.25, 0.75):
            y = STAIR_START_Y_M + GOING_M * (number - 1 + share)
            top = 0.9 + RISER_M + (y - STAIR_START_Y_M) * slope
            posts.append(box((x - 0.012, y - 0.012, foot - 0.1), (x + 0.012, y + 0.012, top)))
    low_y, high_y = STAIR_START_Y_M + 0.02, STAIR_END_Y_M - 0.02
    rail = bar(
        (x, low_y, 0.92 + RISER_M),
        (x, high_y, 0.92 + RISER_M + (high_y - low_y) * slope),
        0.06,
    )
    y = STAIR_START_Y_M
    newel = timber((x - 0.05, y - 0.05, 0), (x + 0.05, y + 0.05, 1.2))
    cap = box((x - 0.065, y - 0.065, 1.2), (x + 0.065, y + 0.065, 1.235))
    string = convex(_string(x))
    return made_of("trim", *posts, string) + made_of("oak", rail, newel, cap)


def _string(x: float) -> list[list[tuple[float, float, float]]]:
    """The sloping board that hides the ends of the treads."""
    slope = RISER_M / GOING_M
    run = STAIR_END_Y_M - STAIR_START_Y_M
    start, end = STAIR_START_Y_M, STAIR_END_Y_M
    profile = [
        (start, 0.0),
        (start + 0.3, 0.0),
        (end, run * slope - 0.1),
        (end, run * slope + 0.2),
        (start, 0.2),
    ]
    near = [(x - 0.02, y, z) for y, z in profile]
    far = [(x + 0.02, y, z) for y, z in profile]
    count = len(profile)
    rims = [[near[k - 1], near[k], far[k], far[k - 1]] for k in range(count)]
    return [near, far, *rims]


def guard_pieces() -> Pieces:
    """The balustrade along the hole in the upper floor; walls guard its other sides."""
    x = STAIR_X_M[0] - 0.02
    return railing(((x, VOID_START_Y_M + 0.03), (x, STAIR_END_Y_M)), STOREY_M)


def railing(
    ends: tuple[tuple[float, float], tuple[float, float]], floor_m: float, height_m: float = 0.95
) -> Pieces:
    """A level railing with balusters every 11 cm and a timber rail."""
    (x0, y0), (x1, y1) = ends
    length = math.hypot(x1 - x0, y1 - y0)
    count = max(2, round(length / 0.11) + 1)
    posts = []
    for number in range(count):
        share = number / (count - 1)
        x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        half = 0.03 if number in (0, count - 1) else 0.01
        posts.append(box((x - half, y - half, floor_m), (x + half, y + half, floor_m + height_m)))
    rail = bar((x0, y0, floor_m + height_m), (x1, y1, floor_m + height_m), 0.06)
    return made_of("trim", *posts) + made_of("oak", rail)


def ramp_pieces() -> Pieces:
    """The ramp from the garden path up to the porch, and the porch."""
    x0, x1 = RAMP_X_M
    top_y, low_z = PORCH_Y_M[0], -RAMP_RISE_M
    foot_y = top_y - RAMP_RUN_M
    wedge = convex(
        [
            [(x0, foot_y, low_z), (x1, foot_y, low_z), (x1, top_y, 0), (x0, top_y, 0)],
            [(x0, foot_y, low_z), (x0, top_y, low_z), (x0, top_y, 0)],
            [(x1, foot_y, low_z), (x1, top_y, low_z), (x1, top_y, 0)],
            [(x0, foot_y, low_z), (x1, foot_y, low_z), (x1, top_y, low_z), (x0, top_y, low_z)],
            [(x0, top_y, low_z), (x1, top_y, low_z), (x1, top_y, 0), (x0, top_y, 0)],
        ]
    )
    return made_of("paving", wedge)


def ramp_rail_pieces() -> Pieces:
    """Handrails on both sides of the ramp, outside its width."""
    top_y = PORCH_Y_M[0]
    foot_y = top_y - RAMP_RUN_M
    solids = []
    for x in (RAMP_X_M[0] - 0.05, RAMP_X_M[1] + 0.05):
        for share in (0.0, 0.5, 1.0):
            y, z = foot_y + RAMP_RUN_M * share, RAMP_RISE_M * (share - 1)
            solids.append(box((x - 0.02, y - 0.02, -0.17), (x + 0.02, y + 0.02, z + 0.9)))
        solids += [
            bar((x, foot_y, lift - RAMP_RISE_M), (x, top_y, lift), 0.04) for lift in (0.5, 0.9)
        ]
    return made_of("dark frame", *solids)
