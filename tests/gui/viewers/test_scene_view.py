"""The scene view draws, cuts, projects and reports, in a real window with OpenGL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from grabbed_view import grab_image
from import_path import IMPORT_PATH
from numpy.typing import NDArray
from patience import PATIENCE_MS
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot
from worlds.box_scenes import body

from waypost.domain.scene.scene import Material, Scene
from waypost.services.appearance import tokens_named
from waypost.viewers.scene import gl_layers, gl_stage, gl_surface
from waypost.viewers.scene.drawing import Drawing, Label3D, PolyLine, SceneMarker
from waypost.viewers.scene.pointer import PointerEvent, PointerPhase
from waypost.viewers.scene.shapes import disc
from waypost.viewers.scene.view import SceneView

pytestmark = pytest.mark.gui

RED_CEILING = (0.8, 0.0, 0.0, 1.0)


def room(origin_m: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Scene:
    """6 × 4 m, chequered floor, red ceiling at 2.5 m, a wall across, a block."""
    tiles = np.full((8, 8, 4), 255, dtype=np.uint8)
    tiles[::2, ::2, :3] = tiles[1::2, 1::2, :3] = 90
    meshes = (
        body("floor", (0.0, 0.0, -0.05), (6.0, 4.0, 0.1), 0),
        body("ceiling", (0.0, 0.0, 2.55), (6.0, 4.0, 0.1), 1),
        body("wall", (1.0, 0.0, 1.25), (0.2, 4.0, 2.5), 2),
        body("block", (-1.0, 0.5, 0.3), (0.6, 0.6, 0.6), 2),
    )
    materials = (
        Material("tiles", (1.0, 1.0, 1.0, 1.0), 0),
        Material("red", RED_CEILING),
        Material("plain", (0.6, 0.6, 0.5, 1.0)),
    )
    return Scene("room", "room.glb", "glb", meshes, materials, (tiles,), origin_m)


@pytest.fixture(params=["read back", "composed"])
def surface(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the picture is drawn on, whatever renderer there is."""
    is_software = request.param == "read back"
    monkeypatch.setattr(gl_surface, "is_software", lambda _: is_software)
    return str(request.param)


@pytest.fixture
def view(surface: str, qtbot: QtBot) -> SceneView:
    widget = SceneView()
    qtbot.addWidget(widget)
    if not widget._stage:
        pytest.skip("no OpenGL on this display")
    widget.resize(640, 420)
    widget.set_scene(room())
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def test_without_a_scene_the_view_has_the_colour_of_the_stage(surface: str, qtbot: QtBot) -> None:
    widget = SceneView()
    qtbot.addWidget(widget)
    if not widget._stage:
        pytest.skip("no OpenGL on this display")
    widget.resize(64, 48)
    with qtbot.waitExposed(widget):
        widget.show()
    wanted = QColor(tokens_named("dark").stage).getRgb()[:3]
    assert np.abs(grab_image(widget).astype(int) - wanted).max() <= 1


def hover(view: SceneView, place: QPoint) -> None:
    """Move the pointer over the view, whatever the display does with the real one."""
    nothing = Qt.MouseButton.NoButton
    at = QPointF(place)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        view.mapToGlobal(at),
        nothing,
        nothing,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def is_like(picture: NDArray[np.uint8], before: NDArray[np.int64]) -> bool:
    return picture.shape == before.shape and np.abs(picture.astype(int) - before).mean() < 0.5


def red_share(picture: NDArray[np.uint8]) -> float:
    red, green, blue = (picture[..., i].astype(int) for i in range(3))
    return float(((red > 60) & (red > 3 * green) & (red > 3 * blue)).mean())


@pytest.mark.parametrize("mode", ["orbit", "fly", "top", "chase", "first_person"])
def test_every_camera_draws_the_scene(view: SceneView, mode: str) -> None:
    view.set_cut_z(2.4)
    view.set_chase_pose((-2.0, -1.0, 0.0), 0.3, 1.2)
    view.set_camera_mode(mode)
    picture = grab_image(view)
    assert picture.shape == (420, 640, 3)
    assert len(np.unique(picture[::4, ::4, :3].reshape(-1, 3), axis=0)) > 20
    assert picture[100:320, 160:480, :3].std() > 8


