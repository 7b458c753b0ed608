"""Somebody walks each reference of the sample home exactly, and every table says so."""

from __future__ import annotations

import csv
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from fixtures.recorded_takes import walk
from fixtures.study_examples import LATER, NOON

import waypost.resources
from tools.recording_files import write_recording
from waypost.app.record.review.take_scores import score_lines
from waypost.domain.base.progress import exhaust
from waypost.domain.record.assignment import assign
from waypost.domain.record.recording import Recording
from waypost.domain.record.study import Study, StudyRules, Take, assignments_of
from waypost.domain.record.study_edits import (
    add_participant,
    begin_episode,
    finish_episode,
    give_consent,
)
from waypost.io.graphs.matterport_graphs import load_graph
from waypost.report.page import metric_rows
from waypost.services.study.episodes import StudyEpisodes, read_study_episodes
from waypost.services.study.export import export_study
from waypost.services.study.making import StudyWish, make_study
from waypost.services.study.submissions import ExportWish
from waypost.services.study.take_index import index_takes
from waypost.services.study.take_run import replay_takes
from waypost.services.study.takes import take_of_file

RUNS = Path(waypost.resources.__path__[0]) / "sample" / "runs"

LENGTHS_M = {"1_0": 6.15, "2_0": 14.21, "3_0": 11.02, "4_0": 6.13, "5_0": 3.80}
"""Of the references: sums of straight lines between cameras, as the connectivity file has them."""

PERFECT = {"NE": 0.0, "SR": 1.0, "OSR": 1.0, "SPL": 1.0, "nDTW": 1.0}


@dataclass
class Walked:
    """A study in which one person walked every reference."""

    study: Study
    root: Path
    episodes: StudyEpisodes

    @property
    def takes(self) -> dict[str, Take]:
        """By episode."""
        return {take.key.episode_id: take for take in self.study.takes.values()}


def exact_walk(ids: tuple[str, ...], participant: str, episode_id: str) -> Recording:
    """Along the edges, also up the stairs: a sample every 0.05 m of the plan."""
    graph = load_graph(RUNS / "connectivity", "home")
    spots = [graph.floor_positions_m[graph.index[name]] for name in ids]
    corners = [(float(spot[0]), float(spot[1])) for spot in spots]
    names = {"participant": participant, "episode_id": episode_id, "scene_id": "home"}
    flat = walk(corners, **names).trajectory.positions_m
    far = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(flat, axis=0), axis=1))])
    turns = np.cumsum([0, *np.linalg.norm(np.diff(corners, axis=0), axis=1)])
    heights = np.interp(far, turns, [spot[2] for spot in spots])
    return walk(corners, positions_m=np.column_stack([flat[:, :2], heights]), **names)


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    root = tmp_path_factory.mktemp("home")
    shutil.copytree(RUNS, root / "runs")
    rules = StudyRules("Exact", 1, episodes_per_participant=len(LENGTHS_M))
    wish = StudyWish(
        rules, root / "runs" / "R2R_demo.json", "I agree.", connectivity=root / "runs/connectivity"
    )
    study = exhaust(make_study(wish, root, NOON)).study
    study = give_consent(add_participant(study, "P-AAAA", NOON), "P-AAAA", 1, NOON)
    study, _ = assign(study)
    episodes = exhaust(read_study_episodes(study, root))
    for assignment in assignments_of(study, "P-AAAA"):
        key = assignment.key
        episode = episodes.find(key.episode)
        assert episode is not None
        file = root / "takes" / f"{key.episode_id}.csv"
        file.parent.mkdir(exist_ok=True)
        way = episode.reference.viewpoint_ids
        write_recording(file, exact_walk(way, "P-AAAA", key.episode_id))
        study = begin_episode(study, key, NOON)
        take = take_of_file(study, root, file, episodes.find, episodes.scenery_of)
        study = finish_episode(study, take, LATER)
    return Walked(study, root, episodes)


def length_of(take: Take) -> float:
    """Of the take's reference; episodes of one path differ in their instruction alone."""
    return LENGTHS_M[take.key.episode_id.partition("_")[0] + "_0"]


def test_every_reference_was_walked(walked: Walked) -> None:
    paths = {name.partition("_")[0] for name in walked.takes}
    assert paths == {name.partition("_")[0] for name in LENGTHS_M}


def test_the_card_says_the_length_and_that_it_was_perfect(walked: Walked) -> None:
    for name, take in walked.takes.items():
        assert take.scores["r2r.TL"] == pytest.approx(length_of(take), abs=0.005), name
        for metric, value in PERFECT.items():
            assert take.scores[f"r2r.{metric}"] == pytest.approx(value, abs=1e-9), (name, metric)
        lines = {line.name: line.value for line in score_lines(take)}
        assert lines["TL  (r2r)"] == f"{length_of(take):.2f}\N{NO-BREAK SPACE}m"
        assert (lines["NE  (r2r)"], lines["SPL  (r2r)"]) == ("0.00\N{NO-BREAK SPACE}m", "1.000")


def test_replay_and_report_say_it(walked: Walked) -> None:
    index = exhaust(index_takes(walked.study, walked.root, walked.episodes, "Human takes"))
    columns = [column.key for column in index.rows.columns]
    assert len(index.rows.rows) == len(LENGTHS_M)
    for row in index.rows.rows:
        take = walked.takes[row.episode_id]
        shown = dict(zip(columns, row.values, strict=True))
        assert shown == {name: take.scores[f"r2r.{name}"] for name in columns}
        assert row.is_success is True
        replay = index.replayed(*row.key).replay
        assert replay.viewpoint_ids == replay.episode.reference.viewpoint_ids
        assert replay.travelled_m[-1] == pytest.approx(take.scores["r2r.TL"])
    run = exhaust(replay_takes(walked.study, walked.root, walked.episodes, "Human takes"))
    means = {row.key: row.result.value for row in metric_rows(run)}
    assert {name: means[name] for name in PERFECT} == pytest.approx(PERFECT)
    assert means["TL"] == pytest.approx(sum(LENGTHS_M.values()) / len(LENGTHS_M), abs=0.005)


def test_the_export_says_it(walked: Walked, tmp_path: Path) -> None:
    wish = replace(ExportWish(), kinds=("r2r",), connectivity=walked.root / "runs/connectivity")
    document = exhaust(export_study(tmp_path / "out", wish, walked.study, walked.root))
    text = (tmp_path / "out" / "scores.csv").read_text(encoding="utf-8-sig")
    rows = {row["episode_id"]: row for row in csv.DictReader(text.splitlines())}
    assert rows.keys() == walked.takes.keys()
    for name, row in rows.items():
        assert float(row["r2r.TL"]) == walked.takes[name].scores["r2r.TL"]
        assert float(row["r2r.SPL"]) == pytest.approx(1.0)
    assert [report["filled_moves"] for report in document["submissions"]] == [[], []]
