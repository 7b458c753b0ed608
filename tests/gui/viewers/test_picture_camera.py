from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from grabbed_view import grab_image
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from worlds.coloured_room import (
    CEILING,
    EAST,
    EYE,
    FLOOR,
    NORTH,
    SOUTH,
    WEST,
    coloured_room,
    marker_centre,
    surface_of,
)

from waypost.domain.base.frames import yaw_from_r2r_heading
from waypost.domain.record.camera_take import CameraPose, FieldOfView, FovAxis, PictureSize
from waypost.domain.replay.views import EquirectangularView, PerspectiveView, direction_of_angles
from waypost.viewers.scene.panorama_camera import join_sphere, sphere_faces
from waypost.viewers.scene.picture_camera import PictureCamera
from waypost.viewers.scene.view import SceneView

pytestmark = pytest.mark.gui

SIZE = PictureSize(320, 240)
FOV = FieldOfView(math.radians(75.0))


@pytest.fixture
def camera(qapp: QApplication, no_leaks: None) -> Iterator[PictureCamera]:
    """In the room, with a marker 20° right of north."""
    with PictureCamera(coloured_room((20.0, 0.0))) as made:
        yield made


def sphere(camera: PictureCamera, centre_heading_deg: float, size: PictureSize) -> np.ndarray:
    """The sphere around the eye with a heading in its middle column."""
    yaw = yaw_from_r2r_heading(math.radians(centre_heading_deg))
    faces = sphere_faces(EYE, yaw, size)
    taken = [camera.take(face.pose, face.fov, face.size, has_headlight=False) for face in faces]
    return join_sphere(taken, size)


def facing(heading_deg: float, pitch_deg: float = 0.0) -> CameraPose:
    yaw = yaw_from_r2r_heading(math.radians(heading_deg))
    return CameraPose(EYE, yaw, math.radians(pitch_deg))


@pytest.mark.parametrize(
    ("heading_deg", "wall"), [(0, NORTH), (90, EAST), (180, SOUTH), (270, WEST), (-90, WEST)]
)
def test_the_wall_at_a_heading_is_in_the_middle(
    camera: PictureCamera, heading_deg: float, wall: int
) -> None:
    picture = camera.take(facing(heading_deg), FOV, SIZE)
    assert picture.shape == (240, 320, 3)
    assert [surface_of(picture[row, 160]) for row in (110, 120, 130)] == [wall] * 3


def test_floor_is_below_and_the_ceiling_is_drawn(camera: PictureCamera) -> None:
    assert surface_of(camera.take(facing(0, 89.0), FOV, SIZE)[120, 160]) == CEILING
    assert surface_of(camera.take(facing(0, -89.0), FOV, SIZE)[120, 160]) == FLOOR


def test_right_is_right(camera: PictureCamera) -> None:
    # Facing the corner between north and east, north is on the left.
    picture = camera.take(facing(45), FOV, SIZE)
    assert surface_of(picture[120, 40]) == NORTH
    assert surface_of(picture[120, 280]) == EAST
    assert surface_of(camera.take(facing(315), FOV, SIZE)[120, 40]) == WEST


def test_a_marker_straight_ahead_is_in_the_middle(camera: PictureCamera) -> None:
    column, row = marker_centre(camera.take(facing(20), FOV, SIZE))
    px_per_deg = math.radians(1.0) * 160 / math.tan(math.radians(37.5))
    assert abs(column - 160) < 2 * px_per_deg
    assert abs(row - 120) < 2 * px_per_deg


@pytest.mark.parametrize("axis", list(FovAxis))
def test_a_marker_lies_where_the_replay_expects_it(camera: PictureCamera, axis: FovAxis) -> None:
    fov = FieldOfView(math.radians(60.0), axis)
    expected = PerspectiveView(0.0, 0.0, fov.vertical_rad(SIZE), 320, 240).pixel_of(
        direction_of_angles(math.radians(20.0), 0.0)
    )
    assert expected is not None
    assert marker_centre(camera.take(facing(0), fov, SIZE)) == pytest.approx(expected, abs=2.0)


def test_sizes_may_change_from_picture_to_picture(camera: PictureCamera) -> None:
    first = camera.take(facing(0), FOV, SIZE)
    large = camera.take(facing(0), FOV, PictureSize(501, 333))
    assert large.shape == (333, 501, 3)
    assert surface_of(large[150, 480]) == surface_of(large[150, 20]) == NORTH
    np.testing.assert_array_equal(camera.take(facing(0), FOV, SIZE), first)


@pytest.mark.parametrize("centre_deg", [0.0, 137.0])
@pytest.mark.parametrize(("heading_deg", "elevation_deg"), [(20, 0), (100, 30), (225, -20)])
def test_columns_of_the_sphere_are_headings(
    qapp: QApplication, centre_deg: float, heading_deg: float, elevation_deg: float
) -> None:
    size = PictureSize(720, 360)
    with PictureCamera(coloured_room((heading_deg, elevation_deg))) as camera:
        picture = sphere(camera, centre_deg, size)
    column, row = marker_centre(picture)
    view = EquirectangularView(math.radians(centre_deg), 720, 360)
    expected = view.pixel_of(
        direction_of_angles(math.radians(heading_deg), math.radians(elevation_deg))
    )
    # Two pixels are a degree.
    assert (column, row) == pytest.approx(expected, abs=2.0)
    assert surface_of(picture[2, 300]) == CEILING
    assert surface_of(picture[357, 300]) == FLOOR


def test_faces_join_without_a_seam(qapp: QApplication) -> None:
    # The faces look at 60° and 150°; they meet at 105°, within the east wall, seen askew by each.
    with PictureCamera(coloured_room()) as camera:
        row = sphere(camera, 60.0, PictureSize(1024, 512))[256]
    seam = 512 + 1024 * 45 // 360
    assert surface_of(row[seam]) == EAST
    assert np.ptp(row[seam - 4 : seam + 4].astype(int), axis=0).max() <= 1


def test_a_window_beside_it_keeps_its_own_picture(qtbot: QtBot, qapp: QApplication) -> None:
    scene = coloured_room((20.0, 0.0))
    view = SceneView()
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.set_scene(scene)
    with qtbot.waitExposed(view):
        view.show()
    before = grab_image(view)
    with PictureCamera(scene) as camera:
        first = camera.take(facing(0), FOV, SIZE)
        np.testing.assert_array_equal(grab_image(view), before)
        np.testing.assert_array_equal(camera.take(facing(0), FOV, SIZE), first)
    np.testing.assert_array_equal(grab_image(view), before)


def test_nothing_shows_on_the_screen(camera: PictureCamera, qapp: QApplication) -> None:
    camera.take(facing(0), FOV, SIZE)
    assert not any(widget.isVisible() for widget in qapp.topLevelWidgets())
    assert not any(window.isVisible() for window in qapp.topLevelWindows())
