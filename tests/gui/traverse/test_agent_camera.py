"""Frames of a camera of the engine over the stage while somebody drives; by Isaac Sim's fake."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from gui.user import User
from PySide6.QtWidgets import QWidget
from simulators.engines import PYTHON_WITH_FAKE_ISAAC

from waypost.app.traverse.agent_camera import CameraCard, CameraDialog
from waypost.domain.traverse.traversability import Passage
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFrame

pytestmark = [pytest.mark.gui, pytest.mark.conformance]


def wanted(user: User, **values) -> None:
    user.press("Shift+C")
    dialog = user.find(CameraDialog)
    dialog.columns.setValue(values.get("width", 32))
    dialog.lines.setValue(values.get("height", 24))
    dialog.shown.setCurrentIndex(dialog.shown.findData(values.get("shown", "colours")))
    dialog.primary.click()
    user.take_keyboard()


def test_frames_of_isaac_sim_are_shown_with_their_time_while_driving(window, user, house):
    bench = window.bench
    pythons = {"isaac": str(PYTHON_WITH_FAKE_ISAAC)}
    bench.change_settings(replace(bench.settings, engine="isaac", engine_pythons=pythons))
    user.open(house)
    user.press("Ctrl+2")
    bench.choose_agent("wheelchair")
    window.traverse.go_to_passage(Passage("node_1", "node_2", "wheelchair"))
    user.wait_for_engine()
    wanted(user)
    card = window.traverse.camera.card
    assert not card.isVisible()
    user.press("D")
    user.wait(card.isVisible)
    assert "s · colours" in card.caption.text()
    assert card.picture.pixmap().width() == pytest.approx(260, abs=60)
    assert not card.geometry().intersects(window.stage.slider.geometry())
    assert card.geometry().left() > 0
    before = card.caption.text()
    user.hold("W")
    user.wait(lambda: card.caption.text() != before)
    user.release("W")
    user.press("Esc")
    assert not card.isVisible()


def test_the_form_asks_for_size_angle_height_and_tilt(qtbot):
    dialog = CameraDialog(CameraSettings())
    qtbot.addWidget(dialog)
    dialog.columns.setValue(320)
    dialog.lines.setValue(240)
    dialog.fov.setValue(60.0)
    dialog.lens.setValue(0.4)
    dialog.tilt.setValue(-15.0)
    dialog.shown.setCurrentIndex(dialog.shown.findData("depth"))
    assert dialog.settings == CameraSettings(
        320, 240, math.radians(60.0), 0.4, math.radians(-15.0), rgb=False
    )
    dialog.shown.setCurrentIndex(dialog.shown.findData("nothing"))
    assert dialog.settings is None


def test_near_is_bright_in_a_picture_of_depth(qtbot):
    stage, slider = QWidget(), QWidget()
    for widget in (stage, slider):
        qtbot.addWidget(widget)
    stage.resize(900, 600)
    card = CameraCard(stage, slider)
    depth_m = np.array([[0.0, 5.0, 10.0, np.inf]], np.float32)
    card.show_frame(CameraFrame(2_500_000_000, (0.0, 0.0, 0.0), 0.0, 0.0, None, depth_m))
    assert card.caption.text() == "2.5 s · depth, black from 10 m on"
    image = card.picture.pixmap().toImage()
    width, row = image.width(), image.height() // 2
    seen = [image.pixelColor(int(width * share), row).red() for share in (0.02, 0.62, 0.98)]
    assert seen[0] > 240
    assert seen[1] < seen[0]
    assert seen[2] == 0
