"""``waypost replay``: its JSON, its text, its picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from replay_files import write_run

from waypost.app.main import main
from waypost.domain.replay_map import time_colour


def test_the_document_of_back_and_forth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC", "7_1": "ABC"})
    assert main(["replay", *files.options(), "--episode", "7_0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["episode"] == "7_0"
    assert shown["first_deviation_step"] == 2
    assert shown["ended_by"] == "end of path"
    assert shown["tags"] == [
        {"tag": "success_with_looping", "step": 2},
        {"tag": "looping", "step": 2},
    ]
    assert (shown["metrics"]["TL"], shown["metrics"]["SPL"]) == (8.0, 0.5)
    assert shown["undefined"] == {}
    assert [step["viewpoint"] for step in shown["steps"]] == list("ABABC")
    assert [step["on_reference"] for step in shown["steps"]] == [True, True, False, True, True]
    assert shown["steps"][2] == {
        "index": 2,
        "viewpoint": "A",
        "position_m": [0.0, 0.0, 1.5],
        "heading_rad": pytest.approx(1.5),
        "event": "return",
        "thought": None,
        "action": None,
        "on_reference": False,
    }


def test_without_annotations_the_run_still_replays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    assert main(["replay", str(files.results), "--episode", "7_0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [step["event"] for step in shown["steps"]] == ["start", "move"]
    assert shown["first_deviation_step"] is None
    assert shown["metrics"]["SR"] is None
    assert shown["undefined"]["SR"] == "the connectivity of the scan was not given"


def test_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC"})
    assert main(["replay", *files.options(), "--episode", "7_0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "   2  return            4.00 m  off        A <- first deviation" in lines
    assert "  SPL          0.5000" in lines


def test_the_picture_shows_reference_and_path(tmp_path: Path) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC"})
    out = tmp_path / "plan.png"
    main(["replay", *files.options(), "--episode", "7_0", "--png", str(out)])
    with Image.open(out) as picture:
        assert picture.size[0] == 1200
        pixels = np.asarray(picture.convert("RGB"), dtype=int)
    # Scaling down mixes colours at edges; what is within 12 of a colour is that colour.
    shown = [
        int((np.abs(pixels - colour).max(axis=2) < 12).sum())
        for colour in ((59, 130, 246), (217, 83, 25), time_colour(1.0))
    ]
    reference, deviation, last_move = shown
    assert reference > 300
    assert deviation > 50
    assert last_move > 50


def test_each_of_two_runs_can_be_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    runs = json.loads(files.results.read_text())
    runs.append({"instr_id": "7_0", "trajectory": [["A", 0, 0]]})
    files.results.write_text(json.dumps(runs))
    options = ["replay", *files.options(), "--episode", "7_0", "--json"]
    assert main([*options, "--attempt", "2"]) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 1
    assert main([*options, "--attempt", "3"]) == 2
    assert "has 2 runs, not 3" in capsys.readouterr().err


@pytest.mark.parametrize(("episode", "reason"), [("9", "has no run of episode 9"),
                                                 ("8_0", "has no episode 8_0")])  # fmt: skip
def test_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], episode: str, reason: str
) -> None:
    files = write_run(tmp_path, {"7_0": "AB", "8_0": "AB"})
    assert main(["replay", *files.options(), "--episode", episode]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert reason in error


def test_positions_stand_for_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "take.csv"
    log.write_text(
        "pos_x,pos_y,pos_z,look_x,look_y,look_z,frame\n"
        "1.0,2.0,1.5,1,0,0,0\n1.5,2.0,1.5,0.0,1.0,0.0,50\n"
    )
    assert main(["replay", str(log), "--episode", "take"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["1", "move", "(1.50,", "2.00,", "1.50)"] in lines
    png = tmp_path / "plan.png"
    assert main(["replay", str(log), "--episode", "take", "--png", str(png)]) == 0
    assert png.stat().st_size > 1000


def test_long_thoughts_are_shortened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "runs.jsonl"
    thought = "so " * 60
    decision = {"first_pose": 1, "end_pose": 2, "thought": thought}
    run = {"waypost_run": 1, "episode_id": "7", "viewpoints": ["A", "B"], "decisions": [decision]}
    log.write_text(json.dumps(run) + "\n")
    assert main(["replay", str(log), "--episode", "7"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "so so" in line)
    assert line.endswith("so so…")
    assert len(line) < 110


def test_a_picture_up_to_a_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC"})
    options = ["replay", *files.options(), "--episode", "7_0", "--png", str(tmp_path / "a.png")]
    assert main([*options, "--step", "1"]) == 0
    with Image.open(tmp_path / "a.png") as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=int)
    deviation, option = (
        int((np.abs(pixels - colour).max(axis=2) < 12).sum())
        for colour in ((217, 83, 25), (58, 170, 96))
    )
    assert deviation == 0
    assert option > 100
    assert main([*options, "--step", "5"]) == 2
    assert "5 is not between 0 and 4" in capsys.readouterr().err
