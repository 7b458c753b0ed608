"""The mini-map stays in its corner, follows the view and takes it elsewhere."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from pytestqt.qtbot import QtBot
from worlds.box_scenes import body

from waypost.app.shell.stage import Stage
from waypost.domain.base.progress import exhaust
from waypost.domain.scene.graph import Node, build_graph
from waypost.domain.scene.scene import Scene, Storey
from waypost.viewers.scene.prepared_scene import prepare_scene

pytestmark = pytest.mark.gui


def house() -> Scene:
    """8 × 4 m with floors at 0 and 3 m."""
    meshes = (
        body("ground", (0.0, 0.0, -0.1), (8.0, 4.0, 0.2)),
        body("wall", (0.0, 0.0, 1.5), (0.2, 4.0, 3.0)),
        body("ceiling", (0.0, 0.0, 3.0), (8.0, 4.0, 0.1)),
        body("upper wall", (2.0, 0.0, 4.5), (0.2, 4.0, 3.0)),
    )
    storeys = (Storey("Ground floor", 0.0), Storey("Floor 1", 3.05))
    return Scene("house", "", "glb", meshes, storeys=storeys)


@pytest.fixture
def stage(qtbot: QtBot) -> Stage:
    widget = Stage()
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    scene = house()
    widget.set_scene(scene, exhaust(prepare_scene(scene)))
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def test_it_lies_in_the_lower_left_corner_and_says_how_much_it_takes(
    stage: Stage, qtbot: QtBot
) -> None:
    shape = stage.map.widget.geometry()
    assert (shape.left(), shape.bottom()) == (10, stage.view.height() - 11)
    assert not shape.intersects(stage.slider.geometry())
    with qtbot.waitSignal(stage.map.corner_changed) as told:
        stage.map.toggle()
    assert told.args == [QSize(0, 0)]
    assert not stage.map.is_shown
    with qtbot.waitSignal(stage.map.corner_changed) as told:
        stage.map.toggle()
    assert told.args == [QSize(shape.width() + 10, shape.height() + 10)]


def test_it_is_hidden_where_it_is_of_no_use(stage: Stage) -> None:
    stage.set_camera_mode("top")
    assert not stage.map.is_shown
    stage.set_camera_mode("fly")
    assert stage.map.is_shown
    stage.resize(500, 600)
    assert not stage.map.is_shown
    stage.resize(800, 600)
    assert stage.map.is_shown
    stage.set_scene(None)
    assert not stage.map.is_shown


def test_a_click_moves_the_view_on_the_storey_that_is_shown(stage: Stage, qtbot: QtBot) -> None:
    for cut_m, floor_m in ((2.2, 0.0), (5.25, 3.05)):
        stage.set_cut(cut_m)
        x, y = stage.map.widget.to_pixel((2.0, -1.0))
        place = QPoint(round(x), round(y))
        qtbot.mouseClick(stage.map.widget, Qt.MouseButton.LeftButton, pos=place)
        assert stage.view.camera.focus_m == pytest.approx((2.0, -1.0, floor_m), abs=0.05)


def test_only_nodes_of_the_storey_are_shown(stage: Stage) -> None:
    nodes = [Node("a", "A", (1.0, 1.0, 0.0)), Node("b", "B", (-3.0, 0.0, 3.0))]
    stage.map.set_graph(build_graph(nodes, []))
    dark = stage.map.widget.grab().toImage()
    stage.set_cut(5.25)
    upper = stage.map.widget.grab().toImage()
    for point, (below, above) in (((1.0, 1.0), (True, False)), ((-3.0, 0.0), (False, True))):
        x, y = (round(v) for v in stage.map.widget.to_pixel(point))
        found = [image.pixelColor(x, y).name() == "#5aa9ff" for image in (dark, upper)]
        assert found == [below, above]


def test_the_map_keeps_its_events_from_the_scene(stage: Stage, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(stage.view.pointer):
        qtbot.mouseClick(stage.map.widget, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
