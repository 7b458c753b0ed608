from __future__ import annotations

import contextlib
import json
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.recording_files import write_recording
from waypost.domain.base.errors import ReadError, WriteError
from waypost.domain.record.recording import MarkKind, Recording, TakeEvent, usable_rows
from waypost.domain.record.trajectory import UNKNOWN_COUNT, UNKNOWN_NS, trajectory
from waypost.io.recordings.columns import COLUMNS
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_records import add_missing_end, records_path


@pytest.fixture
def take(tmp_path):
    """A complete take of three samples."""
    path = tmp_path / "e_take001.csv"
    samples = trajectory(
        3,
        times_ns=[0, 50_000_000, 100_000_000],
        wall_times_ns=[0, 51_000_000, 99_000_000],
        positions_m=[[0, 0, 0], [0.5, 0, 0], [1.0, 0.25, 0]],
        yaws_rad=[0, 0.1, 0.2],
        actions=["idle", "forward", "forward"],
    )
    write_recording(path, Recording(samples, is_complete=True, reason="stop"))
    return path


def read_text(tmp_path, text, name="foreign.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_recording(path)


def test_a_take_without_end_is_incomplete_and_says_how_much_is_there(take):
    lines = records_path(take).read_text().splitlines(keepends=True)
    records_path(take).write_text("".join(lines[:-1]))
    recording = read_recording(take)
    assert recording.is_complete is False
    assert "cut off" in recording.reason
    assert recording.reason.endswith("3 samples up to 0.10 s were saved")


@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_row_that_is_cut_off_is_left_out_with_a_note(take, cut):
    take.write_bytes(take.read_bytes()[:-cut])
    recording = read_recording(take)
    assert len(recording.trajectory) == 2
    assert recording.is_complete is False
    assert recording.reason == "the end record counts 3 samples, the file holds 2"
    assert "line 4 is cut off and was left out" in recording.notes


def test_a_record_that_is_cut_off_is_left_out_with_a_note(take):
    beside = records_path(take)
    beside.write_bytes(beside.read_bytes()[:-9])
    recording = read_recording(take)
    assert recording.is_complete is False
    assert recording.notes == (f"{beside.name}: line 2 is damaged or cut off and was left out",)


def test_zero_bytes_that_a_power_cut_leaves_are_no_samples(take):
    take.write_bytes(take.read_bytes() + bytes(512))
    recording = read_recording(take)
    assert len(recording.trajectory) == 3
    assert recording.notes[0] == "ends in 512 zero bytes, which were left out"
    assert "the file was changed after it was recorded" in recording.notes


def test_a_changed_value_is_noticed(take):
    take.write_text(take.read_text().replace("0.25", "0.75"))
    recording = read_recording(take)
    assert recording.is_complete is True
    assert recording.notes == ("the file was changed after it was recorded",)


def test_the_missing_end_is_added_once_and_after_a_cut_off_line(take):
    beside = records_path(take)
    assert not add_missing_end(take, "engine died")
    beside.write_bytes(beside.read_bytes()[:-9])
    assert add_missing_end(take, "engine died")
    recording = read_recording(take)
    assert recording.is_complete is False
    assert recording.reason == "engine died; 3 samples up to 0.10 s were saved"
    assert recording.notes == (f"{beside.name}: line 2 is damaged or cut off and was left out",)


def test_the_missing_end_gives_the_reason(take):
    beside = records_path(take)
    beside.write_text(beside.read_text().splitlines(keepends=True)[0])
    assert add_missing_end(take, "the physics engine stopped (exit code -9)")
    assert not add_missing_end(take, "again")
    recording = read_recording(take)
    assert recording.is_complete is False
    assert recording.reason == (
        "the physics engine stopped (exit code -9); 3 samples up to 0.10 s were saved"
    )


def test_a_take_that_was_killed_before_its_first_sample_was_saved(take):
    take.write_text(take.read_text().splitlines(keepends=True)[0])
    beside = records_path(take)
    beside.write_text(beside.read_text().splitlines(keepends=True)[0])
    recording = read_recording(take)
    assert recording.is_complete is False
    assert recording.reason.endswith("no sample was saved")


def test_an_end_that_cannot_be_added_is_told(take, monkeypatch):
    beside = records_path(take)
    beside.write_text(beside.read_text().splitlines(keepends=True)[0])

    real = type(beside).open

    def refuse(path, mode="r", *rest, **options):
        if "+" in mode:
            raise OSError(28, "No space left on device")
        return real(path, mode, *rest, **options)

    monkeypatch.setattr(type(beside), "open", refuse)
    with pytest.raises(WriteError, match="cannot be written: No space left on device"):
        add_missing_end(take, "engine died")


def test_events_are_read(take):
    beside = records_path(take)
    header, end = beside.read_text().splitlines()
    pause = json.dumps({"kind": "pause", "time_ns": 5, "wall_time_ns": 6, "detail": "door bell"})
    beside.write_text(f"{header}\n{pause}\n{end}\n")
    assert read_recording(take).events == (TakeEvent("pause", 5, 6, "door bell"),)
    beside.write_text(f'{header}\n{{"kind": "pause"}}\n{end}\n')
    with pytest.raises(ReadError, match="lacks kind or times"):
        read_recording(take)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{}", "is not the header"),
        ("[]", "is not a JSON object"),
        ('{"kind": "header", "schema": "other"}', "is not the header"),
        (
            '{"kind": "header", "schema": "waypost-recording", "schema_version": 2}',
            "schema version 2 is newer than this program, which knows 1",
        ),
        (
            '{"kind": "header", "schema": "waypost-recording", "schema_version": -1}',
            "schema version -1 is none",
        ),
    ],
)
def test_other_records_are_refused(take, line, reason):
    records_path(take).write_text(line + "\n")
    with pytest.raises(ReadError, match=reason):
        read_recording(take)


