from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.box_scenes import box, plate, scene

from waypost.domain.scene.scene import Mesh
from waypost.geometry.ray_index import RayIndex

ROOM = scene(
    plate("floor", (0, 0), (10, 10), 0.0),
    box("table", (4, 4, 0.7), (6, 6, 0.75)),
    box("ceiling", (0, 0, 2.8), (10, 10, 3.0)),
)


@pytest.fixture(scope="module")
def room() -> RayIndex:
    return RayIndex.build(ROOM)


def test_first_hit_names_the_object_and_faces_the_ray(room: RayIndex) -> None:
    hit = room.first_hit((5, 5, 2), (0, 0, -3))
    assert hit is not None
    assert hit.mesh_name == "table"
    assert hit.point_m == pytest.approx((5, 5, 0.75))
    assert hit.normal == pytest.approx((0, 0, 1))
    assert hit.distance_m == pytest.approx(1.25)
    up = room.first_hit((1, 1, 1), (0, 0, 1))
    assert up is not None
    assert (up.mesh_name, up.normal) == ("ceiling", pytest.approx((0, 0, -1)))


def test_slanted_ray(room: RayIndex) -> None:
    hit = room.first_hit((0, 1, 2), (1, 0, -1))
    assert hit is not None
    assert hit.mesh_name == "floor"
    assert hit.point_m == pytest.approx((2, 1, 0), abs=1e-6)
    assert hit.distance_m == pytest.approx(2 * math.sqrt(2))


def test_nothing_is_hit_beyond_the_length_or_beside_the_scene(room: RayIndex) -> None:
    assert room.first_hit((5, 5, 2), (0, 0, -1), max_distance_m=1.2) is None
    assert room.first_hit((50, 5, 2), (0, 0, -1)) is None
    assert room.first_hit((5, 5, 2), (0, 0, 0)) is None


class TestCut:
    def test_hidden_ceiling_is_not_hit_from_above(self, room: RayIndex) -> None:
        bare = room.first_hit((1, 1, 20), (0, 0, -1))
        assert bare is not None
        assert bare.mesh_name == "ceiling"
        cut = room.first_hit((1, 1, 20), (0, 0, -1), cut_z_m=2.0)
        assert cut is not None
        assert cut.mesh_name == "floor"
        assert cut.distance_m == pytest.approx(20.0)

    def test_hidden_ceiling_is_not_hit_from_below(self, room: RayIndex) -> None:
        assert room.first_hit((1, 1, 1), (0, 0, 1), cut_z_m=2.0) is None

    def test_ray_that_stays_above_the_cut_hits_nothing(self, room: RayIndex) -> None:
        assert room.first_hit((-5, 1, 2.9), (1, 0, 0), cut_z_m=2.0) is None

    def test_inside_of_a_cut_slab_is_seen(self, room: RayIndex) -> None:
        hit = room.first_hit((1, 1, 20), (0, 0, -1), cut_z_m=2.9)
        assert hit is not None
        assert hit.point_m[2] == pytest.approx(2.8)


def test_batch_equals_single_rays(room: RayIndex) -> None:
    rng = np.random.default_rng(1)
    origins = rng.uniform((0, 0, 1), (10, 10, 2.5), (200, 3))
    directions = rng.normal(size=(200, 3)) * 7
    directions[0] = 0
    distances = room.first_hit_distances(origins, directions)
    for origin, direction, distance in zip(origins, directions, distances, strict=True):
        hit = room.first_hit(tuple(origin), tuple(direction))
        assert distance == (math.inf if hit is None else pytest.approx(hit.distance_m))
    assert distances[0] == math.inf
    assert np.isfinite(distances).sum() > 100


def test_shared_edges_do_not_leak(room: RayIndex) -> None:
    # the plate is cut along its diagonal; points on it belong to both triangles
    t = np.linspace(0.01, 9.99, 5001)
    origins = np.column_stack([t, t, np.full_like(t, 0.5)])
    below = room.first_hit_distances(origins, np.tile([0.0, 0.0, -1.0], (len(t), 1)))
    np.testing.assert_allclose(below, 0.5, atol=1e-6)


def test_far_away_scene_keeps_millimetres() -> None:
    far = (2_600_000.0, -1_300_000.0, 350.0)
    rays = RayIndex.build(scene(box("crate", (0, 0, 0), (1, 1, 0.123)), origin=far))
    hit = rays.first_hit((far[0] + 0.5, far[1] + 0.5, far[2] + 2), (0, 0, -1))
    assert hit is not None
    assert hit.point_m[2] - far[2] == pytest.approx(0.123, abs=1e-5)


def test_empty_scene_hits_nothing() -> None:
    rays = RayIndex.build(scene())
    assert rays.first_hit((0, 0, 0), (0, 0, -1)) is None
    assert rays.floor_below((0, 0, 0)) is None
    assert rays.first_hit_distances([(0, 0, 0)], [(0, 0, -1)]).tolist() == [math.inf]


class TestFloorBelow:
    def test_point_on_the_floor_finds_it(self, room: RayIndex) -> None:
        hit = room.floor_below((1, 1, 0.0))
        assert hit is not None
        assert hit.mesh_name == "floor"
        assert hit.distance_m == pytest.approx(0.0, abs=1e-6)

    def test_drop_is_limited(self, room: RayIndex) -> None:
        assert room.floor_below((1, 1, 2.0), max_drop_m=1.9) is None
        assert room.floor_below((1, 1, 2.0), max_drop_m=2.1) is not None

    @pytest.mark.parametrize(("slope_deg", "is_floor"), [(5, True), (44, True), (46, False)])
    def test_steep_surfaces_are_passed(self, slope_deg: float, is_floor: bool) -> None:
        rise = math.tan(math.radians(slope_deg))
        points = np.array(
            [(-1, -1, 1 - rise), (1, -1, 1 + rise), (1, 1, 1 + rise), (-1, 1, 1 - rise)]
        )
        ramp = Mesh("ramp", points.astype("f4"), np.array([[0, 1, 2], [0, 2, 3]], "i4"))
        rays = RayIndex.build(scene(ramp, plate("floor", (-5, -5), (5, 5), -1.5)))
        hit = rays.floor_below((0.2, 0.1, 3.0), max_drop_m=6.0)
        assert hit is not None
        assert hit.mesh_name == ("ramp" if is_floor else "floor")

    def test_floor_wound_upside_down_still_carries(self) -> None:
        floor = plate("floor", (0, 0), (1, 1), 0.0)
        flipped = Mesh("floor", floor.vertices, floor.faces[:, ::-1].copy())
        assert RayIndex.build(scene(flipped)).floor_below((0.5, 0.4, 1.0)) is not None


@given(
    low=st.tuples(*[st.floats(-50, 50)] * 3),
    size=st.tuples(*[st.floats(0.1, 20)] * 3),
    share=st.tuples(*[st.floats(0.05, 0.95)] * 2),
    height=st.floats(0.1, 30),
)
@settings(max_examples=60, deadline=None)
def test_top_of_any_box_is_found(
    low: tuple[float, float, float],
    size: tuple[float, float, float],
    share: tuple[float, float],
    height: float,
) -> None:
    top = low[2] + size[2]
    high = (low[0] + size[0], low[1] + size[1], top)
    rays = RayIndex.build(scene(box("b", low, high)))
    start = (low[0] + share[0] * size[0], low[1] + share[1] * size[1], top + height)
    hit = rays.first_hit(start, (0, 0, -1))
    assert hit is not None
    assert hit.point_m[2] == pytest.approx(top, abs=1e-4)
