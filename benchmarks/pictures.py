"""How long one picture of the 3D view of an open window takes."""

from __future__ import annotations

import time
from typing import Any

from OpenGL import GL
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from waypost.app.window import MainWindow


def picture_times_ms(window: MainWindow, count: int) -> list[float]:
    """Paint the view as it stands so many times, each to its end on the graphics card."""
    canvas: Any = window.stage.view.findChild(QOpenGLWidget)
    times: list[float] = []
    for _ in range(count):
        canvas.makeCurrent()
        started = time.perf_counter()
        canvas.paintGL()
        GL.glFinish()
        times.append((time.perf_counter() - started) * 1000.0)
        canvas.doneCurrent()
    return times
