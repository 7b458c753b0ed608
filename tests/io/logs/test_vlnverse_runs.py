"""VLNVerse: CSV of human demonstrations, challenge submissions, evaluation databases."""

import importlib
import json
import math
import sys

import numpy as np
import pytest
from fixtures.run_samples import SUBMISSION, VLNVERSE_CSV

from waypost.domain.base.errors import InputError, ReadError, WriteError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun, RunEnd
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs import vlnpe_lmdb, vlnverse_csv_runs, vlnverse_submission
from waypost.io.read_log import ReadLog

lmdb = pytest.importorskip("lmdb")
msgpack = pytest.importorskip("msgpack")


def read(path):
    log = ReadLog()
    return list(RUN_FORMATS.read(path, log)), log


def test_a_csv_is_one_run_with_yaw_from_the_look_vector(tmp_path):
    path = tmp_path / "kujiale_0010_1_2.csv"
    path.write_text(VLNVERSE_CSV)
    (run,), _ = read(path)
    assert run.episode_id == "kujiale_0010_1_2"
    assert run.route.positions_m.tolist() == [[1.0, 2.0, 1.5], [1.5, 2.0, 1.5]]
    assert run.route.yaws_rad.tolist() == [0.0, math.pi / 2]
    assert run.route.elevations_rad.tolist() == [0.0, 0.0]
    assert run.end == RunEnd(called_stop=True, reason="Enter pressed")
    assert run.extra == {"frame": ["0", "50"]}


