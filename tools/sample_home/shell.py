"""The building itself: floors, walls, slabs, doors, windows, stairs, and the plot around it."""

from __future__ import annotations

from tools.sample_home.features import SILL_M, THRESHOLD_M
from tools.sample_home.furniture.decor import hedge, tree
from tools.sample_home.joinery import door_pieces, floor_bar, window_pieces
from tools.sample_home.pieces import Pieces, made_of, placed
from tools.sample_home.plan import (
    CEILING_M,
    DEPTH_M,
    DOORS,
    EAST_M,
    FLOORS,
    GROUND_M,
    HALF,
    LENGTH_M,
    MIDEAST_M,
    NORTH_M,
    WINDOWS,
)
from tools.sample_home.scene_builder import SceneBuilder
from tools.sample_home.solids import box, timber
from tools.sample_home.stairs import (
    PORCH_Y_M,
    RAMP_RUN_M,
    RAMP_X_M,
    STAIR_END_Y_M,
    STAIR_X_M,
    STOREY_M,
    VOID_START_Y_M,
    balustrade_pieces,
    guard_pieces,
    ramp_pieces,
    ramp_rail_pieces,
    stair_pieces,
)
from tools.sample_home.wall_plan import PARAPET_M, walls
from tools.sample_home.walls import along, wall_pieces

PLOT_M = ((-1.0, -4.7), (13.0, 11.7))
"""Corners of the garden; kept small so that the ground floor is the largest level."""

DECK_M = ((7.2, DEPTH_M), (12.0, 11.5))


def add_shell(scene: SceneBuilder) -> None:
    """Everything that is built in."""
    for area in FLOORS:
        low = (*area.low_m, area.z_m - 0.02)
        high = (*area.high_m, area.z_m)
        scene.add(area.name, made_of(area.finish, box(low, high, ("+z",))))
    for name, wall in walls().items():
        scene.add(name, wall_pieces(wall))
    _add_joinery(scene)
    _add_slabs(scene)
    scene.add("Staircase", stair_pieces())
    scene.add("Stair balustrade", balustrade_pieces())
    scene.add("Landing balustrade", guard_pieces())
    _add_plot(scene)


def _add_joinery(scene: SceneBuilder) -> None:
    for name, door in DOORS.items():
        scene.add(name, door_pieces(door))
    for number, window in enumerate(WINDOWS, start=1):
        scene.add(f"Window {number}", window_pieces(window))
    kitchen, garden = DOORS["Kitchen doorway"], DOORS["Garden door"]
    for name, door, height, finish in (
        ("Kitchen threshold", kitchen, THRESHOLD_M, "brass"),
        ("Garden door sill", garden, SILL_M, "steel"),
    ):
        half = door.clear_m / 2
        span = (door.centre_m - half, door.centre_m + half)
        scene.add(name, floor_bar(door.axis, door.wall_at_m, span, height, finish))
    low = garden.centre_m - garden.clear_m / 2
    y = DEPTH_M + 0.06
    scene.add("Garden door panel", _glazed_panel("x", y, (low - 1.2, low - 0.06), 0.0))
    terrace = DOORS["Terrace door"]
    north = terrace.centre_m + terrace.clear_m / 2
    panel = _glazed_panel("y", MIDEAST_M + 0.12, (north + 0.06, north + 1.2), STOREY_M)
    scene.add("Terrace door panel", panel)


def _glazed_panel(axis: str, at: float, span: tuple[float, float], floor: float) -> Pieces:
    across = (at - 0.02, at + 0.02)
    low, high = floor + 0.02, floor + 2.1
    middle = (span[0] + span[1]) / 2
    bars = [
        ((span[0], span[0] + 0.07), (low, high)),
        ((span[1] - 0.07, span[1]), (low, high)),
        ((span[0], span[1]), (low, low + 0.16)),
        ((span[0], span[1]), (high - 0.07, high)),
        ((middle - 0.02, middle + 0.02), (low, high)),
        ((span[0], span[1]), (low + 1.0, low + 1.04)),
    ]
    return made_of("dark frame", *(timber(*along(axis, u, across, z)) for u, z in bars))


