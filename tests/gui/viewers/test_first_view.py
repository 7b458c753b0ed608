"""The first view of a scene: beside the controls, with its corners, without flicker."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from grabbed_view import grab_image
from gui.user import User
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.store.project_store import ProjectStore
from waypost.viewers.scene.camera import CameraMode, OrbitCamera
from waypost.viewers.scene.free_area import Area, is_clear_of
from waypost.viewers.scene.picture_camera import PictureCamera
from waypost.viewers.scene.shapes import box
from waypost.viewers.scene.view import SceneView

pytestmark = pytest.mark.gui

WHITE = Material("white", (0.8, 0.8, 0.8, 1.0))


def plates(*heights_m: float, origin_z_m: float = 0.0) -> Scene:
    """White squares of 8 × 8 m, each of many triangles, above one another."""
    axis = np.linspace(-4, 4, 9)
    x, y = (part.ravel() for part in np.meshgrid(axis, axis))
    corner = (np.arange(8)[:, None] * 9 + np.arange(8)).ravel()
    faces = np.concatenate(
        [
            np.stack([corner, corner + 1, corner + 10], 1),
            np.stack([corner, corner + 10, corner + 9], 1),
        ]
    ).astype(np.int32)
    meshes = []
    for number, height in enumerate(heights_m):
        points = np.stack([x, y, np.full_like(x, height - origin_z_m)], 1).astype(np.float32)
        meshes.append(Mesh(f"plate {number}", points, faces, material_index=number))
    colors = ((0.8, 0.8, 0.8, 1.0), (0.8, 0.1, 0.1, 1.0))
    looks = tuple(Material(str(n), color) for n, color in enumerate(colors))
    return Scene("plates", "", "glb", tuple(meshes), looks, origin_m=(0.0, 0.0, origin_z_m))


@pytest.mark.parametrize(("height_m", "origin_z_m"), [(2.2, 0.0), (2.3, 0.0), (102.7, 100.3)])
def test_a_cut_in_a_surface_hides_all_of_it_from_everywhere(
    height_m: float, origin_z_m: float, qapp: QApplication, qtbot: QtBot, no_leaks: None
) -> None:
    view = SceneView()
    qtbot.addWidget(view)
    view.resize(320, 240)
    view.set_scene(plates(height_m - 2.0, height_m, origin_z_m=origin_z_m))
    view.set_cut_z(height_m)
    view.show()
    for turn in range(12):
        middle = (0.0, 0.0, height_m - 1.0)
        view.set_camera(OrbitCamera(middle, 3.0 + turn, 0.5 * turn, -0.9), CameraMode.ORBIT)
        picture = grab_image(view).astype(int)
        is_red = picture[..., 0] > picture[..., 1] + 40
        assert not is_red.any()
        assert (picture.min(axis=-1) > 100).any()


def test_corners_of_a_plain_box_are_seen_from_every_side(
    qapp: QApplication, no_leaks: None
) -> None:
    solid = box((0.0, 0.0, 0.0), (2.0, 2.0, 2.0), 0.0, (1.0, 1.0, 1.0, 1.0))
    mesh = Mesh("box", solid.vertices.astype(np.float32), solid.faces, None, 0)
    size, fov = PictureSize(200, 200), FieldOfView(math.radians(50))
    with PictureCamera(Scene("box", "", "glb", (mesh,), (WHITE,))) as camera:
        for quarter in range(4):
            yaw = math.pi / 4 + quarter * math.pi / 2
            eye = (-6 * math.cos(yaw), -6 * math.sin(yaw), 4.0)
            picture = camera.take(CameraPose(eye, yaw, math.radians(-33)), fov, size).astype(float)
            left, right, top = picture[110, 75], picture[110, 125], picture[75, 100]
            shades = sorted(float(face.mean()) for face in (left, right, top))
            assert np.diff(shades).min() >= 12, shades


def test_no_control_lies_over_the_house(user: User, house: Path) -> None:
    stage = user.window.stage
    store = ProjectStore.open(house)
    whole = store.load()
    store.save(whole, replace(whole, graph=NavigationGraph()), "ana")
    store.close()
    user.open(house)
    assert stage.empty.isVisible()
    scene, cut_z_m = stage.view.scene, stage.view.cut_z
    assert scene is not None
    assert cut_z_m is not None
    (x0, y0, z0), (x1, y1, _) = scene.bounds_m
    corners = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, cut_z_m)]
    pixels = stage.view.project(corners)
    view_size = (stage.view.width(), stage.view.height())
    assert (pixels >= 0).all()
    assert (pixels <= view_size).all()
    for control in (stage.slider, stage.map.widget, stage.tools, stage.empty):
        assert control.isVisible()
        place = control.geometry()
        assert is_clear_of(pixels, Area(*place.getRect()[:2], place.right(), place.bottom()))
    assert not stage.empty.geometry().intersects(stage.slider.geometry())
    # Beside them it is still large.
    assert (np.ptp(pixels, axis=0) / view_size).max() > 0.5


def test_the_view_stays_where_a_control_goes_away(user: User, house: Path) -> None:
    user.open(house)
    before = user.view.camera
    user.window.stage.map.toggle()
    assert user.view.camera is before
