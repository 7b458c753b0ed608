"""Single pictures of continuous runs: the right one at every step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from picture_folders import RED, colour_of, plain, put
from replay_examples import space_replay

from waypost.domain.camera_take import PictureSize
from waypost.domain.replay import Replay
from waypost.io.camera_takes.video import open_video
from waypost.io.picture_sources import run_frames
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.run_frames import RunFrames, frame_of_step


def straight(steps: int) -> Replay:
    """A run of so many poses along +X; its episode is ``k``."""
    points = [[0.1 * i, 0.0, 0.0] for i in range(steps)]
    return space_replay(points, points)


@pytest.mark.parametrize(
    ("step", "steps", "numbers", "frame", "is_exact"),
    [
        (3, 6, range(6), 3, True),
        (5, 6, range(5), 4, True),  # nothing was seen after the last action
        (7, 11, [0, 5, 10], 1, False),
        (5, 11, [0, 5, 10], 1, True),
        (50, 101, range(11), 5, False),
        (100, 101, range(11), 10, False),
        (0, 1, range(30), 0, False),
    ],
)
def test_frames_of_steps(
    step: int, steps: int, numbers: list[int], frame: int, is_exact: bool
) -> None:
    choice = frame_of_step(step, steps, numbers)
    assert (choice.frame, choice.is_exact) == (frame, is_exact)


@given(st.integers(1, 500), st.integers(1, 500))
def test_frames_never_go_back_and_are_always_there(steps: int, count: int) -> None:
    frames = [frame_of_step(step, steps, range(count)).frame for step in range(steps)]
    assert frames == sorted(frames)
    assert frames[0] == 0
    assert frames[-1] < count


@pytest.mark.parametrize("home", [".", "rgb", "k", "run_k_ckpt5/frames"])
def test_numbered_files_of_a_run(tmp_path: Path, home: str) -> None:
    for number in range(8):
        put(tmp_path / home / f"frame_{number:04d}.png", plain((number * 20, 0, 0)))
    source = open_picture_source(tmp_path)
    assert source.is_single
    found = source.pictures_at(straight(8), 6)
    assert found.caption == "picture 7 of 8"
    assert colour_of(found.pictures[0].read(0)) == (120, 0, 0)
    assert source.place(straight(8), 6) == "k/6"
    source.close()


def test_the_nearest_picture_is_said_to_be_that(tmp_path: Path) -> None:
    for number in range(3):
        put(tmp_path / f"{number:04d}.png", plain(RED))
    found = RunFrames(tmp_path).pictures_at(straight(21), 9)
    assert found.caption == "picture 2 of 3, the nearest there is"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Ten pictures, each 20 brighter than the one before."""
    path = tmp_path / "films" / "episode=k.mp4"
    with open_video(path, PictureSize(64, 48), 5.0) as video:
        for number in range(10):
            video.write(np.full((48, 64, 3), 20 * number + 20, np.uint8))
    return path


def test_a_film_is_read_in_any_order(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_frames, "_SEEK_BEYOND", 2)
    for source in (open_picture_source(film), open_picture_source(film.parent)):
        for step in (0, 1, 3, 9, 2, 2, 5):
            found = source.pictures_at(straight(10), step)
            pixels = found.pictures[0].read(0)
            assert abs(int(pixels[24, 32, 0]) - (20 * step + 20)) <= 6
        source.close()


def test_what_is_no_film_is_said(film: Path) -> None:
    film.write_bytes(b"no film")
    found = RunFrames(film).pictures_at(straight(10), 0)
    assert found.pictures == ()
    assert "no film that can be decoded" in found.reason


def test_episodes_without_pictures_are_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / name / "0001.png", plain(RED))
    found = RunFrames(tmp_path).pictures_at(straight(3), 0)
    assert found.reason == f"{tmp_path} has no pictures of k"
