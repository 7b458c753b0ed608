"""Opening a house in a child with limits, beside decoding it in this process, in the same run."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks.scenes import SMALL_HOUSE
from waypost.domain.base.progress import exhaust
from waypost.geometry.ray_index import RayIndex
from waypost.io.confined.spare_child import end_spare_child, is_spare_child_ready, keep_spare_child
from waypost.io.scenes.decode_scene import decode_at_once
from waypost.services.open_scene import open_scene_job
from waypost.viewers.scene.prepared_scene import prepare_scene

ROUNDS: Final = 7
_FROM_THE_START: Final = (
    "import sys; from pathlib import Path; from waypost.io.scenes.{module} import {name};"
    " {name}(Path(sys.argv[1]))"
)


def run() -> list[dict[str, Any]]:
    """Ratios of the best of alternating rounds: other work on the machine counts little."""
    rows = []
    for path in (SMALL_HOUSE, SMALL_HOUSE.parent / "usd" / "small_house.usda"):
        if path.exists():
            rows += [_window_row(path), _command_row(path)]
    return rows


def _window_row(path: Path) -> dict[str, Any]:
    """In a window that has been open for a while: libraries loaded, a spare child waits."""
    here: list[float] = []
    child: list[float] = []
    _decode_and_prepare(path)
    keep_spare_child("scene")
    for _ in range(ROUNDS):
        while not is_spare_child_ready():
            time.sleep(0.01)
        here.append(_time(lambda: _decode_and_prepare(path)))
        child.append(_time(lambda: exhaust(open_scene_job(path, prepare=prepare_scene))))
    end_spare_child()
    return _row(f"open {path.name} again in a window", here, child)


def _decode_and_prepare(path: Path) -> None:
    """What opening a scene in a window was before there were children."""
    scene = decode_at_once(path)
    RayIndex.build(scene)
    exhaust(prepare_scene(scene))


def _command_row(path: Path) -> dict[str, Any]:
    """From the start of a process, as a command does it."""
    here, child = (
        _command(path, *names)
        for names in (
            ("decode_scene", "decode_at_once"),
            ("open_scene", "read_scene"),
        )
    )
    here_s: list[float] = []
    child_s: list[float] = []
    for _ in range(ROUNDS):
        here_s.append(_time(here))
        child_s.append(_time(child))
    return _row(f"open {path.name} from the start", here_s, child_s)


def _command(path: Path, module: str, name: str) -> Callable[[], None]:
    code = _FROM_THE_START.format(module=module, name=name)

    def command() -> None:
        subprocess.run([sys.executable, "-c", code, str(path)], check=True)

    return command


def _time(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _row(name: str, here: list[float], child: list[float]) -> dict[str, Any]:
    medians = statistics.median(child) / statistics.median(here)
    return {
        "name": name,
        "value": min(child) / min(here),
        "unit": "× of decoding here",
        "limit": "≤ 1.2",
        "note": f"{min(child):.2f} s in a child, {min(here):.2f} s here; medians {medians:.2f} ×",
    }


if __name__ == "__main__":
    for row in run():
        print(row)