def test_the_cut_takes_the_ceiling_away(view: SceneView) -> None:
    view.set_camera_mode("top")
    view.frame_bounds(*room().bounds_m)
    assert red_share(grab_image(view)) > 0.5
    view.set_cut_z(2.3)
    assert red_share(grab_image(view)) == 0.0
    view.set_cut_z(None)
    assert red_share(grab_image(view)) > 0.5


def test_a_cut_wall_is_solid_in_the_plan(view: SceneView) -> None:
    view.set_camera_mode("top")
    view.set_cut_z(1.5)
    picture = grab_image(view)
    inside, left = view.project([(1.0, 0.7, 1.5), (0.8, 0.7, 1.5)]).round().astype(int)
    assert picture[inside[1], inside[0], :3].tolist() == [0x3B, 0x42, 0x4D]
    assert picture[left[1], left[0], :3].tolist() != [0x3B, 0x42, 0x4D]


def test_a_far_away_scene_looks_the_same(view: SceneView, qtbot: QtBot) -> None:
    view.set_cut_z(2.0)
    near = grab_image(view).astype(int)
    far = (2_600_000.0, -1_400_000.0, 300.0)
    view.set_scene(room(far))
    view.set_cut_z(302.0)
    assert np.abs(grab_image(view).astype(int) - near).mean() < 0.5


def test_overlays_are_where_project_says(view: SceneView) -> None:
    view.set_cut_z(2.0)
    point = (-2.0, -1.0, 0.0)
    drawing = Drawing(
        lines=(PolyLine(((-2.5, -1.5, 0.0), (-0.5, -1.5, 0.0)), (0.0, 1.0, 1.0, 1.0), 5.0),),
        markers=(SceneMarker(point, (1.0, 0.0, 1.0, 1.0), 12.0),),
        meshes=(disc((-2.2, 0.4, 0.01), 0.4, (0.0, 0.0, 1.0, 1.0)),),
    )
    view.set_drawing("test", drawing)
    picture = grab_image(view)
    for where, color in (
        (point, [255, 0, 255]),
        ((-1.5, -1.5, 0.0), [0, 255, 255]),
        ((-2.2, 0.4, 0.01), [0, 0, 255]),
    ):
        x, y = view.project([where])[0]
        assert picture[int(y), int(x), :3].tolist() == color
    view.set_drawing("test", Drawing())
    x, y = view.project([point])[0]
    assert grab_image(view)[int(y), int(x), :3].tolist() != [255, 0, 255]


def test_walls_hide_what_is_not_on_top(view: SceneView) -> None:
    view.set_cut_z(2.4)
    view.set_chase_pose((-2.0, 0.0, 0.0), 0.0, 1.2)
    view.set_camera_mode("first_person")
    behind = (2.0, -0.5, 1.0)
    x, y = view.project([behind])[0].astype(int)
    magenta = (1.0, 0.0, 1.0, 1.0)
    view.set_drawing("test", Drawing(markers=(SceneMarker(behind, magenta, is_on_top=False),)))
    assert grab_image(view)[y, x, :3].tolist() != [255, 0, 255]
    view.set_drawing("test", Drawing(markers=(SceneMarker(behind, magenta),)))
    assert grab_image(view)[y, x, :3].tolist() == [255, 0, 255]


def test_labels_are_part_of_the_picture(view: SceneView) -> None:
    plain = grab_image(view).astype(int)
    label = Label3D((-2.0, -1.0, 0.0), "Hall")
    view.set_drawing("test", Drawing(labels=(label,)))
    changed = np.abs(grab_image(view).astype(int) - plain).sum(axis=2) > 30
    x, y = view.project([label.point])[0]
    rows, columns = np.nonzero(changed)
    assert abs(columns.mean() - x) < 3
    assert abs(rows.mean() - (y - 20)) < 3


