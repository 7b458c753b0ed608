"""How long the window stands still while a scene opens: the longest gap in its event loop."""

from __future__ import annotations

import gc
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from OpenGL import GL
from PySide6.QtCore import QTimer
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from waypost.app.demo.performance import wait_until
from waypost.app.startup import make_application, opened_window
from waypost.app.window import MainWindow
from waypost.io.scenes.write_glb import write_glb

_BEAT_MS = 2
_OPENING_S = 120.0
_AFTER_S = 3.0


def run() -> list[dict[str, Any]]:
    """The longest gap for the real house and for a million triangles.

    A picture of a million triangles takes a software renderer longer than the limit; it is
    measured by itself and named beside the gap.
    """
    make_application()
    gc.freeze()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        million = Path(folder) / "million.glb"
        write_glb(bumpy_room(1_000_000), million)
        rows.append(_row("1M triangles", *_opening(million)))
        if SMALL_HOUSE.exists():
            house = Path(folder) / "house.glb"
            shutil.copy(SMALL_HOUSE, house)
            rows.append(_row("small_house", *_opening(house)))
    return rows


def _opening(scene: Path) -> tuple[float, float, float]:
    """Longest gap and one later picture in milliseconds, and how long opening took in seconds."""
    settings = scene.parent / f"{scene.stem}-settings"
    with opened_window(settings, settings) as window:
        window.resize(1280, 720)
        window.show()
        wait_until(window.isVisible, _OPENING_S, "the window")
        gaps: list[float] = []
        last = time.perf_counter()

        def beat() -> None:
            nonlocal last
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

        timer = QTimer(window)
        timer.timeout.connect(beat)
        timer.start(_BEAT_MS)
        started = time.perf_counter()
        window.bench.open_path(scene)
        wait_until(
            lambda: window.bench.scene is not None and window.stage.view.is_complete,
            _OPENING_S,
            "the scene",
        )
        opening_s = time.perf_counter() - started
        # The first pictures, the engine and its copy of the scene.
        window.show_workspace(1)
        shown = time.monotonic() + _AFTER_S
        wait_until(lambda: time.monotonic() > shown, _OPENING_S, "the first pictures")
        timer.stop()
        return max(gaps) * 1000.0, _picture_ms(window), opening_s


def _picture_ms(window: MainWindow) -> float:
    """Best of some pictures, as the view stands."""
    canvas: Any = window.stage.view.findChild(QOpenGLWidget)
    times: list[float] = []
    for _ in range(5):
        canvas.makeCurrent()
        started = time.perf_counter()
        canvas.paintGL()
        GL.glFinish()
        times.append(time.perf_counter() - started)
        canvas.doneCurrent()
    return min(times) * 1000.0


def _row(name: str, gap_ms: float, picture_ms: float, opening_s: float) -> dict[str, Any]:
    return {
        "name": f"longest stall while opening, {name}",
        "value": gap_ms,
        "unit": "ms",
        "limit": "≤ 100 ms",
        "ratio_to": None,
        "note": f"one picture {picture_ms:.0f} ms, open after {opening_s:.1f} s",
    }


if __name__ == "__main__":
    for line in run():
        print(line)
