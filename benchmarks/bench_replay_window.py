"""The Replay workspace in the real window: opening, steps from key to screen, scrubbing, stalls."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from benchmarks.bench_panorama_strip import VIEWPOINTS, _replay, _write_views
from benchmarks.bench_replay import DATA, POSES
from benchmarks.scenes import SMALL_HOUSE
from waypost.app.replay.desk import OpenedRun
from waypost.app.replay.run_project import make_project
from waypost.app.replay.table.episode_model import EpisodeTableModel
from waypost.app.replay.workspace import ReplayWorkspace
from waypost.app.window.startup import (
    keep_turns_short,
    make_application,
    opened_window,
)
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.replay import Replay
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.services.replay.loading import ReplayedEpisode, Replayer

MANY = 100_000
_PATIENCE_S = 600.0
_BEAT_MS = 2


def run() -> list[dict[str, Any]]:
    """Rows; those on real data only where it is."""
    make_application()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        if DATA.is_dir():
            rows += _opening(folder / "wander")
        rows += _steps(folder / "steps")
        rows += _scrubbing(folder / "scrub")
        rows += _indexing(folder / "many")
    return rows


def _opening(folder: Path) -> list[dict[str, Any]]:
    folder.mkdir()
    for file in ("val_unseen_wander_agent.json", "R2R_val_unseen.json"):
        shutil.copy(DATA / file, folder)
    shutil.copytree(DATA / "connectivity", folder / "connectivity")
    rows = []
    for note in ("first time", "again, from the cache"):
        (folder / "val_unseen_wander_agent.waypost").unlink(missing_ok=True)
        with _window(folder / note) as window:
            replay = window.replay
            started = time.perf_counter()
            window.replay.files.open_at_once(RunSource((folder / "val_unseen_wander_agent.json",)))
            wait_until(partial(_has_rows, replay.table.model, 2349), _PATIENCE_S, "all rows")
            window.repaint()
            took = time.perf_counter() - started
            rows.append(_row(f"2,349 episodes to their table, {note}", took, "s", "< 2 s", ""))
            if note == "first time":
                rows.append(_episode_row(window))
    return rows


def _episode_row(window: MainWindow) -> dict[str, Any]:
    """From choosing a row to its map on screen."""
    replay, times = window.replay, []
    for number in range(40):
        row = replay.table.model.row_at(number * 50)
        if row is None:
            break
        started = time.perf_counter()
        replay.open_episode(*row.key)
        wait_until(partial(_is_shown, replay, row.key), _PATIENCE_S, "the episode")
        QApplication.processEvents()
        times.append((time.perf_counter() - started) * 1000)
    return _times_row("a row chosen to its map on screen", times, None)


def _steps(folder: Path) -> list[dict[str, Any]]:
    """A key pressed to everything painted: map, card, timeline, without and with pictures."""
    folder.mkdir()
    _write_views(folder)
    shown = _shown(_replay())
    rows = []
    with _window(folder / "user") as window:
        replay = _at_map(window, shown, folder)
        replay.views.strip.set_folded(True)
        bare = _pressed(window, VIEWPOINTS - 1)
        rows.append(_times_row("step on screen, pictures folded", bare, "< 16 ms"))
        replay.views.strip.set_folded(False)
        replay.views.cursor.go_first()
        rows.append(
            _times_row("step on screen, no pictures there", _pressed(window, 39), "< 16 ms")
        )
        replay.views.strip.set_source(open_picture_source(folder))
        replay.views.cursor.go_first()
        for _ in range(VIEWPOINTS):
            wait_until(partial(_has_pictures, replay), _PATIENCE_S, "pictures")
            replay.views.cursor.move_by(1)
        replay.views.cursor.go_first()
        rows.append(_times_row("step on screen, with pictures", _pressed(window, 39), "< 50 ms"))
        replay.views.cursor.go_first()
        window.replay.views.curves.toggle()
        rows.append(_times_row("the same with curves", _pressed(window, 39), "< 50 ms"))
    return rows


def _scrubbing(folder: Path) -> list[dict[str, Any]]:
    """A continuous run of many steps, scrubbed over the whole length, in the real house."""
    rng = np.random.default_rng(5)
    turns = np.cumsum(rng.normal(0, 0.05, POSES))
    steps = np.stack([np.cos(turns), np.sin(turns), np.zeros(POSES)], axis=1) * 0.02
    points = np.cumsum(steps, axis=0)
    episode = Episode(
        "vlnverse-fine", "", "long", "small_house", Instruction("Go."),
        reference=route(positions_m=points[::40]), goals=(Goal(position_m=(0.0, 0.0, 0.0)),),
    )  # fmt: skip
    attempt = EpisodeRun(
        "long", route(positions_m=points), times_s=tuple((np.arange(POSES) / 20.0).tolist())
    )
    shown = Replayer(RunSource((Path(),))).replayed(episode, attempt, 1)
    rows = []
    for has_scene in (False, True) if SMALL_HOUSE.exists() else (False,):
        with _window(folder / str(has_scene)) as window:
            if has_scene:
                scene = folder / "small_house.glb"
                shutil.copy(SMALL_HOUSE, scene)
                window.bench.open_path(scene)
                _wait_for_scene(window)
            replay = _at_map(window, shown, folder)
            replay.views.strip.set_folded(True)
            moved = replay.views.timeline.moved
            places = np.linspace(0, POSES - 1, 200).astype(int).tolist()
            times = [_painted_ms(partial(moved.emit, at)) for at in places]
            where = "over small_house" if has_scene else "without a scene"
            name = f"scrubbing {POSES:,} steps, {where}"
            rows.append(_times_row(name, times, "< 50 ms"))
    return rows


def _indexing(folder: Path) -> Iterator[dict[str, Any]]:
    """Results of many episodes are read while the window is used; rows come as they are known."""
    folder.mkdir()
    results = _write_many(folder)
    with _window(folder / "user") as window:
        replay = window.replay
        gaps = _Gaps(window)
        started = time.perf_counter()
        window.replay.files.open_at_once(
            RunSource((results,), (folder / "R2R_val.json",), folder / "connectivity", name="many")
        )  # fmt: skip
        model = replay.table.model
        wait_until(lambda: model.rowCount() > 0, _PATIENCE_S, "the first rows")
        first_s, opening_ms = time.perf_counter() - started, gaps.take()
        yield _row(f"first of {MANY:,} episodes in their table", first_s, "s", None, "")
        wait_until(lambda: len(model.table) >= MANY, _PATIENCE_S, "all rows")
        whole_s = time.perf_counter() - started
        note = (
            f"at most {gaps.own_s * 1000:.0f} ms of them its own work;"
            f" first rows after {first_s:.1f} s, all after {whole_s:.0f} s"
        )
        yield _row(
            f"longest stall while {MANY:,} episodes are read",
            max(opening_ms, gaps.take()), "ms", "< 100 ms", note,
        )  # fmt: skip
        replay.wide_table.model.sort(2)
        wait_until(lambda: True, 1.0, "sorting")
        QApplication.processEvents()
        yield _row(f"sorting {MANY:,} rows", gaps.take(), "ms", None, "")
        for search in replay.wide_table.findChildren(QLineEdit):
            QTest.keyClicks(search, "7")
        QApplication.processEvents()
        yield _row(f"searching {MANY:,} rows", gaps.take(), "ms", None, "")
        gaps.stop()


def _write_many(folder: Path) -> Path:
    replay = _replay()
    names = list(replay.viewpoint_ids)[:6]
    connectivity = folder / "connectivity"
    connectivity.mkdir()
    entries = [
        {"image_id": name, "included": True, "height": 1.5,
         "pose": [1, 0, 0, 2.0 * n, 0, 1, 0, 0, 0, 0, 1, 1.5, 0, 0, 0, 1],
         "visible": [abs(n - m) == 1 for m in range(6)],
         "unobstructed": [abs(n - m) == 1 for m in range(6)]}
        for n, name in enumerate(names)
    ]  # fmt: skip
    (connectivity / "s_connectivity.json").write_text(json.dumps(entries))
    count = MANY // 3 + 1
    records = [
        {"scan": "s", "path_id": n, "path": names[:4], "heading": 0.0, "distance": 6.0,
         "instructions": ["Walk on.", "Go there.", "Stop at the end."]}
        for n in range(count)
    ]  # fmt: skip
    (folder / "R2R_val.json").write_text(json.dumps(records))
    ways = (names[:4], names, names[:2], [*names[:2], *names[:4]])
    runs = [
        {"instr_id": f"{n}_{m}", "trajectory": [[v, 0.0, 0.0] for v in ways[(n + m) % 4]]}
        for n in range(count)
        for m in range(3)
    ]
    results = folder / "many.json"
    results.write_text(json.dumps(runs[:MANY]))
    return results


def _shown(replay: Replay) -> ReplayedEpisode:
    """The same replay scored; its graph is in no file, so its metrics are undefined."""
    made = Replayer(RunSource((Path(),))).replayed(replay.episode, replay.run, 1)
    return dataclasses.replace(made, replay=replay)


def _has_rows(model: EpisodeTableModel, count: int) -> bool:
    return model.rowCount() == count


def _is_shown(replay: ReplayWorkspace, key: tuple[str, int]) -> bool:
    return replay.views.run is not None and replay.views.run.key == key


def _has_pictures(replay: ReplayWorkspace) -> bool:
    return replay.views.strip.rows[0].aspect is not None


def _wait_for_scene(window: MainWindow) -> None:
    view = window.stage.view
    wait_until(
        lambda: window.bench.scene is not None and view.is_complete, _PATIENCE_S, "the scene"
    )


def _at_map(window: MainWindow, shown: ReplayedEpisode, folder: Path) -> ReplayWorkspace:
    if window.bench.document is None:
        path = folder / "bench.waypost"
        make_project(path, "bench")
        window.bench.open_project(path)
        wait_until(lambda: window.bench.document is not None, _PATIENCE_S, "the project")
    # In its first seconds a window makes its other workspaces, in pieces between the keys.
    wait_until(lambda: window.workspaces.are_all_made, _PATIENCE_S, "the window to be made")
    QApplication.processEvents()
    window.show_workspace("replay")
    replay = window.replay
    is_here = replay.scene.can_show(shown.replay)
    background = window.bench.prepared if is_here else None
    replay.views.show_run(OpenedRun("run", shown), background)
    replay.show_face("map")
    replay.views.map.setFocus()
    QApplication.processEvents()
    return replay


def _pressed(window: MainWindow, times: int) -> list[float]:
    handle, cursor = window.windowHandle(), window.replay.views.cursor
    found = []
    for _ in range(times):
        before = cursor.step
        found.append(_painted_ms(lambda: QTest.keyClick(handle, Qt.Key.Key_Right)))
        if cursor.step == before:
            raise RuntimeError("the key did not move the cursor")
    return found


def _painted_ms(act: Callable[[], object]) -> float:
    """From an event to the end of the painting that it leads to."""
    started = time.perf_counter()
    act()
    QApplication.processEvents()
    return (time.perf_counter() - started) * 1000


class _Gaps(QObject):
    """The longest time in which the event loop did not come round.

    On a machine with other work that time is not the window's alone; what its thread did is.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._last, self._longest = time.perf_counter(), 0.0
        self._last_own = time.thread_time()
        self.own_s = 0.0
        """The most work of the thread between two turns, since the beginning."""

        self._timer = QTimer(self)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_BEAT_MS)

    def take(self) -> float:
        """Milliseconds of the longest one since the last call."""
        self._beat()
        longest, self._longest = self._longest, 0.0
        return longest * 1000

    def stop(self) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        now, own = time.perf_counter(), time.thread_time()
        self._longest = max(self._longest, now - self._last)
        self.own_s = max(self.own_s, own - self._last_own)
        self._last, self._last_own = now, own


@contextmanager
def _window(folder: Path) -> Iterator[MainWindow]:
    keep_turns_short()
    with opened_window(folder, folder / "data") as window:
        window.resize(1280, 720)
        window.show()
        window.activateWindow()
        wait_until(window.isActiveWindow, _PATIENCE_S, "the window")
        QApplication.processEvents()
        yield window


def _times_row(name: str, times_ms: list[float], limit: str | None) -> dict[str, Any]:
    worst = sorted(times_ms)[int(0.95 * (len(times_ms) - 1))]
    note = f"95 % within; median {statistics.median(times_ms):.1f}, slowest {max(times_ms):.1f} ms"
    return _row(name, worst, "ms", limit, note)


def _row(name: str, value: float, unit: str, limit: str | None, note: str) -> dict[str, Any]:
    row = {"name": name, "value": value, "unit": unit, "limit": limit, "note": note}
    if limit is not None:
        row["ratio_to"] = f"{value / float(limit.split()[1]):.2f} of the limit"
    return row


if __name__ == "__main__":
    for line in run():
        print(line)
