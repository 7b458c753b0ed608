"""Corners of single forms: what other forms become in them, odd records, odd log lines."""

import errno
import gzip
import json
import math

import pytest
from fixtures.replay_files import write_run
from fixtures.run_samples import (
    DISCUSSNAV_CACHE,
    DISCUSSNAV_LOG,
    MAPGPT_CASE,
    MAPGPT_CONSOLE,
    OPENNAV_LOG,
    PLAN_FEEDBACK,
    SUBMISSION,
    V,
)

from waypost.domain.base.errors import InputError, ReadError, WriteError
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Answer, Decision, EpisodeRun, EventKind, RunEnd
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.logs import internnav_runs, text_lines, vlnpe_lmdb, vlnverse_csv_runs, waypost_runs
from waypost.io.logs.language_models import discussnav_cache, mapgpt_runs, plan_feedback_runs
from waypost.io.read_log import ReadLog

BY_NAME = {entry.name: entry for entry in RUN_FORMATS}


def read(path, name=""):
    log = ReadLog()
    return list(RUN_FORMATS.read(path, log, name)), log


def put(path, value):
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def test_scores_of_any_run_become_progress_lines(tmp_path):
    run = EpisodeRun(
        "7", end=RunEnd(action_count=9), reported={"success": 1.0, "ndtw": 0.5, "cls": 0.25},
        scene_id="s", instruction="go",
    )  # fmt: skip
    internnav_runs.write(tmp_path / "p.json", [run], ReadLog())
    (again,), _ = read(tmp_path / "p.json")
    known = {"success": 1.0, "ndtw": 0.5, "cls": 0.25, "steps": 9.0}
    assert again.reported == known | dict.fromkeys(("spl", "os", "ne"))
    assert (again.scene_id, again.instruction, again.end.action_count) == ("s", "go", 9)


def test_scores_of_any_run_become_a_cache(tmp_path):
    run = EpisodeRun("7", reported={"spl": 0.5}, instruction="go")
    discussnav_cache.write(tmp_path / "c.json", [run], ReadLog())
    (again,), _ = read(tmp_path / "c.json")
    assert (again.instruction, again.reported) == ("go", {"spl": 0.5})
    assert again.extra == dict.fromkeys(
        ("trajectory_length", "nav_error", "success", "oracle_success")
    )


def test_scores_of_any_run_become_a_database(tmp_path):
    pytest.importorskip("lmdb")
    run = EpisodeRun("7", end=RunEnd(reason="fall"), reported={"NE": 2.5})
    path = tmp_path / "x.lmdb"
    vlnpe_lmdb.write(path, [run], ReadLog())
    log = ReadLog(document={"instruction_vocab": {}})
    vlnpe_lmdb.write(tmp_path / "w.lmdb", [run], log)
    (again,), log = read(tmp_path / "w.lmdb")
    assert log.document == {}
    (again,), log = read(path)
    assert (again.episode_id, again.reported) == ("7", {"NE": 2.5})
    assert again.end == RunEnd(reason="fall", has_fallen=True, is_stuck=False)
    assert again.extra["finish_status"] == "fail"
    with pytest.raises(InputError, match="7 comes twice"):
        vlnpe_lmdb.write(tmp_path / "y.lmdb", [run, run], log)
    put(tmp_path / "file", "x")
    with pytest.raises(WriteError):
        vlnpe_lmdb.write(tmp_path / "file" / "z.lmdb", [run], log)


def test_database_values_of_any_kind_become_plain(tmp_path):
    lmdb = pytest.importorskip("lmdb")
    msgpack = pytest.importorskip("msgpack")
    info = {"episode_id": 1, "bytes": b"ab\xff", "time": msgpack.Timestamp(5), "list": [b"x", None]}
    empty = {"episode_data": {"robot_info": {"position": []}}}
    path = tmp_path / "x.lmdb"
    path.mkdir()
    with lmdb.open(str(path)) as database, database.begin(write=True) as writing:
        writing.put(b"a", msgpack.packb({"info": info} | empty, use_bin_type=True))
    (run,), _ = read(path)
    assert run.extra["bytes"] == "ab\ufffd"
    assert run.extra["list"] == ["x", None]
    assert run.extra["time"] == "Timestamp(seconds=5, nanoseconds=0)"
    json.dumps(dict(run.extra))