def test_the_left_button_is_the_tools_and_carries_a_ray(view: SceneView, qtbot: QtBot) -> None:
    events: list[PointerEvent] = []
    view.pointer.connect(events.append)
    target = (-2.0, -1.0, 0.0)
    x, y = view.project([target])[0].round().astype(int).tolist()
    qtbot.mouseClick(
        view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(x, y)
    )
    clicks = [e for e in events if e.phase in {PointerPhase.PRESS, PointerPhase.RELEASE}]
    assert [e.phase for e in clicks] == [PointerPhase.PRESS, PointerPhase.RELEASE]
    press = clicks[0]
    assert (press.x_px, press.y_px, press.button, press.shift) == (x, y, 1, True)
    away = np.subtract(target, press.ray_origin)
    miss_m = np.linalg.norm(np.cross(away, press.ray_direction))
    assert miss_m < view.lens.metres_per_pixel(target)


def test_hover_is_gathered_and_keeps_its_order(view: SceneView, qtbot: QtBot) -> None:
    events: list[PointerEvent] = []
    view.pointer.connect(events.append)
    view._input._timer.setInterval(PATIENCE_MS)
    for x in range(100, 140, 4):
        hover(view, QPoint(x, 100))
    assert events == []
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(140, 100))
    told = [(event.phase, event.x_px) for event in events]
    assert told == [(PointerPhase.HOVER, 136), (PointerPhase.PRESS, 140)]
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(140, 100))
    assert events[-1].phase is PointerPhase.RELEASE


def test_a_hover_is_told_without_a_press(view: SceneView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.pointer) as told:
        hover(view, QPoint(120, 100))
    assert (told.args[0].phase, told.args[0].x_px) == (PointerPhase.HOVER, 120)


def test_the_wheel_zooms_to_the_pointer(view: SceneView) -> None:
    point = (-2.0, -1.0, 0.0)
    view.set_camera_mode("top")
    before = view.project([point])[0]
    size = view.lens.metres_per_pixel(point)
    wheel = QWheelEvent(
        QPointF(*before),
        view.mapToGlobal(QPointF(*before)),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, wheel)
    assert view.project([point])[0] == pytest.approx(before, abs=0.01)
    assert view.lens.metres_per_pixel(point) == pytest.approx(size / 1.15**2)


def test_hiding_and_full_screen_keep_the_picture(view: SceneView, qtbot: QtBot) -> None:
    view.set_cut_z(2.0)
    before = grab_image(view).astype(int)
    for _ in range(2):
        view.hide()
        with qtbot.waitExposed(view):
            view.show()
        view.showFullScreen()
        qtbot.waitUntil(lambda: view.width() > 640 or view.isFullScreen())
        assert grab_image(view)[..., :3].std() > 8
        view.showNormal()
        view.resize(640, 420)
        qtbot.waitUntil(lambda: (view.width(), view.height()) == (640, 420))
    # The display may tell of the sizes in between a while later.
    qtbot.waitUntil(lambda: is_like(grab_image(view), before))


def test_nothing_is_drawn_while_nothing_changes(view: SceneView, qtbot: QtBot) -> None:
    drawn: list[bool] = []
    grab_image(view)
    view.picture_drawn.connect(lambda: drawn.append(True))

    def is_quiet() -> bool:
        drawn.clear()
        for _ in range(20):
            QApplication.processEvents()
        return drawn == []

    # The display may ask for a picture more after it has shown the window.
    qtbot.waitUntil(is_quiet)
    view.set_cut_z(1.0)
    qtbot.waitUntil(lambda: len(drawn) > 0)


PROBE = """
import numpy as np, sys
from waypost.viewers.scene import gl_surface
gl_surface.is_software = lambda _: sys.argv[1] == "read back"
from PySide6.QtWidgets import QMainWindow
from grabbed_view import grab_image
from waypost.app.shell.qt_application import the_qt_application
from waypost.viewers.scene.drawing import Drawing, SceneMarker
from waypost.viewers.scene.view import SceneView
app, _ = the_qt_application(["probe"])
view = SceneView()
view.resize(501, 333)
view.show()
points = [(0.0, 0.0, 0.0), (2.0, 1.0, 0.5), (-3.0, 1.5, 0.0)]
for mode in ("orbit", "top"):
    view.set_camera_mode(mode)
    view.frame_bounds((-4, -4, 0), (4, 4, 1))
    ratio = view.devicePixelRatioF()
    for point in points:
        view.set_drawing("m", Drawing(markers=(
            SceneMarker(point, (1.0, 0.0, 1.0, 1.0), 9.0, outline_px=0.0),)))
        picture = grab_image(view)
        assert picture.shape[:2] == (round(333 * ratio), round(501 * ratio)), picture.shape
        rows, columns = np.nonzero((picture[..., 0] > 128) & (picture[..., 1] < 64))
        middle = np.array([columns.mean() + 0.5, rows.mean() + 0.5]) / ratio
        assert np.abs(middle - view.project([point])[0]).max() < 1.0, (mode, point, middle)
        origin, direction = (np.asarray(part) for part in view.ray_at(*middle))
        miss = np.linalg.norm(np.cross(np.asarray(point) - origin, direction))
        assert miss < view.lens.metres_per_pixel(point), (mode, point, miss)
print(ratio)
"""


