"""The commands evaluate, validate and metrics list."""

import json

import jsonschema
import pytest
from worlds.vln_worlds import write_line_scan

from waypost.app.main import main
from waypost.metrics.registry import PROFILES

NUMBER_OR_NULL = {"type": ["number", "null"]}
SCHEMA = {
    "type": "object",
    "required": ["profile", "definitions", "coverage", "metrics"],
    "properties": {
        "definitions": {"type": "object", "additionalProperties": {"type": "string"}},
        "coverage": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "required": [
                "expected",
                "found",
                "missing",
                "duplicated_identical",
                "duplicated_conflicting",
                "foreign",
                "invalid",
            ],
        },
        "metrics": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "required": ["value", "n", "undefined", "ci95"],
                "properties": {
                    "value": NUMBER_OR_NULL,
                    "n": {"type": "integer"},
                    "undefined": {
                        "type": "object",
                        "additionalProperties": {"type": "integer"},
                    },
                    "ci95": {
                        "anyOf": [
                            {"type": "null"},
                            {
                                "type": "array",
                                "items": {"type": "number"},
                                "minItems": 2,
                                "maxItems": 2,
                            },
                        ]
                    },
                },
            },
        },
    },
}


@pytest.fixture
def files(tmp_path):
    write_line_scan(tmp_path / "connectivity", 2, 2, 2)
    annotations = [
        {
            "distance": 4.0,
            "scan": "line",
            "path_id": n,
            "path": ["A", "B", "C"],
            "heading": 1.0,
            "instructions": ["go"],
        }
        for n in (1, 2)
    ]
    (tmp_path / "R2R_val_seen.json").write_text(json.dumps(annotations))
    good = [{"instr_id": f"{n}_0", "trajectory": [["A"], ["B"], ["C"]]} for n in (1, 2)]
    bad = [{"instr_id": "1_0", "trajectory": [["A"], ["C"]]}]
    (tmp_path / "good.json").write_text(json.dumps(good))
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    return tmp_path


def command(files, name, *results, extra=()):
    return [
        name,
        "--annotations",
        str(files / "R2R_val_seen.json"),
        "--connectivity",
        str(files / "connectivity"),
        "--results",
        *(str(files / result) for result in results),
        *extra,
    ]


def test_one_run_as_json(files, capsys):
    assert main(command(files, "evaluate", "good.json", extra=["--profile", "r2r", "--json"])) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["metrics"]["SPL"]["value"] == 1.0
    assert document["coverage"]["found"] == 2
    assert set(document["definitions"]) == set(document["metrics"])


def test_what_is_undefined_is_null_and_the_exit_code_tells(files, capsys):
    assert main(command(files, "evaluate", "bad.json", extra=["--profile", "r2r", "--json"])) == 1
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["metrics"]["SR"]["value"] is None
    assert document["coverage"]["missing"] == document["coverage"]["invalid"] == 1


def test_scores_without_a_path_keep_their_totals(files, capsys):
    names = {"scene_id": "line", "steps": 9, "episode_instruction": "go", "os": 1.0, "ne": 1.5}
    lines = [{**names, "episode_id": f"{n}_0", "success": 1.0, "spl": 0.5} for n in (1, 2)]
    totals = {"sucs_all": 1.0, "spls_all": 0.5, "ones_all": float("nan"), "length": 2}
    text = "".join(json.dumps(line) + "\n" for line in lines) + json.dumps(totals)
    (files / "result.json").write_text(text)
    profile = ["--profile", "r2r"]
    assert main(command(files, "evaluate", "result.json", extra=[*profile, "--json"])) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, SCHEMA)
    assert document["metrics"]["SPL"]["value"] is None
    stated = {"value": 0.5, "n": 2, "known": {"value": 0.5, "n": 2}, "unknown": 0, "reason": None}
    assert document["stated_by_source"]["spl"] == stated
    told = {key: total["value"] for key, total in document["totals_stated_by_source"].items()}
    assert told == totals | {"ones_all": None}
    assert main(command(files, "evaluate", "result.json", extra=profile)) == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    said = "over all runs, as the source counts; its runs give"
    assert f"spls_all 0.5000 {said} the same" in lines
    assert f"ones_all unknown {said} 1.5000" in lines
    assert "the file states scores and no path" in out


def test_two_runs_for_people(files, capsys):
    code = main(command(files, "evaluate", "good.json", "bad.json", extra=["--profile", "duet"]))
    assert code == 1
    text = capsys.readouterr().out
    assert "good: 2 of 2 episodes" in text
    assert "bad: 1 of 2 episodes (1 missing)" in text
    assert "SR · L / max(TL, L, 0.01 m)" in text


