"""Scoring in the window: what one answer costs in a small batch and in a large one."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtWidgets import QApplication

from waypost.app.score.workspace import ScoreWorkspace
from waypost.app.window.startup import keep_turns_short, make_application, opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until
from waypost.domain.project import Project
from waypost.domain.score.batch_making import BatchWish, make_batch
from waypost.domain.score.instruction_text import InstructionText
from waypost.domain.score.score_book import NO_SCORES
from waypost.domain.score.sheet import Sheet, SheetKey, SheetState
from waypost.io.scores.rubric_files import shipped_rubrics
from waypost.store.project_store import ProjectStore

SMALL, LARGE = 25, 2349
"""Instructions; the larger batch is one of R2R's unseen validation set in size."""

_STYLES = 3
"""Instructions of one path, as in R2R."""

_ANSWERS = 24
_PATIENCE_S = 120.0
_WARMING_S = 4.0
"""In which the window makes its other workspaces."""

_STALL_MS = 100.0
_MOST_TIMES = 2.0


def run() -> list[dict[str, Any]]:
    """What an answer costs in the large batch, and that as a ratio to the small one."""
    make_application()
    keep_turns_short()
    small, large = _times(SMALL), _times(LARGE)
    work_ms = [statistics.median(one.work_ms for one in times) for times in (small, large)]
    name = f"an answer in a batch of {LARGE:,} instructions"
    return [
        {
            "name": f"{name}, work of the window's thread",
            "value": work_ms[1],
            "unit": "ms",
            "limit": f"≤ {_MOST_TIMES:g} × {SMALL} instructions",
            "ratio_to": f"{work_ms[1] / work_ms[0]:.2f} × {SMALL} instructions",
            "note": "painting included, waiting for the disk not",
        },
        {
            "name": f"{name}, slowest of {len(large)}",
            "value": max(one.wall_ms for one in large),
            "unit": "ms",
            "limit": f"≤ {_STALL_MS:g} ms",
            "note": f"{max(one.wall_ms for one in small):.0f} ms with {SMALL} instructions;"
            " the disk included",
        },
    ]


class _Time(NamedTuple):
    """What one answer took."""

    work_ms: float
    wall_ms: float


def _times(size: int) -> list[_Time]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        file = folder / "batch.waypost"
        _write(file, size)
        with opened_window(folder / "settings", folder / "settings") as window:
            window.resize(1280, 720)
            window.show()
            bench = window.bench
            bench.change_settings(replace(bench.settings, annotator="ana"))
            bench.open_path(file)
            wait_until(bench.has_project, _PATIENCE_S, "the project")
            window.show_workspace("score")
            return _answers(window)


def _answers(window: MainWindow) -> list[_Time]:
    workspace = window.workspaces.current
    if not isinstance(workspace, ScoreWorkspace):
        raise TypeError("the workspace for scoring is not shown")
    until_s = time.monotonic() + _WARMING_S
    wait_until(lambda: time.monotonic() >= until_s, _PATIENCE_S, "the window to be made")
    took = []
    for _ in range(_ANSWERS):
        began_s, worked_s = time.perf_counter(), time.thread_time()
        workspace.give(4)
        QApplication.processEvents()
        work_ms = (time.thread_time() - worked_s) * 1000.0
        took.append(_Time(work_ms, (time.perf_counter() - began_s) * 1000.0))
        workspace.step(1)
        QApplication.processEvents()
    return took[1:]


def _write(file: Path, size: int) -> None:
    rubric = shipped_rubrics()["vlnverse-fine"]
    instructions = tuple(
        InstructionText(
            f"{number}",
            f"Walk past the table, turn left at door {number} and wait there.",
            path_m=((0.0, 0.0, 0.0), (1.0 + number // _STYLES, 2.0, 0.0)),
        )
        for number in range(size)
    )
    book = make_batch(NO_SCORES, BatchWish("large", rubric, ("ana", "ben")), instructions)
    told = MappingProxyType({entry.key: 3 for entry in rubric.criteria})
    sheets = (
        Sheet(SheetKey("large", item, "ben", 1), rubric.version, told, state=SheetState.SUBMITTED)
        for item in book.batch("large").assigned["ben"]
    )
    book = replace(book, sheets=MappingProxyType({own.key: own for own in sheets}))
    ProjectStore.create(file, Project("batch", scoring=book), "ana").close()


if __name__ == "__main__":
    for line in run():
        print(line)
