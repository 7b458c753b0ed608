"""From the command to a window that can be used, and what a million triangles weigh in it."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from benchmarks.scenes import SMALL_HOUSE, bumpy_room
from tools.scene_files.write_glb import write_glb
from waypost.io.scenes.open_scene import read_scene
from waypost.sample.sample_project import write_sample

_RUNS = 3
_TURNS = 5
_WINDOWS = ("bare window", "window")
_COMMAND_LIMITS = {
    "waypost --version": 5.0,
    "waypost scene --help": 12.0,
    "waypost evaluate --help": 18.0,
}
"""Command → how many times a bare start of Python it may take."""

_BARE_WINDOW = """
import time
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
window.setCentralWidget(QOpenGLWidget())
window.resize(1280, 720)
window.show()
window.repaint()
application.processEvents()
print(time.time())
"""
"""The least that a window with an OpenGL view takes."""

_WINDOW = """
import sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from waypost.app.window.startup import opened_window
with opened_window(Path(sys.argv[1]), Path(sys.argv[1])) as window:
    window.show()
    window.repaint()
    QApplication.processEvents()
    print(time.time())
"""

_MIB = 1024 * 1024


def run() -> list[dict[str, Any]]:
    """Start-up without and with a project, the real house, and memory; each in a new process."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sample = write_sample(folder / "sample")
        million = folder / "million.glb"
        write_glb(bumpy_room(1_000_000), million)
        empty = [_measured(folder, "")["shown_s"] for _ in range(_RUNS)]
        rows.append(_row("start to usable window, empty", min(empty), "s", _spread(empty)))
        rows += _start_rows(folder)
        opened = [_measured(folder, str(sample)) for _ in range(_RUNS)]
        shown = [one["open_s"] for one in opened]
        rows.append(_row("start to the sample on screen", min(shown), "s", _spread(shown)))
        if SMALL_HOUSE.exists():
            house = folder / "small_house.glb"
            house.write_bytes(SMALL_HOUSE.read_bytes())
            once = _measured(folder, str(house))
            took = once["open_s"] - once["shown_s"]
            rows.append(_row("opening small_house to its first picture", took, "s", ""))
        heavy = _measured(folder, str(million))
        note = f"{heavy['rss_mib'] - opened[0]['rss_mib']:.0f} MiB more than with the sample"
        rows.append(_row("memory of the window, 1M triangles", heavy["rss_mib"], "MiB", note))
        rows += _reading_rows()
    return rows


def _start_rows(folder: Path) -> list[dict[str, Any]]:
    """Start of the window and of commands beside the least that each could take, in turns.

    Modules are compiled already, as after the first start of an installed program.
    """
    turns = {
        _WINDOWS[0]: [sys.executable, "-c", _BARE_WINDOW],
        _WINDOWS[1]: [sys.executable, "-c", _WINDOW, str(folder / "user")],
        "bare Python": [sys.executable, "-c", "pass"],
        **{
            name: [sys.executable, "-m", "waypost.app.main", *name.split()[1:]]
            for name in _COMMAND_LIMITS
        },
    }
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    least = dict.fromkeys(turns, math.inf)
    for turn in range(_TURNS + 1):
        for name, command in turns.items():
            started = time.time()
            done = subprocess.run(command, capture_output=True, check=True, env=environment)
            # Windows say when they are shown, commands have ended.
            ended = float(done.stdout) if name in _WINDOWS else time.time()
            if turn:
                least[name] = min(least[name], ended - started)
    rows = [_ratio_row("start of the window", least[_WINDOWS[1]], least[_WINDOWS[0]], 4.0)]
    for name, limit in _COMMAND_LIMITS.items():
        rows.append(_ratio_row(f"start of {name}", least[name], least["bare Python"], limit))
    return rows


def _ratio_row(name: str, took_s: float, bare_s: float, limit: float) -> dict[str, Any]:
    note = f"best of {_TURNS}: {took_s:.2f} s and {bare_s:.2f} s"
    return {**_row(name, took_s / bare_s, "× bare", note), "limit": f"< {limit:g} ×"}


def _reading_rows() -> list[dict[str, Any]]:
    """The real house from either of its files, where they are."""
    rows = []
    for file in (SMALL_HOUSE, SMALL_HOUSE.parent / "usd" / "small_house.usda"):
        if not file.exists():
            continue
        times_s = []
        for _ in range(_RUNS):
            started = time.perf_counter()
            read_scene(file)
            times_s.append(time.perf_counter() - started)
        row = _row(f"reading {file.name}", min(times_s), "s", _spread(times_s))
        rows.append({**row, "limit": "< 2 s"})
    return rows


def _measured(folder: Path, location: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.bench_window", str(folder / "user"), location]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return measured


def _spread(values: list[float]) -> str:
    return f"best of {len(values)}, slowest {max(values):.2f} s"


def _row(name: str, value: float, unit: str, note: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "limit": None, "note": note}


def _open_and_tell(folder: Path, location: str) -> None:
    """Be the process that is measured: open, print the times since its start, and end."""
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 - part of what is measured

    from waypost.app.window.startup import opened_window  # noqa: PLC0415
    from waypost.demo.performance import wait_until  # noqa: PLC0415

    process = psutil.Process()
    with opened_window(folder, folder) as window:
        window.show()
        window.repaint()
        QApplication.processEvents()
        told = {"shown_s": time.time() - process.create_time()}
        if location:
            window.bench.open_path(Path(location))
            view = window.stage.view
            wait_until(lambda: view.scene is not None and view.is_complete, 120, "the scene")
            drawn: list[bool] = []
            view.picture_drawn.connect(lambda: drawn.append(True))
            view.set_dim(0.0)
            wait_until(lambda: bool(drawn), 120, "its picture")
        told["open_s"] = time.time() - process.create_time()
        told["rss_mib"] = process.memory_info().rss / _MIB
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        _open_and_tell(Path(sys.argv[1]), sys.argv[2])
    else:
        for line in run():
            print(line)
