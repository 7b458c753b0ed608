"""A path as a walk: where the eye is at each moment, and the views from both ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from worlds.box_scenes import box, scene

from waypost.domain.base.errors import InputError
from waypost.geometry.ray_index import RayIndex
from waypost.services.path_walks import path_walk

CORNER = ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 3.0, 0.0))
"""2 m along +X, a place that is said twice, 3 m along +Y."""


def test_a_walk_takes_a_second_for_each_metre() -> None:
    walk = path_walk(CORNER, 1.5)
    assert walk.times_s[-1] == pytest.approx(5.0)
    assert walk.poses[0].position_m == (0.0, 0.0, 1.5)
    assert walk.poses[10].position_m == pytest.approx((1.0, 0.0, 1.5))
    assert walk.poses[-1].position_m == pytest.approx((2.0, 3.0, 1.5))
    assert np.diff(walk.times_s) == pytest.approx(np.full(50, 0.1))


def test_the_place_reached_last_is_known_at_every_moment() -> None:
    walk = path_walk(CORNER, 1.5)
    assert walk.places[[0, 19, 20, 49, 50]].tolist() == [0, 0, 2, 2, 3]


def test_both_ends_look_along_their_leg() -> None:
    start = (0.0, 0.0, 0.0)
    walk = path_walk((start, start, (0.2, 0.0, 0.0), (0.2, -1.0, 0.0), (0.2, -1.0, 0.0)), 1.2)
    assert (walk.start.position_m, walk.start.yaw_rad) == ((0.0, 0.0, 1.2), 0.0)
    assert walk.goal.position_m == pytest.approx((0.2, -1.0, 1.2))
    assert walk.goal.yaw_rad == pytest.approx(-math.pi / 2)


@pytest.mark.parametrize("z_m", [-0.05, 0.0, 0.9, 1.5])
def test_the_eye_is_over_the_floor_whatever_height_a_path_says(z_m: float) -> None:
    floors = scene(
        box("floor", (-1.0, -1.0, -0.1), (2.0, 1.0, 0.0)),
        box("landing", (2.0, -1.0, -0.1), (5.0, 1.0, 0.4)),
    )
    rays = RayIndex.build(floors)
    walk = path_walk(((0.0, 0.0, z_m), (4.0, 0.0, z_m + 0.4)), 1.5, rays)
    assert walk.start.position_m[2] == pytest.approx(1.5)
    assert walk.goal.position_m[2] == pytest.approx(1.9)


def test_a_path_of_one_place_cannot_be_walked() -> None:
    with pytest.raises(InputError, match="all in one"):
        path_walk(((1.0, 1.0, 0.0), (1.0, 1.0, 0.0)), 1.5)


def test_a_very_long_path_has_fewer_moments_per_second() -> None:
    walk = path_walk(((0.0, 0.0, 0.0), (60_000.0, 0.0, 0.0)), 1.5)
    assert len(walk.poses) == 6_001
