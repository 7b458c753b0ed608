"""Room for a picture beside controls, by hand-drawn cases."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.viewers.scene.free_area import Area, free_areas, is_clear_of, largest_place

WHOLE = Area(0.0, 0.0, 400.0, 300.0)
DIAMOND = np.array([(100.0, 0.0), (200.0, 80.0), (100.0, 160.0), (0.0, 80.0)])


def test_what_is_left_beside_a_corner_is_two_strips() -> None:
    corner = Area(0.0, 200.0, 150.0, 300.0)
    assert sorted(free_areas(WHOLE, [corner])) == [
        Area(0.0, 0.0, 400.0, 200.0),
        Area(150.0, 0.0, 400.0, 300.0),
    ]
    assert free_areas(WHOLE, [WHOLE]) == []


@pytest.mark.parametrize(
    ("area", "is_clear"),
    [
        (Area(0.0, 0.0, 40.0, 40.0), True),  # in the corner that the diamond leaves free
        (Area(0.0, 0.0, 60.0, 60.0), False),  # over its upper left edge: 60/100 + 60/80 > 1
        (Area(90.0, 70.0, 110.0, 90.0), False),  # within
        (Area(-50.0, -50.0, 300.0, 300.0), False),  # around
        (Area(200.0, 0.0, 300.0, 160.0), True),  # touching
    ],
)
def test_a_hull_is_clear_of_a_rectangle_or_not(area: Area, is_clear: bool) -> None:
    assert is_clear_of(DIAMOND, area) is is_clear


def test_a_picture_is_as_large_as_controls_leave_room() -> None:
    alone = largest_place(DIAMOND, WHOLE, [])
    assert alone is not None
    assert alone.size == pytest.approx([375, 300], rel=0.1)
    corner = Area(0.0, 200.0, 100.0, 300.0)
    beside = largest_place(DIAMOND, WHOLE, [corner])
    assert beside is not None
    # The hull leaves its corners free, so that it needs not give up a whole strip.
    assert beside.overlaps(corner)
    assert beside.size[1] > 230
    scale = beside.size[0] / 200
    assert is_clear_of((DIAMOND - (100, 80)) * scale + beside.middle, corner)


def test_where_there_is_no_room_there_is_no_place() -> None:
    assert largest_place(DIAMOND, WHOLE, [Area(10.0, 10.0, 390.0, 290.0)]) is None