def test_positions_become_a_csv_with_a_look_vector(tmp_path):
    run = EpisodeRun("e", route(positions_m=[[1, 2, 0], [1, 3, 0]], yaws_rad=[0.0, math.nan],
                                elevations_rad=[math.pi / 6, 0.0]))  # fmt: skip
    vlnverse_csv_runs.write(tmp_path / "e.csv", [run], ReadLog())
    (again,), _ = read(tmp_path / "e.csv")
    assert again.route.positions_m.tolist() == [[1.0, 2.0, 0.0], [1.0, 3.0, 0.0]]
    assert again.route.yaws_rad.tolist() == [0.0, 0.0]
    assert again.route.elevations_rad.tolist() == pytest.approx([math.pi / 6, 0.0])
    bare = EpisodeRun("e", route(positions_m=[[1, 2, 0]]))
    vlnverse_csv_runs.write(tmp_path / "f.csv", [bare], ReadLog())
    assert (tmp_path / "f.csv").read_text().splitlines()[1] == "1.0,2.0,0.0,1.0,0.0,0.0,0"


def test_csv_rows_of_another_width_and_endless_cells_are_said(tmp_path):
    head = "pos_x,pos_y,pos_z,look_x,look_y,look_z\n"
    with pytest.raises(ReadError, match=r"line 2: has 7 values, not 6"):
        read(put(tmp_path / "e.csv", head + "1,2,3,4,5,6,7\n1,2,3,4,5,6\n"))
    with pytest.raises(ReadError, match="is no CSV: field larger than"):
        read(put(tmp_path / "e.csv", head + "1" * 200_000 + "\n"))


def test_a_submission_may_lack_rotation_words_and_goal(tmp_path):
    episode = dict(SUBMISSION["episodes"][0])
    del episode["start_rotation"], episode["instruction"], episode["goals"]
    (run,), _ = read(put(tmp_path / "s.json", [episode]))
    assert run.route.yaws_rad is None
    assert run.instruction == ""
    odd = SUBMISSION["episodes"][0] | {"goals": {"position": ["a", 1, 2]}}
    (run,), log = read(put(tmp_path / "s.json", [odd]))
    assert log.findings == []


def test_caches_may_lack_each_other_and_hold_odd_entries(tmp_path):
    put(tmp_path / "eval_cache.json", DISCUSSNAV_CACHE | {"": DISCUSSNAV_CACHE["Leave the room."]})
    (run,), log = read(tmp_path)
    assert run.decisions == ()
    assert [f.message.endswith("has no instruction as its key") for f in log.findings] == [
        False,
        True,
    ]
    put(tmp_path / "actions_cache.json", {"Leave the room.": 3, "other": []})
    (run,), _ = read(tmp_path)
    assert run.decisions == ()


def test_discussnav_logs_may_break_off_and_think_in_several_lines(tmp_path):
    fused = DISCUSSNAV_LOG.replace("out of the room\n", "out\nof the room\n", 1)
    headless = fused.replace("Path Length: 3\n", "", 1).replace(
        "'spl': nan", "'spl': abc, 'more': inf"
    )
    broken = DISCUSSNAV_LOG[: DISCUSSNAV_LOG.index("------------------------------Step 1")]
    (run, second), log = read(put(tmp_path / "d.log", broken + headless + fused))
    assert run.decisions[0].thought == "the hall leads out\nof the room"
    assert second.decisions[0].thought == "the hall leads out\nof the room"
    assert "spl" not in run.reported
    assert run.reported["more"] is None
    cut = [(f.kind, f.step, f.value) for f in log.findings if f.kind is ImportKind.TRUNCATED]
    assert cut == [(ImportKind.TRUNCATED, 1, "Leave the room.")]


