"""Result files of the R2R family in all their shapes."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun
from waypost.io.known_formats import RUN_FORMATS
from waypost.io.logs import r2r_runs
from waypost.io.read_log import ReadLog


def read(tmp_path, records):
    path = tmp_path / "submit.json"
    path.write_text(json.dumps(records))
    log = ReadLog()
    runs = list(RUN_FORMATS.read(path, log, "r2r"))
    log.finish()
    return runs, log


TRIPLES = [["a", 0.0, 0.1], ["a", math.pi / 2, 0.0], ["b", 1.0, -0.2]]


@pytest.mark.parametrize(
    ("trajectory", "names", "decisions"),
    [
        (TRIPLES, "aab", ()),
        ([["a"], ["b"], ["c"]], "abc", ()),
        (["a", "b"], "ab", ()),
        ([["a"], ["b", "c", "d"], ["e"]], "abcde", ((1, 4), (4, 5))),
        ([["a"], ["b", "c"], ["d", 1.0, 0.0], "e"], "abcde", ((1, 3), (3, 4), (4, 5))),
        ([["a"], [], ["b"]], "ab", ((1, 1), (1, 2))),
        ([], "", ()),
    ],
)
def test_every_shape_of_trajectory(tmp_path, trajectory, names, decisions):
    (run,), log = read(tmp_path, [{"instr_id": "1_0", "trajectory": trajectory}])
    assert not log.findings
    assert run.route.viewpoint_ids == tuple(names)
    assert tuple((d.first_pose, d.end_pose) for d in run.decisions) == decisions


def test_headings_become_yaws(tmp_path):
    (run,), _ = read(tmp_path, [{"instr_id": "1_0", "trajectory": TRIPLES}])
    assert run.route.yaws_rad.tolist() == [math.pi / 2, 0.0, math.pi / 2 - 1.0]
    assert run.route.elevations_rad.tolist() == [0.1, 0.0, -0.2]


def test_mixed_entries_know_some_headings(tmp_path):
    (run,), _ = read(tmp_path, [{"instr_id": "1_0", "trajectory": [["a"], ["b", 1.0, 0.0]]}])
    assert math.isnan(run.route.yaws_rad[0])
    assert run.route.yaws_rad[1] == math.pi / 2 - 1.0


@pytest.mark.parametrize("key", ["predObjId", "pred_objid"])
def test_objects(tmp_path, key):
    (run,), _ = read(tmp_path, [{"instr_id": "1_2_0", "trajectory": ["a"], key: 42}])
    assert run.answer.object_id == "42"


def test_ids(tmp_path):
    records = [{"inst_idx": 7, "trajectory": ["a"]}, {"instr_id": "007", "trajectory": ["a"]}]
    runs, _ = read(tmp_path, records)
    assert [run.episode_id for run in runs] == ["7", "007"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"trajectory": ["a"]}, "has no instr_id"),
        ({"instr_id": None, "trajectory": ["a"]}, "has no instr_id"),
        ({"instr_id": "1_0"}, "trajectory: is missing"),
        ({"instr_id": "1_0", "trajectory": "abc"}, "not an array"),
        ({"instr_id": "1_0", "trajectory": [["a"], [1, 2]]}, r"trajectory\[1\]"),
        ({"instr_id": "1_0", "trajectory": [{"a": 1}]}, "an object"),
        (7, "no instr_id"),
    ],
)
def test_a_broken_record_does_not_stop_the_others(tmp_path, record, reason):
    runs, log = read(tmp_path, [{"instr_id": "0_0", "trajectory": ["a"]}, record])
    assert [run.episode_id for run in runs] == ["0_0"]
    (finding,) = log.findings
    assert finding.kind == ImportKind.UNREADABLE
    with pytest.raises(ReadError, match=reason):
        raise ReadError("", "", finding.message)


def test_degrees_are_noticed(tmp_path):
    _, log = read(tmp_path, [{"instr_id": "1_0", "trajectory": [["a", 270.0, 0.0]]}])
    (finding,) = log.findings
    assert (finding.kind, finding.item_id) == (ImportKind.DEGREES_FOR_RADIANS, "1_0")


def test_whole_zeros_at_every_pose_are_no_headings(tmp_path):
    """NaviLLM writes ``[viewpoint, 0, 0]``; a simulator that stands at heading 0 writes 0.0."""
    zeros = {"instr_id": "1_0", "trajectory": [["a", 0, 0], ["b", 0, 0]]}
    stated = {"instr_id": "1_1", "trajectory": [["a", 0.0, 0.0], ["b", 0, 0.0]]}
    alone = {"instr_id": "1_2", "trajectory": [["a", 0, 0]]}
    (first, second, third), log = read(tmp_path, [zeros, stated, alone])
    assert first.route.yaws_rad is None
    assert second.route.yaws_rad.tolist() == [math.pi / 2] * 2
    assert third.route.yaws_rad.tolist() == [math.pi / 2]
    assert [warning for warning in log.warnings if "count as unknown" in warning]
    r2r_runs.write(tmp_path / "again.json", [first], ReadLog())
    assert json.loads((tmp_path / "again.json").read_text()) == [zeros]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("place", "name"), [(1, "heading"), (2, "elevation")])
def test_an_infinite_angle_is_unknown_and_no_degrees(tmp_path, place, name, sign):
    pose: list = ["b", 0.5, 0.25]
    pose[place] = sign * math.inf
    record = {"instr_id": "1_0", "trajectory": [["a", 0.0, 0.0], pose]}
    (run,), log = read(tmp_path, [record])
    (finding,) = log.findings
    assert (finding.kind, finding.item_id, finding.step) == (ImportKind.NOT_FINITE, "1_0", 1)
    assert finding.message == f"1_0: the {name} at step 1 is infinite and counts as unknown"
    assert run.route.viewpoint_ids == ("a", "b")
    yaws, tilts = run.route.yaws_rad, run.route.elevations_rad
    known = {"heading": yaws[1], "elevation": tilts[1]}
    assert math.isnan(known.pop(name))
    assert known == {"elevation": 0.25} if name == "heading" else {"heading": math.pi / 2 - 0.5}


NAMES = st.text("abcdef0123", min_size=1, max_size=4)
ANGLES = st.floats(-7, 7)
ENTRIES = st.one_of(
    NAMES,
    st.tuples(NAMES, ANGLES, ANGLES).map(list),
    st.lists(NAMES, max_size=4),
)
RECORDS = st.fixed_dictionaries(
    {"instr_id": NAMES, "trajectory": st.lists(ENTRIES, max_size=5)},
    optional={"note": st.none() | st.integers(), "predObjId": st.integers(0, 99)},
)


@given(st.lists(RECORDS, max_size=5))
def test_reading_and_writing_loses_nothing(tmp_path_factory, records):
    folder = tmp_path_factory.mktemp("r2r")
    runs, log = read(folder, records)
    assert not log.findings
    r2r_runs.write(folder / "again.json", iter(runs), ReadLog())
    assert json.loads((folder / "again.json").read_text()) == records


def test_runs_from_elsewhere(tmp_path):
    moves = EpisodeRun("1", route(list("abcd")), (Decision(1, 3), Decision(3, 3), Decision(3, 4)))
    turning = EpisodeRun(
        "2", route(["a", "b"], yaws_rad=[0.0, math.pi / 2]), answer=Answer(object_id="9")
    )
    plain = EpisodeRun("3", route(["a", "b"]))
    path = tmp_path / "out.json"
    r2r_runs.write(path, [moves, turning, plain], ReadLog())
    assert json.loads(path.read_text()) == [
        {"instr_id": "1", "trajectory": [["a"], ["b", "c"], ["d"]]},
        {
            "instr_id": "2",
            "trajectory": [["a", math.pi / 2, 0.0], ["b", 0.0, 0.0]],
            "predObjId": "9",
        },
        {"instr_id": "3", "trajectory": [["a"], ["b"]]},
    ]
    again, _ = read(tmp_path, json.loads(path.read_text()))
    assert [run.route.viewpoint_ids for run in again] == [tuple("abcd"), ("a", "b"), ("a", "b")]


def test_what_cannot_be_written(tmp_path):
    in_space = EpisodeRun("1", route(positions_m=[(0, 0, 0)]))
    with pytest.raises(InputError, match="needs viewpoints"):
        r2r_runs.write(tmp_path / "out.json", [in_space], ReadLog())
    assert not (tmp_path / "out.json").exists()
    log = ReadLog()
    thinking = EpisodeRun("1", route(["a"]), (Decision(1, 1, thought="hm"),))
    r2r_runs.write(tmp_path / "out.json", [thinking], log)
    assert log.counts[ImportKind.NOTE] == 1


def test_sniffing(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text(json.dumps([{"instr_id": "1_0", "trajectory": TRIPLES}]))
    assert RUN_FORMATS.find(path).name == "r2r"
    path.write_text("[7]")
    with pytest.raises(ReadError, match="no runs in a known format"):
        RUN_FORMATS.find(path)
    with pytest.raises(ReadError, match="is no format of runs; closest is r2r"):
        RUN_FORMATS.find(path, "r3r")
