"""Detour's set of tiles: the polygons of a navmesh out of its bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError

SET_MAGIC: Final = int.from_bytes(b"MSET", "big")
"""First four bytes of a file, little-endian."""

_TILE_MAGIC: Final = int.from_bytes(b"DNAV", "big")
_TILE_VERSION: Final = 7
SET_HEADER: Final = struct.Struct("<3i3f2f2i")
"""Magic, version, count of tiles, origin, size of tiles, most tiles, most polygons."""

_TILE_PREFIX: Final = struct.Struct("<Ii")
_TILE_HEADER: Final = struct.Struct("<15i10f")
_POLYGON: Final = np.dtype(
    [
        ("first_link", "<u4"),
        ("corners", "<u2", 6),
        ("neighbours", "<u2", 6),
        ("flags", "<u2"),
        ("count", "u1"),
        ("area_and_type", "u1"),
    ]
)
_WALK: Final = 1


@dataclass(frozen=True, eq=False, slots=True)
class Polygons:
    """Where one can stand, Recast's frame."""

    count: int
    area_m2: float
    """Sum of the polygons' areas, each a fan of triangles in space, as habitat-sim counts it."""

    triangles_m: NDArray[np.float64]
    """(T, 3, 3) the fans, metres."""


def read_polygons(file: bytes, header: int = SET_HEADER.size) -> Polygons:
    """Count and measure the polygons on which one can walk.

    Args:
        file: All bytes.
        header: Where the first tile starts.

    Raises:
        InputError: If the tiles are not where the file says, or not of Detour's version 7.
    """
    if len(file) < SET_HEADER.size:
        raise InputError("the file ends within its header")
    tiles = SET_HEADER.unpack_from(file)[2]
    if not 0 <= tiles <= len(file) // (_TILE_PREFIX.size + _TILE_HEADER.size):
        raise InputError(f"the header announces {tiles} tiles, more than the file has bytes for")
    count = 0
    fans: list[NDArray[np.float64]] = []
    for tile in _tiles(file, header, tiles):
        found, fan = _tile_polygons(tile)
        count += found
        fans.append(fan)
    triangles = np.concatenate(fans) if fans else np.zeros((0, 3, 3))
    sides = triangles[:, 1:] - triangles[:, :1]
    area = float(np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum() / 2)
    return Polygons(count, area, triangles)


def _tiles(file: bytes, start: int, count: int) -> Iterator[memoryview]:
    view = memoryview(file)
    for number in range(count):
        if start + _TILE_PREFIX.size > len(file):
            raise InputError(f"the file ends before tile {number + 1} of {count}")
        _, size = _TILE_PREFIX.unpack_from(file, start)
        start += _TILE_PREFIX.size
        if size < _TILE_HEADER.size or start + size > len(file):
            raise InputError(f"tile {number + 1} of {count} says it has {size} bytes")
        yield view[start : start + size]
        start += size


def _tile_polygons(tile: memoryview) -> tuple[int, NDArray[np.float64]]:
    head = _TILE_HEADER.unpack_from(tile)
    magic, version, polygon_count, corner_count = head[0], head[1], head[6], head[7]
    if magic != _TILE_MAGIC or version != _TILE_VERSION:
        raise InputError("a tile is not one of Detour's version 7")
    after_corners = _TILE_HEADER.size + 12 * corner_count
    end = after_corners + _POLYGON.itemsize * polygon_count
    if min(polygon_count, corner_count) < 0 or end > len(tile):
        raise InputError("a tile has fewer bytes than its polygons need")
    corners = np.frombuffer(tile, "<f4", 3 * corner_count, _TILE_HEADER.size).reshape(-1, 3)
    polygons = np.frombuffer(tile, _POLYGON, polygon_count, after_corners)
    is_ground = (polygons["flags"] & _WALK > 0) & (polygons["area_and_type"] >> 6 == 0)
    ground = polygons[is_ground]
    if len(ground) and (
        not np.isfinite(corners).all()
        or ground["count"].max() > 6
        or ground["corners"][np.arange(6) < ground["count"][:, None]].max() >= corner_count
    ):
        raise InputError("a polygon names a corner that is not there")
    fans = [
        corners[ground["corners"][ground["count"] > k + 1][:, (0, k, k + 1)]].astype(np.float64)
        for k in range(1, 5)
    ]
    return len(ground), np.concatenate(fans)
