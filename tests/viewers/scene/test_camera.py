"""Pixels and rays agree, and every gesture keeps its promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from waypost.viewers.scene.camera import (
    Camera,
    ChaseCamera,
    Extent,
    FirstPersonCamera,
    FlyCamera,
    OrbitCamera,
    TopCamera,
    framing_distance_m,
    framing_height_m,
)

EXTENT = Extent((-9.5, -5.7, 0.0), (9.5, 5.7, 3.0))
CAMERAS: list[Camera] = [
    OrbitCamera((1.0, 2.0, 0.0), 12.0, 0.7, -0.8),
    FlyCamera((0.0, 0.0, 1.6), 2.0, 0.1),
    TopCamera((1.0, -2.0, 0.0), 14.0),
    ChaseCamera((3.0, 1.0, 0.0), -1.0, 1.1),
    FirstPersonCamera((3.0, 1.0, 0.0), -1.0, 1.1),
]


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("pixel", [(0.0, 0.0), (640.0, 360.0), (1280.0, 720.0), (13.25, 700.5)])
def test_a_pixel_comes_back_from_its_ray(camera: Camera, pixel: tuple[float, float]) -> None:
    lens = camera.lens(1280, 720, EXTENT)
    origin, direction = lens.ray_at(*pixel)
    assert math.hypot(*direction) == pytest.approx(1.0)
    points = [np.asarray(origin) + np.asarray(direction) * reach for reach in (0.5, 3.0, 40.0)]
    assert lens.project(points) == pytest.approx(np.array([pixel] * 3), abs=1e-6)


def test_the_middle_of_an_orbit_is_the_middle_of_the_picture() -> None:
    lens = OrbitCamera((5.0, 6.0, 7.0), 4.0, 1.2, -0.4).lens(800, 600, EXTENT)
    assert lens.project([(5.0, 6.0, 7.0)]) == pytest.approx(np.array([[400.0, 300.0]]))
    assert np.linalg.norm(lens.eye_m - (5.0, 6.0, 7.0)) == pytest.approx(4.0)


def test_looking_along_x_left_is_y_and_up_is_z() -> None:
    lens = FlyCamera((0.0, 0.0, 0.0), 0.0, 0.0).lens(1000, 1000, EXTENT)
    ahead, left, above, behind = lens.project([(5, 0, 0), (5, 1, 0), (5, 0, 1), (-5, 0, 0)])
    half_height_m = 5.0 * math.tan(math.radians(25.0))
    assert ahead == pytest.approx([500, 500])
    assert left == pytest.approx([500 - 500 / half_height_m, 500])
    assert above == pytest.approx([500, 500 - 500 / half_height_m])
    assert np.isnan(behind).all()


def test_the_plan_is_truly_orthographic_and_north_is_up() -> None:
    lens = TopCamera((0.0, 0.0, 0.0), 10.0).lens(1000, 500, EXTENT)
    low, high, north, east = lens.project([(2, 1, 0), (2, 1, 3), (0, 2, 1), (2, 0, 1)])
    assert low == pytest.approx(high)
    assert north == pytest.approx([500, 150])
    assert east == pytest.approx([600, 250])
    rays = [lens.ray_at(x, y) for x, y in [(0, 0), (1000, 500), (500, 250)]]
    assert {direction for _, direction in rays} == {(0.0, 0.0, -1.0)}
    assert all(origin[2] > EXTENT.high[2] for origin, _ in rays)
    assert lens.metres_per_pixel((0, 0, 0)) == pytest.approx(0.02)


def test_a_far_origin_costs_no_precision() -> None:
    origin = (2_600_000.0, -1_200_000.0, 50.0)
    center = (origin[0] + 1.0, origin[1] + 2.0, origin[2])
    lens = OrbitCamera(center, 6.0).lens(1280, 720, Extent(origin, center))
    local = np.array([1.25, 2.5, 0.125])
    clip = lens.clip_from_local(origin).astype(np.float32) @ np.append(local, 1).astype(np.float32)
    seen = ((clip[0] / clip[3] + 1) / 2 * 1280, (1 - clip[1] / clip[3]) / 2 * 720)
    assert lens.project([local + origin])[0] == pytest.approx(seen, abs=0.01)


@pytest.mark.parametrize("camera", [CAMERAS[0], CAMERAS[2]], ids=["orbit", "top"])
def test_zoom_keeps_the_point_under_the_pointer(camera: Camera) -> None:
    point = (2.0, 2.5, 0.0)
    before = camera.lens(1280, 720, EXTENT).project([point])
    closer = camera.zoomed(0.5, point)
    assert closer.lens(1280, 720, EXTENT).project([point]) == pytest.approx(before, abs=1e-6)
    assert closer.lens(1280, 720, EXTENT).metres_per_pixel(point) == pytest.approx(
        camera.lens(1280, 720, EXTENT).metres_per_pixel(point) / 2
    )


@pytest.mark.parametrize("camera", [CAMERAS[0], CAMERAS[2]], ids=["orbit", "top"])
def test_pan_moves_the_focus_with_the_pointer(camera: Camera) -> None:
    focus = camera.focus_m
    before = camera.lens(1280, 720, EXTENT).project([focus])
    after = camera.panned(30.0, -20.0, 720).lens(1280, 720, EXTENT).project([focus])
    assert after - before == pytest.approx(np.array([[30.0, -20.0]]), abs=1e-6)


def test_an_orbit_never_tips_over() -> None:
    camera = OrbitCamera((0, 0, 0), 5.0)
    assert camera.turned(0, 10_000).pitch_rad == pytest.approx(math.radians(-89))
    assert camera.turned(0, -10_000).pitch_rad == pytest.approx(math.radians(89))


def test_the_chase_camera_is_behind_its_agent() -> None:
    camera = ChaseCamera((0, 0, 0), 0.0, 1.0).following((4.0, 2.0, 0.0), math.pi / 2, 1.0)
    lens = camera.lens(1280, 720, EXTENT)
    assert lens.eye_m[0] == pytest.approx(4.0)
    assert lens.eye_m[1] < 2.0
    assert lens.project([camera.focus_m]) == pytest.approx(np.array([[640.0, 360.0]]))


def test_first_person_looks_from_the_eyes_along_the_heading() -> None:
    camera = FirstPersonCamera((1.0, 2.0, 0.5), math.pi, 1.2, pitch_rad=0.0)
    lens = camera.lens(640, 480, EXTENT)
    assert lens.eye_m == pytest.approx([1.0, 2.0, 1.7])
    assert lens.forward == pytest.approx([-1.0, 0.0, 0.0])


@pytest.mark.parametrize("aspect", [0.5, 1.0, 16 / 9])
def test_framing_covers_every_corner(aspect: float) -> None:
    width, height = 720 * aspect, 720.0
    orbit = OrbitCamera(EXTENT.center, framing_distance_m(EXTENT, aspect))
    top = TopCamera(EXTENT.center, framing_height_m(EXTENT, aspect))
    corners = [
        (x, y, z)
        for x in (EXTENT.low[0], EXTENT.high[0])
        for y in (EXTENT.low[1], EXTENT.high[1])
        for z in (EXTENT.low[2], EXTENT.high[2])
    ]
    cameras: list[Camera] = [orbit, top]
    for camera in cameras:
        pixels = camera.lens(width, height, EXTENT).project(corners)
        assert (pixels >= 0).all()
        assert (pixels <= (width, height)).all()


def test_flying_steps_along_the_view() -> None:
    camera = FlyCamera((0.0, 0.0, 1.0), 0.0, 0.0)
    assert camera.stepped(2.0, 1.0).eye_m == pytest.approx((2.0, -1.0, 1.0))
    assert camera.zoomed(1 / 1.15, (10.0, 0.0, 1.0)).eye_m == pytest.approx((0.6, 0.0, 1.0))
