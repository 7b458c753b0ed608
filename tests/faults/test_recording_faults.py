"""Recordings when processes are killed or held, disks fill up, machines sleep or are busy."""

from __future__ import annotations

import errno
import itertools
import json
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
import pytest
from faults.processes import wait_for_end, wait_until
from import_path import IMPORT_PATH
from patience import PATIENCE_S
from simulators.fake_engine import FakeEngine
from simulators.rooms import HUMAN, floor

from waypost.domain.record.recording import achieved_rate_hz, late_count, wall_lags_ns
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_records import RECORDS_SUFFIX
from waypost.simulators.backends.engine import SceneMesh
from waypost.simulators.client import body_of
from waypost.simulators.mover import Mover
from waypost.simulators.protocol import DriveCommand, MoverSettings
from waypost.simulators.worker import appended_file, take_writer
from waypost.simulators.worker.recorder import Recorder, WallClock, system_wall_clock

pytestmark = pytest.mark.faults

_LOG = logging.getLogger(__name__)
PROGRAMS = Path(__file__).parent / "programs"
STEP_NS = 50_000_000
ROWS_PER_S = 20
AHEAD = DriveCommand(0.5, 0.0, 0.5)


class Told(NamedTuple):
    """What a drive says of its recording."""

    when_s: float
    rows: int
    saved: int


class RecordedDrive:
    """A process that records at the pace of the wall clock."""

    def __init__(self, folder: Path, backend: str = "fake") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, str(PROGRAMS / "recorded_drive.py"), backend, str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": IMPORT_PATH},
        )
        self.worker = psutil.Process(int(self.process.stdout.readline()))
        self.file = Path(self.process.stdout.readline().strip())
        self._seen: list[Told] = []

    def drive_on(self, rows: int, after_s: float = 0.0) -> None:
        """Let it record so many rows more once the monotonic clock has reached a time."""
        reached = self._see(self.process.stdout.readline())
        while reached.when_s <= after_s:
            reached = self._see(self.process.stdout.readline())
        while self._see(self.process.stdout.readline()).rows < reached.rows + rows:
            pass

    def end(self) -> list[Told]:
        """Make sure that both processes are gone; what the drive said of its recording."""
        wait_for_end(self.worker)
        self.process.kill()
        for line in self.process.communicate(timeout=PATIENCE_S)[0].splitlines():
            self._see(line)
        return self._seen

    def _see(self, line: str) -> Told:
        when_s, rows, saved = line.split()
        self._seen.append(Told(float(when_s), int(rows), int(saved)))
        return self._seen[-1]


def assert_nothing_is_lost(drive: RecordedDrive):
    """Every row that was a second old is there, on the grid, and the take is incomplete."""
    seen = drive.end()
    told = max((line.rows for line in seen), default=1)
    saved = max((line.saved for line in seen), default=1)
    recording = read_recording(drive.file)
    times = recording.trajectory.times_ns.tolist()
    assert len(times) >= max(told - ROWS_PER_S, saved)
    assert times == [STEP_NS * k for k in range(len(times))]
    assert recording.marks == ()
    assert recording.is_complete is False
    return recording


@pytest.mark.parametrize("victim", ["window", "worker"])
def test_ten_kills_at_random_times_lose_at_most_a_second(tmp_path, victim):
    random_s = random.Random(victim)
    for batch in range(2):
        drives = [RecordedDrive(tmp_path / f"{batch}_{i}") for i in range(5)]
        begin_s = time.monotonic()
        whens = sorted(random_s.uniform(0.1, 2.0) for _ in drives)
        for drive, when in zip(drives, whens, strict=True):
            # The kill has to come at a random moment of the drive, which no signal marks.
            time.sleep(max(0.0, begin_s + when - time.monotonic()))
            (drive.process if victim == "window" else drive.worker).kill()
            recording = assert_nothing_is_lost(drive)
            if victim == "window":
                assert recording.reason == "the program ended before the recording was stopped"
            else:
                assert recording.reason.startswith("the recording was cut off: its engine was")
                assert recording.reason.endswith(" s were saved")


