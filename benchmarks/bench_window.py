"""From the command to a window that can be used, and what a million triangles weigh in it."""

from __future__ import annotations

import json
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
