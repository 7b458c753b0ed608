from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.record.camera_take import PictureSize
from waypost.io.camera_takes.encoders import by_opencv
from waypost.io.camera_takes.opencv import cv2
from waypost.io.camera_takes.video import count_pictures, open_video

SIZE = PictureSize(64, 48)
COLOURS = [(200, 40, 40), (40, 200, 40), (40, 40, 200), (120, 120, 120), (220, 220, 60)]


def plain(colour: tuple[int, int, int]) -> np.ndarray:
    return np.full((48, 64, 3), colour, np.uint8)


def test_a_video_reads_back_with_its_pictures_rate_and_size(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tour.mp4"
    with open_video(path, SIZE, 2.5) as video:
        for colour in COLOURS:
            video.write(plain(colour))
    reader = cv2.VideoCapture(str(path))
    assert reader.get(cv2.CAP_PROP_FPS) == pytest.approx(2.5)
    assert reader.get(cv2.CAP_PROP_FRAME_COUNT) == 5
    means = []
    while True:
        is_read, picture = reader.read()
        if not is_read:
            break
        assert picture.shape == (48, 64, 3)
        means.append(picture[..., ::-1].reshape(-1, 3).mean(axis=0))
    reader.release()
    assert np.array(means) == pytest.approx(np.array(COLOURS), abs=6.0)
    assert [entry.name for entry in path.parent.iterdir()] == ["tour.mp4"]


def test_whatever_stops_it_the_old_file_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "tour.mp4"
    path.write_bytes(b"the one before")
    with contextlib.suppress(KeyboardInterrupt), open_video(path, SIZE, 2.0) as video:
        video.write(plain(COLOURS[0]))
        raise KeyboardInterrupt
    assert path.read_bytes() == b"the one before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_to_a_file_of_any_name_keeps_leading_there(tmp_path: Path) -> None:
    stored, path = tmp_path / "b1946ac9", tmp_path / "tour.mp4"
    stored.write_bytes(b"the one before")
    path.symlink_to(stored)
    with open_video(path, SIZE, 2.0) as video:
        video.write(plain(COLOURS[0]))
    assert path.is_symlink()
    assert count_pictures(stored) == 1


def test_a_picture_of_another_size_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="64x48"), open_video(tmp_path / "t.mp4", SIZE, 2.0) as v:
        v.write(np.zeros((48, 63, 3), np.uint8))
    assert not list(tmp_path.iterdir())


def test_bad_names_and_odd_sizes_are_refused(tmp_path: Path) -> None:
    for path, size, reason in (
        (tmp_path / "t.avi", SIZE, "ends in .mp4"),
        (tmp_path / "t.mp4", PictureSize(65, 48), "even sides"),
    ):
        with pytest.raises(InputError, match=reason), open_video(path, size, 2.0):
            pytest.fail("it opened")
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(WriteError), open_video(tmp_path / "file" / "t.mp4", SIZE, 2.0):
        pytest.fail("it opened")


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
import numpy as np
from waypost.domain.record.camera_take import PictureSize
from waypost.domain.base.errors import WriteError
from waypost.io.camera_takes import encoders
from waypost.io.camera_takes.video import open_video
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
noise = np.random.default_rng(7)
try:
    encoders.WAYS = encoders.WAYS[int(sys.argv[2]) :]
    with open_video(Path(sys.argv[1]), PictureSize(128, 96), 2.0) as video:
        for _ in range(30):
            video.write(noise.integers(0, 255, (96, 128, 3), dtype=np.uint8))
except WriteError as error:
    print(error)
"""


@pytest.mark.faults
@pytest.mark.parametrize("way", range(3))
def test_a_file_that_cannot_grow_is_said_in_one_sentence(tmp_path: Path, way: int) -> None:
    path = tmp_path / "tour.mp4"
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(way)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith(f"{path}: file: cannot be written: the encoder ")
    assert done.stdout.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_encoder_that_refuses_is_said_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("waypost.io.camera_takes.encoders.WAYS", (by_opencv("zzzz"),))
    with (
        pytest.raises(WriteError, match=r"t\.mp4: file: .*no encoder .* makes a video of 64x48"),
        open_video(tmp_path / "t.mp4", SIZE, 2.0) as video,
    ):
        video.write(plain(COLOURS[0]))
    assert not list(tmp_path.iterdir())


def test_no_encoder_is_begun_before_there_is_a_picture(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from waypost.domain.record.camera_take import PictureSize\n"
        "from waypost.io.camera_takes.video import open_video\n"
        "video = open_video(Path(sys.argv[1]), PictureSize(64, 48), 2.0)\n"
        "video.__enter__()\n"
        "print('av' in sys.modules)\n"
        "video.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "t.mp4")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
    assert not list(tmp_path.iterdir())


def test_opencv_leaves_the_plugins_of_qt_alone() -> None:
    assert "cv2" not in os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", "")
    code = (
        "import os; os.environ['QT_QPA_PLATFORM_PLUGIN_PATH'] = '/mine'\n"
        "import waypost.io.camera_takes.opencv\n"
        "print(os.environ['QT_QPA_PLATFORM_PLUGIN_PATH'], 'QT_QPA_FONTDIR' in os.environ)"
    )
    clean = {key: value for key, value in os.environ.items() if not key.startswith("QT_QPA")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=clean
    )
    assert done.stdout == "/mine False\n"
