"""Changing the way of looking keeps the place; framing fills the picture."""

from __future__ import annotations

import math

import numpy as np
import pytest

from waypost.viewers.scene.camera import CameraMode, ChaseCamera, Extent, FlyCamera, TopCamera
from waypost.viewers.scene.camera_rig import CameraRig

HOUSE = Extent((-9.5, -5.7, 0.0), (9.5, 5.7, 3.0))


@pytest.fixture
def rig() -> CameraRig:
    rig = CameraRig()
    rig.width_px, rig.height_px = 1280.0, 720.0
    rig.set_scene_extent(HOUSE)
    rig.frame(HOUSE)
    return rig


def corners(extent: Extent) -> list[tuple[float, float, float]]:
    (x0, y0, z0), (x1, y1, z1) = extent.low, extent.high
    return [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)]


@pytest.mark.parametrize("mode", [CameraMode.ORBIT, CameraMode.TOP, CameraMode.FLY])
def test_framing_fills_the_picture_and_no_more(rig: CameraRig, mode: CameraMode) -> None:
    rig.set_mode(mode)
    rig.frame(HOUSE)
    pixels = rig.lens().project(corners(HOUSE))
    assert (pixels >= 0).all()
    assert (pixels <= (1280, 720)).all()
    share = np.ptp(pixels, axis=0) / (1280, 720)
    assert share.max() > 0.85
    middle = (pixels.min(axis=0) + pixels.max(axis=0)) / 2
    assert middle == pytest.approx([640, 360], abs=15)


def test_orbit_and_plan_show_the_same_place(rig: CameraRig) -> None:
    rig.look_at((3.0, 1.0, 0.0))
    before = rig.lens().metres_per_pixel((3.0, 1.0, 0.0))
    rig.set_mode(CameraMode.TOP)
    assert rig.lens().project([(3.0, 1.0, 0.0)]) == pytest.approx(np.array([[640, 360]]))
    assert rig.lens().metres_per_pixel((3.0, 1.0, 0.0)) == pytest.approx(before)
    rig.set_mode(CameraMode.ORBIT)
    assert rig.camera.focus_m == pytest.approx((3.0, 1.0, 0.0))


def test_flying_starts_where_the_orbit_was(rig: CameraRig) -> None:
    eye = rig.lens().eye_m
    rig.set_mode(CameraMode.FLY)
    assert isinstance(rig.camera, FlyCamera)
    assert rig.camera.eye_m == pytest.approx(eye)
    assert rig.step(1.0, 0.0)
    assert rig.camera.eye_m != pytest.approx(eye)


def test_the_agent_is_followed_only_while_looking_at_it(rig: CameraRig) -> None:
    focus = rig.camera.focus_m
    rig.follow((4.0, 2.0, 0.0), 0.5, 1.2)
    assert rig.camera.focus_m == focus
    rig.set_mode(CameraMode.CHASE)
    rig.turn(50.0, 0.0)
    rig.follow((5.0, 2.0, 0.0), 0.7, 1.2)
    assert isinstance(rig.camera, ChaseCamera)
    assert rig.camera.position_m == (5.0, 2.0, 0.0)
    assert rig.camera.swing_rad == pytest.approx(-0.3)
    rig.set_mode(CameraMode.FIRST_PERSON)
    assert rig.lens().eye_m == pytest.approx([5.0, 2.0, 1.2])


def test_a_drag_that_turns_shifts_the_plan_instead(rig: CameraRig) -> None:
    rig.set_mode(CameraMode.TOP)
    before = rig.lens().project([(0, 0, 0)])
    rig.turn(10.0, 5.0)
    assert isinstance(rig.camera, TopCamera)
    assert rig.lens().project([(0, 0, 0)]) - before == pytest.approx(np.array([[10, 5]]))
    assert not rig.step(1.0, 0.0)


def test_zoom_keeps_what_is_under_the_pointer(rig: CameraRig) -> None:
    for mode in (CameraMode.ORBIT, CameraMode.TOP):
        rig.set_mode(mode)
        point = rig.point_under(300.0, 500.0)
        rig.zoom(0.7, 300.0, 500.0)
        assert rig.lens().project([point]) == pytest.approx(np.array([[300, 500]]), abs=1e-6)


def test_the_point_under_a_pixel_lies_at_the_height_of_the_focus(rig: CameraRig) -> None:
    rig.look_at((0.0, 0.0, 0.5))
    assert rig.point_under(800.0, 500.0)[2] == pytest.approx(0.5)
    rig.set_mode(CameraMode.FLY)
    rig.camera = FlyCamera((0.0, 0.0, 1.0), 0.0, math.radians(30))
    assert rig.point_under(640.0, 360.0)[2] > 1.0