def test_console_logs_with_stray_lines(tmp_path):
    text = (
        "Current case  -  spl: 1.00\n"
        + MAPGPT_CONSOLE.replace("75.00", "nan").replace("nav_error: 2.50", "nav_error: 1.2.3")
        + MAPGPT_CONSOLE.replace(
            "Current case", "--- Pruning Scores Detail (Step 4) ---\n  Node\nCurrent case"
        )
        + MAPGPT_CONSOLE.replace("\nMap:\n", "\nGraph:\n")
    )
    (first, second, third), _ = read(put(tmp_path / "c.log", text))
    assert first.reported == {"nav_error": None, "spl": None, "success": 100.0}
    assert second.extra["console"] == "--- Pruning Scores Detail (Step 4) ---\n  Node"
    assert third.extra["text_map_places"] == []


def test_unknown_scores_agree_only_with_unknown_ones(tmp_path):
    case = MAPGPT_CASE | {"evaluation": {"spl": [math.nan], "nav_error": [2.5]}}
    put(tmp_path / "case_InstrID_15_2.json", case)
    put(tmp_path / "a.log", MAPGPT_CONSOLE.replace("75.00", "nan"))
    (run,), _ = read(tmp_path)
    assert run.instruction == "Walk to the {door}."
    put(tmp_path / "a.log", MAPGPT_CONSOLE)
    (run, _left), _ = read(tmp_path)
    assert run.instruction == ""


def test_choices_of_no_step_are_said(tmp_path):
    _, log = read(put(tmp_path / "c.json", MAPGPT_CASE | {"a_t": {"first": 1}}))
    assert log.findings[0].message.endswith("a_t.first: is named by no step number")


def test_records_without_id_or_path_are_said(tmp_path):
    nameless = {key: value for key, value in MAPGPT_CASE.items() if key != "instr_id"}
    _, log = read(put(tmp_path / "c.json", nameless))
    assert log.findings[0].message.endswith("has no instr_id")
    for record, reason in (
        ({"llm_thought": [], "trajectory": [[V[0]]]}, "has no instr_id"),
        ({"llm_thought": [], "instr_id": "1", "trajectory": []}, "trajectory: is empty"),
    ):
        _, log = read(put(tmp_path / "d.json", [record]))
        assert log.findings[0].message.endswith(reason)


def test_case_files_keep_the_groups_of_decisions(tmp_path):
    run = EpisodeRun("1", route(["a", "b", "c"]), (Decision(1, 3),), RunEnd(called_stop=False))
    mapgpt_runs.write(tmp_path / "c.json", [run], ReadLog())
    assert json.loads((tmp_path / "c.json").read_text())[0]["trajectory"] == [["a"], ["b", "c"]]


def test_open_nav_logs_stand_alone_and_hold_lines_before_a_step(tmp_path):
    text = "Loading…\n" + OPENNAV_LOG.replace("Landmarks: sink\n", "Landmarks: sink\nand tap\n")
    path = put(tmp_path / "navigator_log.log", text)
    (run, _), _ = read(path)
    assert run.extra == {"landmarks": "sink\nand tap"}
    runs, _ = read(tmp_path)
    assert [run.reported for run in runs] == [{}, {}]
    banner = f"{'=' * 20} The current episode id is 5 {'=' * 20}\n"
    runs, log = read(put(path, banner + "odd line\n"))
    assert runs == []
    assert log.counts[ImportKind.TRUNCATED] == 1


def test_plan_logs_take_values_that_are_no_text_and_viewpoints(tmp_path):
    record = PLAN_FEEDBACK[0] | {
        "steps": [
            {"viewpoint": "a", "plan": [1, {"to": "b"}]},
            {"viewpoint": "b", "action": 3},
            {"viewpoint": "a", "action": 3},
            {"viewpoint": "b", "action": "Backtrack to b"},
        ]
    }
    (run,), _ = read(put(tmp_path / "p.json", [record]))
    assert run.route.viewpoint_ids == ("a", "b", "a", "b")
    assert run.decisions[0].plan == '[1, {"to": "b"}]'
    assert run.decisions[1].action == "3"
    assert run.decisions[2].events == ()
    (back,) = run.decisions[3].events
    assert (back.kind, back.message) == (
        EventKind.BACKTRACK,
        "the action says so: Backtrack to b",
    )
    (still,), _ = read(put(tmp_path / "p.json", [record | {"steps": [{"plan": "wait"}]}]))
    assert len(still.route) == 0
    places = EpisodeRun("1", route(positions_m=[[0, 0, 0], [1, 0, 0]]))
    plan_feedback_runs.write(tmp_path / "q.json", [places], ReadLog())
    (again,), _ = read(tmp_path / "q.json")
    assert again.route == places.route


