"""Spoken words in an export: when each was said, where the guide stood, who heard it where."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from fixtures.recorded_takes import write_walk
from fixtures.rxr_files import TIMED, write_rxr, write_trace
from fixtures.study_examples import LATER, NOON

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
from waypost.io.recordings.take_frames import (
    frame_name,
    frames_folder,
    has_frames,
    write_camera,
    write_frame,
)
from waypost.services.study.episodes import read_study_episodes
from waypost.services.study.export import export_study
from waypost.services.study.frame_export import frames_line
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
    """Frames are in an export that asked for them, and only as long as their take is."""
    study, out = driven(tmp_path, has_trace=True), tmp_path / "out"
    frames = frames_folder(tmp_path / "takes" / "one.csv")
    write_camera(frames, {"width_px": 4})
    for time_ns in (0, 50_000_000):
        depth_m = np.ones((4, 4), np.float32)
        write_frame(frames, time_ns, np.zeros((4, 4, 3), np.uint8), depth_m)
    (frames / "mine.jpg").write_bytes(b"no frame")
    size_bytes = sum(file.stat().st_size for file in frames.iterdir()) - len(b"no frame")
    report = exhaust(export_study(out, ExportWish(), study, tmp_path))
    facts = {"takes": 1, "frames": 2, "bytes": size_bytes}
    assert report["camera_frames"] == {**facts, "copied": 0}
    assert frames_line(report["camera_frames"]) == "2 camera frames of 1 take, 0.0 MB: none copied."
    assert (out / "words.csv").exists()
    assert not list(out.rglob("*.jpg"))
    wish = ExportWish(has_frames=True)
    report = exhaust(export_study(out, wish, study, tmp_path))
    assert (report["camera_frames"], report["notes"]) == ({**facts, "copied": 2}, [])
    (entry,) = json.loads((out / "manifest.json").read_text())["takes"]
    assert entry["camera_frames"] == 2
    copies = frames_folder(out / entry["file"])
    assert {file.name: file.read_bytes() for file in copies.iterdir()} == {
        file.name: file.read_bytes() for file in frames.iterdir() if file.name != "mine.jpg"
    }
    gone = withdraw_consent(study, "P-A", LATER)
    report = exhaust(export_study(out, wish, gone, tmp_path))
    assert report["notes"] == []
    assert frames_line(report["camera_frames"]) == ""
    assert not (out / "words.csv").exists()
    assert not list((out / "takes").iterdir())
    assert has_frames(frames)


def test_a_frame_that_cannot_be_read_is_named_and_a_cancelled_copy_leaves_nothing(
    tmp_path: Path,
) -> None:
    study, out = driven(tmp_path, has_trace=False), tmp_path / "out"
    frames = frames_folder(tmp_path / "takes" / "one.csv")
    write_frame(frames, 0, np.zeros((4, 4, 3), np.uint8), None)
    (frames / frame_name(50_000_000, ".jpg")).mkdir()
    wish = ExportWish(has_frames=True)
    work = export_study(out, wish, study, tmp_path)
    assert any(list(tmp_path.glob(".out.*/**/*.jpg")) for _ in work)
    work.close()
    assert not list(tmp_path.glob(".out.*"))
    assert not out.exists()
    report = exhaust(export_study(out, wish, study, tmp_path))
    assert report["camera_frames"]["copied"] == 1
    assert report["notes"] == ["takes/one.csv: camera frames: 000000000050000000.jpg: is a folder"]
    write_camera(frames, {"width_px": 4})
    (frames / frame_name(0, ".jpg")).unlink()
    exhaust(export_study(out, wish, study, tmp_path))
    exhaust(export_study(out, wish, withdraw_consent(study, "P-A", LATER), tmp_path))
    assert not list((out / "takes").iterdir()), "nothing tells the code of whoever withdrew"


def test_without_a_pose_trace_the_words_are_there_all_the_same(tmp_path: Path) -> None:
    rows = words_of(driven(tmp_path, has_trace=False), tmp_path)
    assert len(rows) == len(TIMED)
    assert {row["guide_viewpoint"] for row in rows} == {""}
