from __future__ import annotations

import json
from pathlib import Path

import pytest
from fixtures.episode_samples import NAVBENCH, VLNVERSE_FINE

from waypost.app.main import main


def test_one_json_document_says_what_became_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "fine.json"
    source.write_text(json.dumps([*VLNVERSE_FINE, {"episode_id": "broken"}]))
    out = tmp_path / "out.json.gz"
    code = main(["convert", str(source), "--to", "vlnce-r2r", "--out", str(out), "--json"])
    document = json.loads(capsys.readouterr().out)
    assert code == 1
    counts = {key: document[key] for key in ("read", "written", "left_out", "unreadable")}
    assert counts == {"read": 1, "written": 1, "left_out": 0, "unreadable": 1}
    formats = {key: document[key] for key in ("kind", "from", "to")}
    assert formats == {"kind": "episodes", "from": "vlnverse-fine", "to": "vlnce-r2r"}
    assert "--kind runs" in document["warnings"][0]
    assert {finding["kind"] for finding in document["findings"]} == {
        "unreadable",
        "unknown_value",
    }
    assert "wxyz" in document["conventions"]["from"].replace(", ", "")
    assert out.read_bytes()[:2] == b"\x1f\x8b"


def test_lines_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "data.json"
    source.write_text(json.dumps(NAVBENCH))
    out = tmp_path / "out.csv"
    assert main(["convert", str(source), "--to", "navbench-csv", "--out", str(out)]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == f"{out}: 1 of 1 episodes, navbench → navbench-csv"
    assert rest[0].startswith("read as: Matterport3D viewpoints")
    assert rest[1].startswith("written as: ")


def test_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--list", "--json"]) == 0
    formats = json.loads(capsys.readouterr().out)["formats"]
    assert {"episodes", "runs"} == {entry["kind"] for entry in formats}
    assert all(entry["conventions"] and entry["source"] for entry in formats)
    assert main(["convert", "--list"]) == 0
    assert "R2R, DUET, HAMT and REVERIE result files" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convert"], "convert needs FILE, --to FORMAT and --out FILE, or --list"),
        (["convert", "no.json", "--to", "r2r", "--out", "x.json"], "no.json: file: does not exist"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


def test_links_in_a_circle_are_no_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, circle = tmp_path / "runs.json", tmp_path / "circle.json"
    source.write_text("[]")
    circle.symlink_to(circle)
    assert main(["convert", str(source), "--to", "waypost", "--out", str(circle)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {circle}: file: cannot be written: ")
