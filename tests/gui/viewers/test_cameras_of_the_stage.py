"""Changing the camera always shows something, and flying says what to press."""

from __future__ import annotations

import math
from itertools import product

import pytest
from gui.user import User
from PySide6.QtWidgets import QLabel

from waypost.app.shell.fly_card import FlyCard
from waypost.viewers.scene.camera import FlyCamera, OrbitCamera, TopCamera
from waypost.viewers.scene.in_view import sees_box

pytestmark = pytest.mark.gui

AWAY = {
    "fly": FlyCamera((60.0, 0.0, 30.0), 0.0, math.radians(40)),
    "orbit": OrbitCamera((300.0, 300.0, 0.0), 3.0, 0.3, -0.4),
    "top": TopCamera((500.0, 0.0, 0.0), 4.0),
}
"""Cameras that show nothing of the house."""


def sees_house(user: User) -> bool:
    scene = user.window.bench.scene
    assert scene is not None
    return sees_box(user.view.lens, *scene.bounds_m)


def test_no_change_of_camera_shows_nothing(at_house: User) -> None:
    for left, mode in product(AWAY, AWAY):
        at_house.view.set_camera(AWAY[left], left)
        assert not sees_house(at_house), (left, mode)
        at_house.window.stage.set_camera_mode(mode)
        assert sees_house(at_house), (left, mode)


def test_a_camera_that_shows_something_keeps_its_place(at_house: User) -> None:
    at_house.view.set_camera(OrbitCamera((2.5, 0.0, 0.0), 2.0, 0.3, -0.4), "orbit")
    at_house.window.stage.set_camera_mode("top")
    camera = at_house.view.camera
    assert isinstance(camera, TopCamera)
    assert camera.center_m == pytest.approx((2.5, 0.0, 0.0))


def test_flying_says_what_to_press_and_keys_look_round(at_house: User) -> None:
    stage = at_house.window.stage
    assert not stage.findChild(FlyCard).isVisible()
    stage.set_camera_mode("fly")
    card = stage.findChild(FlyCard)
    assert card.isVisible()
    assert stage.view.rect().contains(card.geometry())
    told = {label.text() for label in card.findChildren(QLabel)}
    assert {"↑ ↓ ← →", "fly", "right drag", "look round"} <= told
    stage.view.setFocus()
    before = stage.view.camera
    at_house.press("Shift+Right")
    assert stage.view.camera.yaw_rad < before.yaw_rad
    assert stage.view.camera.eye_m == before.eye_m
    at_house.press("Up")
    assert stage.view.camera.eye_m != before.eye_m
    stage.set_camera_mode("orbit")
    assert not card.isVisible()
