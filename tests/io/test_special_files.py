"""What is no regular file is refused at once and in words, whatever would read it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from waypost.domain.base.errors import ReadError
from waypost.io import file_reading
from waypost.io.file_head import read_head
from waypost.io.file_reading import open_for_reading, read_file_bytes, read_plain_bytes
from waypost.io.item_reading import read_items
from waypost.io.picture_sources.decoding import decode_picture
from waypost.io.read_log import ReadLog
from waypost.io.recordings.parquet import read_parquet_recording

READERS: tuple[Callable[[Path], object], ...] = (
    read_head,
    read_file_bytes,
    read_plain_bytes,
    decode_picture,
    read_parquet_recording,
    lambda path: list(read_items(path, ReadLog())),
)


@pytest.mark.timeout(20)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("read", READERS)
def test_a_pipe_is_refused(tmp_path: Path, read: Callable[[Path], object]) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    link = tmp_path / "link.json"
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(ReadError, match=r"\.json: file: is a pipe, not a file$"):
            read(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize("read", READERS)
def test_a_device_is_refused(read: Callable[[Path], object]) -> None:
    with pytest.raises(ReadError, match=r"^/dev/zero: file: is a device, not a file$"):
        read(Path("/dev/zero"))


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this system has no such sockets")
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # their names are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.json")
        for read in READERS:
            with pytest.raises(ReadError, match=r"^socket\.json: file: is a socket, not a file$"):
                read(Path("socket.json"))


@pytest.mark.timeout(20)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_put_there_after_the_look_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_text("[]")
    look = os.stat

    def look_and_swap(place: Path) -> os.stat_result:
        facts = look(place)
        path.unlink()
        os.mkfifo(path)
        return facts

    monkeypatch.setattr(file_reading.os, "stat", look_and_swap)
    with pytest.raises(ReadError, match="is a pipe, not a file"):
        open_for_reading(path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gone.json", "does not exist"),
        ("gone/gone.json", "does not exist"),
        ("", "is a folder"),
        ("plain/inside.json", "cannot be read: Not a directory"),
        ("x" * 5000, "cannot be read: File name too long"),
        ("nul\0.json", "cannot be read: its name holds a null character"),
    ],
)
def test_odd_names_are_said(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "plain").write_text("x")
    with pytest.raises(ReadError) as caught:
        open_for_reading(tmp_path / name)
    assert caught.value.reason == reason


def test_no_descriptor_stays_open_after_a_refusal(tmp_path: Path) -> None:
    before = _open_count()
    (tmp_path / "a").write_text("x")
    for _ in range(20):
        with pytest.raises(ReadError):
            open_for_reading(tmp_path)
        open_for_reading(tmp_path / "a").close()
    assert _open_count() == before


def _open_count() -> int:
    place = Path("/proc/self/fd")
    return len(list(place.iterdir())) if place.exists() else 0
