"""The floor plan as data: where the walls, doors, windows and floors of the home are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tools.sample_home.features import (
    CORRIDOR_M,
    DOOR_MIDDLE_M,
    DOOR_NARROW_M,
    DOOR_WIDE_M,
)
from tools.sample_home.joinery import Door, Window
from tools.sample_home.stairs import STAIR_END_Y_M, STAIR_X_M, STOREY_M, VOID_START_Y_M
from tools.sample_home.walls import SKIRTING_DEPTH_M, THICKNESS_M, Hole

LENGTH_M: Final = 12.0
"""Outer extent of the house along x."""

DEPTH_M: Final = 9.0
"""Outer extent along y."""

CEILING_M: Final = 2.5
"""Clear height of either storey."""

GROUND_M: Final = -0.15
"""The garden path lies this far below the floor."""

HALF: Final = THICKNESS_M / 2
WEST_M, MIDWEST_M, MIDEAST_M, EAST_M = HALF, 4.6, 7.4, LENGTH_M - HALF
SOUTH_M, NORTH_M = HALF, DEPTH_M - HALF
KITCHEN_Y_M: Final = 4.06
BATH_Y_M: Final = 6.26
UPPER_BATH_Y_M: Final = VOID_START_Y_M - HALF
"""Its wall stands at the edge of the hole above the stairs."""
CORRIDOR_Y_M: Final = 5.42
"""Middle of the corridor's first leg, which runs along x."""

CORRIDOR_X_M: Final = 1.8
"""Middle of its second leg, which runs along y."""

_REACH = CORRIDOR_M / 2 + SKIRTING_DEPTH_M + HALF
CORRIDOR_SOUTH_M: Final = CORRIDOR_Y_M - _REACH
CORRIDOR_NORTH_M: Final = CORRIDOR_Y_M + _REACH
CORRIDOR_WEST_M: Final = CORRIDOR_X_M - _REACH
CORRIDOR_EAST_M: Final = CORRIDOR_X_M + _REACH
CORRIDOR_END_M: Final = 7.0

DOORS: Final = {
    "Front door": Door("x", SOUTH_M, 5.45, 1.0, hinge=1, side=1, leaf_finish="red door"),
    "Living room door": Door("y", MIDWEST_M, 4.1, DOOR_MIDDLE_M, hinge=-1, side=-1),
    "Bathroom door": Door("x", BATH_Y_M, 5.45, DOOR_NARROW_M, hinge=1, side=1),
    "Kitchen doorway": Door("y", MIDEAST_M, 1.0, 1.1, has_leaf=False),
    "Garden door": Door("x", NORTH_M, 8.6, 1.1, has_leaf=False),
    "Bedroom door": Door("y", MIDWEST_M, 4.1, DOOR_WIDE_M, STOREY_M, hinge=-1, side=-1),
    "Small bedroom door": Door(
        "y", MIDWEST_M, 6.8, 1.0, STOREY_M, hinge=1, side=-1, leaf_finish="green wood"
    ),
    "Upper bathroom door": Door("x", UPPER_BATH_Y_M, 5.45, 1.0, STOREY_M, hinge=1, side=-1),
    "Terrace door": Door("y", MIDEAST_M, 6.8, 1.1, STOREY_M, has_leaf=False),
}

_UP = STOREY_M
WINDOWS: Final = (
    Window("x", SOUTH_M, 2.3, 2.4, 0.5, 2.2, lights=3),
    Window("x", SOUTH_M, 10.6, 1.6, 1.1, 2.1),
    Window("x", NORTH_M, 1.6, 1.6, 0.9, 2.1, inside=-1),
    Window("x", NORTH_M, 3.6, 1.0, 0.9, 2.1, inside=-1),
    Window("x", NORTH_M, 6.1, 0.7, 1.4, 2.1, lights=1, inside=-1),
    Window("x", NORTH_M, 10.7, 1.4, 0.9, 2.1, inside=-1),
    Window("y", WEST_M, 0.95, 1.0, 0.9, 2.1),
    Window("y", WEST_M, 4.0, 1.2, 0.9, 2.1),
    Window("y", WEST_M, 6.3, 1.0, 0.9, 2.1),
    Window("y", EAST_M, 6.5, 2.4, 0.5, 2.2, lights=3, inside=-1),
    Window("x", SOUTH_M, 2.1, 1.8, 0.6, 2.1, _UP),
    Window("x", SOUTH_M, 5.9, 0.8, 1.3, 2.1, _UP, lights=1),
    Window("x", NORTH_M, 2.6, 1.8, 0.9, 2.1, _UP, inside=-1),
    Window("x", NORTH_M, 5.9, 1.5, 0.6, 2.1, _UP, inside=-1),
    Window("y", WEST_M, 4.15, 0.9, 0.9, 2.1, _UP),
    Window("y", WEST_M, 6.9, 1.2, 0.9, 2.1, _UP),
    Window("y", MIDEAST_M, 4.2, 1.6, 0.9, 2.1, _UP, inside=-1),
)

