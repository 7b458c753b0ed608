"""Surfaces: which renderers draw with the processor, and pictures that stay apart."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from vispy import gloo

from waypost.viewers.scene.gl_layers import TURN_TRIANGLES
from waypost.viewers.scene.gl_surface import ReadBackSurface, has_opengl, is_software

RED = (1.0, 0.0, 0.0, 1.0)
GREEN = (0.0, 1.0, 0.0, 1.0)
BLUE = (0.0, 0.0, 1.0, 1.0)


@pytest.mark.parametrize(
    "renderer",
    [
        "llvmpipe (LLVM 15.0.7, 256 bits)",
        "softpipe",
        "Software Rasterizer",
        "Google SwiftShader",
        "ANGLE (Microsoft, Microsoft Basic Render Driver (0x0000008C), D3D11)",
        "GDI Generic",
        "Apple Software Renderer",
    ],
)
def test_the_processor_draws(renderer: str) -> None:
    assert is_software(renderer)


@pytest.mark.parametrize(
    "renderer",
    [
        "NVIDIA GeForce RTX 3060/PCIe/SSE2",
        "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
        "AMD Radeon RX 6600 (radeonsi, navi23, LLVM 15.0.7, DRM 3.49)",
        "Apple M2",
        "D3D12 (NVIDIA GeForce RTX 3080)",
        "",
    ],
)
def test_a_card_draws(renderer: str) -> None:
    assert not is_software(renderer)


def fill(color: tuple[float, float, float, float]) -> None:
    gloo.clear(color=color)
    gloo.get_current_canvas().context.flush_commands()


def fill_steps(width: int, height: int) -> Iterator[int]:
    fill(RED)
    yield 1


@pytest.fixture
def no_collection() -> None:
    """What is garbage stays until it is collected by name."""
    gc.collect()
    assert not gc.isenabled()


@pytest.mark.gui
@pytest.mark.usefixtures("no_collection")
def test_a_surface_that_is_collected_cuts_off_no_picture_of_another(qapp: QApplication) -> None:
    if not has_opengl():
        pytest.skip("no OpenGL on this display")
    parent = QWidget()
    gone = ReadBackSurface(parent, fill_steps)
    gone.resize(40, 30)
    assert gone.grab_picture().pixelColor(5, 5) == QColor("red")
    gone.itself = gone
    shiboken6.delete(gone)
    del gone

    def draw(width: int, height: int) -> Iterator[int]:
        fill(RED)
        gc.collect()
        fill(GREEN)
        yield 1

    other = ReadBackSurface(parent, draw)
    other.resize(40, 30)
    assert other.grab_picture().pixelColor(5, 5) == QColor("lime")
    shiboken6.delete(parent)


class Painter:
    """Draws pictures of three steps, in one colour each; the last one stays."""

    def __init__(self, last: tuple[float, float, float, float]) -> None:
        self.last = last
        self.steps: list[int] = []

    def draw(self, width: int, height: int) -> Iterator[int]:
        """One picture; every step is worth a turn."""
        for step, color in enumerate((BLUE, RED, self.last)):
            fill(color)
            self.steps.append(step)
            yield TURN_TRIANGLES


@pytest.fixture
def parent(qapp: QApplication) -> Iterator[QWidget]:
    """Holds surfaces that are shown."""
    if not has_opengl():
        pytest.skip("no OpenGL on this display")
    made = QWidget()
    made.resize(80, 60)
    yield made
    shiboken6.delete(made)


def shown_in(surface: ReadBackSurface) -> QColor:
    return surface.grab().toImage().pixelColor(5, 5)


@pytest.mark.gui
def test_a_turn_draws_what_it_may_and_others_draw_in_between(parent: QWidget) -> None:
    painter, other = Painter(GREEN), ReadBackSurface(parent, fill_steps)
    surface = ReadBackSurface(parent, painter.draw)
    turns = surface.picture_steps()
    for done in (1, 2, 3):
        next(turns)
        assert len(painter.steps) == done
        assert other.grab_picture().pixelColor(5, 5) == QColor("red")
    with pytest.raises(StopIteration) as ended:
        next(turns)
    assert ended.value.value.pixelColor(5, 5) == QColor("lime")


@pytest.mark.gui
def test_a_small_picture_is_there_when_it_is_painted(parent: QWidget, qtbot: QtBot) -> None:
    surface = ReadBackSurface(parent, fill_steps)
    with qtbot.waitExposed(parent):
        parent.show()
    surface.request_picture()
    surface.repaint()
    assert shown_in(surface) == QColor("red")
    assert not surface.is_behind


def shown_green(parent: QWidget, qtbot: QtBot) -> tuple[Painter, ReadBackSurface]:
    """A surface whose pictures take several turns, once a green one is on screen."""
    painter = Painter(GREEN)
    surface = ReadBackSurface(parent, painter.draw)
    with qtbot.waitExposed(parent):
        parent.show()
    qtbot.waitUntil(lambda: shown_in(surface) == QColor("lime"))
    return painter, surface


@pytest.mark.gui
def test_the_picture_before_is_shown_until_a_large_one_is_there(
    parent: QWidget, qtbot: QtBot
) -> None:
    painter, surface = shown_green(parent, qtbot)
    painter.last = BLUE
    painter.steps.clear()
    surface.request_picture()
    surface.repaint()
    # One turn of it is drawn.
    assert painter.steps == [0]
    assert surface.is_behind
    assert shown_in(surface) == QColor("lime")
    # What is asked for meanwhile comes next, and does not begin the one under way anew.
    surface.request_picture()
    surface.repaint()
    assert painter.steps == [0]
    qtbot.waitUntil(lambda: painter.steps == [0, 1, 2] * 2)
    qtbot.waitUntil(lambda: shown_in(surface) == QColor("blue"))


@pytest.mark.gui
def test_a_picture_of_what_is_gone_is_not_finished(parent: QWidget, qtbot: QtBot) -> None:
    painter, surface = shown_green(parent, qtbot)
    painter.steps.clear()
    surface.request_picture()
    surface.repaint()
    surface.drop_picture()
    painter.last = BLUE
    qtbot.waitUntil(lambda: shown_in(surface) == QColor("blue"))
    assert painter.steps == [0, 0, 1, 2]


@pytest.mark.gui
def test_a_grab_and_the_picture_under_way_keep_apart(parent: QWidget, qtbot: QtBot) -> None:
    painter, surface = shown_green(parent, qtbot)
    surface.request_picture()
    surface.repaint()
    painter.last = RED
    assert surface.grab_picture().pixelColor(5, 5) == QColor("red")
    qtbot.waitUntil(lambda: shown_in(surface) == QColor("red"))
