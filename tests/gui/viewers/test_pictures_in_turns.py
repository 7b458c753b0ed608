"""A scene of many triangles is drawn over several turns, and looks as if it were drawn at once."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from grabbed_view import grab_image
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from vispy import gloo
from worlds.coloured_room import EYE, coloured_room

from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize
from waypost.viewers.scene import gl_layers, gl_surface, mesh_pieces
from waypost.viewers.scene.drawing import Drawing, Label3D, PolyLine, SceneMarker
from waypost.viewers.scene.gl_surface import ReadBackSurface
from waypost.viewers.scene.label_overlay import LabelOverlay
from waypost.viewers.scene.picture_camera import PictureCamera
from waypost.viewers.scene.picture_pixels import rgb_pixels
from waypost.viewers.scene.view import SceneView

pytestmark = pytest.mark.gui

WHITE = (1.0, 1.0, 1.0, 1.0)
OVERLAYS = Drawing(
    lines=(PolyLine(((8.0, 18.0, 0.1), (12.0, 22.0, 0.1)), WHITE, 3.0),),
    markers=(SceneMarker((10.0, 20.0, 0.1), WHITE),),
    labels=(Label3D((10.0, 20.0, 0.1), "Here"),),
)


@pytest.fixture(autouse=True)
def software(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are read back, whatever renderer there is."""
    monkeypatch.setattr(gl_surface, "is_software", lambda _: True)


@pytest.fixture
def small_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture of the room takes a turn for every two triangles."""
    monkeypatch.setattr(mesh_pieces, "PIECE_TRIANGLES", 2)
    monkeypatch.setattr(gl_surface, "TURN_TRIANGLES", 2)


def shown_view(qtbot: QtBot) -> SceneView:
    view = SceneView()
    qtbot.addWidget(view)
    if not view.has_graphics:
        pytest.skip("no OpenGL on this display")
    view.resize(300, 200)
    view.set_scene(coloured_room((20.0, 0.0)))
    view.set_cut_z(2.0)
    view.set_drawing("test", OVERLAYS)
    with qtbot.waitExposed(view):
        view.show()
    return view


def surface_of(view: SceneView) -> ReadBackSurface:
    found = view.findChild(ReadBackSurface)
    assert isinstance(found, ReadBackSurface)
    return found


@pytest.fixture
def expected(qtbot: QtBot) -> np.ndarray:
    """The room with its overlays, drawn at once."""
    return grab_image(shown_view(qtbot))


@pytest.mark.usefixtures("small_turns")
def test_the_picture_on_the_screen_is_the_same(qtbot: QtBot, expected: np.ndarray) -> None:
    view = shown_view(qtbot)
    qtbot.waitUntil(lambda: view.is_complete and surface_of(view).is_behind)
    qtbot.waitUntil(
        lambda: np.array_equal(rgb_pixels(view.grab().toImage()), expected),
    )


@pytest.mark.usefixtures("small_turns")
def test_no_turn_draws_more_of_the_scene_than_it_may(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown_view(qtbot)
    qtbot.waitUntil(lambda: view.is_complete)
    drawn: list[int] = []
    draw = gloo.Program.draw

    def counted(program: gloo.Program, mode: str, indices: gloo.IndexBuffer | None = None) -> None:
        if "a_packed" in [name for _, _, name in program.variables]:
            drawn.append(indices.size // 3)
        draw(program, mode, indices)

    monkeypatch.setattr(gloo.Program, "draw", counted)
    most = 0
    for _ in surface_of(view).picture_steps():
        most = max(most, sum(drawn))
        drawn.clear()
    assert most == 2


def test_a_picture_of_many_pixels_takes_turns_whatever_it_shows(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown_view(qtbot)
    qtbot.waitUntil(lambda: view.is_complete)
    expected = grab_image(view)
    surface = surface_of(view)
    assert len(list(surface.picture_steps())) == 0
    # Half a million pixels more than are free cost a turn.
    monkeypatch.setattr(gl_layers, "_FREE_PIXELS", 300 * 200 - 500_000)
    assert len(list(surface.picture_steps())) == 1
    np.testing.assert_array_equal(grab_image(view), expected)


@pytest.mark.usefixtures("small_turns")
def test_labels_move_with_the_picture(qtbot: QtBot) -> None:
    view = shown_view(qtbot)
    drawn: list[bool] = []
    view.picture_drawn.connect(lambda: drawn.append(True))
    surface = surface_of(view)
    qtbot.waitUntil(lambda: view.is_complete and surface.is_behind and len(drawn) > 1)
    overlay = view.findChild(LabelOverlay)
    assert isinstance(overlay, LabelOverlay)
    (before,) = overlay.placed_labels()
    view.look_at((11.0, 20.0, 0.1))
    assert overlay.placed_labels() == (before,)
    qtbot.waitUntil(lambda: overlay.placed_labels() != (before,))
    (after,) = overlay.placed_labels()
    x, _ = view.project([(10.0, 20.0, 0.1)])[0]
    assert after.x + after.width / 2 == pytest.approx(x, abs=1.0)


@pytest.mark.usefixtures("small_turns")
def test_another_scene_takes_the_place_of_one_that_is_being_drawn(
    qtbot: QtBot, expected: np.ndarray
) -> None:
    view = shown_view(qtbot)
    qtbot.waitUntil(lambda: view.is_complete and surface_of(view).is_behind)
    view.set_scene(coloured_room())
    surface_of(view).repaint()
    view.set_scene(coloured_room((20.0, 0.0)))
    qtbot.waitUntil(
        lambda: np.array_equal(rgb_pixels(view.grab().toImage()), expected),
    )


@pytest.fixture
def camera(qapp: QApplication, no_leaks: None) -> Iterator[PictureCamera]:
    """In the room."""
    with PictureCamera(coloured_room((20.0, 0.0))) as made:
        yield made


@pytest.mark.usefixtures("small_turns")
def test_a_film_takes_its_pictures_in_turns(
    qtbot: QtBot, camera: PictureCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown_view(qtbot)
    shot = (CameraPose(EYE, 0.3), FieldOfView(math.radians(75.0)), PictureSize(160, 120))
    steps, turns = camera.take_steps(*shot), 0
    try:
        while True:
            next(steps)
            turns += 1
            # The window draws its own in between.
            grab_image(view)
    except StopIteration as stop:
        in_turns = stop.value
    # Two triangles a turn; what is outside the picture takes none.
    assert turns >= 3
    monkeypatch.setattr(gl_surface, "TURN_TRIANGLES", 1_000_000)
    np.testing.assert_array_equal(in_turns, camera.take(*shot))
