from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from waypost.domain.record.camera_take import PictureSize
from waypost.io.camera_takes import encoders
from waypost.io.camera_takes.encoders import H264, MPEG4, VP9, by_opencv, by_x264, codec_of
from waypost.io.camera_takes.opencv import cv2
from waypost.io.camera_takes.video import open_video

av = pytest.importorskip("av")

SIZE = PictureSize(160, 90)
COUNT = 40
RED, BLUE = (200, 40, 40), (40, 40, 200)
BY_CODEC = {H264: by_x264, VP9: by_opencv("vp09"), MPEG4: by_opencv("mp4v")}


def numbered(number: int) -> np.ndarray:
    """Red and blue halves over a band as bright as the number of the picture."""
    picture = np.empty((90, 160, 3), np.uint8)
    picture[:, :80], picture[:, 80:] = RED, BLUE
    picture[60:] = 6 * number
    return picture


@pytest.fixture(params=BY_CODEC, ids=lambda codec: codec.name)
def codec(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> encoders.FilmCodec:
    monkeypatch.setattr(encoders, "WAYS", (BY_CODEC[request.param],))
    return request.param


def film(path: Path, fps: float = 12.5) -> Path:
    with open_video(path, SIZE, fps) as video:
        for number in range(COUNT):
            video.write(numbered(number))
    return path


def test_another_reader_finds_codec_rate_size_and_every_picture(
    tmp_path: Path, codec: encoders.FilmCodec
) -> None:
    path = film(tmp_path / "a.mp4")
    assert codec_of(path) is codec
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name.removeprefix("lib") == codec.name
        assert stream.average_rate == Fraction(25, 2)
        assert (stream.width, stream.height) == (160, 90)
        assert stream.codec_context.pix_fmt == "yuv420p"
        pictures = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
    assert len(pictures) == COUNT
    for number, picture in enumerate(pictures):
        assert picture[20, 40].astype(int) == pytest.approx(RED, abs=6)
        assert picture[20, 120].astype(int) == pytest.approx(BLUE, abs=6)
        assert picture[75, 80].mean() == pytest.approx(6 * number, abs=4)


def test_every_picture_is_found_by_its_number(tmp_path: Path, codec: encoders.FilmCodec) -> None:
    reader = cv2.VideoCapture(str(film(tmp_path / "a.mp4")))
    for number in (31, 3, 12, 39, 0, 24, 11):
        reader.set(cv2.CAP_PROP_POS_FRAMES, number)
        assert reader.read()[1][75, 80].mean() == pytest.approx(6 * number, abs=4)
    reader.release()


def test_h264_begins_before_all_of_it_has_arrived(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4")
    content = path.read_bytes()
    assert 0 < content.index(b"moov") < content.index(b"mdat")
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        # Limited range by the matrix of BT.601, as its colours are computed.
        assert (context.color_range, context.colorspace) == (1, 6)
        keys = [n for n, frame in enumerate(container.decode(video=0)) if frame.key_frame]
    # Two seconds apart at most, so that players jump quickly.
    assert max(np.diff([*keys, COUNT])) == 25


def test_thin_lines_keep_their_colour(tmp_path: Path) -> None:
    picture = np.full((90, 160, 3), 244, np.uint8)
    picture[42:44] = (181, 222, 43)
    with open_video(tmp_path / "a.mp4", SIZE, 10.0) as video:
        for _ in range(5):
            video.write(picture)
    shown = cv2.VideoCapture(str(tmp_path / "a.mp4")).read()[1][..., ::-1]
    # Two rows share one colour; these two share it with none but themselves.
    assert shown[42:44].mean(axis=(0, 1)) == pytest.approx((181, 222, 43), abs=15)


def test_without_the_extra_films_are_vp9_and_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert codec_of(film(tmp_path / "with.mp4")) is H264
    monkeypatch.setitem(sys.modules, "av", None)
    without = codec_of(film(tmp_path / "without.mp4"))
    assert without is VP9
    assert "waypost[film]" in without.note
    assert H264.note == ""


def test_a_build_without_x264_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = av.open

    def open_without(*arguments: object, **options: object) -> object:
        container = opened(*arguments, **options)

        class Without:
            def add_stream(self, name: str, **settings: object) -> object:
                return container.add_stream("no_such_encoder", **settings)

            def close(self) -> None:
                container.close()

        return Without()

    with monkeypatch.context() as opening:
        opening.setattr(av, "open", open_without)
        path = film(tmp_path / "a.mp4")
    assert codec_of(path) is VP9
