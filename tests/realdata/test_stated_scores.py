"""NaVid's and StreamVLN's own numbers, as their released code prints them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.services.evaluation.stated import StatedReport, evaluate_stated

pytestmark = pytest.mark.realdata

TOLERANCE = 1e-9
UNKNOWN = {"nan", "inf", "-inf"}


def evaluated(results: Path, out: Path) -> tuple[StatedReport, dict[str, dict[str, object]]]:
    (report,) = exhaust(evaluate_stated(RunSource((results,)), out)).runs
    return report, {row["episode_id"]: row for row in pq.read_table(out).to_pylist()}


def same_rows(told: dict[str, dict[str, object]], rows: dict[str, dict[str, object]]) -> int:
    """How many numbers of single runs were compared."""
    compared = 0
    for name, scores in told.items():
        row = rows[name.rpartition("_")[2]]
        for key, value in scores.items():
            if key == "id":
                continue
            if value in UNKNOWN:
                assert row[key] is None
            else:
                assert row[key] == pytest.approx(value, abs=TOLERANCE)
            compared += 1
    return compared


def test_navid(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "peers/navid"
    told = json.loads((folder / "expected.json").read_text())
    report, rows = evaluated(folder / "log", tmp_path / "scores.parquet")
    means = {key: value for key, value in told["means"].items() if key != "printed"}
    assert {key: one.value for key, one in report.scores.items()} == pytest.approx(
        means, abs=TOLERANCE
    )
    assert all(one.n == 60 for one in report.scores.values())
    assert (report.scores["spl"].known, report.scores["spl"].unknown) == (57, 3)
    assert same_rows(told["per_episode"], rows) == 300


def test_streamvln(shared_data: Path, tmp_path: Path) -> None:
    """Its totals are sums of 32-bit numbers; ours of its rows agree as far as those go."""
    folder = shared_data / "peers/streamvln"
    told = json.loads((folder / "expected.json").read_text())
    report, rows = evaluated(folder / "result.json", tmp_path / "scores.parquet")
    stated = {name: one.stated for name, one in report.totals.items()}
    assert stated == pytest.approx(told["means"], abs=TOLERANCE)
    assert all(one.agrees for one in report.totals.values())
    for name, key in (("sucs_all", "success"), ("spls_all", "spl"), ("ones_all", "ne")):
        assert report.scores[key].value == pytest.approx(told["means"][name], rel=1e-6)
    assert same_rows(told["per_episode"], rows) == 300


@pytest.mark.parametrize("name", ["n3_result", "n3_result_totals"])
def test_nan_spreads_as_in_the_released_code(shared_data: Path, tmp_path: Path, name: str) -> None:
    results = shared_data / f"found/runs/stream_totals/{name}.json"
    report, _ = evaluated(results, tmp_path / "scores.parquet")
    assert report.coverage["found"] == 3
    assert report.scores["success"].value == pytest.approx(1 / 3)
    assert (report.scores["spl"].value, report.scores["ne"].value) == (None, None)
    assert report.scores["spl"].known_mean == pytest.approx(0.25)
    assert report.is_whole


def test_three_files_of_navid(shared_data: Path, tmp_path: Path) -> None:
    report, rows = evaluated(shared_data / "found/runs/navid/log", tmp_path / "scores.parquet")
    assert [rows[name]["spl"] for name in ("1", "2", "3")] == [0.8, 0.0, None]
    assert report.scores["spl"].value == pytest.approx(0.8 / 3)
    assert report.scores["distance_to_goal"].value == pytest.approx(2.0)
