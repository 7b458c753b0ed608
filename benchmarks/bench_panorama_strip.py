"""Panoramas in replay: how long a step change takes to be on screen, with and without pictures."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from waypost.app.shell.qt_application import the_qt_application
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.replay import Replay, build_replay
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.io.camera_takes.picture_files import write_picture
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.viewers.strip.panorama_strip import PanoramaStrip

VIEWPOINTS = 40
SIZE_PX = (640, 480)


def run() -> list[dict[str, Any]]:
    """Rows for steps without pictures, with those loaded before, and with all to be loaded."""
    app, _ = the_qt_application(["waypost"])
    with tempfile.TemporaryDirectory() as folder:
        _write_views(Path(folder))
        strip = PanoramaStrip()
        strip.resize(900, 220)
        strip.show()
        while not strip.windowHandle().isExposed():
            app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        replay = _replay()
        bare = [_step_ms(strip, replay, step) for step in range(VIEWPOINTS)]
        strip.set_source(open_picture_source(Path(folder)))
        cold = [_loaded_ms(app, strip, replay, step) for step in range(0, VIEWPOINTS, 8)]
        for step in range(VIEWPOINTS):
            _loaded_ms(app, strip, replay, step)
        warm = [_step_ms(strip, replay, step) for step in range(VIEWPOINTS)]
        strip.close_pictures()
        strip.close()
    return [
        _row("panorama strip, step without pictures", bare, "< 16 ms"),
        _row("panorama strip, step with pictures loaded before", warm, "< 50 ms"),
        _row("panorama strip, step with four 640 × 480 JPEG to be loaded", cold, None),
    ]


def _step_ms(strip: PanoramaStrip, replay: Replay, step: int) -> float:
    """From the call until the strip is painted."""
    started = time.perf_counter()
    strip.set_step(replay, step)
    strip.repaint()
    strip.canvas.repaint()
    return (time.perf_counter() - started) * 1000


def _loaded_ms(app: QApplication, strip: PanoramaStrip, replay: Replay, step: int) -> float:
    """From the call until the pictures are painted."""
    started = time.perf_counter()
    strip.set_step(replay, step)
    while strip.rows[0].aspect is None:
        app.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
    strip.canvas.repaint()
    return (time.perf_counter() - started) * 1000


def _replay() -> Replay:
    """A walk along a line of viewpoints, each of which sees the next."""
    names = tuple(f"v{number}" for number in range(VIEWPOINTS))
    points = np.array([[2.0 * number, 0.3 * (number % 3), 1.5] for number in range(VIEWPOINTS)])
    joined = np.eye(VIEWPOINTS, k=1, dtype=bool) | np.eye(VIEWPOINTS, k=2, dtype=bool)
    graph = build_viewpoint_graph("s", names, points, joined)
    episode = Episode("r2r", "", "1_0", "s", Instruction("Go."), route(names), (Goal(names[-1]),))
    return build_replay(episode, EpisodeRun("1_0", route(names)), graph)


def _write_views(folder: Path) -> None:
    width, height = SIZE_PX
    rows, columns = np.mgrid[:height, :width]
    for number in range(VIEWPOINTS):
        (folder / "s" / f"v{number}").mkdir(parents=True)
        for turn in range(4):
            waves = 128 + 60 * np.sin(columns / (9 + turn)) + 60 * np.cos(rows / (11 + number))
            picture = np.stack([waves, waves[::-1], waves[:, ::-1]], axis=2).astype(np.uint8)
            write_picture(folder / "s" / f"v{number}" / f"{turn * 90}.jpg", picture)


def _row(name: str, times_ms: list[float], limit: str | None) -> dict[str, Any]:
    worst = sorted(times_ms)[int(0.99 * (len(times_ms) - 1))]
    row = {
        "name": name,
        "value": statistics.median(times_ms),
        "unit": "ms",
        "note": f"99 % within {worst:.1f} ms",
    }
    return row if limit is None else {**row, "limit": limit}