@pytest.mark.parametrize("scale", ["1", "1.25", "1.5", "2"])
@pytest.mark.usefixtures("view")
def test_picking_matches_pixels_on_high_dpi(surface: str, scale: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, surface],
        env={**os.environ, "QT_SCALE_FACTOR": scale, "PYTHONPATH": IMPORT_PATH},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == float(scale)


@pytest.mark.realdata
def test_the_real_house_is_lit_and_textured(view: SceneView, shared_data: Path) -> None:
    from waypost.io.scenes.open_scene import read_scene

    view.set_scene(read_scene(shared_data / "scenes/small_house/small_house.glb"))
    view.set_cut_z(2.2)
    picture = grab_image(view)
    middle = picture[100:320, 160:480, :3].astype(float)
    assert 90 < middle.mean() < 220
    assert middle.std() > 25


def test_moving_to_another_window_keeps_the_picture(view: SceneView, qtbot: QtBot) -> None:
    view.set_cut_z(2.0)
    marker = SceneMarker((-2.0, -1.0, 0.0), (1.0, 0.0, 1.0, 1.0))
    view.set_drawing("test", Drawing(markers=(marker,)))
    before = grab_image(view).astype(int)
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(view)
    window.resize(640, 420)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: view.size() == QSize(640, 420))
    qtbot.waitUntil(lambda: is_like(grab_image(view), before))
    # The fixture closes the view itself.
    window.takeCentralWidget()


WITHOUT_GL = """
from PySide6.QtWidgets import QLabel
from waypost.app.shell.qt_application import the_qt_application
from waypost.viewers.scene.drawing import Drawing, SceneMarker
from waypost.viewers.scene.view import SceneView
app, _ = the_qt_application(["probe"])
view = SceneView()
view.resize(501, 333)
view.set_drawing("m", Drawing(markers=(SceneMarker((0.0, 0.0, 0.0), (1.0, 0.0, 1.0, 1.0)),)))
view.set_camera_mode("top")
view.set_cut_z(1.0)
view.show()
assert not view.has_graphics
label = view.findChild(QLabel)
assert label.isVisible() and "OpenGL" in label.text()
assert view.grab().toImage().size() == view.size()
assert abs(view.project([view.camera.focus_m])[0] - (250.5, 166.5)).max() < 1e-6
"""


def test_without_opengl_the_view_says_so_and_stays_usable(view: SceneView) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_GL],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_large_scene_reaches_the_card_over_several_pictures(
    view: SceneView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = grab_image(view)
    monkeypatch.setattr(gl_stage, "_UPLOAD_S", 0.0)
    monkeypatch.setattr(gl_layers, "_PIECE_BYTES", 256)
    other = SceneView()
    qtbot.addWidget(other)
    other.resize(640, 420)
    other.set_scene(room())
    assert not other.is_complete
    pictures = 0

    def count() -> None:
        nonlocal pictures
        pictures += 1

    other.picture_drawn.connect(count)
    with qtbot.waitExposed(other):
        other.show()
    qtbot.waitUntil(lambda: other.is_complete)
    assert pictures > 5
    assert np.abs(grab_image(other).astype(int) - expected).mean() < 0.5


def test_a_grabbed_picture_shows_the_whole_scene_at_once(
    view: SceneView, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = grab_image(view)
    monkeypatch.setattr(gl_layers, "_PIECE_BYTES", 256)
    view.set_scene(room())
    assert not view.is_complete
    assert np.abs(grab_image(view).astype(int) - expected).mean() < 0.5
    assert view.is_complete