def test_headings_without_places_are_no_route(tmp_path):
    record = {"waypost_run": 1, "episode_id": 1, "headings": [1.0], "positions": []}
    (run,), _ = read(put(tmp_path / "r.jsonl", json.dumps(record | {"answer": {"object_id": 7}})))
    assert len(run.route) == 0
    assert run.answer == Answer(object_id="7")
    waypost_runs.write(tmp_path / "s.jsonl", [EpisodeRun("1")], ReadLog())
    assert json.loads((tmp_path / "s.jsonl").read_text()) == {"waypost_run": 1, "episode_id": "1"}


def test_scores_too_large_for_a_float_are_unknown(tmp_path):
    record = {"waypost_run": 1, "episode_id": 1, "reported": {"ne": 10**400, "name": "x"}}
    (run,), log = read(put(tmp_path / "r.jsonl", json.dumps(record)))
    assert run.reported == {"ne": None}
    assert log.counts[ImportKind.NOT_FINITE] == 1


def test_a_disk_that_fails_while_reading_is_one_sentence(tmp_path, monkeypatch):
    class Failing:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def read1(self, _size):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(text_lines, "open_unpacked", lambda _: Failing())
    with pytest.raises(ReadError, match="cannot be read"):
        list(text_lines.read_lines(tmp_path / "a.log", ReadLog()))


def test_bytes_that_are_no_text_and_cut_gzip_are_said(tmp_path):
    path = tmp_path / "a.log"
    path.write_bytes(DISCUSSNAV_LOG.encode() + b"\xff\xfe\xfd\n")
    _, log = read(path)
    assert log.warnings == [f"{path}: some bytes are no text and were replaced"]
    packed = gzip.compress((DISCUSSNAV_LOG * 200).encode())
    path.write_bytes(packed[:-8])
    runs, log = read(path)
    assert 0 < len(runs) <= 200
    assert log.counts[ImportKind.TRUNCATED] >= 1


WRITTEN_BY_US = [n for n, entry in BY_NAME.items() if entry.write and n != "vlnpe-lmdb"]
"""LMDB writes by itself, and never over something that is there."""


@pytest.mark.parametrize("name", WRITTEN_BY_US)
def test_a_full_disk_keeps_the_old_file(tmp_path, monkeypatch, name):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    if name == "score-totals":
        runs = []
    elif name in {"vlnce-r2r", "vlnce-rxr", "vlnverse-csv", "vlnverse-submission"}:
        runs = [EpisodeRun("1", route(positions_m=[[0, 0, 0]]), instruction="go")]
    else:
        runs = [EpisodeRun("1", route(["a"]), instruction="go")]
    target = tmp_path / ("out" if name == "capnav" else "out.csv" if "csv" in name else "out.json")
    before = "old"
    if name != "capnav":
        put(target, before)
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(WriteError, match="No space left on device"):
        BY_NAME[name].write(target, runs, ReadLog())
    if name != "capnav":
        assert target.read_text() == before
    assert [p.name for p in tmp_path.rglob("*") if p.is_file() and p != target] == []


@pytest.mark.parametrize("text", ["[]", " {\n}\n"])
def test_an_empty_list_is_said_to_be_empty(tmp_path, text):
    path = tmp_path / "runs.json"
    path.write_text(text)
    with pytest.raises(ReadError, match="holds no runs: the list in it is empty"):
        RUN_FORMATS.find(path)


def test_episodes_among_runs_and_runs_among_episodes_are_said_to_be_that(tmp_path):
    files = write_run(tmp_path, {"7_0": "AB"})
    with pytest.raises(ReadError, match=r"R2R_val.json: file: holds episodes, no runs$"):
        RUN_FORMATS.find(files.annotations)
    with pytest.raises(ReadError, match=r"model.json: file: holds runs, no episodes$"):
        EPISODE_FORMATS.find(files.results)


def test_the_form_of_a_folder_is_told_by_what_is_in_it(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadError, match="no runs in a known format"):
        RUN_FORMATS.find(tmp_path / "empty")
