"""A run whose episodes several profiles score: no number stands under another's definition."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures.replay_files import write_run

from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.metrics.registry import find_profile
from waypost.report.page import metric_rows
from waypost.services.replay import run_index
from waypost.services.replay.loading import ReplayedRun, replay_all
from waypost.services.replay.row_making import rows_of
from waypost.services.replay.run_index import RunIndex, index_run

WALK = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [4.0, 1.0, 0.0]]
"""On the floor of A and B, then 1 m beside C, the goal: 2 m + √5 m."""

IN_SPACE = "vlnce (straight-line)"


def line(name: str, **more: Any) -> dict[str, Any]:
    return {"waypost_run": 1, "episode_id": name, "end": {"called_stop": True}, **more}


def read(folder: Path, lines: list[dict[str, Any]]) -> tuple[RunIndex, ReplayedRun]:
    files = write_run(folder, {"7_0": "A"})
    files.results.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    source = RunSource((files.results,), (files.annotations,), files.connectivity)
    made, whole = exhaust(index_run(source, folder / "cache")), exhaust(replay_all(source))
    assert made.rows.rows == rows_of(whole).rows
    assert made.rows.columns == rows_of(whole).columns
    assert set(made.warnings) == set(whole.warnings)
    again = exhaust(index_run(source, folder / "cache"))
    assert (again.is_from_cache, again.rows.rows) == (True, made.rows.rows)
    return made, whole


def cells(made: RunIndex, number: int) -> dict[str, tuple[float | None, str]]:
    row = made.rows.rows[number]
    keys = [column.key for column in made.rows.columns]
    return dict(zip(keys, zip(row.values, row.reasons, strict=True), strict=True))


@pytest.mark.parametrize("small_bytes", [run_index._SMALL_BYTES, 10])
def test_a_first_run_without_a_path_heads_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_bytes: int
) -> None:
    monkeypatch.setattr(run_index, "_SMALL_BYTES", small_bytes)
    lines = [line("7_0"), line("7_1", frame="scene", positions=WALK), line("7_2")]
    made, whole = read(tmp_path, lines)
    assert made.rows.profile_key == whole.profile.key == IN_SPACE
    definitions = {column.key: column.definition for column in made.rows.columns}
    assert "straight line" in definitions["TL"]
    assert cells(made, 1)["TL"] == (pytest.approx(2 + 5**0.5), "")
    assert cells(made, 1)["SR"] == (1.0, "")
    for empty in (0, 2):
        assert cells(made, empty)["TL"] == (None, "the path is empty")
    means = {row.key: row.result for row in metric_rows(whole)}
    assert (means["TL"].value, means["TL"].n) == (pytest.approx(2 + 5**0.5), 1)
    assert means["TL"].undefined == {"the path is empty": 2}
    assert not any("scored by" in text for text in made.warnings)


def test_what_two_profiles_define_otherwise_is_not_mixed(tmp_path: Path) -> None:
    lines = [
        line("7_0", viewpoints=["A", "B", "C"]),
        line("7_1", frame="scene", positions=WALK),
        line("7_2", viewpoints=["A", "B"]),
    ]
    made, whole = read(tmp_path, lines)
    assert made.rows.profile_key == "r2r"
    assert cells(made, 0)["TL"] == (4.0, "")
    value, why = cells(made, 1)["TL"]
    assert value is None
    assert why == f"the profile {IN_SPACE}, which scores this episode, defines it otherwise"
    assert "has no such metric" in cells(made, 1)["CLS"][1]
    means = {row.key: row.result for row in metric_rows(whole)}
    # 4 m and 2 m along the graph; the way in space is no part of it.
    assert (means["TL"].value, means["TL"].n, sum(means["TL"].undefined.values())) == (3.0, 2, 1)
    told = (
        f"1 of 3 runs is scored by {IN_SPACE}, not by r2r: what these define otherwise is"
        " undefined in its columns and in no mean"
    )
    assert told in made.warnings
    # The run itself is shown by its own profile.
    assert made.replayed("7_1").scores.values["TL"] == pytest.approx(2 + 5**0.5)


def test_what_two_profiles_define_alike_counts(tmp_path: Path) -> None:
    found = exhaust(replay_all(_r2r(tmp_path))).attempts[0].scores
    duet = found.under(find_profile("duet"))
    assert duet.values["TL"] == found.values["TL"] == 4.0
    assert duet.values["SPL"] is None
    assert "defines it otherwise" in duet.reasons["SPL"]


def _r2r(folder: Path) -> RunSource:
    files = write_run(folder, {"7_0": "ABC"})
    return RunSource((files.results,), (files.annotations,), files.connectivity)
