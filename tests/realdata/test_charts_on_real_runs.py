"""Charts of two whole runs over R2R's unseen episodes: every part opens as many rows as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from waypost.charts.picture import ChartPicture
from waypost.domain.base.progress import exhaust
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.row_filter import RowFilter, SortOrder
from waypost.domain.replay.run_rows import RunRows
from waypost.services.replay.loading import replay_all
from waypost.services.replay.row_making import rows_of
from waypost.tables.row_table import RowTable
from waypost.viewers.charts.chart_makers import ChartData, ChartKind, make_chart

pytestmark = pytest.mark.realdata

EPISODES = 2349


@pytest.fixture(scope="module")
def runs(shared_data: Path) -> tuple[RunRows, RunRows]:
    data = shared_data / "r2r"

    def read(name: str) -> RunRows:
        asked = RunSource((data / name,), (data / "R2R_val_unseen.json",), data / "connectivity")
        return rows_of(exhaust(replay_all(asked)))

    return read("val_unseen_wander_agent.json"), read("val_unseen_shortest_agent.json")


def measure(text: str, width_px: float) -> tuple[float, float]:
    return min(7.0 * len(text), width_px), 17.0


@pytest.fixture(scope="module")
def pictures(runs: tuple[RunRows, RunRows]) -> dict[ChartKind, ChartPicture]:
    wander, shortest = runs
    others = {"shortest": tuple(shortest.outcomes())}
    data = ChartData(tuple(wander.outcomes()), "wander", others=others)
    made = {}
    for kind in set(ChartKind) - {ChartKind.AGREEMENT}:
        make, reason = make_chart(data, kind, "shortest")
        assert make is not None, reason
        made[kind] = make(700.0, 420.0, measure)
    return made


def test_every_part_opens_as_many_rows_as_it_counts(
    runs: tuple[RunRows, RunRows], pictures: dict[ChartKind, ChartPicture]
) -> None:
    table = RowTable()
    table.set_runs(runs)
    opened = 0
    for kind, picture in pictures.items():
        for target in picture.targets:
            count = len(target.episode_ids)
            rows = table.shown(RowFilter(ids=frozenset(target.episode_ids)), SortOrder())
            assert len(rows) == count, (kind, target.title)
            told = re.search(r"^([\d,]+) of|n = ([\d,]+)", target.detail)
            assert told is not None, target.detail
            assert int((told[1] or told[2]).replace(",", "")) == count, (kind, target)
            opened += count > 0
    assert opened > 80


def test_parts_of_each_chart_add_up(pictures: dict[ChartKind, ChartPicture]) -> None:
    def total(kind: ChartKind, pattern: str) -> int:
        return sum(
            len(t.episode_ids) for t in pictures[kind].targets if re.fullmatch(pattern, t.title)
        )

    outcomes = "Success|Incorrect navigation|Generation error|Unknown"
    assert total(ChartKind.FLOW, outcomes) == EPISODES
    assert total(ChartKind.FLOW, ".* → .*") == EPISODES
    assert total(ChartKind.LENGTH, r"(\d.*–|≥).* m") == EPISODES
    assert total(ChartKind.TURNS, r"\d+") == EPISODES
    assert total(ChartKind.SCENES, r"\w{11}") == EPISODES
    assert total(ChartKind.RUNS, "wander . · shortest .") == EPISODES
    # Cells of success, then of behaviours.
    assert total(ChartKind.RUNS, ".* · .*") == 2 * EPISODES
