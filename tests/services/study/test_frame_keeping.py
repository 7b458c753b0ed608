"""Frames kept with a take: named by their time, whole, within the room that a take may have."""

from __future__ import annotations

import json
import math
import threading

import numpy as np
import pytest
from patience import PATIENCE_MS, PATIENCE_S

from waypost.domain.base.errors import ReadError
from waypost.io.picture_sources.decoding import decode_picture
from waypost.io.picture_sources.open_source import open_picture_source
from waypost.io.picture_sources.take_frames import TakeFrames
from waypost.io.recordings.take_frames import (
    frames_folder,
    has_frames,
    write_camera,
    write_frame,
)
from waypost.services.study import frame_keeping
from waypost.services.study.frame_keeping import FrameKeeper
from waypost.simulators.backends.cameras import CameraSettings
from waypost.simulators.camera_feed import CameraFrame

CAMERA = CameraSettings(8, 4, math.radians(80.0), 0.9, -0.2)


@pytest.fixture
def keeper(qapp):
    made = FrameKeeper()
    yield made
    made.close()


@pytest.fixture
def wait(qtbot):
    return lambda until: qtbot.waitUntil(lambda: bool(until()), timeout=PATIENCE_MS)


def frame(take, time_ns, *, rgb=True, depth_m=None, size=(4, 8)):
    colours = np.full((*size, 3), (200, 10, 10), np.uint8) if rgb else None
    return CameraFrame(time_ns, (0.0, 0.0, 0.0), 0.0, 0.0, colours, depth_m, str(take))


def test_frames_lie_beside_their_take_by_their_time_and_are_read_again(keeper, wait, tmp_path):
    samples = tmp_path / "P_1_take001.csv"
    depth_m = np.array([[0.5, 5.0, 10.0, 70.0, np.inf, 0.0, 2.0, 2.0]] * 4, np.float32)
    keeper.set_limit(1, CAMERA)
    keeper.keep(frame("", 0))
    keeper.keep(frame(samples, 50_000_000, depth_m=depth_m))
    keeper.keep(frame(samples, 1_250_000_000, rgb=False, depth_m=depth_m))
    folder = frames_folder(samples)
    last = folder / "000000001250000000.depth.png"
    wait(last.is_file)
    assert sorted(path.name for path in folder.iterdir()) == [
        "000000000050000000.depth.png",
        "000000000050000000.jpg",
        "000000001250000000.depth.png",
        "camera.json",
    ]
    camera = json.loads((folder / "camera.json").read_text())["camera"]
    assert camera == {
        "width_px": 8, "height_px": 4, "field_of_view_rad": CAMERA.field_of_view_rad,
        "height_m": 0.9, "tilt_rad": -0.2, "rgb": True, "depth": True,
    }  # fmt: skip
    source = open_picture_source(folder)
    assert isinstance(source, TakeFrames)
    assert [source.latest(ns) for ns in (0, 50_000_000, 1_249_999_999, 2_000_000_000)] == [
        None, 50_000_000, 50_000_000, 1_250_000_000,
    ]  # fmt: skip
    assert source.caption(1_250_000_000) == (
        "camera of the engine at 1.25 s, depth, black from 10 m on"
    )
    colours = decode_picture(folder / "000000000050000000.jpg")
    assert colours[0, 0].tolist() == pytest.approx([200, 10, 10], abs=6)
    grey = source.read(1_250_000_000)[0, :, 0]
    # 0.5 m, 5 m, then what is 10 m away or further, beyond 16 bits, or not there.
    assert grey.tolist() == [242, 127, 0, 0, 0, 0, 204, 204]


def test_eight_frames_wait_for_a_slow_disk_and_no_more(keeper, wait, tmp_path, monkeypatch):
    is_writing, may_write, written = threading.Event(), threading.Event(), []

    def slow(_folder, time_ns, *_pictures):
        is_writing.set()
        assert may_write.wait(PATIENCE_S)
        written.append(time_ns)
        return 1

    monkeypatch.setattr(frame_keeping, "write_frame", slow)
    keeper.set_limit(1, CAMERA)
    keeper.keep(frame(tmp_path / "a.csv", 0))
    wait(is_writing.is_set)
    for time_ns in range(1, 12):
        keeper.keep(frame(tmp_path / "a.csv", time_ns))
    may_write.set()
    wait(lambda: len(written) == 9)
    keeper.keep(frame(tmp_path / "a.csv", 50))
    wait(lambda: len(written) == 10)
    assert written == [*range(9), 50]


def test_a_take_that_has_filled_its_room_is_told_of_once_and_the_next_begins_anew(
    keeper, wait, tmp_path
):
    told = []
    keeper.ended.connect(told.append)
    keeper.set_limit(1, CAMERA)
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    noise = np.random.default_rng(7).integers(0, 255, (1024, 1024, 3), np.uint8)
    large = CameraFrame(0, (0.0, 0.0, 0.0), 0.0, 0.0, noise, None, str(first))
    keeper.keep(large)
    wait(lambda: told)
    assert told == ["a.frames: frames: they fill the 1 MB of a take"]
    keeper.keep(frame(first, 100_000_000))
    keeper.keep(frame(second, 100_000_000))
    wait((frames_folder(second) / "000000000100000000.jpg").is_file)
    assert not (frames_folder(first) / "000000000100000000.jpg").exists()
    assert len(told) == 1


def test_a_disk_that_refuses_is_told_of_once(keeper, wait, tmp_path):
    told = []
    keeper.ended.connect(told.append)
    keeper.set_limit(1, CAMERA)
    samples = tmp_path / "a.csv"
    frames_folder(samples).write_text("a file where the folder is to be")
    keeper.keep(frame(samples, 0))
    wait(lambda: told)
    keeper.keep(frame(samples, 1))
    assert len(told) == 1
    assert "is a file, not a folder" in told[0]
    assert str(tmp_path) not in told[0], "it is written into the take"
    assert not has_frames(frames_folder(samples))


def test_a_folder_for_whose_frames_there_was_no_room_has_none(tmp_path):
    write_camera(tmp_path / "a.frames", {"width_px": 8})
    assert not has_frames(tmp_path / "a.frames")
    assert not has_frames(tmp_path / "b.frames")
    write_frame(tmp_path / "a.frames", 7, np.zeros((4, 8, 3), np.uint8), None)
    assert has_frames(tmp_path / "a.frames")


def test_nothing_is_kept_without_a_limit_or_a_camera(keeper, tmp_path):
    samples = tmp_path / "a.csv"
    for limit_mb, camera in ((0, CAMERA), (5, None)):
        keeper.set_limit(limit_mb, camera)
        keeper.keep(frame(samples, 0))
    keeper.close()
    assert list(tmp_path.iterdir()) == []


FIELD_OF_VIEW = {"field_of_view_rad": 9.0, "tilt_rad": 0.0}


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"schema": "other"}, "is not the camera of frames kept with a take"),
        (
            {"schema": "waypost-take-frames", "schema_version": 1, "camera": FIELD_OF_VIEW},
            "is no field of view of a camera",
        ),
    ],
)
def test_a_folder_that_is_none_of_frames_says_why(tmp_path, document, reason):
    (tmp_path / "camera.json").write_text(json.dumps(document))
    with pytest.raises(ReadError, match=reason):
        TakeFrames(tmp_path)
