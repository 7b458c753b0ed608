from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from annotators.small_house import GROUND, UPPER, at

from waypost.annotators.graph.floor import pick_floor, snap_to_floor
from waypost.annotators.graph.select_tool import SelectTool
from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry.ray_index import RayIndex
from waypost.geometry.walking_down import is_floor


@pytest.fixture
def context(player):
    return player(SelectTool()).context


def looking(origin, target):
    away = np.subtract(target, origin)
    away = away / np.linalg.norm(away)
    return replace(at(0, 0), ray_origin=tuple(origin), ray_direction=tuple(away.tolist()))


def test_the_cut_ceiling_is_never_hit(context):
    assert pick_floor(at(0, 0), context).point_m == pytest.approx((0, 0, 0), abs=1e-5)
    uncut = replace(context, cut_z_m=None)
    assert pick_floor(at(0, 0), uncut).point_m == pytest.approx((0, 0, 2.72), abs=1e-5)


def test_the_floor_behind_a_wall_is_not_taken(context):
    """From (0, −2, 1) towards the floor at (4, −2, 0): the wall at x = 2 is in between."""
    pick = pick_floor(looking((0, -2, 1), (4, -2, 0)), context)
    assert pick.point_m is None
    assert "wall" in pick.reason
    through_the_door = pick_floor(looking((0, 0.4, 1), (4, 0.4, 0)), context)
    assert through_the_door.point_m == pytest.approx((4, 0.4, 0), abs=1e-4)


@pytest.mark.parametrize(("x", "y"), [(2.1, -2.0), (2.1, 2.0)])
def test_the_inside_of_a_wall_opened_by_the_cut_is_no_floor(context, x, y):
    """The wall's bottom is at the height of the floor, so the ray alone would not tell."""
    pick = pick_floor(at(x, y), context)
    assert pick.point_m is None
    assert "the cut opens" in pick.reason


@pytest.mark.parametrize(("x", "y"), [(2.1, 0.4), (1.95, -2.0), (2.25, 2.0), (2.1, 0.02)])
def test_doors_and_the_floor_beside_a_wall_stay_open(context, x, y):
    assert pick_floor(at(x, y), context).point_m == pytest.approx((x, y, 0), abs=1e-4)


def test_a_wardrobe_opened_by_the_cut_is_no_floor(context):
    pick = pick_floor(at(-4, -4.25), replace(context, cut_z_m=0.8))
    assert "the cut opens" in pick.reason


def test_a_ceiling_from_below_is_named(context):
    pick = pick_floor(looking((0, 0, 1), (0.5, 0, 2.5)), replace(context, cut_z_m=None))
    assert pick.point_m is None
    assert "ceiling" in pick.reason


def test_furniture_needs_shift(context):
    assert "not a floor" in pick_floor(at(-2, -2), context).reason
    table = pick_floor(at(-2, -2, shift=True), context).point_m
    assert table == pytest.approx((-2, -2, 0.74), abs=1e-5)
    assert pick_floor(at(-4, -4.25), context).point_m is None


def test_shift_never_takes_a_wall(context):
    pick = pick_floor(replace(looking((0, -2, 1), (4, -2, 0)), shift=True), context)
    assert pick.point_m is None


def test_nothing_under_the_pointer_and_no_index_yet_are_told_apart(context):
    assert pick_floor(at(40, 40), context).reason == "There is no floor under the pointer."
    assert "prepared" in pick_floor(at(0, 0), replace(context, rays=None)).reason


@pytest.mark.parametrize("step", range(16))
def test_every_tread_of_the_stairs_is_a_floor(house, step):
    point = (-4 + 0.28 * (step + 0.5), 4.0, 0.17 * (step + 1))
    assert is_floor(point, house, (GROUND, UPPER))


def test_a_roof_is_no_floor_where_no_storey_is_known_at_its_height(house):
    assert not is_floor((0.0, 0.0, 2.72), house, (GROUND,))


def test_without_storeys_every_surface_counts(house):
    assert is_floor((-2.0, -2.0, 0.74), house, ())


def test_a_ramp_and_a_landing_are_floors():
    """A 5° ramp of 8 m ends on a platform of 2 × 2 m that has no other way down."""
    rise = 8 * math.tan(math.radians(5))
    ground = [(-20, -20, 0), (20, -20, 0), (20, 20, 0), (-20, 20, 0)]
    ramp = [(0, -1, 0), (8, -1, rise), (8, 1, rise), (0, 1, 0)]
    platform = [(8, -1, rise), (10, -1, rise), (10, 1, rise), (8, 1, rise)]
    vertices = np.array(ground + ramp + platform, dtype=np.float32)
    faces = np.array([(i, i + a, i + a + 1) for i in (0, 4, 8) for a in (1, 2)], dtype=np.int32)
    rays = RayIndex.build(Scene("ramp", "", "glb", (Mesh("ramp", vertices, faces),)))
    assert is_floor((5.0, 0.3, 5 * math.tan(math.radians(5))), rays, (GROUND,))
    assert is_floor((9.5, 0.0, rise), rays, (GROUND,))


def test_snapping_takes_the_surface_near_each_point(house):
    moved = snap_to_floor(
        {"low": (0, 0, -0.1), "tread": (-4 + 0.28 * 2.5, 4, 0.4), "outside": (40, 0, 0.3)}, house
    )
    assert moved["low"] == pytest.approx((0, 0, 0), abs=1e-5)
    assert moved["tread"][2] == pytest.approx(0.51, abs=1e-4)
    assert moved["outside"] == (40, 0, 0.3)
    assert snap_to_floor({"a": (0, 0, 1)}, None) == {"a": (0, 0, 1)}
