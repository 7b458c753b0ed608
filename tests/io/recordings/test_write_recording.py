from __future__ import annotations

import csv
import json

import pytest
from fixtures.take_examples import recordings
from hypothesis import HealthCheck, given, settings

from tools.recording_files import write_recording
from waypost.domain.base.errors import ReadError
from waypost.domain.record.recording import Recording
from waypost.domain.record.trajectory import trajectory
from waypost.io.recordings.columns import COLUMNS
from waypost.io.recordings.parquet import read_parquet_recording, write_parquet_recording
from waypost.io.recordings.read_recording import read_recording
from waypost.io.recordings.take_records import records_path

QUICK = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@QUICK
@given(recordings())
def test_reading_our_own_csv_gives_an_equal_take(tmp_path, recording):
    path = tmp_path / "a_take001.csv"
    write_recording(path, recording)
    assert read_recording(path) == recording
    assert read_recording(records_path(path)) == recording


@QUICK
@given(recordings())
def test_reading_our_own_parquet_gives_an_equal_take(tmp_path, recording):
    path = tmp_path / "a.parquet"
    write_parquet_recording(path, recording)
    assert read_recording(path) == recording


def test_the_csv_is_plain_and_unknown_values_are_empty_cells(tmp_path):
    path = tmp_path / "a.csv"
    samples = trajectory(1, times_ns=[0], positions_m=[[0.1, 2.0, -0.0]], actions=["idle"])
    write_recording(path, Recording(samples, is_complete=True, reason="stop"))
    with path.open(newline="") as file:
        names, row = csv.reader(file)
    assert tuple(names) == COLUMNS
    assert row == ["0", "", "0.1", "2.0", "-0.0", *[""] * 8, "idle", "", "", ""]
    header, end = map(json.loads, records_path(path).read_text().splitlines())
    assert (header["kind"], header["csv"], header["schema_version"]) == ("header", "a.csv", 1)
    assert (end["complete"], end["reason"], end["rows"], end["time_ns"]) == (True, "stop", 1, 0)
    assert len(end["csv_sha256"]) == 64


def test_another_parquet_file_is_refused(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    with pytest.raises(ReadError, match="does not exist"):
        read_parquet_recording(path)
    path.write_bytes(b"nothing")
    with pytest.raises(ReadError, match="is no readable Parquet file"):
        read_parquet_recording(path)
    pq.write_table(pa.table({"x": [1.0]}), path)
    with pytest.raises(ReadError, match="is not a waypost-recording"):
        read_parquet_recording(path)


def test_damaged_metadata_of_a_parquet_file_is_refused(tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    write_parquet_recording(path, Recording(trajectory(1, times_ns=[0])))
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({b"waypost-recording": b"{}"}), path)
    with pytest.raises(ReadError, match="metadata: cannot be read: KeyError"):
        read_parquet_recording(path)


def test_marks_and_notes_survive_in_parquet(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,z,t\n0,0,0,0\nnan,0,0,1\n1,0,0,0\n")
    recording = read_recording(tmp_path / "a.csv")
    assert [mark.row for mark in recording.marks] == [1, 2]
    write_parquet_recording(tmp_path / "a.parquet", recording)
    assert read_recording(tmp_path / "a.parquet") == recording
