"""What child and parent say to each other: frames of JSON and bytes, which run nothing."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

_PREFIX: Final = struct.Struct("<4sIQ")
_MAGIC: Final = b"WPC\x01"

MOST_HEADER_BYTES: Final = 1 << 27
"""Of the JSON of one frame; a scene of 100,000 meshes takes a fifth."""

MOST_BODY_BYTES: Final = 1 << 28
"""Of the bytes of one frame: one record of a stream."""


class FrameError(ValueError):
    """Bytes that are no frame, or one beyond the limits."""


@dataclass(frozen=True, slots=True)
class PipeFrame:
    """One message."""

    values: dict[str, Any]
    """JSON values."""

    parts: tuple[bytes, ...] = ()


def write_frame(stream: BinaryIO, values: dict[str, Any], parts: Sequence[bytes] = ()) -> None:
    """Send one message.

    Raises:
        FrameError: If it is too long.
        OSError: If nobody listens.
    """
    lengths = [len(part) for part in parts]
    header = json.dumps({**values, "lengths": lengths} if parts else values).encode("ascii")
    if len(header) > MOST_HEADER_BYTES or sum(lengths) > MOST_BODY_BYTES:
        raise FrameError("is too long for one message")
    stream.write(b"".join((_PREFIX.pack(_MAGIC, len(header), sum(lengths)), header, *parts)))
    stream.flush()


def read_frame(stream: BinaryIO) -> PipeFrame | None:
    """Wait for the next message.

    Returns:
        The message; ``None`` where the stream ends.

    Raises:
        FrameError: If what comes is no message.
    """
    prefix = stream.read(_PREFIX.size)
    if not prefix:
        return None
    if len(prefix) < _PREFIX.size:
        raise FrameError("ends in the middle")
    magic, header_bytes, body_bytes = _PREFIX.unpack(prefix)
    if magic != _MAGIC or header_bytes > MOST_HEADER_BYTES or body_bytes > MOST_BODY_BYTES:
        raise FrameError("is no message")
    header, body = stream.read(header_bytes), stream.read(body_bytes)
    if len(header) < header_bytes or len(body) < body_bytes:
        raise FrameError("ends in the middle")
    try:
        values = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise FrameError("is no JSON") from error
    if not isinstance(values, dict):
        raise FrameError("is no object")
    return PipeFrame(values, _split(body, values.pop("lengths", [])))


def _split(body: bytes, lengths: object) -> tuple[bytes, ...]:
    if not isinstance(lengths, list) or not all(type(n) is int and n >= 0 for n in lengths):
        raise FrameError("has no lengths")
    if sum(lengths) != len(body):
        raise FrameError("has other lengths than it says")
    parts, start = [], 0
    for length in lengths:
        parts.append(body[start : start + length])
        start += length
    return tuple(parts)
