"""What the worker records, against a real engine and the deterministic one."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from simulators.rooms import HUMAN, door, floor, scene

from waypost.domain.base.errors import InputError
from waypost.domain.record.recording import SCHEMA, SCHEMA_VERSION
from waypost.io.recordings.columns import COLUMNS
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_frames import frames_folder
from waypost.io.recordings.take_records import RECORDS_SUFFIX
from waypost.simulators.protocol import DriveCommand, DriverState
from waypost.simulators.worker import recorder, take_writer

pytestmark = pytest.mark.conformance
AHEAD = DriveCommand(1.0)


def begin(client, folder, *objects, at=(0.0, 0.0, 0.0), yaw=0.3, origin=(0.0, 0.0, 0.0)):
    client.load_scene(scene(floor(), *objects, origin_m=origin))
    client.spawn(HUMAN, at, yaw)
    return client.start_recording(folder / "e.csv", {"episode": {"episode_id": "e"}})


def test_worker_and_reader_agree_on_the_file():
    assert recorder.COLUMNS == COLUMNS
    assert (recorder.SCHEMA, recorder.SCHEMA_VERSION) == (SCHEMA, SCHEMA_VERSION)
    assert take_writer.RECORDS_SUFFIX == RECORDS_SUFFIX


def test_a_minute_has_1201_rows_from_the_start_pose_to_the_stop(either, tmp_path):
    status = begin(either, tmp_path, at=(-3.0, -3.0, 0.0))
    assert (status.rows, status.time_ns, status.problem) == (1, 0, "")
    for index in range(240):
        telemetry = either.drive(DriveCommand(0.5, 0.0, 0.6 if index % 2 else -0.6), 30)
    status = either.stop_recording("stop")
    assert (status.rows, status.unsaved_rows, status.is_ended) == (1201, 0, True)
    recording = read_recording(Path(status.file))
    samples = recording.trajectory
    assert len(samples) == 1201
    assert set(np.diff(samples.times_ns).tolist()) == {50_000_000}
    assert samples.times_ns[-1] == 60_000_000_000
    assert samples.positions_m[0] == pytest.approx([-3.0, -3.0, 0.0], abs=1e-4)
    assert samples.yaws_rad[0] == pytest.approx(0.3, abs=1e-6)
    assert samples.positions_m[-1].tolist() == list(telemetry.position_m)
    assert samples.yaws_rad[-1] == telemetry.yaw_rad
    assert (recording.is_complete, recording.reason) == (True, "stop")
    assert (recording.marks, recording.notes) == ((), ())
    yaws = 2 * np.arctan2(samples.quaternions[:, 3], samples.quaternions[:, 0])
    assert np.abs(np.remainder(yaws - samples.yaws_rad + math.pi, math.tau) - math.pi).max() < 1e-9
    assert (np.diff(samples.wall_times_ns) >= 0).all()
    assert samples.wall_times_ns[0] == 0


def test_a_stop_between_two_samples_ends_on_the_next(fake, tmp_path):
    begin(fake, tmp_path)
    fake.drive(AHEAD, 62)
    status = fake.stop_recording("stop")
    samples = read_recording(Path(status.file)).trajectory
    assert samples.times_ns.tolist() == [50_000_000 * k for k in range(12)]
    assert samples.actions[-2:] == ("forward", "idle")
    assert 0 < samples.speeds_mps[-1] < samples.speeds_mps[-2]


def test_a_recording_may_begin_while_the_agent_moves(fake, tmp_path):
    fake.load_scene(scene(floor()))
    fake.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    moving = fake.drive(AHEAD, 61)
    fake.start_recording(tmp_path / "e.csv", {})
    fake.drive(AHEAD, 12)
    status = fake.stop_recording("stop")
    samples = read_recording(Path(status.file)).trajectory
    assert samples.times_ns.tolist() == [0, 50_000_000, 100_000_000]
    assert samples.positions_m[0].tolist() == list(moving.position_m)


def test_samples_say_what_the_driver_did(either, tmp_path):
    begin(either, tmp_path, door(0.4, x=1.0), yaw=0.0)
    either.drive(AHEAD, 6, DriverState(camera_pitch_rad=-0.25))
    either.drive(DriveCommand(0.0, 0.0, 1.0), 3)
    either.drive(DriveCommand(-0.2, 0.0, -1.0), 3, DriverState("look_around"))
    either.drive(AHEAD, 3, DriverState(has_focus=False))
    either.drive(AHEAD, 3, DriverState())
    either.drive(AHEAD, 246)
    samples = read_recording(Path(either.stop_recording("stop").file)).trajectory
    assert samples.actions[:5] == ("idle", "forward", "look_around", "forward", "forward")
    assert samples.camera_pitches_rad[:4].tolist() == [0.0, -0.25, 0.0, 0.0]
    assert samples.has_focus[:6].tolist() == [1, 1, 1, 0, 1, 1]
    assert samples.contact_counts[:3].tolist() == [0, 0, 0]
    assert samples.contact_counts[-1] == 1
    assert samples.displacements_m[0] == 0.0
    assert samples.displacements_m[-1] > 0.1
    assert (np.diff(samples.displacements_m) >= 0).all()
    assert samples.speeds_mps[1] == pytest.approx(0.1, abs=1e-3)


def test_without_focus_the_agent_stands_still_at_once(either, tmp_path):
    begin(either, tmp_path, yaw=0.0)
    moving = either.drive(AHEAD, 120)
    assert moving.speed_mps == pytest.approx(1.0, abs=1e-3)
    still = either.drive(AHEAD, 2, DriverState(has_focus=False))
    assert still.speed_mps == pytest.approx(0.0, abs=1e-6)
    assert still.position_m == pytest.approx(moving.position_m, abs=1e-6)
    either.drive(AHEAD, 10)
    either.drive(AHEAD, 12, DriverState())
    either.drive(AHEAD, 1, DriverState(has_focus=False))
    samples = read_recording(Path(either.stop_recording("stop").file)).trajectory
    assert samples.has_focus[20:].tolist() == [1, 0, 0, 1, 1, 0]
    assert samples.actions[20:] == ("forward", "idle", "idle", "forward", "forward", "idle")
    assert samples.displacements_m[-1] == 0.0
    assert either.drive(AHEAD, 12).speed_mps > 0.1


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (DriveCommand(), "idle"),
        (DriveCommand(-0.1), "back"),
        (DriveCommand(0.0, 0.2), "strafe_left"),
        (DriveCommand(0.1, -0.2, 1.0), "forward+strafe_right+turn_left"),
        (DriveCommand(turn_radps=-1.0), "turn_right"),
    ],
)
def test_actions_are_the_directions_of_the_command(command, word):
    assert recorder.action_of(command) == word


def test_positions_are_those_of_the_scene_far_from_its_origin(fake, tmp_path):
    begin(
        fake, tmp_path, origin=(500_000.0, -4_000_000.0, 30.0), at=(500_001.0, -3_999_999.0, 30.0)
    )
    fake.drive(AHEAD, 6)
    samples = read_recording(Path(fake.stop_recording("stop").file)).trajectory
    assert samples.positions_m[0].tolist() == [500_001.0, -3_999_999.0, 30.0]


def test_a_new_take_never_overwrites(fake, tmp_path):
    files = []
    for _ in range(3):
        begin(fake, tmp_path)
        files.append(Path(fake.stop_recording("stop").file).name)
    assert files == ["e_take001.csv", "e_take002.csv", "e_take003.csv"]
    (tmp_path / "e_take004.csv").write_text("mine")
    (tmp_path / f"e_take005{RECORDS_SUFFIX}").write_text("mine")
    # Of a take whose samples somebody has deleted.
    frames_folder(tmp_path / "e_take006.csv").mkdir()
    begin(fake, tmp_path)
    assert fake.stop_recording("stop").file == str(tmp_path / "e_take007.csv")
    assert (tmp_path / "e_take004.csv").read_text() == "mine"
    assert not (tmp_path / f"e_take004{RECORDS_SUFFIX}").exists()


def test_the_header_says_how_the_take_was_made(physx, tmp_path):
    begin(physx, tmp_path)
    file = Path(physx.stop_recording("stop").file)
    header = read_recording(file).header
    assert header["episode"] == {"episode_id": "e"}
    assert header["engine"]["name"] == "physx"
    assert header["engine"]["version"] == physx.engine.version
    assert header["mover_hash"] == physx.settings_hash
    assert header["slide_policy"].startswith("sliding allowed: ")
    assert header["sample_interval_ns"] == 50_000_000
    assert header["columns"] == list(COLUMNS)
    assert header["wall_clock"]
    assert header["started_utc"].endswith("+00:00")
    end = json.loads(file.with_suffix("").with_suffix(RECORDS_SUFFIX).read_text().splitlines()[-1])
    assert end["csv_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()


def test_the_program_cannot_replace_what_the_worker_knows(fake, tmp_path):
    fake.load_scene(scene(floor()))
    fake.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    status = fake.start_recording(tmp_path / "e.csv", {"engine": "faster", "participant": "P-2"})
    fake.stop_recording("stop")
    header = read_recording(Path(status.file)).header
    assert (header["engine"]["name"], header["participant"]) == ("fake", "P-2")


def test_a_pause_holds_the_agent_and_is_noted(fake, tmp_path):
    begin(fake, tmp_path)
    fake.drive(AHEAD, 6)
    assert fake.mark_recording("pause", "door bell").is_paused
    with pytest.raises(InputError, match="the recording is paused"):
        fake.drive(AHEAD, 6)
    assert not fake.mark_recording("resume").is_paused
    telemetry = fake.drive(AHEAD, 6)
    assert telemetry.recording.rows == 3
    recording = read_recording(Path(fake.stop_recording("stop").file))
    assert [(e.kind, e.time_ns, e.detail) for e in recording.events] == [
        ("pause", 50_000_000, "door bell"),
        ("resume", 50_000_000, ""),
    ]
    assert recording.events[0].wall_time_ns <= recording.events[1].wall_time_ns
    assert recording.trajectory.times_ns.tolist() == [0, 50_000_000, 100_000_000]


def test_what_makes_no_sense_is_refused(fake, tmp_path):
    fake.load_scene(scene(floor()))
    with pytest.raises(InputError, match="no agent has been spawned"):
        fake.start_recording(tmp_path / "e.csv", {})
    for call in (
        lambda: fake.stop_recording("stop"),
        lambda: fake.mark_recording("pause"),
    ):
        with pytest.raises(InputError, match="no recording is under way"):
            call()
    begin(fake, tmp_path)
    with pytest.raises(InputError, match="a recording is under way; stop it first"):
        fake.start_recording(tmp_path / "f.csv", {})
    with pytest.raises(InputError, match="'party' is none of pause, resume, lost, time_up, "):
        fake.mark_recording("party")
    with pytest.raises(InputError, match="is not one short word"):
        fake.drive(AHEAD, 1, DriverState("a,b\n"))
    assert fake.stop_recording("stop").rows == 1


@pytest.mark.parametrize("disturb", ["spawn", "load", "give up"])
def test_a_take_that_cannot_go_on_is_incomplete_with_the_reason(fake, tmp_path, disturb):
    status = begin(fake, tmp_path)
    fake.drive(AHEAD, 20)
    if disturb == "spawn":
        fake.spawn(HUMAN, (1.0, 0.0, 0.0), 0.0)
        reason = "the agent was placed anew"
    elif disturb == "load":
        fake.load_scene(scene(floor()))
        reason = "another scene was loaded"
    else:
        reason = "the participant is lost"
        fake.stop_recording(reason, is_complete=False)
    recording = read_recording(Path(status.file))
    assert (recording.is_complete, recording.reason) == (False, reason)
    assert len(recording.trajectory) == 4
    assert fake.recording_status().is_ended


def test_a_folder_that_cannot_be_made_is_refused_and_leaves_nothing(fake, tmp_path):
    (tmp_path / "file").write_text("")
    fake.load_scene(scene(floor()))
    fake.spawn(HUMAN, (0.0, 0.0, 0.0), 0.0)
    with pytest.raises(InputError, match=r"Not a directory|File exists"):
        fake.start_recording(tmp_path / "file" / "e.csv", {})
    assert fake.recording_status() is None or fake.recording_status().is_ended
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_drive_to_a_target_is_recorded_too(physx, tmp_path):
    begin(physx, tmp_path, yaw=0.0)
    outcome = physx.drive_to((2.0, 0.0, 0.0))
    status = physx.stop_recording("stop")
    samples = read_recording(Path(status.file)).trajectory
    assert outcome.reached
    assert samples.positions_m[-1, 0] == pytest.approx(2.0, abs=0.05)
    assert samples.times_ns[-1] / 1e9 == pytest.approx(outcome.sim_time_s, abs=0.05)
    assert {"forward"} <= set(samples.actions) <= {"idle", "forward"}


def test_the_same_drive_is_recorded_the_same_twice(either, tmp_path):
    takes = []
    for _ in range(2):
        begin(either, tmp_path, door(0.9))
        for command in itertools.islice(itertools.cycle([AHEAD, DriveCommand(0.7, 0, 0.5)]), 20):
            either.drive(command, 17)
        takes.append(read_recording(Path(either.stop_recording("stop").file)).trajectory)
    assert np.array_equal(takes[0].positions_m, takes[1].positions_m)
    assert np.array_equal(takes[0].times_ns, takes[1].times_ns)
