"""Pictures of a tour at the steps of a run: the nearest, and where the agent looks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from fixtures.replay_examples import graph_replay

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.record.camera_take import CameraPose, FieldOfView, PictureSize, TourPicture
from waypost.domain.replay.replay import Replay, build_replay
from waypost.io.camera_takes.pose_files import poses_path, write_poses
from waypost.io.camera_takes.video import open_video
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.tour_frames import TourFrames

SIZE = PictureSize(64, 48)
POSES = (
    CameraPose((0.0, 0.1, 1.5), math.pi / 2),
    CameraPose((0.0, 0.2, 1.5), 0.0),
    CameraPose((2.1, 0.0, 1.5), 0.0),
    CameraPose((2.2, 0.0, 1.5), math.pi),
    CameraPose((2.0, 0.5, 4.5), 0.0),
)
"""Two at A, two at B, one upstairs at U; colours tell them apart."""


@pytest.fixture
def tour(tmp_path: Path) -> Path:
    path = tmp_path / "tour.mp4"
    with open_video(path, SIZE, 2.0) as video:
        for number in range(len(POSES)):
            video.write(np.full((48, 64, 3), 40 * number + 20, np.uint8))
    pictures = [TourPicture(i, i * 10**9, pose) for i, pose in enumerate(POSES)]
    write_poses(poses_path(path), pictures, FieldOfView(math.radians(80)), SIZE)
    return path


def shown(source: TourFrames, replay: Replay) -> list[str]:
    return [source.place(replay, step) for step in range(len(replay))]


def test_each_step_shows_the_nearest_that_looks_its_way(tour: Path) -> None:
    """A run A-B-A: it faces +X at A (0°) and at B, and −X when it is back at A.

    At A the pictures 1 (looking +Y) and 2 (+X) are near; +X is wanted first. At B, 3 looks +X.
    Back at A it faces −X: 1 turns by 90°, 2 by 180°.
    """
    source = open_picture_source(tour)
    assert isinstance(source, TourFrames)
    replay = graph_replay("ABA")
    assert shown(source, replay) == ["picture 2", "picture 3", "picture 1"]
    found = source.pictures_at(replay, 1)
    assert found.caption == "picture 3 of 5, taken 0.1 m away"
    (picture,) = found.pictures
    assert (picture.lens.heading_rad, picture.lens.fov_rad) == (
        pytest.approx(math.pi / 2),
        pytest.approx(math.radians(80)),
    )
    assert abs(int(picture.read(64)[24, 32, 0]) - 100) < 12
    source.close()


def test_another_storey_is_never_nearest(tour: Path) -> None:
    source = open_picture_source(tour)
    replay = graph_replay("ABU")
    assert shown(source, replay)[2] == "picture 5"
    source.close()


def test_a_run_without_positions_has_no_picture(tour: Path) -> None:
    source = open_picture_source(tour)
    whole = graph_replay("AB")
    replay = build_replay(whole.episode, EpisodeRun("7_0", route(("A", "B"))), None)
    assert source.place(replay, 0) == ""
    assert "no position" in source.pictures_at(replay, 0).reason
    source.close()


def test_broken_poses_are_named(tour: Path) -> None:
    poses_path(tour).write_text("x\n1\n")
    with pytest.raises(ReadError, match="the columns are not"):
        open_picture_source(tour)
    poses_path(tour).unlink()
    assert open_picture_source(tour).title == "pictures of the run"
