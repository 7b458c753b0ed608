"""Every wall of the home, with the openings that the doors and windows of the plan need."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tools.sample_home.joinery import Door, Window
from tools.sample_home.plan import (
    BATH_Y_M,
    CEILING_M,
    CORRIDOR_EAST_M,
    CORRIDOR_END_M,
    CORRIDOR_NORTH_M,
    CORRIDOR_SOUTH_M,
    CORRIDOR_WEST_M,
    DEPTH_M,
    DOORS,
    EAST_M,
    GROUND_M,
    HALF,
    KITCHEN_Y_M,
    LENGTH_M,
    MIDEAST_M,
    MIDWEST_M,
    NORTH_M,
    PASSAGES,
    SOUTH_M,
    UPPER_BATH_Y_M,
    WEST_M,
    WINDOWS,
)
from tools.sample_home.stairs import STOREY_M
from tools.sample_home.walls import Wall

PARAPET_M: Final = 0.95
"""Height of the wall around the roof terrace."""

_BASE_M = GROUND_M - 0.05
_LIVING, _HALL, _BATH, _KITCHEN = "sage wall", "cream wall", "wall tiles", "sand wall"
_DINING, _STUDY, _CORRIDOR = "clay wall", "teal wall", "white wall"
_BED, _SMALL_BED, _LANDING, _UPPER_BATH = "lilac wall", "sky wall", "cream wall", "wall tiles"

_Row = tuple[str, str, float, tuple[float, float], tuple[str, str]]
"""Name, axis, centre plane, span along the axis, finishes towards low and high coordinates."""

_OUTER_GROUND: tuple[_Row, ...] = (
    ("Living room south wall", "x", SOUTH_M, (0, MIDWEST_M), ("brick", _LIVING)),
    ("Hall south wall", "x", SOUTH_M, (MIDWEST_M, MIDEAST_M), ("brick", _HALL)),
    ("Kitchen south wall", "x", SOUTH_M, (MIDEAST_M, LENGTH_M), ("brick", _KITCHEN)),
    ("Study north wall", "x", NORTH_M, (0, MIDWEST_M), (_STUDY, "brick")),
    ("Bathroom north wall", "x", NORTH_M, (MIDWEST_M, MIDEAST_M), (_BATH, "brick")),
    ("Dining room north wall", "x", NORTH_M, (MIDEAST_M, LENGTH_M), (_DINING, "brick")),
    ("Living room west wall", "y", WEST_M, (0, CORRIDOR_SOUTH_M), ("brick", _LIVING)),
    ("Study west wall", "y", WEST_M, (CORRIDOR_SOUTH_M, DEPTH_M), ("brick", _STUDY)),
    ("Kitchen east wall", "y", EAST_M, (0, KITCHEN_Y_M), (_KITCHEN, "brick")),
    ("Dining room east wall", "y", EAST_M, (KITCHEN_Y_M, DEPTH_M), (_DINING, "brick")),
)
_INNER_GROUND: tuple[_Row, ...] = (
    ("Living room hall wall", "y", MIDWEST_M, (HALF, CORRIDOR_SOUTH_M), (_LIVING, _HALL)),
    (
        "Corridor mouth wall",
        "y",
        MIDWEST_M,
        (CORRIDOR_SOUTH_M, CORRIDOR_NORTH_M),
        (_CORRIDOR, _HALL),
    ),
    ("Study hall wall", "y", MIDWEST_M, (CORRIDOR_NORTH_M, BATH_Y_M), (_STUDY, _HALL)),
    ("Study bathroom wall", "y", MIDWEST_M, (BATH_Y_M, NORTH_M), (_STUDY, _BATH)),
    ("Living room study wall", "x", CORRIDOR_SOUTH_M, (HALF, CORRIDOR_WEST_M), (_LIVING, _STUDY)),
    (
        "Corridor south wall",
        "x",
        CORRIDOR_SOUTH_M,
        (CORRIDOR_WEST_M, MIDWEST_M),
        (_LIVING, _CORRIDOR),
    ),
    (
        "Corridor north wall",
        "x",
        CORRIDOR_NORTH_M,
        (CORRIDOR_EAST_M, MIDWEST_M),
        (_CORRIDOR, _STUDY),
    ),
    (
        "Corridor west wall",
        "y",
        CORRIDOR_WEST_M,
        (CORRIDOR_SOUTH_M, CORRIDOR_END_M),
        (_STUDY, _CORRIDOR),
    ),
    (
        "Corridor east wall",
        "y",
        CORRIDOR_EAST_M,
        (CORRIDOR_NORTH_M, CORRIDOR_END_M),
        (_CORRIDOR, _STUDY),
    ),
    ("Bathroom south wall", "x", BATH_Y_M, (MIDWEST_M, MIDEAST_M), (_HALL, _BATH)),
    ("Kitchen hall wall", "y", MIDEAST_M, (HALF, KITCHEN_Y_M), (_HALL, _KITCHEN)),
    ("Dining room hall wall", "y", MIDEAST_M, (KITCHEN_Y_M, BATH_Y_M), (_HALL, _DINING)),
    ("Dining room bathroom wall", "y", MIDEAST_M, (BATH_Y_M, NORTH_M), (_BATH, _DINING)),
    ("Dining room kitchen wall", "x", KITCHEN_Y_M, (MIDEAST_M, EAST_M), (_KITCHEN, _DINING)),
)
_OUTER_UPPER: tuple[_Row, ...] = (
    ("Bedroom south wall", "x", SOUTH_M, (0, MIDWEST_M), ("render", _BED)),
    (
        "Upper bathroom south wall",
        "x",
        SOUTH_M,
        (MIDWEST_M, MIDEAST_M + HALF),
        ("render", _UPPER_BATH),
    ),
    ("Small bedroom north wall", "x", NORTH_M, (0, MIDWEST_M), (_SMALL_BED, "render")),
    ("Landing north wall", "x", NORTH_M, (MIDWEST_M, MIDEAST_M + HALF), (_LANDING, "render")),
    ("Bedroom west wall", "y", WEST_M, (0, CORRIDOR_SOUTH_M), ("render", _BED)),
    ("Small bedroom west wall", "y", WEST_M, (CORRIDOR_SOUTH_M, DEPTH_M), ("render", _SMALL_BED)),
    ("Upper bathroom east wall", "y", MIDEAST_M, (0, UPPER_BATH_Y_M), (_UPPER_BATH, "render")),
    ("Landing east wall", "y", MIDEAST_M, (UPPER_BATH_Y_M, DEPTH_M), (_LANDING, "render")),
)
_INNER_UPPER: tuple[_Row, ...] = (
    ("Bedroom bathroom wall", "y", MIDWEST_M, (HALF, UPPER_BATH_Y_M), (_BED, _UPPER_BATH)),
    ("Bedroom landing wall", "y", MIDWEST_M, (UPPER_BATH_Y_M, CORRIDOR_SOUTH_M), (_BED, _LANDING)),
    (
        "Small bedroom landing wall",
        "y",
        MIDWEST_M,
        (CORRIDOR_SOUTH_M, NORTH_M),
        (_SMALL_BED, _LANDING),
    ),
    ("Bedrooms wall", "x", CORRIDOR_SOUTH_M, (HALF, MIDWEST_M), (_BED, _SMALL_BED)),
    (
        "Upper bathroom north wall",
        "x",
        UPPER_BATH_Y_M,
        (MIDWEST_M, MIDEAST_M),
        (_UPPER_BATH, _LANDING),
    ),
)
_PARAPETS: tuple[_Row, ...] = (
    ("South parapet", "x", SOUTH_M, (MIDEAST_M + HALF, LENGTH_M), ("brick", "render")),
    ("North parapet", "x", NORTH_M, (MIDEAST_M + HALF, LENGTH_M), ("render", "brick")),
    ("East parapet", "y", EAST_M, (0, DEPTH_M), ("render", "brick")),
)


def walls() -> dict[str, Wall]:
    """Every wall by name."""
    built: dict[str, Wall] = {}
    for row in _OUTER_GROUND:
        built[row[0]] = _wall(row, 0.0, STOREY_M, base_m=_BASE_M)
    for row in _INNER_GROUND:
        is_free = row[3][1] == CORRIDOR_END_M
        built[row[0]] = replace(_wall(row, 0.0, CEILING_M), has_free_end=is_free)
    for row in (*_OUTER_UPPER, *_INNER_UPPER):
        built[row[0]] = _wall(row, STOREY_M, STOREY_M + CEILING_M)
    for row in _PARAPETS:
        wall = _wall(row, STOREY_M, STOREY_M + PARAPET_M)
        built[row[0]] = replace(wall, skirted=(False, False), holes=())
    return built


def _wall(row: _Row, floor_m: float, top_m: float, base_m: float | None = None) -> Wall:
    _, axis, at, (start, end), finishes = row
    skirted = (finishes[0] not in {"brick", "render"}, finishes[1] not in {"brick", "render"})
    wall = Wall(axis, at, start, end, floor_m, top_m, finishes, skirted=skirted, base_m=base_m)
    fittings: list[Door | Window] = [*DOORS.values(), *WINDOWS]
    holes = [
        item.hole
        for item in fittings
        if (item.axis, item.wall_at_m, item.floor_m) == (axis, at, floor_m)
    ]
    if floor_m == 0:
        holes += [hole for along, plane, hole in PASSAGES if (along, plane) == (axis, at)]
    return replace(wall, holes=tuple(o for o in holes if start <= o.start_m and o.end_m <= end))
