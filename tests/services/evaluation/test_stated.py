"""Scores that files state are given without annotations, under their names and by their rule."""

import json
import math

import pyarrow.parquet as pq
import pytest
from worlds.vln_worlds import line_annotations

from waypost.app.main import main
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.import_report import ImportKind
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation.stated import evaluate_stated
from waypost.services.evaluation.validate import validate
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import replay_all
from waypost.services.replay.run_index import index_run

TOTALS = {"sucs_all": 0.5, "spls_all": 0.25, "oss_all": 0.5, "ones_all": 2.0, "length": 2}


def stream_row(number, success, spl, ne, **more):
    return {
        "scene_id": "s", "episode_id": number, "success": success, "spl": spl, "os": success,
        "ne": ne, "steps": 10, "episode_instruction": "go", **more,
    }  # fmt: skip


ROWS = [stream_row(7, 1.0, 0.5, 1.0), stream_row(8, 0.0, 0.0, 3.0)]


def write_lines(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


@pytest.fixture
def navid(tmp_path):
    folder = tmp_path / "log"
    folder.mkdir()
    for number, spl, away in ((1, 0.75, 1.0), (2, math.nan, math.inf), (3, 0.0, 5.0)):
        record = {
            "id": number, "distance_to_goal": away, "success": float(number == 1), "spl": spl,
            "path_length": 6.0, "oracle_success": 1.0,
        }  # fmt: skip
        (folder / f"stats_{number}.json").write_text(json.dumps(record))
    return folder


def only(found):
    (report,) = found.runs
    return report


def test_navid_counts_the_unknown_as_zero(navid):
    report = only(exhaust(evaluate_stated(RunSource((navid,)))))
    assert report.coverage["found"] == 3
    assert {name: one.value for name, one in report.scores.items()} == {
        "distance_to_goal": 2.0, "success": pytest.approx(1 / 3), "spl": 0.25, "path_length": 6.0,
        "oracle_success": 1.0,
    }  # fmt: skip
    assert report.scores["spl"].known_mean == 0.375
    assert report.rule.scorer == "analyze_results.py"
    assert report.is_whole


def test_totals_are_kept_and_compared(tmp_path):
    file = write_lines(tmp_path / "result.json", [*ROWS, TOTALS])
    report = only(exhaust(evaluate_stated(RunSource((file,)))))
    assert {name: one.stated for name, one in report.totals.items()} == TOTALS
    assert all(one.agrees for one in report.totals.values())
    assert report.is_whole


def test_totals_that_are_not_those_of_the_rows_are_a_finding(tmp_path):
    file = write_lines(tmp_path / "result.json", [*ROWS, {**TOTALS, "sucs_all": 0.75}])
    report = only(exhaust(evaluate_stated(RunSource((file,)))))
    assert not report.is_whole
    faults = [f.message for f in report.findings if f.kind is ImportKind.WRONG_TOTAL]
    assert faults == ["the file states sucs_all as 0.75, but its runs give 0.5"]
    (checked,) = exhaust(validate(RunSource((file,))))
    told = [f.message for f in checked.report.findings if f.is_problem]
    assert told == faults


def test_every_run_is_a_row_with_reasons(navid, tmp_path):
    stream = write_lines(tmp_path / "result.json", ROWS)
    out = tmp_path / "scores.parquet"
    exhaust(evaluate_stated(RunSource((navid, stream)), out))
    table = pq.read_table(out).to_pylist()
    assert [(row["run"], row["episode_id"]) for row in table] == [
        ("log", "1"), ("log", "2"), ("log", "3"), ("result", "7"), ("result", "8"),
    ]  # fmt: skip
    assert [row["spl"] for row in table] == [0.75, None, 0.0, 0.5, 0.0]
    assert table[1]["spl_undefined"] == "the source states no finite number"
    assert table[0]["ne"] is None
    assert table[0]["ne_undefined"] == "the source does not state it"


def test_a_profile_says_in_one_sentence_why_it_is_not_computed(navid):
    found = exhaust(evaluate_stated(RunSource((navid,), profile_key="vlnce")))
    assert found.not_computed == (
        "the profile vlnce cannot be computed: the source states scores without a path"
    )


def test_what_could_be_computed_asks_for_annotations(tmp_path):
    states = [{"position": [0, 0, 0], "heading": 0.0, "stop": True}]
    file = tmp_path / "pred.json"
    file.write_text(json.dumps({"7": states}))
    with pytest.raises(InputError, match="profile vlnce can be computed: give --annotations"):
        exhaust(evaluate_stated(RunSource((file,), profile_key="vlnce")))
    with pytest.raises(InputError, match="states no scores; give --profile and --annotations"):
        exhaust(evaluate_stated(RunSource((file,))))
    annotations = tmp_path / "val.json"
    annotations.write_text(json.dumps(line_annotations()))
    with pytest.raises(InputError, match="states no scores; give --profile to compute some"):
        exhaust(evaluate_stated(RunSource((file,), (annotations,))))


def test_with_annotations_the_coverage_is_known(tmp_path):
    annotations = tmp_path / "val.json"
    annotations.write_text(json.dumps(line_annotations()))
    file = write_lines(tmp_path / "result.json", [*ROWS, ROWS[0]])
    report = only(exhaust(evaluate_stated(RunSource((file,), (annotations,)))))
    counts = report.coverage
    assert (counts["expected"], counts["found"], counts["foreign"]) == (1, 1, 1)
    assert counts["duplicated_identical"] == 1
    assert report.scores["success"].value == 1.0


def test_episodes_of_one_number_in_two_scenes_are_two(tmp_path):
    """Without annotations, and the same in command, report, check and table of the window."""
    rows = [ROWS[0], {**ROWS[0], "scene_id": "t", "success": 0.0}, ROWS[0]]
    source = RunSource((write_lines(tmp_path / "result.json", rows),))
    report = only(exhaust(evaluate_stated(source, tmp_path / "scores.parquet")))
    coverage = {"found": 2, "duplicated_identical": 1, "duplicated_conflicting": 0}
    assert {key: report.coverage[key] for key in coverage} == coverage
    assert report.scores["success"].value == 0.5
    assert pq.read_table(tmp_path / "scores.parquet")["episode_id"].to_pylist() == ["7", "t/7"]
    checked = exhaust(validate(source))[0].report
    assert (checked.found, checked.duplicated_identical) == (2, 1)
    run = exhaust(replay_all(source))
    assert {key: run.coverage[key] for key in coverage} == coverage
    assert run.stated["success"].value == 0.5
    rows = exhaust(index_run(source, tmp_path / "cache")).rows
    assert [row.key for row in rows.rows] == [("7", 1), ("t/7", 1), ("7", 2)]
    assert replay_one(source, "t/7").replay.run.reported["success"] == 0.0
    # Another file may have its scenes in another order.
    beside = [rows.find_beside("7", 1, scene) for scene in ("t", "s", "elsewhere", "")]
    assert [row and row.key for row in beside] == [("t/7", 1), ("7", 1), None, ("7", 1)]


def test_totals_alone_are_given(tmp_path):
    file = tmp_path / "result.json"
    file.write_text(json.dumps({"sucs_all": 0.5, "spls_all": 0.4, "oss_all": 0.6, "length": 9}))
    report = only(exhaust(evaluate_stated(RunSource((file,)))))
    assert report.coverage["found"] == 0
    assert report.totals["sucs_all"].stated == 0.5
    assert report.totals["sucs_all"].agrees is None


def test_the_command_line(navid, tmp_path, capsys):
    assert main(["evaluate", "--results", str(navid)]) == 0
    told = capsys.readouterr().out
    assert "log: 3 runs" in told
    assert "n = 3, 1 unknown as 0 (analyze_results.py); 0.3750 over the 2 known" in told
    assert "jzhzhang/NaVid-VLN-CE:analyze_results.py" in told
    wrong = write_lines(tmp_path / "result.json", [*ROWS, {**TOTALS, "length": 3}])
    assert main(["evaluate", "--results", str(wrong), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["profile"] is None
    assert document["stated_by_source"]["spl"]["value"] == 0.25
    assert document["totals_stated_by_source"]["length"] == {
        "value": 3, "from_runs": 2.0, "agrees": False,
    }  # fmt: skip


def test_a_profile_on_scores_alone_is_one_line(navid, tmp_path, capsys):
    annotations = tmp_path / "val.json"
    annotations.write_text(json.dumps(line_annotations()))
    arguments = ["evaluate", "--profile", "vlnce", "--annotations", str(annotations)]
    file = write_lines(tmp_path / "result.json", ROWS[:1])
    main([*arguments, "--results", str(file)])
    told = capsys.readouterr().out
    assert told.count("the source states scores without a path") == 1
    assert "TL, NE, OSR, SR, SPL" in told
    assert main(["evaluate", "--profile", "vlnce", "--results", str(navid)]) == 0
    assert "the profile vlnce cannot be computed" in capsys.readouterr().out


def test_no_episode_is_missing_from_totals(tmp_path):
    annotations = tmp_path / "val.json"
    annotations.write_text(json.dumps(line_annotations()))
    file = tmp_path / "result.json"
    file.write_text(json.dumps({"sucs_all": 0.5, "spls_all": 0.4, "length": 9}))
    _, found = exhaust(validate(RunSource((file,), (annotations,))))
    assert (found.report.expected, found.report.missing) == (None, 0)
    assert not any(finding.is_problem for finding in found.report.findings)