def test_a_real_engine_that_is_killed_leaves_its_rows(tmp_path):
    drive = RecordedDrive(tmp_path, "physx")
    drive.drive_on(ROWS_PER_S + 10)
    drive.worker.kill()
    assert len(assert_nothing_is_lost(drive).trajectory) >= 10


def test_a_worker_that_is_held_shows_a_gap_and_invents_nothing(tmp_path):
    drive = RecordedDrive(tmp_path)
    drive.drive_on(10)
    drive.worker.send_signal(signal.SIGSTOP)
    wait_until(lambda: drive.worker.status() == psutil.STATUS_STOPPED)
    held_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    time.sleep(1.2)
    free_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    freed_s = time.monotonic()
    drive.worker.send_signal(signal.SIGCONT)
    drive.drive_on(ROWS_PER_S + 10, freed_s)
    drive.process.kill()
    recording = assert_nothing_is_lost(drive)
    samples = recording.trajectory
    when_ns = samples.wall_times_ns + recording.header["wall_clock_start_ns"]
    before = int((when_ns <= held_ns).sum())
    assert 10 <= before < len(when_ns)
    assert (when_ns[before:] >= free_ns).all()
    assert wall_lags_ns(recording)[before - 1] >= free_ns - held_ns - STEP_NS
    simulated_s, wall_s = samples.times_ns[-1] / 1e9, samples.wall_times_ns[-1] / 1e9
    assert wall_s - simulated_s > 1.0
    assert achieved_rate_hz(recording) == pytest.approx(ROWS_PER_S * simulated_s / wall_s)


def test_under_two_busy_processes_simulated_spacing_is_exact(tmp_path):
    begin_s = time.monotonic()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        drive = RecordedDrive(tmp_path, "physx")
        drive.drive_on(5 * ROWS_PER_S)
        drive.process.kill()
        recording = assert_nothing_is_lost(drive)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    ended_s = time.monotonic()
    samples = recording.trajectory
    assert set(np.diff(samples.times_ns).tolist()) == {STEP_NS}
    lags_ms = wall_lags_ns(recording) / 1e6
    _LOG.info(
        "%d samples at %.2f Hz, %d later than 5 ms, the worst by %.1f ms",
        len(samples),
        achieved_rate_hz(recording),
        late_count(recording),
        lags_ms.max(),
    )
    # Paced by the wall clock: none is faster than its catch-up.
    simulated_s, wall_s = samples.times_ns[-1] / 1e9, samples.wall_times_ns[-1] / 1e9
    assert simulated_s - 0.2 <= wall_s < ended_s - begin_s


@pytest.fixture
def mover():
    """An agent on a floor, in this process."""
    engine = FakeEngine(MoverSettings())
    mesh = floor()
    engine.load_scene([SceneMesh("floor", mesh.vertices, mesh.faces)])
    mover = Mover(engine, body_of(HUMAN), MoverSettings())
    mover.spawn((0.0, 0.0, 0.0), 0.0)
    return mover


def test_a_stop_in_the_middle_of_a_write_waits_for_the_last_sample(tmp_path, monkeypatch):
    """A file with an end record is whole, whenever the thread that writes is overtaken."""
    writer = take_writer.TakeWriter(str(tmp_path / "e.csv"), ("row",), {})
    write, add = writer._csv.write, writer._records.add
    seen = []

    def stop():
        writer.add_row("1")
        writer.end({"reason": "stop"})

    stopping = threading.Thread(target=stop)

    def overtaken():
        is_written = write()
        if threading.current_thread() is threading.main_thread():
            stopping.start()
            wait_until(lambda: writer._end is not None)
        return is_written

    def add_seen(record):
        seen.append(Path(writer.path).read_text())
        add(record)

    monkeypatch.setattr(writer._csv, "write", overtaken)
    monkeypatch.setattr(writer._records, "add", add_seen)
    writer.flush()
    stopping.join()
    assert writer.is_saved
    assert seen == ["row\n1\n"]


