"""``waypost replay``: its JSON, its text, its picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import four_views
from fixtures.replay_files import write_run
from fixtures.run_samples import DISCUSSNAV_LOG, V
from PIL import Image

from waypost.app.main import main
from waypost.domain.replay.map import time_colour


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


@pytest.mark.parametrize("name", ["-2+3", "-", "-x", "-2", "-1e5", "-a b", "--json", "-v"])
def test_ids_that_begin_with_a_minus(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {name: "AB"})
    forms = [[f"--episode={name}"]]
    if not name.startswith("--") and name != "-v":
        forms.append(["--episode", name])
    for form in forms:
        # Options before and after stay what they are.
        assert main(["replay", "-v", str(files.results), *form, "--attempt", "1", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["episode"] == name


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
    graphs = ["--connectivity", str(files.connectivity)]
    assert main(["replay", str(files.results), *graphs, "--episode", "7_0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    why = "the scan is unknown, as no episode that states it was given"
    assert shown["undefined"]["SR"] == why


def test_what_the_report_warns_of_is_said_beside_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "AB"})
    (files.connectivity / "line_connectivity.json").unlink()
    files.results.write_text(
        '[{"instr_id": "7_0", "trajectory": [["A", NaN, 0], ["B", 0, 0]]}, {"instr_id": "7_'
    )
    assert main(["replay", *files.options(), "--episode", "7_0", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["episode"] == "7_0"
    said = shown.err.splitlines()
    assert all(line.startswith("warning: ") for line in said)
    assert f"warning: {files.connectivity} has no connectivity file of line" in said
    for words in ("NaN", "ends in the middle"):
        assert sum(words in line for line in said) == 1, said


def test_no_text_of_a_file_steers_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "AB"}, instruction="Go \x1b[31mred \u202eback")
    assert main(["replay", *files.options(), "--episode", "7_0"]) == 0
    assert "instruction: Go ⟨ESC⟩[31mred ⟨RLO⟩back\n" in capsys.readouterr().out
    assert main(["replay", *files.options(), "--episode", "\x1b[2J"]) != 0
    assert "\x1b" not in capsys.readouterr().err


def test_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC"})
    assert main(["replay", *files.options(), "--episode", "7_0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "   2  return            4.00 m  off        A <- first deviation" in lines
    assert "  SPL          0.5000" in lines


@pytest.mark.usefixtures("qapp")
def test_the_picture_shows_reference_and_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC"})
    out = tmp_path / "plan.png"
    main(["replay", *files.options(), "--episode", "7_0", "--png", str(out)])
    assert f"{out}: 1 picture" in capsys.readouterr().out
    with Image.open(out) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=int)
    # Drawing smoothly mixes colours at edges; what is within 12 of a colour is that colour.
    shown = [
        int((np.abs(pixels - colour).max(axis=2) < 12).sum())
        for colour in ((21, 95, 189), (168, 29, 44), time_colour(1.0))
    ]
    reference, deviation, last_move = shown
    assert reference > 300
    assert deviation > 50
    assert last_move > 50


@pytest.mark.usefixtures("qapp")
def test_films_and_panoramas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    for name in "ABC":
        four_views(tmp_path / "pictures" / "line", name + "_{}.png")
    options = ["replay", *files.options(), "--episode", "7_0", "--pictures"]
    options += [str(tmp_path / "pictures")]
    gif, mp4 = tmp_path / "a.gif", tmp_path / "a.mp4"
    assert main([*options, "--gif", str(gif), "--mp4", str(mp4)]) == 0
    assert f"{gif}: 3 pictures, one for each step" in capsys.readouterr().out
    with Image.open(gif) as film:
        assert film.n_frames == 3
    assert mp4.stat().st_size > 10_000
    assert main([*options, "--gif", str(mp4)]) == 2
    assert f"--gif: {mp4} does not end in .gif" in capsys.readouterr().err
    assert main([*options[:-1], str(tmp_path / "away"), "--gif", str(gif)]) == 2
    assert "away" in capsys.readouterr().err


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
    assert "has 2 runs, counted from 1, not 3" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("episode", "reason"), [("9", "has no run of episode 9"), ("8_0", "has no episode 8_0")]
)
def test_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], episode: str, reason: str
) -> None:
    files = write_run(tmp_path, {"7_0": "AB", "8_0": "AB"})
    assert main(["replay", *files.options(), "--episode", episode]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert reason in error


@pytest.mark.usefixtures("qapp")
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


@pytest.mark.usefixtures("qapp")
@pytest.mark.usefixtures("qapp")
def test_a_picture_up_to_a_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_run(tmp_path, {"7_0": "ABABC"})
    options = ["replay", *files.options(), "--episode", "7_0", "--png", str(tmp_path / "a.png")]
    assert main([*options, "--step", "1"]) == 0
    with Image.open(tmp_path / "a.png") as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=int)
    deviation, option = (
        int((np.abs(pixels - colour).max(axis=2) < 12).sum())
        for colour in ((168, 29, 44), (27, 115, 68))
    )
    assert deviation == 0
    assert option > 100
    assert main([*options, "--step", "5"]) == 2
    assert "5 is not between 0 and 4" in capsys.readouterr().err


@pytest.mark.usefixtures("qapp")
def test_an_occupancy_map_lies_under_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    Image.new("L", (80, 80), 0).save(tmp_path / "map.png")
    below = tmp_path / "map.yaml"
    below.write_text("image: map.png\nresolution: 0.5\norigin: [-20.0, -20.0, 0.0]\n")
    plain, mapped = tmp_path / "plain.png", tmp_path / "mapped.png"
    options = ["replay", *files.options(), "--episode", "7_0"]
    assert main([*options, "--png", str(plain)]) == 0
    assert main([*options, "--png", str(mapped), "--map", str(below)]) == 0

    def dark_share(path: Path) -> float:
        with Image.open(path) as picture:
            return float((np.asarray(picture.convert("L")) < 90).mean())

    assert dark_share(mapped) > dark_share(plain) + 0.1
    capsys.readouterr()
    assert main([*options, "--map", str(below)]) == 2
    assert "error: --map: lies under a picture" in capsys.readouterr().err


def test_an_id_that_damage_hides_is_said_with_the_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the results, at the place; in the episodes; and where results end in the middle."""
    files = write_run(tmp_path, {"7_0": "AB", "7_1": "AB"})
    options = ["replay", *files.options(), "--episode"]
    whole = files.results.read_text()
    files.results.write_text(whole.replace('"A"', "{}", 1))
    assert main([*options, "7_0"]) == 2
    error = capsys.readouterr().err
    assert f"{files.results}: file: has no run of episode 7_0; {files.results}: [0]" in error
    files.results.write_text(whole[:-4])
    assert main([*options, "7_1"]) == 2
    error = capsys.readouterr().err
    assert f"has no run of episode 7_1; {files.results} ends in the middle" in error
    files.results.write_text(whole)
    asked = files.annotations.read_text()
    files.annotations.write_text(asked.replace('"heading": 0.0', '"heading": "north"'))
    assert main([*options, "7_0"]) == 2
    error = capsys.readouterr().err
    assert "has no episode 7_0, which the run names; " in error
    assert "heading: is text, not a number" in error


def test_a_run_without_a_way_has_no_scores_because_its_path_is_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": ""})
    assert main(["replay", *files.options(), "--episode", "7_0", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["steps"] == []
    assert set(shown["undefined"].values()) == {"the path is empty"}


def test_a_run_without_id_replays_under_the_name_that_the_report_gives_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "DiscussNav.log"
    log.write_text(DISCUSSNAV_LOG)
    assert main(["report", str(log), "--out", str(tmp_path / "out")]) == 0
    assert "without id 1" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(log), "--episode", "without id 1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"][0]["viewpoint"] == V[0]
