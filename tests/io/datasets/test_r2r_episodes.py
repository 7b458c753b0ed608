"""Room-to-Room annotations."""

import gzip
import json
import math

import pytest

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import yaw_from_r2r_heading
from waypost.domain.episode.import_report import ImportKind
from waypost.io.known_formats import EPISODE_FORMATS
from waypost.io.read_log import ReadLog

RECORD = {
    "distance": 4.5,
    "scan": "line",
    "path_id": 7,
    "path": ["A", "B", "C"],
    "heading": math.pi / 2,
    "instructions": ["Go.", "Walk on."],
    "colour": "unknown key",
}


def read(tmp_path, records, name="R2R_val_unseen.json"):
    path = tmp_path / name
    path.write_text(json.dumps(records))
    log = ReadLog()
    episodes = list(EPISODE_FORMATS.read(path, log))
    log.finish()
    return episodes, log


def test_one_episode_per_instruction(tmp_path):
    (first, second), log = read(tmp_path, [RECORD])
    assert not log.findings
    assert (first.episode_id, second.episode_id) == ("7_0", "7_1")
    assert first.split == "val_unseen"
    assert second.instruction.text == "Walk on."
    assert first.reference.viewpoint_ids == ("A", "B", "C")
    assert first.goals[0].viewpoint_id == "C"
    assert first.start_yaw_rad == pytest.approx(0.0)
    assert first.geodesic_m == 4.5
    assert dict(first.extra) == {"colour": "unknown key"}
    assert first.record is second.record
    assert first.has_ground_truth


def test_start_is_goal_and_secret_splits_are_told_apart(tmp_path):
    real = {**RECORD, "path": ["A"], "distance": 0.0}
    secret = {**RECORD, "path": ["A"], "path_id": 8, "distance": 9.9}
    bare = {key: value for key, value in secret.items() if key != "distance"} | {"path_id": 9}
    episodes, log = read(tmp_path, [real, secret, bare])
    assert [e.has_ground_truth for e in episodes] == [True, True, False, False, False, False]
    assert [f.item_id for f in log.findings] == ["8", "9"]
    assert {f.kind for f in log.findings} == {ImportKind.NO_GROUND_TRUTH}


@pytest.mark.parametrize("key", ["path", "path_id", "instructions", "scan"])
def test_a_broken_record_does_not_stop_the_others(tmp_path, key):
    broken = {k: v for k, v in RECORD.items() if k != key}
    episodes, log = read(tmp_path, [{**RECORD, "path_id": 1}, broken])
    assert len(episodes) == 2
    (finding,) = log.findings
    assert finding.kind == ImportKind.UNREADABLE
    assert finding.value == "[1]"
    assert key in finding.message


def test_an_empty_path_is_unreadable(tmp_path):
    episodes, log = read(tmp_path, [RECORD, {**RECORD, "path": []}])
    assert len(episodes) == 2
    assert "is empty" in log.findings[0].message


def test_degrees_are_noticed(tmp_path):
    _, log = read(tmp_path, [RECORD, {**RECORD, "path_id": 8, "heading": 359.0}])
    (finding,) = log.findings
    assert (finding.kind, finding.item_id) == (ImportKind.DEGREES_FOR_RADIANS, "8")


@pytest.mark.parametrize("heading", [-0.0, 0.0, math.tau, 7.0, -9.0])
def test_headings_wrap(tmp_path, heading):
    (first, _), log = read(tmp_path, [{**RECORD, "heading": heading}])
    assert not log.findings
    assert -math.pi < first.start_yaw_rad <= math.pi
    assert first.start_yaw_rad == yaw_from_r2r_heading(heading)


def test_packed_files_under_a_plain_name(tmp_path):
    path = tmp_path / "R2R_train.json"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps([RECORD]).encode()))
    assert len(list(EPISODE_FORMATS.read(path, ReadLog()))) == 2


def test_a_cut_off_file_gives_its_complete_episodes(tmp_path):
    text = json.dumps([{**RECORD, "path_id": n} for n in range(50)])
    path = tmp_path / "R2R_train.json"
    path.write_text(text[: len(text) // 2])
    log = ReadLog()
    assert len(list(EPISODE_FORMATS.read(path, log))) == 2 * 25
    assert log.counts[ImportKind.TRUNCATED] == 1


def test_other_content_is_refused(tmp_path):
    path = tmp_path / "R2R_train.json"
    path.write_text('{"nodes": []}')
    with pytest.raises(ReadError, match="no episodes in a known format"):
        EPISODE_FORMATS.find(path)
    with pytest.raises(ReadError, match="is no format"):
        EPISODE_FORMATS.find(path, "r3r")
    assert EPISODE_FORMATS.find(path, "r2r").name == "r2r"
