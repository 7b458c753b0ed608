"""Collecting reference cycles: how long it holds the window, and what memory it leaves."""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import psutil

from benchmarks.scenes import SMALL_HOUSE
from waypost.app.window.startup import collector, keep_turns_short, make_application, opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until
from waypost.documents.project_document import ProjectDocument
from waypost.domain.base.progress import Progress
from waypost.domain.project import set_graph
from waypost.domain.scene.graph import NavigationGraph, add_node, move_nodes
from waypost.domain.traverse.traversability import Verdict
from waypost.sample.sample_project import write_sample
from waypost.services.cycle_collector import LIMIT_S, Collection, CollectionKind
from waypost.services.jobs import JobRunner

_ACTIONS = 600
"""Ten minutes of somebody who does something every second."""

_READINGS_EVERY = 20
_ROWS_PER_READING = 100_000
_PATIENCE_S = 180.0
_CALM_S = 30.0
_WAYS = ("automatic", "qt")


def run() -> list[dict[str, Any]]:
    """The same work with Python's own collector and with ours, each in a process of its own."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        places = {"the sample": write_sample(Path(folder) / "sample")}
        if SMALL_HOUSE.exists():
            places["small_house"] = Path(folder) / "house" / "house.glb"
            places["small_house"].parent.mkdir()
            shutil.copy(SMALL_HOUSE, places["small_house"])
        for name, path in places.items():
            rows += _rows(name, *(_in_a_process(way, path) for way in _WAYS))
    return rows


def _rows(name: str, automatic: dict[str, float], qt: dict[str, float]) -> list[dict[str, Any]]:
    working = f"{_ACTIONS} actions in {name}"
    megabytes = qt["after_mb"], automatic["after_mb"]
    return [
        {
            "name": f"longest collection while working, {working}",
            "value": qt["longest_ms"],
            "unit": "ms",
            "limit": f"≤ {LIMIT_S * 1000:.0f} ms",
            "ratio_to": f"{automatic['longest_ms']:.0f} ms by Python's own collector",
            "note": f"{qt['count']:.0f} of them, {qt['total_ms'] / qt['work_s'] / 10:.1f} %"
            f" of {qt['work_s']:.0f} s",
        },
        {
            "name": f"longest collection when calm, {working}",
            "value": qt["calm_longest_ms"],
            "unit": "ms",
            "note": f"{qt['everything_count']:.0f} of everything in {_CALM_S:.0f} s of calm",
        },
        {
            "name": f"memory, {working}",
            "value": megabytes[0],
            "unit": "MB",
            "limit": "≤ 1.25 ×",
            "ratio_to": f"{megabytes[0] / megabytes[1]:.2f} × Python's own collector",
            "note": f"at most {qt['most_mb']:.0f} MB, with the other {automatic['most_mb']:.0f} MB",
        },
    ]


def _in_a_process(way: str, path: Path) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "project"
        shutil.copytree(path.parent, own)
        location = str(own / path.name)
        code = f"import benchmarks.bench_collections as b; b.work({way!r}, {location!r})"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


class _Measured:
    """Every collection of the process, and its memory."""

    def __init__(self) -> None:
        self.took_ms: list[float] = []
        self.most_mb = 0.0
        self._began_s = 0.0
        gc.callbacks.append(self._hear)

    def memory_mb(self) -> float:
        """Of this process now."""
        now_mb = float(psutil.Process().memory_info().rss) / 2**20
        self.most_mb = max(self.most_mb, now_mb)
        return now_mb

    def _hear(self, phase: str, _information: dict[str, int]) -> None:
        if phase == "start":
            self._began_s = time.thread_time()
        else:
            self.took_ms.append((time.thread_time() - self._began_s) * 1000.0)


def work(way: str, location: str) -> None:
    """Work in a window and write what was measured, as JSON.

    Args:
        way: ``qt`` for our collector, ``automatic`` for Python's own, as it is set by default.
        location: A project or a scene.
    """
    make_application()
    keep_turns_short()
    calm: list[Collection] = []
    folder = Path(location).parent / "settings"
    with opened_window(folder, folder) as window:
        if way == "automatic":
            # What is left of ours does nothing but switch it off.
            collector().deleteLater()
            gc.unfreeze()
            gc.enable()
        window.resize(1280, 720)
        window.show()
        window.bench.open_path(Path(location))
        wait_until(lambda: window.bench.scene is not None, _PATIENCE_S, "the scene")
        wait_until(lambda: window.stage.view.is_complete, _PATIENCE_S, "the picture")
        measured = _Measured()
        jobs = JobRunner(window)
        began_s = time.perf_counter()
        for number, _ in zip(range(_ACTIONS), _actions(window), strict=False):
            if way == "qt":
                collector().note_input()
            if number % _READINGS_EVERY == 0:
                jobs.start("Reading", _read())
            _pass(0.03)
            measured.memory_mb()
        work_s = time.perf_counter() - began_s
        jobs.shutdown()
        took_ms = list(measured.took_ms)
        if way == "qt":
            collector().collected.connect(calm.append)
            _pass(_CALM_S)
        found = {
            "longest_ms": max(took_ms, default=0.0),
            "total_ms": sum(took_ms),
            "count": len(took_ms),
            "work_s": work_s,
            "calm_longest_ms": max((one.took_s for one in calm), default=0.0) * 1000.0,
            "everything_count": sum(one.kind is CollectionKind.EVERYTHING for one in calm),
            "after_mb": measured.memory_mb(),
            "most_mb": measured.most_mb,
        }
    sys.stdout.write(json.dumps(found) + "\n")


def _pass(seconds: float) -> None:
    until_s = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() >= until_s, seconds + _PATIENCE_S, "time to pass")


def _read() -> Generator[Progress, None, None]:
    """What reading a run does: many values that stay a while, some of them in cycles."""
    rows: list[list[object]] = []
    for number in range(_ROWS_PER_READING):
        row: list[object] = [number, (str(number), [number])]
        if number % 10 == 0:
            row.append(row)
        rows.append(row)
        if number % 1000 == 0:
            yield Progress(number, _ROWS_PER_READING, "Reading")


def _actions(window: MainWindow) -> Iterator[None]:
    """What somebody does, one thing after the other and for ever."""
    bench = window.bench
    for number in cycle(range(10_000)):
        graph = _document(window).project.graph
        match number % 10:
            case 0 | 5:
                position_m = (number % 7 * 0.5, number % 5 * 0.5, 0.0)
                _edit(window, "Add node", add_node(graph, position_m)[0])
            case 1 | 6 if graph.nodes:
                last = list(graph.nodes)[-1]
                _edit(window, "Move node", move_nodes(graph, {last: (number % 9 * 0.4, 0.0, 0.0)}))
            case 2:
                specs = window.workspaces.specs
                window.show_workspace(specs[number // 10 % len(specs)].scope)
            case 3:
                window.open_palette()
            case 4:
                bench.undo()
            case 7:
                bench.step_agent(1)
            case 8:
                window.traverse.answer(Verdict.TRAVELS)
            case _:
                window.frame_scene()
        yield


def _document(window: MainWindow) -> ProjectDocument:
    document = window.bench.document
    if document is None:
        raise RuntimeError("no project is open")
    return document


def _edit(window: MainWindow, text: str, graph: NavigationGraph) -> None:
    document = _document(window)
    document.edit(text, set_graph(document.project, graph))


if __name__ == "__main__":
    for line in run():
        print(line)