def recorder_of(mover: Mover, folder: Path, clock: WallClock | None = None) -> Recorder:
    info = FakeEngine(MoverSettings()).info
    return Recorder(mover, (0.0, 0.0, 0.0), info, str(folder / "e.csv"), {}, clock)


def test_no_change_of_the_system_time_reaches_the_samples(mover, tmp_path, monkeypatch):
    """Nobody can set the clock used; a jump of what can be set changes the label only."""
    clock = system_wall_clock()
    if clock.name == "CLOCK_BOOTTIME":
        with pytest.raises(OSError, match=r"Invalid|not permitted") as caught:
            time.clock_settime(time.CLOCK_BOOTTIME, 0.0)
        assert caught.value.errno in {errno.EINVAL, errno.EPERM}
    jumps = itertools.cycle([7200.0, -7200.0])
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    begin_ns = time.monotonic_ns()
    recorder = recorder_of(mover, tmp_path)
    for _ in range(40):
        mover.advance(AHEAD, 6)
    recorder.finish("stop")
    wall_ns = time.monotonic_ns() - begin_ns
    walls = read_recording(tmp_path / "e_take001.csv").trajectory.wall_times_ns
    assert (np.diff(walls) > 0).all()
    assert 0 < walls[-1] <= wall_ns


def test_a_machine_that_sleeps_shows_the_whole_gap(mover, tmp_path):
    now_ns = [10**15]
    recorder = recorder_of(mover, tmp_path, WallClock("test", lambda: now_ns[0]))
    for step in range(100):
        now_ns[0] += STEP_NS + (600_000_000_000 if step == 50 else 0)
        mover.advance(AHEAD, 6)
    recorder.finish("stop")
    recording = read_recording(tmp_path / "e_take001.csv")
    lags = wall_lags_ns(recording)
    assert lags[50] == 600_000_000_000
    assert np.delete(lags, 50).tolist() == [0] * 99
    assert len(recording.trajectory) == 101
    assert achieved_rate_hz(recording) == pytest.approx(100 / 605)


@pytest.mark.parametrize(
    "number", [errno.ENOSPC, errno.EROFS, errno.EIO], ids=["full", "read_only", "unplugged"]
)
def test_rows_wait_in_memory_until_the_disk_takes_them(mover, tmp_path, monkeypatch, number):
    recorder = recorder_of(mover, tmp_path)
    real = os.write
    refuses = True

    def write(descriptor, data):
        if refuses:
            raise OSError(number, os.strerror(number))
        return real(descriptor, data[:100])

    monkeypatch.setattr(appended_file.os, "write", write)
    mover.advance(AHEAD, 60)
    recorder.finish("stop")
    status = recorder.status()
    assert (status.rows, status.unsaved_rows, status.is_ended) == (11, 10, True)
    assert status.problem == (
        f"the recording cannot be written: {os.strerror(number)}; "
        "10 of 11 samples are only in memory"
    )
    assert not recorder.is_saved
    assert read_recording(tmp_path / "e_take001.csv").is_complete is False
    refuses = False
    wait_until(lambda: recorder.is_saved)
    recording = read_recording(tmp_path / "e_take001.csv")
    assert (recording.is_complete, recording.reason, recording.notes) == (True, "stop", ())
    assert len(recording.trajectory) == 11
    assert recorder.status().problem == ""


