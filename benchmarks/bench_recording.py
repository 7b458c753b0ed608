"""Recording in the real window: samples that come late, and the way from a key to the picture."""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest

from benchmarks.pictures import picture_times_ms
from benchmarks.scenes import SMALL_HOUSE
from waypost.app.record.take_recorder import TakePhase
from waypost.app.window.startup import make_application, opened_window
from waypost.app.window.window import MainWindow
from waypost.demo.performance import wait_until
from waypost.domain.base.progress import exhaust
from waypost.domain.project import Project
from waypost.domain.record.assignment import assign
from waypost.domain.record.recording import late_count
from waypost.domain.record.study import StudyRules
from waypost.domain.record.study_edits import add_participant, give_consent
from waypost.io.agent_files import shipped_agents
from waypost.io.key_scripts import KeyPress
from waypost.io.recordings.read_recording import read_recording
from waypost.io.scenes.open_scene import read_scene
from waypost.services.engine.engine_recording import PHYSICS_HZ
from waypost.services.engine.scripted_take import play_keys
from waypost.services.engine.thread import BATCH_STEPS
from waypost.services.study.making import StudyWish, make_study
from waypost.simulators.client import SimulatorClient
from waypost.simulators.protocol import Telemetry
from waypost.store.project_store import ProjectStore

_CODE = "P-2345"
_NOW = "2026-01-05T10:00:00+00:00"
_START_M = (-1.0, 0.0, 0.0)
_DRIVE_S = 15.0
_PRESSES = 20
_PATIENCE_S = 60.0
_MOVING_MPS = 1e-3


def run() -> list[dict[str, Any]]:
    """Late samples while driving, with the window and without; and the latency of a key."""
    if not SMALL_HOUSE.exists():
        note = {"value": None, "note": "scene absent"}
        return [{"name": name, **note} for name in ("late samples", "key to picture")]
    make_application()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bare_share = _late_without_window(folder / "bare")
        project = _write_study(folder / "study")
        with opened_window(folder / "user", folder / "user") as window:
            window.resize(1280, 720)
            window.show()
            window.activateWindow()
            _begin(window, project)
            latencies = _latencies(window)
            picture_ms = statistics.median(picture_times_ms(window, 9))
            _drive_in_circles(window)
            share, count = _stopped(window)
    return [
        _late_row(share, bare_share, count),
        _latency_row(latencies, picture_ms),
    ]


def _late_row(share: float, bare_share: float, count: int) -> dict[str, Any]:
    return {
        "name": "samples late by more than 5 ms while driving small_house in the window",
        "value": share * 100,
        "unit": "%",
        "limit": None,
        "ratio_to": f"{bare_share * 100:.1f} % of the same drive without a window",
        "note": f"of {count} samples; {os.getloadavg()[0]:.1f} programs wanted to run on "
        f"{os.cpu_count()} cores",
    }


def _latency_row(latencies: list[tuple[float, float]], picture_ms: float) -> dict[str, Any]:
    heard, painted = ([one[i] * 1000 for one in latencies] for i in (0, 1))
    median_ms = statistics.median(painted)
    batch_ms = 1000 * BATCH_STEPS / PHYSICS_HZ
    limit_ms = batch_ms + picture_ms
    return {
        "name": "from a pressed key to the picture of the moved agent",
        "value": median_ms,
        "unit": "ms",
        "limit": f"{limit_ms:.0f} ms: a batch of physics and a picture",
        "ratio_to": f"{median_ms / limit_ms:.2f} × that",
        "note": f"first motion heard after {statistics.median(heard):.0f} ms, "
        f"worst of {len(painted)} pictures {max(painted):.0f} ms, "
        f"one picture takes {picture_ms:.0f} ms",
    }


def _late_without_window(folder: Path) -> float:
    """What the engine and this machine give by themselves, at the pace of the clock."""
    profile = shipped_agents()["human"]
    with SimulatorClient.start() as client:
        client.load_scene(read_scene(SMALL_HOUSE))
        client.spawn(profile, _START_M, 0.0)
        client.start_recording(folder / "bare.csv", {})
        keys = [KeyPress(0.0, "W", True), KeyPress(0.0, "A", True)]
        status = play_keys(client, profile, keys, duration_s=_DRIVE_S, is_paced=True)
    recording = read_recording(Path(status.file))
    return late_count(recording) / (len(recording.trajectory) - 1)


def _write_study(folder: Path) -> Path:
    folder.mkdir()
    shutil.copy(SMALL_HOUSE, folder)
    x, y, z = _START_M
    episode = {
        "episode_id": "1",
        "trajectory_id": "1",
        "scan": "small_house",
        "scene_id": "vlnverse/small_house",
        "start_position": list(_START_M),
        "start_rotation": [1.0, 0.0, 0.0, 0.0],
        "instruction": {"instruction_text": "Walk in circles.", "instruction_tokens": [0]},
        "reference_path": [[x, y, z], [x + 1.0, y, z]],
        "goals": {"position": [x + 1.0, y, z], "radius": 3.0},
        "info": {"geodesic_distance": 1.0},
    }
    episodes = folder / "episodes.json"
    episodes.write_text(json.dumps([episode]))
    path = folder / "bench.waypost"
    project = Project("bench", SMALL_HOUSE.name, agents=shipped_agents())
    ProjectStore.create(path, project, "bench").close()
    wish = StudyWish(StudyRules("bench", 0, 1), episodes, "I agree.")
    study = exhaust(make_study(wish, folder, _NOW)).study
    study = give_consent(add_participant(study, _CODE, _NOW), _CODE, 1, _NOW)
    store = ProjectStore.open(path)
    before = store.load()
    store.save(before, replace(before, study=assign(study)[0]), "bench", "Create study")
    store.close()
    return path


