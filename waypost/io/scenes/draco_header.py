"""How many triangles and points Draco data announce, told before anything is decoded.

Source:
    Draco bitstream specification, sections 3 and 4.
"""

from __future__ import annotations

from typing import NamedTuple

_EDGEBREAKER = 1
_MESH = 1
_METADATA_FLAG = 0x8000


class DracoCounts(NamedTuple):
    """What the header of a mesh announces."""

    triangles: int
    points: int


def draco_counts(data: bytes) -> DracoCounts | None:
    """The counts in the header of a Draco mesh; ``None`` where they cannot be told.

    That is so for data that hold metadata, and for versions before 2.2, which glTF does not use.

    Raises:
        IndexError: If the data end too early.
    """
    is_known = data[:5] == b"DRACO" and (data[5], data[6]) >= (2, 2) and data[7] == _MESH
    if not is_known or int.from_bytes(data[9:11], "little") & _METADATA_FLAG:
        return None
    if data[8] == _EDGEBREAKER:
        points, at = _varint(data, 12)
        triangles, _ = _varint(data, at)
    else:
        triangles, at = _varint(data, 11)
        points, _ = _varint(data, at)
    return DracoCounts(triangles, points)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        part = data[at]
        at += 1
        value |= (part & 0x7F) << shift
        shift += 7
        if part < 0x80 or shift > 63:
            return value, at