def test_what_cannot_be_written_at_the_end_is_never_called_complete(mover, tmp_path, monkeypatch):
    recorder = recorder_of(mover, tmp_path)

    def write(descriptor, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(appended_file.os, "write", write)
    mover.advance(AHEAD, 60)
    recorder.end("stop", is_complete=True)
    recorder.give_up()
    assert recorder.status().unsaved_rows == 10
    assert read_recording(tmp_path / "e_take001.csv").is_complete is False


def test_a_take_whose_end_is_not_written_yet_is_not_told_as_saved(mover, tmp_path, monkeypatch):
    """Who believed it would read a take that was cut off, though its last sample is there."""
    recorder = recorder_of(mover, tmp_path)
    real = os.write
    refuses = True

    def write(descriptor, data):
        if refuses and b'"kind": "end"' in data:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    monkeypatch.setattr(appended_file.os, "write", write)
    mover.advance(AHEAD, 60)
    recorder.finish("stop")
    assert len(read_recording(tmp_path / "e_take001.csv").trajectory) == 11
    status = recorder.status()
    assert status.is_ended
    assert (status.unsaved_rows, recorder.is_saved) == (1, False)
    refuses = False
    wait_until(lambda: not recorder.status().unsaved_rows)
    assert read_recording(tmp_path / "e_take001.csv").is_complete


def test_a_file_that_is_deleted_under_the_recording_is_told(mover, tmp_path):
    recorder = recorder_of(mover, tmp_path)
    (tmp_path / "e_take001.csv").unlink()
    mover.advance(AHEAD, 60)
    recorder.finish("stop")
    assert "the file was deleted while it was being written" in recorder.status().problem


def test_a_disk_that_does_not_confirm_is_told_to_the_end(mover, tmp_path, monkeypatch):
    def fsync(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(appended_file.os, "fsync", fsync)
    recorder = recorder_of(mover, tmp_path)
    mover.advance(AHEAD, 60)
    recorder.finish("stop")
    recorder.give_up()
    assert "did not confirm what was written: Input/output error" in recorder.status().problem


def test_a_folder_closed_by_its_owner_does_not_stop_a_take_under_way(mover, tmp_path):
    recorder = recorder_of(mover, tmp_path)
    tmp_path.chmod(0o500)
    try:
        mover.advance(AHEAD, 60)
        recorder.finish("stop")
    finally:
        tmp_path.chmod(0o700)
    assert recorder.status().problem == ""
    assert read_recording(tmp_path / "e_take001.csv").is_complete is True


def test_a_header_that_cannot_be_written_leaves_no_file(mover, tmp_path, monkeypatch):
    def write(descriptor, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(appended_file.os, "write", write)
    with pytest.raises(OSError, match="No space left on device"):
        recorder_of(mover, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path: Path):
    """Runs a recording on a disk of 128 kB; works for root and for users."""
    namespace = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*namespace, "mount", "-t", "tmpfs", "none", str(tmp_path)]
    if shutil.which("unshare") is None or subprocess.run(probe, check=False).returncode != 0:
        pytest.skip("this system lets nobody mount a small disk in a namespace")

    def run(case: str) -> list:
        program = [
            sys.executable,
            str(PROGRAMS / "recording_on_small_disk.py"),
            case,
            str(tmp_path),
        ]
        done = subprocess.run(
            [*namespace, *program],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": IMPORT_PATH},
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def read_copied(folder: Path, csv: str, records: str):
    folder.mkdir()
    (folder / "e_take001.csv").write_text(csv)
    (folder / f"e_take001{RECORDS_SUFFIX}").write_text(records)
    return read_recording(folder / "e_take001.csv")


@pytest.mark.parametrize("case", ["full", "full_at_stop"])
def test_a_full_disk_warns_while_driving_and_loses_nothing(small_disk, tmp_path, case):
    refused, second, third, csv, records = small_disk(case)
    assert refused["unsaved_rows"] > 90
    assert "No space left on device" in refused["problem"]
    assert f"{refused['unsaved_rows']} of {refused['rows']} samples" in refused["problem"]
    if case == "full":
        assert (second["unsaved_rows"], second["problem"]) == (0, "")
    else:
        assert second["unsaved_rows"] > 0
        assert second["is_ended"]
    assert (third["unsaved_rows"], third["problem"], third["is_ended"]) == (0, "", True)
    recording = read_copied(tmp_path / "copy", csv, records)
    assert (recording.is_complete, recording.notes, recording.marks) == (True, (), ())
    assert len(recording.trajectory) == third["rows"]
    assert set(np.diff(recording.trajectory.times_ns).tolist()) == {STEP_NS}


def test_a_read_only_disk_is_refused_before_anybody_drives(small_disk):
    (sentence,) = small_disk("read_only")
    assert "Read-only file system" in sentence
