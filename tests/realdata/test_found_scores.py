"""Small inputs whose scores were wrong once: the values that released code gives for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from waypost.app.main import main

pytestmark = pytest.mark.realdata


def evaluated(
    capsys: pytest.CaptureFixture[str],
    profile: str,
    annotations: Path,
    results: Path,
    *more: object,
) -> dict[str, Any]:
    """The document of ``waypost evaluate``; something may be missing."""
    given = ["--annotations", annotations, "--results", results, *more, "--json"]
    assert main(["evaluate", "--profile", profile, *map(str, given)]) in {0, 1}
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def value(document: dict[str, Any], key: str) -> float | None:
    found: float | None = document["metrics"][key]["value"]
    return found


@pytest.fixture
def runs(shared_data: Path) -> Path:
    return shared_data / "found" / "runs"


@pytest.mark.parametrize(
    ("folder", "results", "viewpoints", "decisions"),
    [
        # NavGPT's back-trace is one group of two viewpoints; an answer that was refused is none.
        ("steps_navgpt", "navgpt.json", 5, 4),
        ("steps_mapgpt", "case_InstrID_5_0.json", 12, 12),
    ],
)
def test_steps(capsys, runs, folder, results, viewpoints, decisions):
    place = runs / folder
    graphs = ("--connectivity", runs / "connectivity")
    found = evaluated(capsys, "duet", place / "ann.json", place / results, *graphs)
    assert value(found, "steps") == value(found, "action_steps") == decisions
    assert value(found, "trajectory_steps") == viewpoints


def test_turns_in_place_count_in_the_released_ndtw(capsys, runs):
    place = runs / "turns_in_place"
    given = (place / "ann.json", place / "res.json", "--connectivity", runs / "connectivity")
    assert value(evaluated(capsys, "duet", *given), "nDTW") == pytest.approx(0.3679, abs=5e-5)
    r2r = evaluated(capsys, "r2r", *given)
    assert value(r2r, "nDTW_DUET") == pytest.approx(0.3679, abs=5e-5)
    assert value(r2r, "nDTW") > 0.7


def test_both_readings_of_spl_in_reverie(capsys, runs):
    place = runs / "reverie_spl"
    given = (place / "REVERIE_val_unseen.json", place / "res.json")
    found = evaluated(capsys, "reverie", *given, "--connectivity", runs / "connectivity")
    assert value(found, "SPL") == value(found, "RGSPL") == 1.0
    assert value(found, "SPL_REVERIE") == value(found, "RGSPL_REVERIE") == pytest.approx(2 / 3)


def test_nearness_is_over_the_ends_of_macro_actions(capsys, runs):
    place = runs / "vlnpe_nearness"
    found = evaluated(capsys, "vln-pe", place / "ann.json", place / "run.jsonl")
    assert value(found, "nearness") == 1.0


@pytest.mark.parametrize(
    ("profile", "accuracy", "n", "composite"),
    # Of the released scorer's four parts RV has no record and counts as 0.
    [("capnav-released", 1.0, 1, 0.75), ("capnav", 0.5, 2, None)],
)
def test_a_failed_answer_of_capnav(capsys, runs, profile, accuracy, n, composite):
    graphs = runs / "capnav_gt"
    failed = runs / "capnav_failures" / "null"
    given = (graphs / "s1-QA.json", failed, "--connectivity", graphs)
    found = evaluated(capsys, profile, *given)
    assert (value(found, "accuracy"), found["metrics"]["accuracy"]["n"]) == (accuracy, n)
    assert found["of_the_whole_run"]["composite"]["value"] == composite
    (note,) = found["findings"]
    assert note["id"] == "s1_1__HUMAN"
    assert "has no result" in note["message"]


@pytest.mark.parametrize(("profile", "composite"), [("capnav-released", 0.625), ("capnav", None)])
def test_both_answers_of_a_file_of_capnav(capsys, runs, profile, composite):
    graphs = runs / "capnav_gt"
    both = runs / "capnav_failures" / "two"
    found = evaluated(capsys, profile, graphs / "s1-QA.json", both, "--connectivity", graphs)
    assert found["coverage"]["found"] == found["metrics"]["accuracy"]["n"] == 2
    assert [value(found, key) for key in ("accuracy", "PV", "RTA")] == [1.0, 0.5, 1.0]
    assert found["of_the_whole_run"]["composite"]["value"] == composite


def test_whose_stop_ended_a_run_of_mapgpt(capsys, runs):
    """The case is the one of ``steps_mapgpt`` to the byte: nothing in it tells of a limit.

    The corridor has 14 places; MapGPT asks about up to 20 (chen-judge/MapGPT:vln/gpt_agent.py).
    """
    case = runs / "forced_stop" / "case_InstrID_5_0.json"
    assert case.read_bytes() == (runs / "steps_mapgpt" / case.name).read_bytes()
    given = ["replay", case, "--episode", "5_0", "--annotations", runs / "forced_stop_ann_r2r.json"]
    assert main([*map(str, given), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["ended_by"]
    assert (
        told == "stop, or cut off by the program: the case file does not tell, its console log does"
    )
    assert main([*map(str, given), "--connectivity", str(runs / "connectivity"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["ended_by"]
    assert told.endswith("14 places seen, so the limit of 20 pictures was not reached")