def test_what_spreadsheets_do_to_a_take_is_undone_with_notes(take, tmp_path):
    rows = [line.split(",") for line in take.read_text().splitlines()]
    order = [3, 2, 4, 0, 1, *range(5, len(COLUMNS))]
    text = "\r\n\r\n".join(";".join(r[i] for i in order).replace(".", ",") for r in rows)
    recording = read_text(tmp_path, b"\xef\xbb\xbf" + text.encode() + b"\r\n")
    assert recording.trajectory == read_recording(take).trajectory
    assert recording.is_complete is None
    assert recording.reason == "nothing beside the file says how the take ended"
    assert recording.notes == (
        "begins with a byte order mark",
        "has Windows line ends",
        "has 3 blank lines, which were left out",
        "cells are separated by semicolons",
        "numbers have a decimal comma",
        "columns stand in another order",
    )
    assert recording.marks == ()


def test_bad_rows_are_marked_and_never_repaired(tmp_path):
    recording = read_text(
        tmp_path,
        "time_ns,x_m,y_m,z_m,contact_count\n"
        "0,0,0,0,0\n"
        "50000000,nan,0,0,0\n"
        "100000000,2,0,0,0\n"
        "90000000,3,0,0,0\n"
        "150000000,,0,0,0\n"
        "200000000,abc,0,0,0\n"
        "250000000,6,0\n"
        "nan,7,0,0,0\n"
        "300000000,8,inf,0,0\n"
        "350000000,9,0,0,-1.0\n",
    )
    assert [(m.row, m.kind) for m in recording.marks] == [
        (1, MarkKind.NOT_FINITE),
        (3, MarkKind.TIME_BACK),
        (4, MarkKind.NOT_FINITE),
        (5, MarkKind.UNREADABLE),
        (6, MarkKind.UNREADABLE),
        (7, MarkKind.NOT_FINITE),
        (8, MarkKind.NOT_FINITE),
    ]
    assert recording.marks[1].message == "line 5: time does not advance"
    assert recording.marks[3].message == "line 7: x_m: 'abc' is no number"
    samples = recording.trajectory
    assert len(samples) == 10
    assert np.isnan(samples.positions_m[1, 0])
    assert samples.times_ns[3] == 90_000_000
    assert samples.times_ns[7] == UNKNOWN_NS
    assert usable_rows(recording).tolist() == [0, 2, 9]
    assert samples.contact_counts[9] == UNKNOWN_COUNT


def test_the_human_demo_of_vlnverse_is_read(tmp_path):
    recording = read_text(
        tmp_path,
        "pos_x,pos_y,pos_z,look_x,look_y,look_z,frame\n"
        "1.0,2.0,1.5,1.0,0.0,0.0,50\n"
        "1.5,2.0,1.5,0.0,0.8,0.6,100\n",
    )
    samples = recording.trajectory
    assert samples.times_ns.tolist() == [2_000_000_000, 4_000_000_000]
    assert samples.positions_m.tolist() == [[1.0, 2.0, 1.5], [1.5, 2.0, 1.5]]
    assert samples.yaws_rad.tolist() == [0.0, math.pi / 2]
    assert samples.camera_pitches_rad.tolist() == [0.0, math.atan2(0.6, 0.8)]
    assert any("frames of 40 ms" in note for note in recording.notes)
    assert any("direction of gaze" in note for note in recording.notes)


