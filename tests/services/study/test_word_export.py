"""Spoken words in an export: when each was said, where the guide stood, who heard it where."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from recorded_takes import write_walk
from rxr_files import TIMED, write_rxr, write_trace
from study_examples import LATER, NOON

from waypost.domain.base.progress import exhaust
from waypost.domain.record.assignment import assign
from waypost.domain.record.recording import TakeEvent
from waypost.domain.record.study import Study, StudyRules, assignments_of
from waypost.domain.record.study_edits import (
    add_participant,
    begin_episode,
    finish_episode,
    give_consent,
    withdraw_consent,
)
from waypost.io.recordings.take_frames import frames_folder, has_frames, write_frame
from waypost.services.study.episodes import read_study_episodes
from waypost.services.study.export import export_study
from waypost.services.study.making import StudyWish, make_study
from waypost.services.study.submissions import ExportWish
from waypost.services.study.takes import take_of_file

S = 1_000_000_000


def driven(folder: Path, *, has_trace: bool) -> Study:
    """P-A walks 4 m in 4 s along one of two instructions and hears 3 s of it from 1 s on."""
    files = write_rxr(folder)
    annotations, graphs = files.annotations, files.connectivity
    if has_trace:
        traces = annotations.parent / "pose_traces" / "rxr_val_unseen"
        for number in (26, 27):
            write_trace(traces / f"{number:06}_guide_pose_trace.npz")
    rules = StudyRules("walk", 1, episodes_per_participant=1)
    wish = StudyWish(rules, annotations, "I agree.", connectivity=graphs)
    study = exhaust(make_study(wish, folder, NOON)).study
    study = give_consent(add_participant(study, "P-A", NOON), "P-A", 1, NOON)
    study, _ = assign(study)
    (assignment,) = assignments_of(study, "P-A")
    key = assignment.key
    played = (
        TakeEvent("voice_play", S, S, "0.000"),
        TakeEvent("voice_pause", 4 * S, 4 * S, "3.000"),
    )
    file = folder / "takes" / "one.csv"
    names = {"dataset": key.dataset, "scene_id": key.scene_id, "episode_id": key.episode_id}
    write_walk(file, [(0, 0), (4, 0)], participant="P-A", events=played, **names)
    episodes = exhaust(read_study_episodes(study, folder))
    take = take_of_file(study, folder, file, episodes.find, episodes.scenery_of)
    return finish_episode(begin_episode(study, key, NOON), take, LATER)


def words_of(study: Study, folder: Path) -> list[dict[str, str]]:
    exhaust(export_study(folder / "out", ExportWish(), study, folder))
    text = (folder / "out" / "words.csv").read_text(encoding="utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


@pytest.fixture
def rows(tmp_path: Path) -> list[dict[str, str]]:
    study = driven(tmp_path, has_trace=True)
    (key,) = study.takes
    found = words_of(study, tmp_path)
    assert {row["episode_id"] for row in found} == {key.episode_id}
    return found


def test_every_word_has_its_time_and_its_take(rows: list[dict[str, str]]) -> None:
    assert [row["word"] for row in rows] == [word for word, _ in TIMED]
    assert [float(row["start_s"]) if row["start_s"] else None for row in rows] == [
        start_s for _, start_s in TIMED
    ]
    assert {(row["participant"], row["take"], row["scene_id"]) for row in rows} == {
        ("P-A", "1", "line")
    }


def test_words_are_heard_while_they_play(rows: list[dict[str, str]]) -> None:
    """The audio begins after 1 s and is paused at its third second: “walk” comes later."""
    heard = {row["word"]: row for row in rows if row["hearing"]}
    assert list(heard) == ["Leave", "the", "room,"]
    assert float(heard["Leave"]["heard_s"]) == pytest.approx(1.4)
    assert float(heard["Leave"]["heard_x_m"]) == pytest.approx(1.4)
    assert float(heard["room,"]["heard_x_m"]) == pytest.approx(1.9)
    assert float(heard["room,"]["heard_yaw_rad"]) == 0.0


def test_the_guide_stands_where_the_pose_trace_says(rows: list[dict[str, str]]) -> None:
    """At A until 2.75 s, at B until 6.01 s, then at C; of “and” only the words around it tell."""
    stays = [(row["guide_viewpoint"], row["guide_x_m"]) for row in rows]
    assert stays[:3] == [("A", "0.0")] * 3
    assert stays[4:6] + stays[7:8] == [("B", "2.0")] * 3
    assert stays[8:] == [("C", "4.0")] * 4


def test_neither_words_nor_camera_frames_outlive_a_withdrawal(tmp_path: Path) -> None:
    """Frames are in no export; it says so of takes that have any and that are in it."""
    study = driven(tmp_path, has_trace=True)
    frames = frames_folder(tmp_path / "takes" / "one.csv")
    write_frame(frames, 0, np.zeros((4, 4, 3), np.uint8), None)
    report = exhaust(export_study(tmp_path / "out", ExportWish(), study, tmp_path))
    assert report["notes"] == ["1 take has camera frames beside the samples; none is exported"]
    assert (tmp_path / "out" / "words.csv").exists()
    assert not list((tmp_path / "out").rglob("*.jpg"))
    gone = withdraw_consent(study, "P-A", LATER)
    report = exhaust(export_study(tmp_path / "out", ExportWish(), gone, tmp_path))
    assert report["notes"] == []
    assert not (tmp_path / "out" / "words.csv").exists()
    assert has_frames(frames)


def test_without_a_pose_trace_the_words_are_there_all_the_same(tmp_path: Path) -> None:
    rows = words_of(driven(tmp_path, has_trace=False), tmp_path)
    assert len(rows) == len(TIMED)
    assert {row["guide_viewpoint"] for row in rows} == {""}
