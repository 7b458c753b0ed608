"""Scores of two public result files equal those of the public scorers."""

import json

import pytest

from waypost.app.main import main

pytestmark = pytest.mark.realdata

REFERENCE = {
    "val_unseen_shortest_agent": {
        "TL": 9.479686302659548,
        "NE": 0.0,
        "OSR": 1.0,
        "SR": 1.0,
        "SPL": 1.0,
        "SPL_DUET": 1.0,
        "nDTW": 0.9985834258375851,
        "SDTW": 0.9985834258375851,
        "CLS": 0.9983595778632285,
    },
    "val_unseen_wander_agent": {
        "TL": 13.314202432370703,
        "NE": 5.430535998618375,
        "OSR": 0.5031928480204342,
        "SR": 0.34738186462324394,
        "SPL": 0.2291389271121592,
        "SPL_DUET": 0.22947972163285033,
        "nDTW": 0.4932238538789096,
        "SDTW": 0.2539358001670856,
        "CLS": 0.4568317135526627,
    },
}


def arguments(shared_data, profile):
    folder = shared_data / "r2r"
    return [
        "evaluate",
        "--profile",
        profile,
        "--annotations",
        str(folder / "R2R_val_unseen.json"),
        "--connectivity",
        str(folder / "connectivity"),
        "--results",
        *(str(folder / f"{name}.json") for name in REFERENCE),
        "--json",
    ]


def test_the_table_in_one_run(shared_data, capsys):
    assert main(arguments(shared_data, "r2r")) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["profile"] == "r2r"
    for run in document["runs"]:
        assert run["coverage"]["expected"] == run["coverage"]["found"] == 2349
        for key, expected in REFERENCE[run["run"]].items():
            assert run["metrics"][key]["value"] == pytest.approx(expected, abs=1e-9)
            assert run["metrics"][key]["n"] == 2349


def test_duet_agrees(shared_data, capsys):
    assert main(arguments(shared_data, "r2r")) == 0
    of_r2r = {run["run"]: run["metrics"] for run in json.loads(capsys.readouterr().out)["runs"]}
    assert main(arguments(shared_data, "duet")) == 0
    for run in json.loads(capsys.readouterr().out)["runs"]:
        expected = REFERENCE[run["run"]]
        for key in ("TL", "NE", "OSR", "SR", "CLS"):
            assert run["metrics"][key]["value"] == pytest.approx(expected[key], abs=1e-9)
        # The wanderer turns in place, which the released code counts.
        for key in ("nDTW", "SDTW"):
            released = of_r2r[run["run"]][f"{key}_DUET"]["value"]
            assert run["metrics"][key]["value"] == released
            assert released <= expected[key] + 1e-9
        assert run["metrics"]["SPL"]["value"] == pytest.approx(expected["SPL_DUET"], abs=1e-9)


def test_the_files_are_sound(shared_data, capsys):
    command = arguments(shared_data, "r2r")
    assert main(["validate", *command[3:]]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [entry["found"] for entry in files] == [2349, 11, 2349, 2349]
