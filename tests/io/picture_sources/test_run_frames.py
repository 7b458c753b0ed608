"""Single pictures of continuous runs: the right one at every step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import RED, colour_of, plain, put
from fixtures.replay_examples import space_replay
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.errors import ReadError
from waypost.domain.record.camera_take import PictureSize
from waypost.domain.replay.replay import Replay
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


def test_a_film_that_ends_too_early_is_said(film: Path) -> None:
    source = RunFrames(film)
    picture = source.pictures_at(straight(10), 9).pictures[0]
    for reader in source._films.values():
        reader._reader.release()
    with pytest.raises(ReadError, match="picture 10: cannot be decoded"):
        picture.read(0)


def test_films_of_huge_pictures_are_refused(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_frames, "MOST_PIXELS", 1000)
    assert "more than 1,000 pixels" in RunFrames(film).pictures_at(straight(3), 0).reason


def test_the_only_film_of_a_folder_serves_whatever_its_name(film: Path) -> None:
    film.rename(film.with_name("recording.mp4"))
    source = RunFrames(film.parent)
    assert source.pictures_at(straight(10), 4).caption == "picture 5 of 10"
    source.close()
    gone = RunFrames(film.parent / "nowhere")
    assert "has no pictures of k" in gone.pictures_at(straight(10), 0).reason


@pytest.mark.parametrize(
    ("names", "own"),
    [
        (("episode=k-ckpt=1.mp4", "episode=10-ckpt=k.mp4"), "episode=k-ckpt=1.mp4"),
        (("episode=10-ckpt=k.mp4",), None),
        (("ep_10_run_k.mp4", "scene_k.mp4"), "scene_k.mp4"),
        (("0_k.mp4", "0_kk.mp4"), "0_k.mp4"),
    ],
)
def test_a_name_that_says_its_episode_is_believed(
    film: Path, names: tuple[str, ...], own: str | None
) -> None:
    content = film.read_bytes()
    film.unlink()
    for name in names:
        film.with_name(name).write_bytes(content)
    source = RunFrames(film.parent)
    found = source.pictures_at(straight(10), 0).pictures
    source.close()
    assert [picture.name for picture in found] == ([f"{own}, picture 1"] if own else [])


@pytest.mark.parametrize(
    ("folders", "of_first", "of_second"),
    [
        (("s/k", "t/k"), "s/k", "t/k"),
        (("s_k", "t_k"), "s_k", "t_k"),
        (("s-episode=k", "t-episode=k"), "s-episode=k", "t-episode=k"),
        (("k",), "k", None),
    ],
)
def test_of_two_scenes_that_number_alike_each_has_its_own(
    tmp_path: Path, folders: tuple[str, ...], of_first: str, of_second: str | None
) -> None:
    for number, name in enumerate(folders):
        put(tmp_path / name / "0001.png", plain((200 * number, 0, 0)))
    replay, source = straight(3), RunFrames(tmp_path)
    for episode_id, scene_id, own in (
        ("k", "s", of_first),
        ("mp3d/t/t.glb/k", "mp3d/t/t.glb", of_second),
    ):
        episode = replace(replay.episode, episode_id=episode_id, scene_id=scene_id)
        found = source.pictures_at(replace(replay, episode=episode), 0).pictures
        shades = [colour_of(picture.read(0))[0] for picture in found]
        assert shades == ([200 * folders.index(own)] if own else [])


def test_one_film_is_open_at_a_time(film: Path) -> None:
    other = film.with_name("episode=j.mp4")
    other.write_bytes(film.read_bytes())
    source, replay = RunFrames(film.parent), straight(10)
    for episode_id in ("k", "j", "k"):
        shown = replace(replay, episode=replace(replay.episode, episode_id=episode_id))
        pixels = source.pictures_at(shown, 4).pictures[0].read(0)
        assert abs(int(pixels[24, 32, 0]) - 100) <= 6
        assert [path.name for path in source._films] == [f"episode={episode_id}.mp4"]
    source.close()


def test_an_episode_without_id_takes_what_is_there(tmp_path: Path) -> None:
    put(tmp_path / "0001.png", plain(RED))
    (tmp_path / "k").mkdir()
    replay = straight(3)
    for episode_id in ("", "k"):
        shown = replace(replay, episode=replace(replay.episode, episode_id=episode_id))
        assert RunFrames(tmp_path).pictures_at(shown, 0).pictures


def test_episodes_without_pictures_are_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / name / "0001.png", plain(RED))
    found = RunFrames(tmp_path).pictures_at(straight(3), 0)
    assert found.reason == f"{tmp_path} has no pictures of k"


@pytest.mark.parametrize("home", ["rgb.npy", "k/rgb.npy"])
def test_an_array_of_pictures(tmp_path: Path, home: str) -> None:
    path = tmp_path / home
    path.parent.mkdir(exist_ok=True)
    shades = np.arange(5, dtype=np.uint8)[:, None, None, None] * 20
    np.save(path, np.broadcast_to(shades, (5, 48, 64, 3)))
    for source in (open_picture_source(tmp_path), open_picture_source(path)):
        found = source.pictures_at(straight(5), 3)
        assert found.caption == "picture 4 of 5"
        assert colour_of(found.pictures[0].read(0)) == (60, 60, 60)
        source.close()


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros((2, 4, 4, 3)), "no array of pictures"),
        (np.zeros((2, 4, 4), np.uint8), "no array of pictures"),
        (np.zeros((0, 4, 4, 3), np.uint8), "no array of pictures"),
        (np.array([{}]), "no array that can be read"),
        (np.broadcast_to(np.uint8(0), (1, 1, 80_000_001, 3)), "more than 80,000,000"),
    ],
)
def test_arrays_of_other_things_are_refused(tmp_path: Path, array: np.ndarray, reason: str) -> None:
    if array.size > 10**8:
        header = np.lib.format.header_data_from_array_1_0(np.zeros(1, np.uint8))
        with (tmp_path / "rgb.npy").open("wb") as file:
            np.lib.format.write_array_header_1_0(file, {**header, "shape": array.shape})
            file.truncate(file.tell() + array.size)
    else:
        np.save(tmp_path / "rgb.npy", array)
    assert reason in RunFrames(tmp_path).pictures_at(straight(2), 0).reason
