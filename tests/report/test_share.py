"""Shared pictures and films: what is on them, how many pictures, and that they play."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import GREEN, RED, four_views
from fixtures.replay_examples import graph_episode, space_replay
from fixtures.replay_files import NASTY, write_run
from PIL import Image
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.episode.run_source import RunSource
from waypost.domain.replay.map import time_colour
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.tags import find_tags
from waypost.domain.scene.occupancy_map import Cell, OccupancyMap
from waypost.io.camera_takes.encoders import VP9
from waypost.io.camera_takes.opencv import cv2
from waypost.metrics.registry import PROFILES
from waypost.report.picture import MAP_HEIGHT_PX, WIDTH_PX, EpisodePainter
from waypost.report.share import (
    MOST_GIF_PICTURES,
    ShareRequest,
    film_steps,
    share_episode,
)
from waypost.report.strip_making import opened_strips
from waypost.services.appearance import LIGHT
from waypost.services.jobs import Job
from waypost.services.replay.finding import replay_one
from waypost.services.replay.loading import ReplayedEpisode, ReplayScores

pytestmark = pytest.mark.usefixtures("qapp")


def shown(folder: Path, walked: str, instruction: str = "Walk on.") -> ReplayedEpisode:
    folder.mkdir(exist_ok=True)
    files = write_run(folder, {"7_0": walked}, instruction=instruction)
    request = RunSource((files.results,), (files.annotations,), files.connectivity)
    return replay_one(request, "7_0")


def long_run(count: int) -> ReplayedEpisode:
    points = np.zeros((count, 3))
    points[:, 0] = np.linspace(0, 20, count)
    replay = space_replay(points, points[:: max(1, count // 10)])
    profile = PROFILES["vlnverse"]
    keys = [metric.key for metric in profile.metrics]
    scores = ReplayScores(profile, dict.fromkeys(keys), dict.fromkeys(keys, "not scored"))
    return ReplayedEpisode(replay, find_tags(replay, None), scores, 1)


def count_like(image: QImage | Path, colour: tuple[int, int, int]) -> int:
    if isinstance(image, Path):
        with Image.open(image) as opened:
            pixels = np.asarray(opened.convert("RGB"), dtype=int)
    else:
        rgb = image.convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(rgb.constBits(), np.uint8).reshape(rgb.height(), rgb.bytesPerLine())
        pixels = rows[:, : 3 * rgb.width()].reshape(rgb.height(), rgb.width(), 3).astype(int)
    return int((np.abs(pixels - colour).max(axis=2) < 10).sum())


def hex_colour(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:], 16)


def test_a_picture_of_the_whole_run(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "a.png"
    done = exhaust(share_episode(ShareRequest(shown(tmp_path, "ABABC"), out)))
    assert (done.path, done.picture_count) == (out, 1)
    with Image.open(out) as picture:
        assert picture.width == WIDTH_PX
        assert picture.height > MAP_HEIGHT_PX
    assert count_like(out, time_colour(1.0)) > 100
    assert count_like(out, time_colour(0.25)) > 100
    assert count_like(out, hex_colour(LIGHT.does_not)) > 100


def test_a_picture_up_to_a_step(tmp_path: Path) -> None:
    out = tmp_path / "a.png"
    exhaust(share_episode(ShareRequest(shown(tmp_path, "ABABC"), out, step=1)))
    assert count_like(out, time_colour(1.0)) < 20
    # Options with their numbers; the deviation is still to come.
    assert count_like(out, hex_colour(LIGHT.travels_fill)) > 100
    assert count_like(out, hex_colour(LIGHT.does_not)) == 0


@pytest.mark.heavy
@pytest.mark.parametrize("ending", [".gif", ".mp4"])
def test_a_film_has_a_picture_for_each_step(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"a{ending}"
    done = exhaust(share_episode(ShareRequest(shown(tmp_path, "ABABC"), out)))
    assert done.picture_count == 5
    assert done.message == f"{out}: 5 pictures, one for each step"
    if ending == ".gif":
        with Image.open(out) as film:
            assert film.n_frames == 5
            assert film.size[0] == 800
            film.seek(4)
            assert film.info["duration"] == 2500
        return
    reader = cv2.VideoCapture(str(out))
    # Four steps of 0.8 s and a last one of 2.5 s, ten pictures a second.
    assert reader.get(cv2.CAP_PROP_FPS) == 10
    pictures = []
    while (read := reader.read())[0]:
        pictures.append(read[1][..., ::-1])
    reader.release()
    assert len(pictures) == 4 * 8 + 25
    first, last = pictures[0].astype(int), pictures[-1].astype(int)
    yellow_green = np.abs(last - time_colour(1.0)).max(axis=2) < 25
    assert yellow_green.sum() > 100
    assert (np.abs(first - time_colour(1.0)).max(axis=2) < 25).sum() < 20


@pytest.mark.heavy
def test_a_film_that_not_everything_plays_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    out = tmp_path / "a.mp4"
    done = exhaust(share_episode(ShareRequest(shown(tmp_path, "AB"), out)))
    assert done.message == f"{out}: 2 pictures, one for each step. {VP9.note}"


def test_long_runs_are_shortened_and_say_so(tmp_path: Path) -> None:
    work = share_episode(ShareRequest(long_run(4001), tmp_path / "a.gif"))
    reports = [next(work) for _ in range(4)]
    assert [report.total for report in reports[1:]] == [MOST_GIF_PICTURES] * 3
    work.close()
    assert list(tmp_path.iterdir()) == []
    assert film_steps(4001, 5) == [0, 1000, 2000, 3000, 4000]
    assert film_steps(3, 5) == [0, 1, 2]
    assert film_steps(0, 5) == [0]


def test_a_cancelled_video_leaves_nothing(tmp_path: Path) -> None:
    work = share_episode(ShareRequest(long_run(50), tmp_path / "a.mp4"))
    for _ in range(5):
        next(work)
    work.close()
    assert list(tmp_path.iterdir()) == []


def test_shortened_films_tell_the_interval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("waypost.report.share.MOST_GIF_PICTURES", 5)
    done = exhaust(share_episode(ShareRequest(long_run(4001), tmp_path / "a.gif")))
    assert done.message.endswith("5 pictures of 4,001 steps, one for about every 1000")
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 5


def test_panoramas_stand_above_the_plan(tmp_path: Path) -> None:
    for name in "ABC":
        four_views(tmp_path / "pictures" / "line", name + "_{}.png")
    episode = shown(tmp_path, "ABC")
    bare = EpisodePainter(episode)
    with opened_strips(tmp_path / "pictures") as strip:
        painter = EpisodePainter(episode, strip=strip)
        assert painter.size.height() > bare.size.height() + 200
        image = painter.picture(0)
    # The agent looks along 90°: that view is in front, the one at 0° to its left.
    assert count_like(image, GREEN) > 20_000
    assert count_like(image, RED) > 20_000
    assert count_like(bare.picture(0), GREEN) == 0


def test_a_plan_for_each_storey_that_the_run_touches(tmp_path: Path) -> None:
    painter = EpisodePainter(shown(tmp_path, "ABU"))
    both, upper = painter.picture(), painter.picture(2)
    # The stairs begin on one storey and end on the other: they are on both plans, each half as
    # wide as the one map of a step, and so about as many pixels in all.
    stairs = [count_like(image, time_colour(1.0)) for image in (both, upper)]
    assert min(stairs) > 50
    left = both.copy(0, 0, WIDTH_PX // 3, both.height())
    assert 0.3 < count_like(left, time_colour(1.0)) / stairs[0] < 0.7


def test_a_map_lies_under_the_run(tmp_path: Path) -> None:
    cells = np.full((10, 20), Cell.OCCUPIED, dtype=np.uint8)
    background = OccupancyMap(cells, 0.5, (-3.0, -3.0))
    bare = EpisodePainter(shown(tmp_path, "ABC")).picture(0)
    covered = EpisodePainter(shown(tmp_path / "b", "ABC"), background=background).picture(0)
    dark = (60, 63, 68)
    assert count_like(covered, dark) > count_like(bare, dark) + 50_000


def test_strange_texts_and_empty_runs_are_drawn(tmp_path: Path) -> None:
    episode = shown(tmp_path, "ABC", instruction=NASTY * 40)
    assert EpisodePainter(episode).picture(1).width() == WIDTH_PX
    # Four lines of instruction and a title at most.
    assert EpisodePainter(episode).size.height() < MAP_HEIGHT_PX + 200
    replay = build_replay(
        graph_episode("A", has_ground_truth=False, goals=()), EpisodeRun("7_0", route())
    )
    none = ReplayedEpisode(replay, (), episode.scores, 1)
    out = tmp_path / "none.gif"
    assert exhaust(share_episode(ShareRequest(none, out))).picture_count == 1


@pytest.mark.parametrize(
    ("name", "step", "told"),
    [("a.avi", None, "ends in .png, .gif, .mp4"), ("a.png", 9, "9 is not between 0 and 2")],
)
def test_what_cannot_be_shared_is_said(
    tmp_path: Path, name: str, step: int | None, told: str
) -> None:
    request = ShareRequest(shown(tmp_path, "ABC"), tmp_path / name, step=step)
    with pytest.raises(InputError, match=told):
        exhaust(share_episode(request))


@pytest.mark.heavy
def test_a_film_is_made_beside_the_window(tmp_path: Path, qtbot: QtBot) -> None:
    request = ShareRequest(shown(tmp_path, "ABABC"), tmp_path / "a.gif")
    job = Job("Film", share_episode(request))
    told: list[Progress] = []
    job.progressed.connect(told.append)
    with qtbot.waitSignal(job.succeeded) as done:
        job.start()
    assert job.wait()
    assert done.args is not None
    assert done.args[0].picture_count == 5
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 5