PASSAGES: Final = (
    ("y", MIDWEST_M, Hole(CORRIDOR_Y_M - CORRIDOR_M / 2, CORRIDOR_Y_M + CORRIDOR_M / 2, 0, 2.1)),
    ("x", KITCHEN_Y_M, Hole(7.6, 9.6, 0.0, 2.25)),
)
"""Openings without joinery, on the ground floor."""


@dataclass(frozen=True, slots=True)
class FloorArea:
    """A rectangle of one floor covering."""

    name: str
    finish: str
    low_m: tuple[float, float]
    high_m: tuple[float, float]
    z_m: float = 0.0


FLOORS: Final = (
    FloorArea("Living room floor", "oak floor", (HALF, HALF), (MIDWEST_M, CORRIDOR_SOUTH_M)),
    FloorArea("Hall floor", "stone tiles", (MIDWEST_M, HALF), (MIDEAST_M, BATH_Y_M)),
    FloorArea("Bathroom floor", "bath tiles", (MIDWEST_M, BATH_Y_M), (MIDEAST_M, NORTH_M)),
    FloorArea("Kitchen floor", "checker tiles", (MIDEAST_M, HALF), (EAST_M, KITCHEN_Y_M)),
    FloorArea("Dining room floor", "oak floor", (MIDEAST_M, KITCHEN_Y_M), (EAST_M, NORTH_M)),
    FloorArea("Study floor", "walnut floor", (HALF, CORRIDOR_SOUTH_M), (CORRIDOR_WEST_M, NORTH_M)),
    FloorArea(
        "Study floor", "walnut floor", (CORRIDOR_WEST_M, CORRIDOR_END_M), (CORRIDOR_EAST_M, NORTH_M)
    ),
    FloorArea(
        "Study floor", "walnut floor", (CORRIDOR_EAST_M, CORRIDOR_NORTH_M), (MIDWEST_M, NORTH_M)
    ),
    FloorArea(
        "Corridor floor",
        "stone tiles",
        (CORRIDOR_WEST_M, CORRIDOR_SOUTH_M),
        (CORRIDOR_EAST_M, CORRIDOR_END_M),
    ),
    FloorArea(
        "Corridor floor",
        "stone tiles",
        (CORRIDOR_EAST_M, CORRIDOR_SOUTH_M),
        (MIDWEST_M, CORRIDOR_NORTH_M),
    ),
    FloorArea("Bedroom floor", "carpet grey", (HALF, HALF), (MIDWEST_M, CORRIDOR_SOUTH_M), _UP),
    FloorArea(
        "Small bedroom floor", "pale floor", (HALF, CORRIDOR_SOUTH_M), (MIDWEST_M, NORTH_M), _UP
    ),
    FloorArea(
        "Upper bathroom floor", "sage tiles", (MIDWEST_M, HALF), (MIDEAST_M, UPPER_BATH_Y_M), _UP
    ),
    FloorArea(
        "Landing floor", "oak floor", (MIDWEST_M, UPPER_BATH_Y_M), (STAIR_X_M[0], NORTH_M), _UP
    ),
    FloorArea(
        "Landing floor", "oak floor", (STAIR_X_M[0], STAIR_END_Y_M), (MIDEAST_M, NORTH_M), _UP
    ),
    FloorArea("Roof terrace floor", "decking", (MIDEAST_M, HALF), (EAST_M, NORTH_M), _UP),
)
