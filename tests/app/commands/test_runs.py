"""``waypost runs`` lists result files and what fits them; ``report --table`` writes episodes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from fixtures.replay_files import RunFiles, write_run

from waypost.app.main import main


def sorted_run(folder: Path) -> RunFiles:
    """A run in folders of data set, split and model, four deep."""
    home = folder / "R2R" / "val_unseen" / "gpt-4" / "plain"
    home.mkdir(parents=True)
    return write_run(home, {"7_0": "ABC", "7_1": "ABABC"})


def test_json_lists_runs_with_what_fits_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted_run(tmp_path)
    assert main(["runs", str(tmp_path), "--companions", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "folder": str(tmp_path),
        "is_whole": True,
        "runs": [
            {
                "path": str(files.results),
                "dataset": "R2R",
                "split": "val_unseen",
                "model": "gpt-4",
                "setting": "plain",
                "format": "r2r",
                "annotations": [str(files.annotations)],
                "connectivity": str(files.connectivity),
                "pictures": None,
                "scene": None,
                "reasons": [
                    "R2R_val.json has 2 of the first 2 runs by id and start",
                    "connectivity has the graphs of 1 of 1 scans",
                ],
            }
        ],
    }


def test_lines_name_what_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sorted_run(tmp_path)
    assert main(["runs", str(tmp_path)]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["data", "set", "split", "model", "setting", "format", "file"]
    assert line.split() == [
        "R2R",
        "val_unseen",
        "gpt-4",
        "plain",
        "r2r",
        "R2R/val_unseen/gpt-4/plain/model.json",
    ]


def test_a_folder_without_runs_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", str(tmp_path)]) == 1
    assert capsys.readouterr().out == "no result file of a known format\n"
    assert main(["runs", str(tmp_path / "none")]) == 2
    assert "none: file: does not exist" in capsys.readouterr().err


def test_a_report_writes_tables_beside_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC", "7_1": "ABABC"}, instruction="=1+1")
    out = tmp_path / "out"
    tables = [str(out / "t.csv"), str(out / "t.parquet")]
    options = [*files.options(), "--out", str(out), "--table", tables[0], "--table", tables[1]]
    assert main(["report", *options, "--json"]) == 1  # 7_2 is missing
    assert json.loads(capsys.readouterr().out)["tables"] == tables
    with (out / "t.csv").open(encoding="utf-8-sig", newline="") as stream:
        first, second = csv.DictReader(stream)
    assert (first["instruction"], first["profile"]) == ("'=1+1", "r2r")
    assert (second["episode_id"], second["TL"], second["SPL"]) == ("7_1", "8.0", "0.5")
    assert pq.read_table(out / "t.parquet").column("SPL").to_pylist() == [1.0, 0.5]


def test_a_table_of_another_kind_is_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_run(tmp_path, {"7_0": "ABC"})
    out = tmp_path / "out"
    assert main(["report", *files.options(), "--out", str(out), "--table", "t.xlsx"]) == 2
    assert "a table is written as .csv or .parquet" in capsys.readouterr().err
    assert not out.exists()
