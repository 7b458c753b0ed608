"""A pipe or a device in the place of a file is refused at once, whatever would read it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from waypost.domain.errors import ReadError
from waypost.io.file_head import read_head
from waypost.io.file_reading import read_file_bytes
from waypost.io.item_reading import read_items
from waypost.io.picture_sources.decoding import decode_picture
from waypost.io.read_log import ReadLog

READERS: tuple[Callable[[Path], object], ...] = (
    read_head,
    read_file_bytes,
    decode_picture,
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
        with pytest.raises(ReadError, match=r"\.json: file: is a pipe or a device, not a file$"):
            read(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@pytest.mark.parametrize("read", READERS)
def test_a_device_is_refused(read: Callable[[Path], object]) -> None:
    with pytest.raises(ReadError, match=r"^/dev/zero: file: is a pipe or a device"):
        read(Path("/dev/zero"))