def test_a_point_looked_at_is_told_from_a_direction(tmp_path):
    recording = read_text(
        tmp_path,
        "pos_x,pos_y,pos_z,look_x,look_y,look_z\n5,5,1,5,9,1\n5,5,1,1,5,1\nnan,5,1,9,9,9\n",
    )
    assert recording.trajectory.yaws_rad[:2].tolist() == [math.pi / 2, math.pi]
    assert any("point looked at" in note for note in recording.notes)
    assert "there are no times" in recording.notes


def test_other_columns_times_and_headings(tmp_path):
    recording = read_text(
        tmp_path,
        "# made by a robot\nTime_ms\tX\tY\tyaw_deg\tfocus\tbattery\n0\t0\t0\t90\ttrue\t99\n"
        "0.5\t1\t0\t-90\tfalse\t98",
    )
    samples = recording.trajectory
    assert samples.times_ns.tolist() == [0, 500_000]
    assert samples.yaws_rad.tolist() == [math.pi / 2, -math.pi / 2]
    assert samples.has_focus.tolist() == [1, 0]
    assert samples.quaternions[0].tolist() == [math.cos(math.pi / 4), 0, 0, math.sin(math.pi / 4)]
    assert recording.marks == ()
    assert "there are no heights" in recording.notes
    assert "columns not read: battery" in recording.notes
    assert "has 1 lines of comment, which were left out" in recording.notes


def test_a_quaternion_alone_gives_the_heading(tmp_path):
    recording = read_text(tmp_path, "sep=,\nx,y,z,qw,qx,qy,qz\n0,0,0,0,0,0,1\n")
    assert recording.trajectory.yaws_rad.tolist() == [math.pi]
    assert "begins with a line for Excel, which was left out" in recording.notes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("# only words\n", "there are no column names"),
        ("a,b\n1,2\n", "there is no column for x_m; found a, b"),
        ("x,pos_x,y\n1,2,3\n", "two columns mean x_m"),
        (b"x,y\n\xff\xff,1\n", "is not utf-8 text"),
        (f"x,y\n{'9' * 200_000},1\n", "is not a table"),
    ],
)
def test_what_is_no_trajectory_is_refused(tmp_path, text, reason):
    with pytest.raises(ReadError, match=reason):
        read_text(tmp_path, text)


def test_numbers_beyond_64_bits_are_marked(tmp_path):
    recording = read_text(tmp_path, f"time_ns,x,y,z\n{2**63},0,0,0\n1e300,0,0,0\n5,0,0,0\n")
    assert [m.kind for m in recording.marks] == [MarkKind.UNREADABLE] * 2
    assert recording.trajectory.times_ns.tolist() == [UNKNOWN_NS, UNKNOWN_NS, 5]


def test_column_names_alone_are_an_empty_take(tmp_path):
    recording = read_text(tmp_path, ",".join(COLUMNS) + "\n")
    assert len(recording.trajectory) == 0
    assert recording.marks == ()


def test_sixteen_bit_text_is_read(tmp_path):
    recording = read_text(tmp_path, "x,y,z\n1,2,3\n".encode("utf-16"))
    assert recording.trajectory.positions_m.tolist() == [[1.0, 2.0, 3.0]]
    assert "begins with a byte order mark" in recording.notes


_cells = st.one_of(
    st.floats().map(repr),
    st.integers().map(str),
    st.text(max_size=5),
    st.sampled_from(["", "nan", "-inf", "1,5", '"', "1e999", "\x00"]),
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.sampled_from([*COLUMNS, "pos_x", "look_x", "look_y", "look_z", "frame", "a"])),
    st.lists(st.lists(_cells, max_size=8), max_size=5),
    st.sampled_from([",", ";", "\t"]),
)
def test_any_table_is_read_with_finite_positions_or_refused(tmp_path, names, rows, separator):
    lines = [separator.join(cells) for cells in [["x", "y", *names], *rows]]
    text = "\n".join(lines).encode("utf-8", "replace")
    with contextlib.suppress(ReadError):
        recording = read_text(tmp_path, text)
        assert len(usable_rows(recording)) + len(recording.marks) == len(recording.trajectory)
        usable = recording.trajectory.positions_m[usable_rows(recording), :2]
        assert np.isfinite(usable).all()


@given(st.binary(max_size=200))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path, noise):
    with pytest.raises(ReadError):
        read_text(tmp_path, b"a,b\n" + noise)