def test_several_runs_as_json(files, capsys):
    main(command(files, "evaluate", "good.json", "bad.json", extra=["--profile", "duet", "--json"]))
    document = json.loads(capsys.readouterr().out)
    first, second = document["runs"]
    for run in (first, second):
        jsonschema.validate({**document, **run}, SCHEMA)
    assert "compared_with_first" not in first
    assert second["compared_with_first"]["TL"]["difference"] == 0.0


def test_parquet_and_intervals(files, capsys):
    out = files / "scores.parquet"
    extra = ["--profile", "r2r", "--per-episode", str(out), "--seed", "4"]
    assert main(command(files, "evaluate", "good.json", extra=extra)) == 0
    assert out.stat().st_size > 0
    extra[3] = str(files / "scores.csv")
    capsys.readouterr()
    assert main(command(files, "evaluate", "good.json", extra=extra)) == 2
    assert capsys.readouterr().err == f"error: {extra[3]}: name: does not end with .parquet\n"


def test_bad_use_is_one_line(files, capsys):
    missing = command(files, "evaluate", "none.json", extra=["--profile", "r2r"])
    assert main(missing) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "none.json: file: does not exist" in error
    with pytest.raises(SystemExit) as caught:
        main(command(files, "evaluate", "good.json", extra=["--profile", "best"]))
    assert caught.value.code == 2


def test_validate_names_id_step_and_kind(files, capsys):
    assert main(command(files, "validate", "bad.json", extra=["--json"])) == 1
    annotations, graphs, results = json.loads(capsys.readouterr().out)["files"]
    assert annotations["found"] == 2
    assert (graphs["role"], graphs["found"]) == ("connectivity", 1)
    kinds = [(f["kind"], f["id"], f["step"], f["value"]) for f in results["findings"]]
    assert kinds == [("no_edge", "1_0", 1, "A → C"), ("missing", "2_0", None, "")]
    assert (results["expected"], results["found"], results["missing"]) == (2, 1, 1)
    (server,) = results["servers"]
    assert (server["server"], server["refused"]) == ("the R2R leaderboard", True)
    assert [one["count"] for one in server["reasons"]] == [1, 1]


def test_validate_for_people(files, capsys):
    assert main(command(files, "validate", "good.json")) == 0
    told = capsys.readouterr().out
    assert "2 of 2" in told
    assert "the R2R leaderboard: nothing that it is known to refuse" in told
    assert main(command(files, "validate", "bad.json")) == 1
    told = capsys.readouterr().out
    assert "! no_edge: 1_0, step 1: step 1 goes from A to C" in told
    assert "the R2R leaderboard would refuse this: 1 instruction without a run (first: 2_0)" in told


def test_validate_without_annotations(files, capsys):
    assert main(["validate", "--results", str(files / "bad.json"), "--json"]) == 0
    (results,) = json.loads(capsys.readouterr().out)["files"]
    assert results["expected"] is None
    assert results["found"] == 1
    assert main(["validate"]) == 2
    assert "nothing to check" in capsys.readouterr().err


def test_validate_a_broken_graph(files, capsys):
    (files / "connectivity" / "line_connectivity.json").write_text('[{"image_id": "A"}]')
    (files / "connectivity" / "other_connectivity.json").write_text("[]")
    assert main(["validate", "--connectivity", str(files / "connectivity"), "--json"]) == 1
    (graphs,) = json.loads(capsys.readouterr().out)["files"]
    assert (graphs["expected"], graphs["found"], graphs["unreadable"]) == (2, 1, 1)
    assert "pose" in next(f["message"] for f in graphs["findings"] if f["kind"] == "unreadable")
    assert main(command(files, "validate", "good.json")) == 1
    capsys.readouterr()


def test_validate_doubles_and_strangers(files, capsys):
    runs = [{"instr_id": i, "trajectory": ["A", "B"]} for i in ("1_0", "1_0", "9_0", "01_0")]
    runs.append({"instr_id": "1_0", "trajectory": ["A"]})
    (files / "odd.json").write_text(json.dumps(runs))
    assert main(command(files, "validate", "odd.json", extra=["--json"])) == 1
    results = json.loads(capsys.readouterr().out)["files"][-1]
    assert results["duplicated_identical"] == results["duplicated_conflicting"] == 1
    assert results["foreign"] == 2


def test_metrics_list(capsys):
    assert main(["metrics", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["profiles"]
    assert [entry["profile"] for entry in listed] == list(PROFILES)
    assert main(["metrics", "list", "vln-pe"]) == 0
    text = capsys.readouterr().out
    assert "nearness (fraction)" in text
    assert "Source: InternRobotics/InternNav" in text
    assert main(["metrics", "list"]) == 0
    # Notes of a profile are longer than a line, and each line stands by itself.
    assert "⟨LF⟩" not in capsys.readouterr().out
    assert main(["metrics", "list", "best"]) == 2
    capsys.readouterr()
