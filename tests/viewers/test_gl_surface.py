"""Surfaces: which renderers draw with the processor, and pictures that stay apart."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from vispy import gloo

from waypost.viewers.gl_surface import ReadBackSurface, has_opengl, is_software

RED = (1.0, 0.0, 0.0, 1.0)
GREEN = (0.0, 1.0, 0.0, 1.0)


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


@pytest.fixture
def no_collection() -> Iterator[None]:
    """What is garbage stays until it is collected by name."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.gui
@pytest.mark.usefixtures("no_collection")
def test_a_surface_that_is_collected_cuts_off_no_picture_of_another(qapp: QApplication) -> None:
    if not has_opengl():
        pytest.skip("no OpenGL on this display")
    parent = QWidget()
    gone = ReadBackSurface(parent, lambda width, height: fill(RED))
    gone.resize(40, 30)
    assert gone.grab_picture().pixelColor(5, 5) == QColor("red")
    gone.itself = gone
    shiboken6.delete(gone)
    del gone

    def draw(width: int, height: int) -> None:
        fill(RED)
        gc.collect()
        fill(GREEN)

    other = ReadBackSurface(parent, draw)
    other.resize(40, 30)
    assert other.grab_picture().pixelColor(5, 5) == QColor("lime")
    shiboken6.delete(parent)
