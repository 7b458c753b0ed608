"""How long the window stands still: the longest gaps in its event loop."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit

from benchmarks.large_project import write_large_project
from benchmarks.pictures import picture_times_ms
from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from tools.scene_files.write_glb import write_glb
from waypost.annotators.traverse.passage_list import PassageList
from waypost.app.shell.camera.film_dialog import FilmDialog
from waypost.app.window.startup import (
    collector,
    keep_turns_short,
    make_application,
    opened_window,
)
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import NavigationGraph, add_node, move_nodes
from waypost.domain.traverse.traversability import Verdict
from waypost.sample.sample_project import write_sample

_LIMIT_MS = 100.0
_BEAT_MS = 2
_OPENING_S = 120.0
_AFTER_S = 3.0


def run() -> list[dict[str, Any]]:
    """The longest gap for the real house and for a million triangles.

    A picture of a million triangles takes a software renderer longer than the limit and comes over
    several turns of the event loop; drawn at once it is named beside the gap.
    """
    make_application()
    keep_turns_short()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        million = Path(folder) / "million.glb"
        write_glb(bumpy_room(1_000_000), million)
        rows.append(_row("opening, 1M triangles", *_opening(million)))
        if SMALL_HOUSE.exists():
            house = Path(folder) / "house.glb"
            shutil.copy(SMALL_HOUSE, house)
            rows.append(_row("opening, small_house", *_opening(house)))
        rows.append(_filming(Path(folder) / "film"))
        rows += _large_project(Path(folder) / "large")
    return rows


def _filming(folder: Path) -> dict[str, Any]:
    """A tour of the sample is filmed, one picture between two of the window's own."""
    folder.mkdir()
    with opened_window(folder / "settings", folder / "settings") as window:
        window.resize(1280, 720)
        window.show()
        window.bench.open_path(write_sample(folder / "sample"))
        view, takes = window.stage.view, window.camera_takes
        wait_until(lambda: view.scene is not None and view.is_complete, _OPENING_S, "the scene")
        picture_ms = min(picture_times_ms(window, 5))
        window.actions_set.trigger("camera.tour")
        wait_until(lambda: window.findChild(FilmDialog) is not None, _OPENING_S, "the dialog")
        dialog = cast("FilmDialog", window.findChild(FilmDialog))
        video = folder / "tour.mp4"
        dialog.file.line.setText(str(video))
        pulse = _Pulse(window)
        pulse.longest_ms()
        started = time.perf_counter()
        dialog.primary.click()
        wait_until(lambda: video.exists() and takes.can_film(), _OPENING_S, "the film")
        took_s = time.perf_counter() - started
        wall_ms, own_ms = pulse.longest_ms()
        row = _row("filming a tour of the sample", wall_ms, picture_ms, took_s, what="filmed")
        return {**row, "note": f"{row['note']}, at most {own_ms:.0f} ms of work of its thread"}


def _opening(scene: Path) -> tuple[float, float, float]:
    """Longest gap and one later picture in milliseconds, and how long opening took in seconds."""
    settings = scene.parent / f"{scene.stem}-settings"
    with opened_window(settings, settings) as window:
        window.resize(1280, 720)
        window.show()
        wait_until(window.isVisible, _OPENING_S, "the window")
        pulse = _Pulse(window)
        started = time.perf_counter()
        window.bench.open_path(scene)
        wait_until(
            lambda: window.bench.scene is not None and window.stage.view.is_complete,
            _OPENING_S,
            "the scene",
        )
        opening_s = time.perf_counter() - started
        # The first pictures, the engine and its copy of the scene.
        window.show_workspace("traverse")
        shown = time.monotonic() + _AFTER_S
        wait_until(lambda: time.monotonic() > shown, _OPENING_S, "the first pictures")
        return pulse.longest_ms()[0], min(picture_times_ms(window, 5)), opening_s


