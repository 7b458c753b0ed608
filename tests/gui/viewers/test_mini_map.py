"""The mini-map paints the plan once and takes clicks to the scene frame."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from waypost.services.appearance import DARK
from waypost.viewers.map.mini_map import MiniMap, distinct_lines
from waypost.viewers.scene.drawing import rgb
from waypost.viewers.scene.floor_plan import FloorPlan

pytestmark = pytest.mark.gui

WALL = np.array([[[0.0, 0.0], [10.0, 0.0]], [[10.0, 0.0], [10.0, 5.0]]])


@pytest.fixture
def mini_map(qtbot: QtBot) -> MiniMap:
    widget = MiniMap()
    qtbot.addWidget(widget)
    widget.resize(216, 116)
    widget.set_floor_plan(FloorPlan(WALL.copy(), np.empty((0, 2, 2)), (0.0, 0.0), (10.0, 5.0)))
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def test_north_is_up_and_pixels_come_back(mini_map: MiniMap) -> None:
    assert mini_map.to_pixel((0.0, 0.0)) == pytest.approx((8.0, 108.0))
    assert mini_map.to_pixel((10.0, 5.0)) == pytest.approx((208.0, 8.0))
    assert mini_map.to_metres(mini_map.to_pixel((3.0, 1.5))) == pytest.approx((3.0, 1.5))


def test_walls_and_nodes_are_painted_where_they_are(mini_map: MiniMap) -> None:
    mini_map.set_nodes([((5.0, 2.5), rgb(DARK.travels))])
    mini_map.set_agent((2.0, 2.0, 0.0))
    mini_map.set_viewer((8.0, 4.0, 1.0))
    image = mini_map.grab().toImage()
    ratio = mini_map.devicePixelRatioF()

    def color_at(point: tuple[float, float]) -> str:
        x, y = mini_map.to_pixel(point)
        return str(image.pixelColor(int(x * ratio), int(y * ratio)).name())

    assert color_at((5.0, 2.5)) == DARK.travels
    assert color_at((2.1, 2.0)) == DARK.agent
    wall, paper = QColor(color_at((5.0, 0.0))), QColor(color_at((5.0, 4.0)))
    assert wall.lightness() > paper.lightness() + 60


def test_a_click_is_a_place(mini_map: MiniMap, qtbot: QtBot) -> None:
    with qtbot.waitSignal(mini_map.place_chosen) as chosen:
        qtbot.mouseClick(mini_map, Qt.MouseButton.LeftButton, pos=QPoint(108, 58))
    assert chosen.args == pytest.approx([5.0, 2.5])


def test_another_theme_repaints_the_plan(mini_map: MiniMap) -> None:
    dark = mini_map.grab().toImage().pixelColor(20, 20).lightness()
    mini_map.set_theme(dark=False)
    assert mini_map.grab().toImage().pixelColor(20, 20).lightness() > dark + 100
    mini_map.set_floor_plan(None)
    assert not mini_map.grab().isNull()


def test_lines_that_look_the_same_are_painted_once() -> None:
    same = [[[1.0, 2.0], [5.0, 2.0]], [[1.1, 2.1], [5.1, 1.9]], [[3.0, 3.0], [3.1, 3.1]]]
    other = [[[1.0, 2.0], [5.0, 2.5]]]
    assert distinct_lines(np.array(same + other)).tolist() == [[1, 2, 5, 2], [1, 2, 5, 2.5]]
    assert distinct_lines(np.empty((0, 2, 2))).shape == (0, 4)
