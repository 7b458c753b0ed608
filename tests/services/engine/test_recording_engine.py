"""A driving engine that records, with the deterministic engine in its own process."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from patience import PATIENCE_S
from simulators.engines import start_engine
from simulators.rooms import HUMAN, floor, scene

from waypost.domain.base.errors import SimulatorError, WorkerDiedError
from waypost.io.recordings.read_recording import read_recording
from waypost.services.engine.driven_engine import DrivenEngine, EngineState
from waypost.simulators.protocol import DriveCommand, DriverState

AHEAD = DriveCommand(0.5)


class Drive:
    """A engine with an agent on a floor, and what it has said."""

    def __init__(self, qtbot, folder):
        self.clients = []
        self.engine = DrivenEngine(self._start)
        self.qtbot = qtbot
        self.folder = folder
        self.statuses, self.seen, self.refused, self.failed = [], [], [], []
        self.engine.recording_changed.connect(self.statuses.append)
        self.engine.telemetry_received.connect(self.seen.append)
        self.engine.request_refused.connect(self.refused.append)
        self.engine.engine_failed.connect(self.failed.append)

    def _start(self):
        self.clients.append(start_engine("fake"))
        return self.clients[-1]

    def place(self):
        self.engine.start_engine()
        self.engine.load_scene(scene(floor()))
        self.engine.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
        self.wait(lambda: self.engine.state is EngineState.DRIVING)

    def record(self):
        self.place()
        self.engine.start_recording(self.folder / "e.csv", {"participant": "P-2345"})
        self.wait(lambda: bool(self.statuses))

    def wait(self, condition):
        self.qtbot.waitUntil(condition)

    @property
    def speed_mps(self):
        return self.seen[-1].speed_mps

    @property
    def pitch_rad(self):
        return self.seen[-1].camera_pitch_rad

    @property
    def rows(self):
        return max((t.recording.rows for t in self.seen if t.recording), default=0)

    @property
    def saved(self):
        return max(
            (t.recording.rows - t.recording.unsaved_rows for t in self.seen if t.recording),
            default=0,
        )

    def stop(self):
        self.engine.stop_recording("stop")
        self.wait(lambda: self.statuses[-1].is_ended)
        return read_recording(Path(self.statuses[-1].file))


@pytest.fixture
def drive(qapp, qtbot, tmp_path):
    drive = Drive(qtbot, tmp_path)
    yield drive
    assert drive.engine.shutdown(PATIENCE_S)


def test_time_goes_on_while_a_recorded_agent_stands_still(drive):
    drive.record()
    assert (drive.statuses[0].rows, drive.statuses[0].problem) == (1, "")
    drive.wait(lambda: drive.rows >= 25)
    recording = drive.stop()
    assert set(recording.trajectory.actions) == {"idle"}
    assert (recording.is_complete, recording.reason) == (True, "stop")
    assert recording.participant == "P-2345"
    samples = recording.trajectory
    assert len(samples) >= 25
    assert set(np.diff(samples.times_ns).tolist()) == {50_000_000}
    # Paced by the wall clock; a loaded machine may be slower, none faster than its catch-up.
    assert samples.wall_times_ns[-1] >= samples.times_ns[-1] - 200_000_000


def test_commands_and_what_the_driver_does_reach_the_samples(drive):
    drive.record()
    drive.engine.set_driver(DriverState(camera_pitch_rad=0.25))
    drive.engine.set_command(AHEAD)
    drive.wait(lambda: drive.speed_mps == pytest.approx(0.5, abs=1e-6))
    rows = drive.rows
    drive.wait(lambda: drive.rows >= rows + 2)
    drive.engine.set_driver(DriverState(camera_pitch_rad=0.25, has_focus=False))
    drive.engine.set_command(DriveCommand())
    drive.wait(lambda: drive.speed_mps == 0.0)
    rows = drive.rows
    drive.wait(lambda: drive.rows >= rows + 2)
    samples = drive.stop().trajectory
    assert "forward" in samples.actions
    assert samples.actions[-1] == "idle"
    assert samples.camera_pitches_rad[-1] == 0.25
    assert (samples.has_focus[0], samples.has_focus[-1]) == (1, 0)
    assert samples.speeds_mps.max() == pytest.approx(0.5, abs=1e-6)
    assert samples.speeds_mps[-1] == 0.0


def test_a_pause_holds_simulated_time_and_the_agent(drive):
    drive.record()
    drive.engine.set_command(AHEAD)
    drive.wait(lambda: drive.rows >= 6 and drive.speed_mps > 0)
    drive.engine.pause_recording("break")
    drive.wait(lambda: drive.statuses[-1].is_paused)
    paused = drive.statuses[-1]
    drive.engine.set_command(DriveCommand(0.3))
    begin_s = time.monotonic()
    drive.wait(lambda: time.monotonic() > begin_s + 0.6)
    drive.engine.resume_recording()
    drive.wait(lambda: not drive.statuses[-1].is_paused)
    assert drive.statuses[-1].rows == paused.rows
    drive.wait(lambda: drive.rows >= paused.rows + 4)
    recording = drive.stop()
    assert [event.kind for event in recording.events] == ["pause", "resume"]
    assert recording.events[0].detail == "break"
    assert recording.trajectory.actions[paused.rows + 2] == "idle"
    # The pause lies between the last row before it and the one after, and takes no simulated time.
    wall_steps = np.diff(recording.trajectory.wall_times_ns)
    assert wall_steps[paused.rows - 1] > 550_000_000
    assert set(np.diff(recording.trajectory.times_ns).tolist()) == {50_000_000}


def test_an_engine_that_dies_leaves_a_take_that_says_why(drive, monkeypatch):
    drive.record()
    drive.wait(lambda: drive.saved >= 5)
    client = drive.clients[0]

    def die(*_):
        client.kill()
        raise WorkerDiedError(7, "no file /home/ann/walls.usd")

    monkeypatch.setattr(client, "drive", die)
    drive.wait(lambda: bool(drive.failed))
    # The window says what the engine said; the take, which is given away, does not.
    assert "it last said: no file /home/ann/walls.usd" in drive.failed[0]
    sentence = "the physics engine stopped (exit code 7); it can be restarted"
    drive.wait(lambda: drive.statuses[-1].is_ended)
    assert drive.statuses[-1].problem == sentence
    recording = read_recording(Path(drive.statuses[-1].file))
    assert recording.is_complete is False
    assert recording.reason.startswith(sentence + "; ")
    assert len(recording.trajectory) >= 5
    drive.engine.restart()
    drive.engine.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    drive.engine.start_recording(drive.folder / "e.csv", {})
    drive.wait(lambda: drive.statuses[-1].file.endswith("e_take002.csv"))
    assert drive.stop().is_complete is True


def test_closing_the_window_ends_the_take_as_incomplete(drive):
    drive.record()
    drive.wait(lambda: drive.rows >= 4)
    assert drive.engine.shutdown(PATIENCE_S)
    recording = read_recording(Path(drive.statuses[0].file))
    assert recording.is_complete is False
    assert recording.reason == "the program ended before the recording was stopped"


def test_placing_the_agent_anew_ends_the_take_as_incomplete(drive):
    drive.record()
    drive.engine.spawn(HUMAN, (1.0, 0.0, 0.0), 0.0)
    drive.wait(lambda: drive.statuses[-1].is_ended)
    recording = read_recording(Path(drive.statuses[-1].file))
    assert (recording.is_complete, recording.reason) == (False, "the agent was placed anew")


def test_giving_up_is_kept_with_its_reason(drive):
    drive.record()
    drive.engine.stop_recording("lost: which door?", is_complete=False)
    drive.wait(lambda: drive.statuses[-1].is_ended)
    recording = read_recording(Path(drive.statuses[-1].file))
    assert (recording.is_complete, recording.reason) == (False, "lost: which door?")


def test_what_cannot_be_recorded_is_refused_and_driving_goes_on(drive):
    drive.engine.start_engine()
    drive.engine.start_recording(drive.folder / "e.csv", {})
    drive.wait(lambda: bool(drive.refused))
    assert drive.refused == ["put an agent into the scene before it is recorded"]
    drive.place()
    (drive.folder / "file").write_text("")
    drive.engine.start_recording(drive.folder / "file" / "e.csv", {})
    drive.wait(lambda: len(drive.refused) == 2)
    drive.engine.set_command(AHEAD)
    drive.wait(lambda: drive.seen[-1].position_m[0] > 0.1)
    assert drive.engine.state is EngineState.DRIVING


def test_a_disk_that_refuses_is_told_until_it_takes_the_rows(drive, monkeypatch):
    drive.record()
    drive.wait(lambda: drive.rows >= 3)
    client = drive.clients[0]
    saved = client.recording_status
    stop = client.stop_recording

    def stop_unsaved(reason, *, is_complete=True):
        from dataclasses import replace

        return replace(stop(reason, is_complete=is_complete), unsaved_rows=2, problem="disk full")

    monkeypatch.setattr(client, "stop_recording", stop_unsaved)
    drive.engine.stop_recording("stop")
    drive.wait(lambda: len(drive.statuses) >= 3)
    assert (drive.statuses[1].unsaved_rows, drive.statuses[1].problem) == (2, "disk full")
    assert (drive.statuses[2].unsaved_rows, drive.statuses[2].problem) == (0, "")
    assert saved().is_ended


def test_an_engine_that_fails_at_the_stop_ends_the_take_as_incomplete(drive, monkeypatch):
    """Whoever drove would wait for it to be saved for good."""
    drive.record()
    drive.wait(lambda: drive.rows >= 3)
    client = drive.clients[0]
    stop = client.stop_recording

    def fail(reason, *, is_complete=True):
        if is_complete:
            raise SimulatorError("the engine failed")
        return stop(reason, is_complete=is_complete)

    monkeypatch.setattr(client, "stop_recording", fail)
    recording = drive.stop()
    assert (recording.is_complete, recording.reason) == (False, "the engine failed")
    assert len(recording.trajectory) >= 3
    drive.wait(lambda: drive.refused == ["the engine failed"])


def test_the_gaze_moves_in_simulated_time_and_is_true_at_every_sample(drive):
    drive.record()
    drive.wait(lambda: drive.rows >= 3)
    drive.engine.set_look(0.6)
    drive.wait(lambda: drive.pitch_rad > 0.3)
    highest = drive.pitch_rad
    drive.engine.set_look(0.0)
    drive.engine.move_gaze(-0.5)
    drive.wait(lambda: drive.pitch_rad < highest - 0.3)
    rows = drive.rows
    drive.wait(lambda: drive.rows >= rows + 2)
    shown = drive.pitch_rad
    samples = drive.stop().trajectory
    pitches = samples.camera_pitches_rad
    assert pitches[0] == 0.0
    steps = np.diff(pitches)
    # 0.6 rad/s are 0.03 rad in 50 ms, whole samples apart from the first and the last.
    whole = np.isclose(steps, 0.03, atol=1e-9)
    assert whole.sum() >= 7
    assert steps.min() == pytest.approx(-0.5, abs=0.03)
    assert pitches[-1] == shown == pytest.approx(pitches.max() - 0.5, abs=0.03)


def test_the_gaze_stops_at_its_limits(drive):
    drive.record()
    limit = np.radians(60)
    for ask, reached in ((drive.engine.move_gaze, -limit), (drive.engine.set_look, limit)):
        ask(9.0 if reached > 0 else -9.0)
        drive.wait(lambda wanted=reached: drive.pitch_rad == pytest.approx(wanted))
        rows = drive.rows
        drive.wait(lambda least=rows + 2: drive.rows >= least)
    pitches = drive.stop().trajectory.camera_pitches_rad
    assert pitches.min() == pytest.approx(-limit)
    assert pitches.max() == pitches[-1] == pytest.approx(limit)


def test_a_note_is_kept_beside_the_samples(drive):
    drive.record()
    drive.engine.note_recording("the game controller was unplugged: Pad")
    drive.wait(lambda: len(drive.statuses) >= 2)
    events = drive.stop().events
    assert [(e.kind, e.detail) for e in events] == [
        ("note", "the game controller was unplugged: Pad")
    ]
