"""How long one picture of a 3D view takes."""

from __future__ import annotations

import time

from waypost.app.window.window import MainWindow
from waypost.viewers.scene.gl_surface import ComposedSurface, ReadBackSurface
from waypost.viewers.scene.view import SceneView


def surface_of(view: SceneView) -> ComposedSurface | ReadBackSurface:
    """What the picture of a view is drawn on."""
    kinds: tuple[type[ReadBackSurface | ComposedSurface], ...] = (ReadBackSurface, ComposedSurface)
    for kind in kinds:
        found = view.findChild(kind)
        if found is not None:
            return found
    raise RuntimeError("no OpenGL on this display")


def picture_times_ms(window: MainWindow, count: int) -> list[float]:
    """Draw the view as it stands so many times, each to its end and read back."""
    surface = surface_of(window.stage.view)
    times: list[float] = []
    for _ in range(count):
        started = time.perf_counter()
        surface.grab_picture()
        times.append((time.perf_counter() - started) * 1000.0)
    return times