def test_a_look_straight_up_has_no_yaw(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("pos_x,pos_y,pos_z,look_x,look_y,look_z\n0,0,1.5,0,0,2\n")
    (run,), _ = read(path)
    assert math.isnan(run.route.yaws_rad[0])
    assert run.route.elevations_rad[0] == math.pi / 2


def test_a_folder_of_csv_files_is_a_run_set(tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.csv").write_text(VLNVERSE_CSV)
    (tmp_path / "c.csv").write_text(VLNVERSE_CSV.replace("1.5,2.0", "1.5,here"))
    (tmp_path / "d.csv").write_text(VLNVERSE_CSV[:-12])
    runs, log = read(tmp_path)
    assert [(run.episode_id, len(run.route)) for run in runs] == [("a", 2), ("b", 2), ("d", 1)]
    assert runs[2].end == RunEnd()
    bad = {entry.item_id: entry.message for entry in log.findings}
    assert bad["c"].endswith("c.csv: line 3, pos_y: 'here' is no usable number")
    assert log.counts[ImportKind.TRUNCATED] == 1
    vlnverse_csv_runs.write(tmp_path / "out", runs[:2], ReadLog())
    assert (tmp_path / "out" / "a.csv").read_text() == VLNVERSE_CSV
    with pytest.raises(InputError, match="a CSV holds one run"):
        vlnverse_csv_runs.write(tmp_path / "x.csv", runs[:2], ReadLog())
    with pytest.raises(InputError, match="cannot name a file"):
        vlnverse_csv_runs.write(
            tmp_path / "out", [EpisodeRun("../up", route(positions_m=[[0, 0, 0]]))], ReadLog()
        )


def test_a_csv_without_its_columns_is_said(tmp_path):
    path = tmp_path / "e.csv"
    path.write_text("pos_x,pos_y\n1,2\n")
    with pytest.raises(ReadError, match=r"e\.csv: line 1: lacks the column pos_z"):
        list(vlnverse_csv_runs.read(path, ReadLog()))


def test_a_submission_is_the_reference_path_walked(tmp_path):
    path = tmp_path / "submission.json.gz"
    vlnverse_submission.write(path, [], ReadLog())
    path.write_text(json.dumps(SUBMISSION))
    (run,), log = read(path)
    assert run.route.positions_m.tolist() == SUBMISSION["episodes"][0]["reference_path"]
    assert run.route.yaws_rad[0] == 0.0
    assert np.isnan(run.route.yaws_rad[1:]).all()
    assert (run.scene_id, run.instruction) == ("kujiale_0010", "go")
    assert log.document == {"instruction_vocab": {"word_list": ["a"]}}
    assert log.findings == []


def test_a_stop_pose_away_from_the_path_is_said(tmp_path):
    moved = json.loads(json.dumps(SUBMISSION))
    moved["episodes"][0]["goals"]["position"] = [1.25, 5.0, 0.0]
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(moved))
    _, log = read(path)
    assert log.findings[0].message.startswith(
        "kujiale_0010_1_2 gives a stop pose 3.00 m from the end of its path"
    )


def test_a_run_of_another_form_becomes_a_submission(tmp_path):
    run = EpisodeRun(
        "k_1", route(positions_m=[[0, 0, 0], [1, 0, 0]], yaws_rad=[math.pi, 0.0]), scene_id="k"
    )
    path = tmp_path / "s.json"
    vlnverse_submission.write(path, [run], ReadLog())
    (again,), _ = read(path)
    assert again.route.positions_m.tolist() == [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    assert again.route.yaws_rad[0] == pytest.approx(math.pi)
    assert again.scene_id == "k"
    unturned, log = EpisodeRun("k_2", route(positions_m=[[0, 0, 0], [1, 0, 0]])), ReadLog()
    vlnverse_submission.write(path, [run, unturned], log)
    assert log.warnings[-1] == (
        "s.json: 1 run states no first heading: there start_rotation is left out"
    )
    (_, again), found = read(path)
    assert again.route.yaws_rad is None
    assert found.findings == []


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["fine_grained_demo.json", "coarse_grained_demo.json"])
def test_the_public_demo_reads_as_a_submission(shared_data, name):
    path = shared_data / "vlnverse" / name
    runs, log = read(path)
    records = json.loads(path.read_text())
    assert [run.episode_id for run in runs] == [record["episode_id"] for record in records]
    assert [run.route.positions_m.tolist() for run in runs] == [
        record["reference_path"] for record in records
    ]
    assert all(abs(run.route.yaws_rad[0]) <= math.pi for run in runs)
    assert log.counts[ImportKind.UNREADABLE] == 0


INFO = {
    "shortest_path_length": 5.5,
    "NE": 2.0,
    "success": 1.0,
    "osr": 1.0,
    "TL": 7.25,
    "spl": 0.75,
    "ndtw": 0.5,
    "steps": 900,
    "episode_id": 31,
    "trajectory_id": "8",
    "fail_reason": "",
    "reference_path": [[0.0, 0.0, 0.0]],
}


def _numpy(array):
    """An array or number as msgpack-numpy packs it."""
    if isinstance(array, np.ndarray):
        return {
            b"nd": True,
            b"type": array.dtype.str,
            b"kind": b"",
            b"shape": array.shape,
            b"data": array.tobytes(),
        }
    return {b"nd": False, b"type": array.dtype.str, b"data": array.tobytes()}


def _database(path, records):
    path.mkdir(parents=True)
    with lmdb.open(str(path), map_size=1 << 20) as database, database.begin(write=True) as writing:
        for key, value in records.items():
            packed = value if isinstance(value, bytes) else msgpack.packb(value, use_bin_type=True)
            writing.put(key.encode(), packed)
    return path


def test_a_database_states_ends_and_scores(tmp_path):
    fallen = {"info": {**INFO, "episode_id": 32, "NE": _numpy(np.float64(4.5))}}
    records = {
        "8_31": {"info": INFO, "finish_status": "success", "fail_reason": "success"},
        "8_32": {**fallen, "finish_status": "fail", "fail_reason": "fall"},
        "timestamp_": {"timestamp": 12.5},
    }
    path = _database(tmp_path / "sample_data0.lmdb", records)
    (first, second), log = read(path)
    assert first.episode_id == "31"
    assert first.reported["ndtw"] == 0.5
    assert first.reported["steps"] == 900.0
    assert first.end == RunEnd(called_stop=True, reason="success", has_fallen=False, is_stuck=False)
    assert first.extra["path_key"] == "8_31"
    assert second.end == RunEnd(None, "fall", has_fallen=True, is_stuck=False)
    assert second.reported["NE"] == 4.5
    assert len(first.route) == 0
    assert log.document == {"timestamp_": {"timestamp": 12.5}}
    assert log.counts[ImportKind.NOTE] == 1

    vlnpe_lmdb.write(tmp_path / "again.lmdb", [first, second], log)
    again, log_again = read(tmp_path / "again.lmdb")
    assert again == [first, second]
    assert [run.record for run in again] == [first.record, second.record]
    assert log_again.document == log.document
    with pytest.raises(WriteError, match="something of that name already"):
        vlnpe_lmdb.write(path, [first], log)


def test_collected_data_has_a_route(tmp_path):
    robot = {
        "position": _numpy(np.array([[0.0, 0.0, 1.0], [1.0, 0.5, 1.0]])),
        "yaw": _numpy(np.array([0.0, 0.25], dtype=np.float32)),
    }
    data = {"robot_info": robot, "camera_info": {"rgb": _numpy(np.zeros((2, 2), np.uint8))}}
    record = {"episode_data": data, "fail_reason": "stuck", "instruction": "go"}
    path = _database(tmp_path / "data" / "sample_data.lmdb", {"k_1": record})
    (run,), _ = read(path.parent)
    assert run.episode_id == "k_1"
    assert run.route.positions_m.tolist() == [[0.0, 0.0, 1.0], [1.0, 0.5, 1.0]]
    assert run.route.yaws_rad.tolist() == [0.0, 0.25]
    assert run.end.is_stuck is True
    assert run.instruction == "go"
    assert "episode_data" not in run.extra


def test_pickled_and_damaged_records_are_never_loaded(tmp_path):
    pickled = {b"nd": True, b"type": "|O", b"shape": [1], b"data": b"cos\nsystem\n(S'true'\ntR."}
    records = {
        "a": {"info": {"episode_id": 1, "NE": pickled}},
        "b": b"\xc1",
        "c": {"info": {"episode_id": 3, "NE": 1.0}},
        "d": {"info": {"x": {b"nd": True, b"type": "<f8", b"shape": [9], b"data": b"12"}}},
        "e": {"info": 3},
        "f": [1],
    }
    runs, log = read(_database(tmp_path / "x.lmdb", records))
    assert [run.episode_id for run in runs] == ["3"]
    messages = {entry.item_id: entry.message for entry in log.findings}
    assert messages["a"].endswith("a: holds an array of '|O', which is never loaded")
    assert "is no msgpack record" in messages["b"]
    assert "damaged array" in messages["d"]
    assert "not an object" in messages["e"]
    assert log.counts[ImportKind.UNREADABLE] == 5


def test_missing_libraries_and_broken_databases_are_one_sentence(tmp_path, monkeypatch):
    path = _database(tmp_path / "x.lmdb", {"c": {"info": {"episode_id": 3}}})
    assert RUN_FORMATS.find(path) is vlnpe_lmdb.FORMAT
    broken = tmp_path / "broken.lmdb"
    broken.mkdir()
    (broken / "data.mdb").write_bytes(b"nothing like it" * 400)
    with pytest.raises(ReadError, match="is no whole LMDB database"):
        list(vlnpe_lmdb.read(broken, ReadLog()))
    monkeypatch.setitem(sys.modules, "lmdb", None)
    with pytest.raises(ImportError):
        importlib.import_module("lmdb")
    with pytest.raises(ReadError, match=r"needs two more libraries: pip install 'waypost\[lmdb\]'"):
        list(vlnpe_lmdb.read(path, ReadLog()))
    with pytest.raises(WriteError, match="needs two more libraries"):
        vlnpe_lmdb.write(tmp_path / "y.lmdb", [], ReadLog())
