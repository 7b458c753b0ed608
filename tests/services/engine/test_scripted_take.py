from __future__ import annotations

import json
import math
import time
from pathlib import Path

import pytest
from simulators.engines import start_engine
from simulators.rooms import HUMAN, floor, scene

from waypost.app.shell.key_sets import DRIVE_ENTRIES, drive_keys
from waypost.domain.base.errors import ReadError
from waypost.io.key_scripts import KeyPress, read_key_script
from waypost.io.recordings.read_recording import read_recording
from waypost.services.engine.scripted_take import SCRIPT_KEYS, play_keys
from waypost.services.input.key_driving import DEFAULT_KEYS
from waypost.services.input.shortcuts import ShortcutMap


@pytest.fixture(scope="module")
def client():
    with start_engine("fake") as client:
        client.load_scene(scene(floor()))
        yield client


def play(client, folder, presses, **options):
    client.spawn(HUMAN, (-2.0, 0.0, 0.0), 0.0)
    client.start_recording(folder / "e.csv", {})
    return read_recording(Path(play_keys(client, HUMAN, presses, **options).file))


def test_scripts_know_the_keys_of_the_window():
    assert drive_keys(ShortcutMap(DRIVE_ENTRIES)) == DEFAULT_KEYS


def test_keys_move_the_agent_while_they_are_held(client, tmp_path):
    presses = [
        KeyPress(0.5, "W", True),
        KeyPress(1.0, "Left", True),
        KeyPress(1.5, "W", False),
        KeyPress(1.5, "Left", False),
        KeyPress(2.0, "W", False),
    ]
    recording = play(client, tmp_path, presses)
    samples = recording.trajectory
    assert samples.times_ns[-1] == 2_000_000_000
    expected = ["idle"] * 11 + ["forward"] * 10 + ["forward+turn_left"] * 10 + ["idle"] * 10
    assert list(samples.actions) == expected
    assert (recording.is_complete, recording.reason) == (True, "end of the script")


@pytest.mark.parametrize("is_paced", [False, True])
def test_look_keys_move_the_gaze_of_every_sample(client, tmp_path, is_paced):
    presses = [
        KeyPress(0.11, "R", True),
        KeyPress(0.61, "R", False),
        KeyPress(0.8, "PgDown", True),
        KeyPress(1.0, "PgDown", False),
    ]
    recording = play(client, tmp_path, presses, is_paced=is_paced)
    pitches = recording.trajectory.camera_pitches_rad
    per_s = math.radians(45)
    # Presses count from the physics step nearest to them: 13 and 73 of 120 a second.
    up = [min(max(0.05 * k - 13 / 120, 0.0), 0.5) * per_s for k in range(17)]
    down = [up[-1] - 0.05 * k * per_s for k in range(1, 5)]
    assert pitches == pytest.approx([*up, *down])
    assert set(recording.trajectory.actions) == {"idle"}


def test_the_second_enter_stops(client, tmp_path):
    presses = [
        KeyPress(0.0, "W", True),
        KeyPress(0.5, "Enter", True),
        KeyPress(0.6, "Enter", False),
        KeyPress(1.0, "Enter", True),
        KeyPress(9.0, "W", False),
    ]
    recording = play(client, tmp_path, presses)
    assert recording.trajectory.times_ns[-1] == 1_000_000_000
    assert recording.reason == "stop"


def test_a_duration_ends_the_take_or_prolongs_it(client, tmp_path):
    presses = [KeyPress(0.0, "W", True), KeyPress(0.5, "W", False)]
    recording = play(client, tmp_path, presses, duration_s=0.25)
    assert recording.trajectory.times_ns[-1] == 250_000_000
    assert recording.reason == "end of the time given"
    assert play(client, tmp_path, [], duration_s=1.0).trajectory.times_ns[-1] == 1_000_000_000


def test_paced_by_the_wall_clock_a_second_takes_a_second(client, tmp_path):
    begin_s = time.monotonic()
    recording = play(client, tmp_path, [], duration_s=1.0, is_paced=True)
    # The first batch is due at once, and a late one may be caught up with.
    assert time.monotonic() - begin_s > 0.85
    assert len(recording.trajectory) == 21


def test_a_script_is_read_in_the_order_of_time(tmp_path):
    path = tmp_path / "keys.json"
    path.write_text(
        json.dumps(
            [{"t_s": 2, "key": "w", "down": False}, {"t_s": 0.5, "key": "ENTER", "down": True}]
        )
    )
    assert read_key_script(path, SCRIPT_KEYS) == (
        KeyPress(0.5, "Enter", True),
        KeyPress(2.0, "W", False),
    )


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ('{"a": 1}', "top level: "),
        ('[{"t_s": -1, "key": "W", "down": true}]', r"\[0\]\.t_s: -1 is outside 0 to 86400"),
        ('[{"t_s": NaN, "key": "W", "down": true}]', r"\[0\]\.t_s: "),
        ('[{"t_s": 1, "key": "F13", "down": true}]', r"\[0\]\.key: 'F13' is none of A, D, Down"),
        ('[{"t_s": 1, "key": "W", "down": 1}]', r"\[0\]\.down: "),
        ('[{"t_s": 1, "key": "W"}]', r"\[0\]\.down: is missing"),
    ],
)
def test_a_bad_script_is_refused_by_place(tmp_path, script, sentence):
    path = tmp_path / "keys.json"
    path.write_text(script)
    with pytest.raises(ReadError, match=sentence):
        read_key_script(path, SCRIPT_KEYS)