class _Pulse:
    """Beats in the event loop of a window, at which somebody works.

    On a machine with other work the time between two beats is not the window's alone; the time
    that its thread itself was at work is.
    """

    def __init__(self, window: MainWindow) -> None:
        self._gaps: list[tuple[float, float]] = []
        self._last = time.perf_counter(), time.thread_time()
        self._timer = QTimer(window)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_BEAT_MS)

    def longest_ms(self) -> tuple[float, float]:
        """The longest gap since the last question, by the clock and of the thread's own work."""
        self._beat()
        gaps, self._gaps = self._gaps, []
        return max(wall for wall, _ in gaps) * 1000.0, max(own for _, own in gaps) * 1000.0

    def _beat(self) -> None:
        # What waits until nobody works (docs/adr/0008) is no stall.
        collector().note_input()
        now = time.perf_counter(), time.thread_time()
        self._gaps.append((now[0] - self._last[0], now[1] - self._last[1]))
        self._last = now


def _large_project(folder: Path) -> list[dict[str, Any]]:
    """Opening, looking at and editing a graph of 10,000 nodes and a study of a whole split."""
    project = write_large_project(folder)
    rows: list[dict[str, Any]] = []
    with opened_window(folder / "settings", folder / "settings") as window:
        bench = window.bench
        window.resize(1280, 720)
        window.show()
        wait_until(window.isVisible, _OPENING_S, "the window")
        pulse = _Pulse(window)

        def measure(what: str, action: Callable[[], object]) -> None:
            pulse.longest_ms()
            action()
            shown = time.monotonic() + _AFTER_S
            wait_until(lambda: time.monotonic() > shown, _OPENING_S, what)
            wall_ms, own_ms = pulse.longest_ms()
            rows.append(
                {
                    "name": f"longest stall in a project of 10,000 nodes: {what}",
                    "value": own_ms,
                    "unit": "ms",
                    "limit": f"≤ {_LIMIT_MS:.0f} ms",
                    "ratio_to": f"{own_ms / _LIMIT_MS:.2f} × that",
                    "note": f"work of its thread; {wall_ms:.0f} ms by the clock",
                }
            )

        def open_it() -> None:
            bench.open_path(project)
            wait_until(lambda: bench.document is not None, _OPENING_S, "the project")

        measure("opening", open_it)
        _edit_and_label(window, measure)
        measure("going to Record, 2,349 episodes", lambda: window.show_workspace("record"))
        measure("going back to Graph", lambda: window.show_workspace("graph"))
    return rows


def _edit_and_label(
    window: MainWindow, measure: Callable[[str, Callable[[], object]], None]
) -> None:
    """The frequent actions on a graph and on its labels."""
    bench = window.bench

    def edit_graph(text: str, change: Callable[[NavigationGraph], NavigationGraph]) -> None:
        document = bench.document
        if document is None:
            raise RuntimeError("no project is open")
        document.edit(text, set_graph(document.project, change(document.project.graph)))

    def add_a_node() -> None:
        edit_graph("Add node", lambda graph: add_node(graph, (0.5, 0.5, 0.0))[0])

    def move_a_node() -> None:
        edit_graph("Move node", lambda graph: move_nodes(graph, {"node_5": (0.0, 5.5, 0.0)}))

    queue = cast("PassageList", window.findChild(PassageList))
    search = cast("QLineEdit", queue.findChild(QLineEdit))
    measure("adding a node", add_a_node)
    measure("moving a node", move_a_node)
    measure("going to Traverse", lambda: window.show_workspace("traverse"))
    measure("undoing there", bench.undo)
    measure("redoing there", bench.redo)
    measure("labelling a passage", lambda: window.traverse.answer(Verdict.TRAVELS))
    measure("undoing the label", bench.undo)
    measure("changing the agent", lambda: bench.choose_agent(list(bench.project.agents)[1]))
    measure("filtering the queue", lambda: search.setText("place 50"))
    measure("showing all of the queue again", lambda: search.setText(""))


def _row(
    name: str, gap_ms: float, picture_ms: float, took_s: float, what: str = "open"
) -> dict[str, Any]:
    return {
        "name": f"longest stall while {name}",
        "value": gap_ms,
        "unit": "ms",
        "limit": "≤ 100 ms",
        "ratio_to": None,
        "note": f"one picture {picture_ms:.0f} ms, {what} after {took_s:.1f} s",
    }


if __name__ == "__main__":
    for line in run():
        print(line)
