"""Pictures of unknown origin are decoded within bounds, or refused in one sentence."""

from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from fixtures.picture_folders import RED, colour_of, plain, put
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from waypost.domain.base.errors import ReadError
from waypost.io.camera_takes.opencv import cv2
from waypost.io.picture_sources import decoding
from waypost.io.picture_sources.decoding import decode_picture, picture_size


@pytest.mark.parametrize("ending", ["png", "jpg"])
def test_a_picture_comes_as_rgb(tmp_path: Path, ending: str) -> None:
    picture = decode_picture(put(tmp_path / f"a.{ending}", plain(RED, 60, 40)))
    assert picture.shape == (40, 60, 3)
    assert colour_of(picture) == RED


@pytest.mark.parametrize(
    ("wished", "width"), [(0, 640), (640, 640), (321, 640), (320, 320), (100, 160), (1, 80)]
)
def test_it_may_come_smaller_but_not_below_the_wish(
    tmp_path: Path, wished: int, width: int
) -> None:
    path = put(tmp_path / "a.jpg", plain(RED, 640, 480))
    assert decode_picture(path, wished).shape == (width * 3 // 4, width, 3)


def bomb(width: int, height: int) -> bytes:
    """A PNG whose header promises more than there is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99))


@pytest.mark.parametrize(
    "size", [(10_000, 8_100), (30_000, 3_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)]
)
def test_a_bomb_is_not_decoded(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(bomb(*size))
    with pytest.raises(ReadError, match="80,000,000"):
        decode_picture(path)


def test_what_opencv_refuses_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.png", plain(RED))

    def refuse(*_arguments: object) -> None:
        raise cv2.error("Insufficient memory")

    monkeypatch.setattr(cv2, "imdecode", refuse)
    with pytest.raises(ReadError, match="is a damaged picture"):
        decode_picture(path)


def test_damaged_cut_off_missing_and_too_large_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = put(tmp_path / "good.png", plain(RED, 200, 200))
    cut = tmp_path / "cut.png"
    cut.write_bytes(good.read_bytes()[:60])
    for path, reason in ((cut, "damaged|no picture"), (tmp_path / "none.png", "does not exist")):
        with pytest.raises(ReadError, match=reason):
            decode_picture(path)
    (tmp_path / "text.jpg").write_text("no picture at all")
    with pytest.raises(ReadError, match="is no picture"):
        decode_picture(tmp_path / "text.jpg")
    monkeypatch.setattr(decoding, "MOST_BYTES", 10)
    with pytest.raises(ReadError, match="holds more than"):
        decode_picture(good)


@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"BM"]),
)
def test_bytes_of_any_kind_give_a_size_or_a_sentence(data: bytes, magic: bytes) -> None:
    with contextlib.suppress(ReadError):
        width, height = picture_size(magic + data, "x")
        assert min(width, height) >= 0


def test_grey_and_transparent_pictures_come_as_rgb(tmp_path: Path) -> None:
    Image.fromarray(np.full((20, 30), 120, np.uint8)).save(tmp_path / "grey.png")
    Image.fromarray(np.full((20, 30, 4), 120, np.uint8)).save(tmp_path / "clear.png")
    for name in ("grey.png", "clear.png"):
        assert decode_picture(tmp_path / name).shape == (20, 30, 3)
