"""``score`` gives the numbers of ``waypost evaluate``: one number, walked through every place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from worlds.vln_worlds import write_line_scan

import waypost
from waypost.app.main import main
from waypost.domain.base.errors import ReadError
from waypost.domain.episode.episode import Episode
from waypost.io import read_log
from waypost.metrics.registry import PROFILES

WALKS = ("ABC", "AB", "ABCD", "ACX", "", "ABCBC")
"""Runs of the first six of seven episodes along A, B, C; the fourth leaves the graph."""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A scan, episodes, and the results of two models: one whole, one of three episodes."""
    write_line_scan(tmp_path / "connectivity", 2, 2, 2)
    episodes = [
        {"distance": 4.0, "scan": "line", "path_id": n, "path": ["A", "B", "C"], "heading": 1.0,
         "instructions": ["go"]}
        for n in range(7)
    ]  # fmt: skip
    runs = [
        {"instr_id": f"{n}_0", "trajectory": [[name] for name in walk]}
        for n, walk in enumerate(WALKS)
    ]
    (tmp_path / "R2R_val_seen.json").write_text(json.dumps(episodes))
    (tmp_path / "whole.json").write_text(json.dumps(runs))
    (tmp_path / "part.json").write_text(json.dumps(runs[1:4]))
    return tmp_path


def evaluated(files: Path, profile: str, *results: str, **options: str) -> list[dict[str, Any]]:
    """The rows of ``--per-episode``; the document is printed."""
    words = [word for key, value in options.items() for word in (f"--{key}", value)]
    out = files / "scores.parquet"
    main([
        "evaluate", "--profile", profile, "--annotations", str(files / "R2R_val_seen.json"),
        "--connectivity", str(files / "connectivity"), "--json", "--per-episode", str(out),
        "--results", *(str(files / name) for name in results), *words,
    ])  # fmt: skip
    return pq.read_table(out).to_pylist()


def scored(files: Path, profile: str, *results: str, **options: Any) -> Any:
    """The same in a notebook."""
    runs = [waypost.read_runs(files / name) for name in results]
    episodes = waypost.read_episodes(str(files / "R2R_val_seen.json"))
    given = {run.name: run for run in runs} if len(runs) > 1 else runs[0]
    return waypost.score(given, episodes, profile, connectivity=files / "connectivity", **options)


def null(value: Any) -> Any:
    return None if value is None or pd.isna(value) else value


@pytest.mark.parametrize("profile", [key for key, p in PROFILES.items() if not p.needs_labels])
def test_a_number_is_the_same_wherever_it_stands(
    files: Path, profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = evaluated(files, profile, "whole.json", "part.json", seed="3")
    document = json.loads(capsys.readouterr().out)
    scores = scored(files, profile, "whole.json", "part.json")
    frame, means = scores.to_frame(), scores.means_to_frame(seed=3)
    columns = {metric.key: f"{metric.key}_m" if metric.unit == "m" else metric.key
               for metric in PROFILES[profile].metrics}  # fmt: skip
    assert list(zip(frame["run"], frame["episode_id"], strict=True)) == [
        (row["run"], row["episode_id"]) for row in told
    ]
    for key, column in columns.items():
        assert list(map(null, frame[column])) == [row[key] for row in told]
        reasons = [row[f"{key}_undefined"] for row in told]
        assert list(map(null, frame[f"{key}_undefined"])) == reasons
        assert [reason is None for reason in reasons] == frame[column].notna().tolist()
    for run in document["runs"]:
        for key, metric in run["metrics"].items():
            ((_, row),) = means[(means["run"] == run["run"]) & (means["metric"] == key)].iterrows()
            assert null(row["mean"]) == metric["value"]
            assert (row["n"], row["undefined"]) == (metric["n"], metric["undefined"])
            ends = [null(row["ci95_low"]), null(row["ci95_high"])]
            assert ends == (metric["ci95"] or [None, None])
            of_run = frame.loc[frame["run"] == run["run"], columns[key]]
            assert row["n"] == of_run.count()
            if row["n"]:
                assert of_run.mean() == pytest.approx(metric["value"], rel=1e-12)
        assert frame.attrs["coverage"][run["run"]] == run["coverage"]
    for name in ("definitions", "sources", "units"):
        assert frame.attrs[name] == {columns[k]: text for k, text in document[name].items()}
    assert frame.attrs["profile"] == means.attrs["profile"] == document["profile"]


def test_straight_lines_stand_in_where_they_are_asked_for(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = evaluated(files, "vlnce", "whole.json", **{"goal-distance": "straight-line"})
    document = json.loads(capsys.readouterr().out)
    scores = scored(files, "vlnce", "whole.json", goal_distance="straight-line")
    assert list(map(null, scores.to_frame()["NE_m"])) == [row["NE"] for row in told]
    assert scores.profile_name == document["profile"] != "vlnce"
    assert dict(scores.definitions) == document["definitions"]


def test_parts_of_what_was_read_are_scored(files: Path) -> None:
    runs = waypost.read_runs(files / "whole.json")
    episodes = waypost.read_episodes(files / "R2R_val_seen.json")
    chosen = [episode for episode in episodes if episode.episode_id in {"0_0", "1_0"}]
    frame = waypost.score(
        runs[:3], chosen, "r2r", connectivity=files / "connectivity"
    ).to_frame()  # fmt: skip
    assert frame[["run", "episode_id", "SR", "NE_m"]].values.tolist() == [
        ["whole", "0_0", 1.0, 0.0],
        ["whole", "1_0", 1.0, 2.0],
    ]
    assert frame.attrs["coverage"]["whole"]["foreign"] == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"profile": "r3r"}, "'r3r' is no metric profile"),
        ({"connectivity": None}, "needs --connectivity"),
        ({"connectivity": "nowhere"}, "nowhere: file: is no folder"),
        ({"episodes": []}, "there is no episode"),
        ({"goal_distance": "air"}, "'air' is none of navmesh, straight-line"),
        ({"profile": "capnav"}, "scores answers by labels"),
    ],
)
def test_what_cannot_be_scored_is_one_read_error(
    files: Path, options: dict[str, Any], reason: str
) -> None:
    given: dict[str, Any] = {
        "profile": "r2r",
        "connectivity": files / "connectivity",
        "episodes": waypost.read_episodes(files / "R2R_val_seen.json"),
        **options,
    }
    episodes: list[Episode] = given.pop("episodes")
    with pytest.raises(ReadError) as caught:
        waypost.score(waypost.read_runs(files / "whole.json"), episodes, **given)
    assert str(caught.value).startswith("score: ")
    assert reason in str(caught.value)


def test_runs_that_cannot_be_read_are_all_counted(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the first ten thousand findings are kept, as for ``waypost evaluate``."""
    monkeypatch.setattr(read_log, "MOST_FINDINGS", 2)
    runs = json.loads((files / "whole.json").read_text())
    broken = [{"instr_id": "6_0", "trajectory": [[1]]}] * 5
    (files / "broken.json").write_text(json.dumps([*runs[:2], *broken]))
    evaluated(files, "duet", "broken.json")
    told = json.loads(capsys.readouterr().out)["coverage"]
    coverage = scored(files, "duet", "broken.json").to_frame().attrs["coverage"]
    assert coverage == {"broken": told}
    assert told["invalid"] == 5
