"""Takes in the real window when it is killed, loses the keyboard, or its disk refuses."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from faults.processes import wait_for_end
from gui.conftest import is_as_started, no_leaks, qapp, scenes, user, window
from gui.participants import begun, moved_m, stop
from gui.participants import record as start_take
from gui.studies import CODE, write_study
from gui.user import User
from import_path import IMPORT_PATH
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from waypost.app.record.study_desk import TAKES_FOLDER
from waypost.domain.record.study import AssignmentState, assignments_of
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_records import RECORDS_SUFFIX

__all__ = ["is_as_started", "no_leaks", "qapp", "scenes", "user", "window"]

pytestmark = [pytest.mark.faults, pytest.mark.gui, pytest.mark.conformance, pytest.mark.no_cover]

PROGRAMS = Path(__file__).parent / "programs"
KILLS = 4
STEP_NS = 50_000_000
ROWS_PER_S = 20
ENVIRONMENT = {**os.environ, "PYTHONPATH": IMPORT_PATH}


def kill_a_recording_window(project: Path, home: Path, delay_s: float) -> int:
    """Record in a window of its own until it is killed; rows that must be in the file then."""
    process = subprocess.Popen(
        [sys.executable, str(PROGRAMS / "recorded_window.py"), str(project), str(home)],
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    with process:
        worker = psutil.Process(int(process.stdout.readline()))
        # The kill has to come at a random moment of the drive, which no signal marks.
        time.sleep(delay_s)
        process.kill()
        told = [tuple(map(int, line.split())) for line in process.stdout.read().splitlines()]
    wait_for_end(worker)
    # Those of the last second may be missing, unless the file was said to have them.
    return max((max(rows - ROWS_PER_S, saved) for rows, saved in told), default=1)


def test_a_killed_window_loses_no_old_row_and_the_same_episode_comes(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    project = write_study(tmp_path / "house")
    folder = project.parent / TAKES_FOLDER
    random_s = random.Random("window")
    for number in range(KILLS):
        delay_s = random_s.uniform(0.2, 2.5)
        due = kill_a_recording_window(project, tmp_path / f"home_{number}", delay_s)
        files = sorted(folder.rglob("*.csv"))
        assert len(files) == number + 1
        recording = read_recording(files[-1])
        times = recording.trajectory.times_ns
        assert len(times) >= due
        assert times.tolist() == [STEP_NS * k for k in range(len(times))]
        assert recording.marks == ()
        assert recording.is_complete is False
        assert recording.reason == "the program ended before the recording was stopped"
    # Only now, because the windows that were killed took the keyboard.
    user = request.getfixturevalue("user")
    record = begun(user, project).window.record
    page = record.session.card.page
    assert page.title == "Practice 1 of 1"
    assert "It was begun before and not ended" in page.text
    study = user.project.study
    assert [take.summary.is_complete for take in study.takes.values()] == [False] * KILLS
    first = assignments_of(study, CODE)[0]
    assert first.state is AssignmentState.IN_PROGRESS
    start_take(user)
    stop(user)
    user.wait(lambda: getattr(record.session.card.page, "title", "") == "Stopped")
    assert assignments_of(user.project.study, CODE)[0].state is AssignmentState.DONE
    record.session.leave()


def test_without_the_keyboard_the_agent_stands_in_the_next_sample(
    user: User, tmp_path: Path
) -> None:
    record = begun(user, write_study(tmp_path / "house")).window.record
    recorder = record.session.recorder
    start_take(user)
    user.hold("W")
    user.wait(lambda: moved_m(user) > 0.5)
    QApplication.sendEvent(user.window, QEvent(QEvent.Type.WindowDeactivate))
    # The next steps of the engine, and with them the next sample, hear of it.
    assert not user.window.engine._mailbox.driver_after(0.0).has_focus
    begin_ns = recorder.time_ns
    user.wait(lambda: recorder.time_ns > begin_ns + 1_000_000_000)
    user.release("W")
    stop(user)
    user.wait(lambda: getattr(record.session.card.page, "title", "") == "Stopped")
    (take,) = user.project.study.takes.values()
    samples = read_recording(record.desk.root / take.path).trajectory
    # Until the keyboard was lost, whenever the engine heard of it, and from that sample on.
    begin = int(np.argmin(samples.has_focus))
    assert samples.speeds_mps[begin - 1] > 0.5
    assert len(samples) - begin >= 10
    assert (samples.has_focus[begin:] == 0).all()
    assert (samples.speeds_mps[begin:] == 0).all()
    assert np.ptp(samples.positions_m[begin:], axis=0) == pytest.approx([0, 0, 0], abs=1e-4)
    record.session.leave()


def on_small_disk(case: str, project: Path, home: Path) -> list:
    namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*namespace, "mount", "-t", "tmpfs", "none", str(project.parent)]
    if shutil.which("unshare") is None or subprocess.run(probe, check=False).returncode != 0:
        pytest.skip("this system lets nobody mount a small disk in a namespace")
    script = PROGRAMS / "recorded_window_on_small_disk.py"
    done = subprocess.run(
        [*namespace, sys.executable, str(script), case, str(project), str(home)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_full_disk_is_shouted_about_while_driving_and_loses_nothing(tmp_path: Path) -> None:
    project = write_study(tmp_path / "house")
    first, later, end, texts = on_small_disk("full", project, tmp_path / "home")
    assert first["problem"].startswith("⚠ Not saved: ")
    assert "samples are not saved yet" in first["problem"]
    assert (first["is_seen"], first["phase"]) == (True, "recording")
    assert "No space left on device" in later["problem"]
    assert later["phase"] == "recording"
    assert end["title"] == "Stopped"
    csv, records = texts
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "a_take001.csv").write_text(csv)
    (copy / f"a_take001{RECORDS_SUFFIX}").write_text(records)
    recording = read_recording(copy / "a_take001.csv")
    assert (recording.is_complete, recording.notes, recording.marks) == (True, (), ())
    assert len(recording.trajectory) == end["rows"]
    assert set(np.diff(recording.trajectory.times_ns).tolist()) == {STEP_NS}


def test_a_folder_made_read_only_keeps_the_take_and_refuses_the_next_in_words(
    tmp_path: Path,
) -> None:
    project = write_study(tmp_path / "house")
    problem, stopped, refused, again = on_small_disk("read_only", project, tmp_path / "home")
    assert (problem, stopped) == ("", "Stopped")
    assert refused[0] == "The recording could not begin"
    assert "Read-only file system" in refused[1]
    assert again == "Stopped"