def _add_slabs(scene: SceneBuilder) -> None:
    west, east = STAIR_X_M
    low, high = CEILING_M, STOREY_M - 0.02
    around = ("-x", "+x", "-y", "+y", "-z")
    slabs = [
        box((HALF, HALF, low), (west, NORTH_M, high), around),
        box((west, HALF, low), (east, VOID_START_Y_M, high), around),
        box((west, STAIR_END_Y_M, low), (east, NORTH_M, high), around),
        box((east, HALF, low), (EAST_M, NORTH_M, high), around),
    ]
    edges = [
        box((west - 0.03, VOID_START_Y_M - 0.02, low - 0.02), (west, STAIR_END_Y_M, STOREY_M)),
        box((west, VOID_START_Y_M - 0.03, low - 0.02), (east, VOID_START_Y_M, STOREY_M)),
    ]
    scene.add("Upper slab", made_of("ceiling", *slabs) + made_of("trim", *edges))
    top = STOREY_M + CEILING_M
    roof = box((-0.15, -0.15, top), (MIDEAST_M + 0.2, DEPTH_M + 0.15, top + 0.2), ("+z", "-z"))
    trim = box((-0.17, -0.17, top), (MIDEAST_M + 0.22, DEPTH_M + 0.17, top + 0.24), around[:4])
    scene.add("Roof", made_of("ceiling", roof) + made_of("dark frame", trim))
    cap = (STOREY_M + PARAPET_M, STOREY_M + PARAPET_M + 0.04)
    x0 = MIDEAST_M + HALF
    caps = [
        box((x0, -0.03, cap[0]), (LENGTH_M + 0.03, 0.15, cap[1])),
        box((x0, DEPTH_M - 0.15, cap[0]), (LENGTH_M + 0.03, DEPTH_M + 0.03, cap[1])),
        box((LENGTH_M - 0.15, 0.15, cap[0]), (LENGTH_M + 0.03, DEPTH_M - 0.15, cap[1])),
    ]
    scene.add("Parapet cap", made_of("dark frame", *caps))


def _add_plot(scene: SceneBuilder) -> None:
    (x0, y0), (x1, y1) = PLOT_M
    ground = GROUND_M - 0.02
    strips = [
        ((x0, y0), (0.0, y1)),
        ((LENGTH_M, y0), (x1, y1)),
        ((0.0, y0), (LENGTH_M, 0.0)),
        ((0.0, DEPTH_M), (LENGTH_M, y1)),
    ]
    lawn = [box((*low, ground - 0.1), (*high, ground)) for low, high in strips]
    scene.add("Lawn", made_of("lawn", *lawn))
    foot_y = PORCH_Y_M[0] - RAMP_RUN_M
    path = box((RAMP_X_M[0] - 0.5, y0, ground), (RAMP_X_M[1] + 0.5, foot_y, GROUND_M))
    scene.add("Garden path", made_of("paving", path))
    porch = box((RAMP_X_M[0] - 0.4, PORCH_Y_M[0], ground), (RAMP_X_M[1] + 0.4, PORCH_Y_M[1], 0))
    scene.add("Porch", made_of("paving", porch))
    scene.add("Ramp", ramp_pieces())
    scene.add("Ramp rail", ramp_rail_pieces())
    deck = box((*DECK_M[0], ground), (*DECK_M[1], 0))
    scene.add("Deck", made_of("decking", deck))
    for number, (x, y, length, yaw) in enumerate(
        (
            (-0.7, 3.5, 15.6, 90.0),
            (12.7, 3.5, 15.6, 90.0),
            (1.6, -4.4, 4.0, 0.0),
            (9.9, -4.4, 5.0, 0.0),
        ),
        start=1,
    ):
        scene.add(f"Hedge {number}", placed(hedge(length, 0.75, number), x, y, ground, yaw))
    for number, (x, y) in enumerate(((0.9, -2.6), (10.8, -2.5), (1.2, 10.5)), start=1):
        scene.add(f"Tree {number}", placed(tree(2.3, 40 + number), x, y, ground))