def _begin(window: MainWindow, project: Path) -> None:
    """Up to the first samples of a take."""
    window.bench.open_path(project)
    view, session = window.stage.view, window.record.session
    wait_until(lambda: view.scene is not None and view.is_complete, _PATIENCE_S, "the scene")
    window.show_workspace("record")
    window.record.people.set_selected([_CODE])
    window.record.refresh()
    window.record.begin()
    wait_until(lambda: session.has_next, _PATIENCE_S, "the page before the episode")
    session.go_on()
    recorder = session.recorder
    wait_until(lambda: recorder.time_ns > 1_000_000_000, _PATIENCE_S, "the recording")


class _Stopwatch(QObject):
    """From a key press to the first motion heard, and to the picture after it.

    A QObject: PySide delivers a queued call to a plain object that has gone to whatever lies there.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self.speed_mps = math.inf
        self.pressed_s = 0.0
        self.heard_s = self.painted_s = math.nan
        self._view = window.stage.view
        self._engine = window.engine
        # After the window's own slot, which hands the pose to the view.
        self._engine.telemetry_received.connect(self._on_telemetry)
        # Queued: heard once the window with the picture in it is on the screen.
        queued = Qt.ConnectionType.QueuedConnection
        self._view.picture_drawn.connect(self._on_shown, queued)

    def start(self) -> None:
        """Forget what was measured; a key is pressed now."""
        self.heard_s = self.painted_s = math.nan
        self.pressed_s = time.perf_counter()

    def is_done(self) -> bool:
        """Whether the picture was shown."""
        return not math.isnan(self.painted_s)

    def close(self) -> None:
        """Listen no more."""
        self._engine.telemetry_received.disconnect(self._on_telemetry)
        self._view.picture_drawn.disconnect(self._on_shown)

    def _on_telemetry(self, telemetry: Telemetry) -> None:
        self.speed_mps = telemetry.speed_mps
        if math.isnan(self.heard_s) and self.speed_mps > _MOVING_MPS:
            self.heard_s = time.perf_counter() - self.pressed_s

    def _on_shown(self) -> None:
        if math.isnan(self.painted_s) and not math.isnan(self.heard_s):
            self.painted_s = time.perf_counter() - self.pressed_s


def _latencies(window: MainWindow) -> list[tuple[float, float]]:
    """Seconds from a key press to the first motion heard, and to the picture after it."""
    watch, handle = _Stopwatch(window), window.windowHandle()
    measured: list[tuple[float, float]] = []
    for number in range(_PRESSES):
        wait_until(lambda: watch.speed_mps < _MOVING_MPS, _PATIENCE_S, "the agent to stand")
        # At another moment of the beat of the physics each time.
        _wait(0.1 + 0.0073 * number)
        key = (Qt.Key.Key_W, Qt.Key.Key_S)[number % 2]
        watch.start()
        QTest.keyPress(handle, key)
        wait_until(watch.is_done, _PATIENCE_S, "the picture")
        QTest.keyRelease(handle, key)
        measured.append((watch.heard_s, watch.painted_s))
    watch.close()
    return measured


def _wait(duration_s: float) -> None:
    until_s = time.perf_counter() + duration_s
    wait_until(lambda: time.perf_counter() > until_s, _PATIENCE_S, "the time")


def _drive_in_circles(window: MainWindow) -> None:
    handle, recorder = window.windowHandle(), window.record.session.recorder
    keys = (Qt.Key.Key_W, Qt.Key.Key_A)
    for key in keys:
        QTest.keyPress(handle, key)
    until_ns = recorder.time_ns + round(_DRIVE_S * 1e9)
    wait_until(lambda: recorder.time_ns > until_ns, 10 * _DRIVE_S, "the drive")
    for key in keys:
        QTest.keyRelease(handle, key)


def _stopped(window: MainWindow) -> tuple[float, int]:
    """Share of late samples during the drive, and how many samples that were."""
    session = window.record.session
    drive_rows = round(_DRIVE_S * 20)
    session.recorder.stop()
    wait_until(lambda: session.recorder.phase is TakePhase.IDLE, _PATIENCE_S, "the end")
    (file,) = window.record.desk.takes_folder.glob("*.csv")
    recording = read_recording(file)
    samples = recording.trajectory
    lags = [
        (samples.wall_times_ns[i] - samples.wall_times_ns[i - 1]) - 50_000_000
        for i in range(len(samples) - drive_rows, len(samples))
    ]
    session.leave()
    return sum(lag > 5_000_000 for lag in lags) / len(lags), len(lags)


if __name__ == "__main__":
    for line in run():
        print(line)
