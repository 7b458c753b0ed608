from __future__ import annotations

import io
import struct

import pytest

from waypost.io.confined.frames import MOST_HEADER_BYTES, FrameError, read_frame, write_frame


def test_messages_come_back_as_they_were():
    stream = io.BytesIO()
    write_frame(stream, {"kind": "progress", "message": "дом \udcff"})
    write_frame(stream, {"kind": "piece"}, [b"key", b"", b"value"])
    stream.seek(0)
    first, second = read_frame(stream), read_frame(stream)
    assert (first.values, first.parts) == ({"kind": "progress", "message": "дом \udcff"}, ())
    assert (second.values, second.parts) == ({"kind": "piece"}, (b"key", b"", b"value"))
    assert read_frame(stream) is None


def frame(header: bytes, body: bytes = b"", magic: bytes = b"WPC\x01") -> bytes:
    return struct.pack("<4sIQ", magic, len(header), len(body)) + header + body


@pytest.mark.parametrize(
    "data",
    [
        b"WPC",
        frame(b"{}", magic=b"\x80\x04.x"),
        frame(b"{}")[:-1],
        frame(b"[1]"),
        frame(b"{"),
        frame(b"[" * 100_000),
        frame(b"\xff"),
        frame(b"{}", b"more"),
        frame(b'{"lengths": [3]}', b"more"),
        frame(b'{"lengths": [5, -1]}', b"more"),
        frame(b'{"lengths": "4"}', b"more"),
        struct.pack("<4sIQ", b"WPC\x01", MOST_HEADER_BYTES + 1, 0),
        struct.pack("<4sIQ", b"WPC\x01", 2, 1 << 60) + b"{}",
    ],
)
def test_anything_else_is_no_message(data):
    with pytest.raises(FrameError):
        read_frame(io.BytesIO(data))
