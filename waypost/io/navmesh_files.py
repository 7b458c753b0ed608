"""``.navmesh`` files of Habitat: a set of Detour's tiles, in version 2 with their settings.

Source:
    facebookresearch/habitat-sim:src/esp/nav/PathFinder.cpp (``loadNavMesh``, ``saveNavMesh``).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import InputError, ReadError
from waypost.geometry.navmesh.navmesh import Navmesh
from waypost.geometry.navmesh.settings import SETTING_NAMES, NavmeshSettings
from waypost.geometry.navmesh.tiles import SET_HEADER, SET_MAGIC
from waypost.io.atomic import write_bytes_atomic
from waypost.io.file_reading import read_plain_bytes
from waypost.io.foreign_errors import reader

SUFFIX: Final = ".navmesh"
_MOST_BYTES: Final = 500_000_000
_SETTINGS: Final = struct.Struct("<13f4B")
_FILTERS: Final = (1, 1, 1, 0)
"""Low obstacles, ledges and low ceilings are filtered; static objects are part of the scene."""

_VERSION: Final = struct.Struct("<2i")


@dataclass(frozen=True, slots=True)
class NavmeshFile:
    """A file as it was read; ``to_bytes`` gives exactly its bytes."""

    tiles: bytes
    """Detour's set of tiles, version 1."""

    settings: NavmeshSettings | None
    """``None`` where the file does not say."""

    kept: bytes = b""
    """The settings as they stand in a file of version 2; empty in version 1."""

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        if not self.kept:
            return self.tiles
        head = _VERSION.pack(SET_MAGIC, 2) + self.tiles[_VERSION.size : SET_HEADER.size]
        return head + self.kept + self.tiles[SET_HEADER.size :]

    def navmesh(self) -> Navmesh:
        """What can be asked for ways.

        Raises:
            InputError: If the tiles are damaged, or the extra is missing.
        """
        return Navmesh.of_file(self.tiles, self.settings)


@reader
def read_navmesh(path: Path) -> Navmesh:
    """Open a ``.navmesh`` file of Habitat.

    Raises:
        ReadError: If it is none, or is damaged; naming file, place and reason.
    """
    file = read_navmesh_file(path)
    try:
        return file.navmesh()
    except InputError as error:
        raise ReadError(str(path), "tiles", str(error)) from error


@reader
def read_navmesh_file(path: Path) -> NavmeshFile:
    """Read a ``.navmesh`` file of Habitat, version 1 or 2.

    Raises:
        ReadError: If it is none; naming file, place and reason.
    """
    data = read_plain_bytes(path, _MOST_BYTES)
    if len(data) < SET_HEADER.size:
        raise ReadError(str(path), "header", f"has {len(data)} bytes, fewer than a navmesh")
    magic, version = _VERSION.unpack_from(data)
    if magic != SET_MAGIC:
        raise ReadError(str(path), "header", "is no navmesh of Detour (no MSET at its beginning)")
    if version == 1:
        return NavmeshFile(data, None)
    if version != 2 or len(data) < SET_HEADER.size + _SETTINGS.size:
        raise ReadError(str(path), "header", f"version {version} is neither 1 nor 2")
    start = SET_HEADER.size
    kept = data[start : start + _SETTINGS.size]
    tiles = _VERSION.pack(magic, 1) + data[_VERSION.size : start] + data[start + _SETTINGS.size :]
    values = _SETTINGS.unpack(kept)
    try:
        # Stated in single precision: 0.05 stands there as 0.05000000074505806.
        numbers = [float(f"{value:.6g}") for value in values[:13]]
        known: dict[str, Any] = dict(zip(SETTING_NAMES, numbers, strict=True))
        known["corners_per_polygon"] = int(numbers[10])
        settings = NavmeshSettings(**known)
    except (InputError, ValueError, OverflowError) as error:
        raise ReadError(str(path), "settings", str(error)) from error
    return NavmeshFile(tiles, settings, kept)


def navmesh_file(navmesh: Navmesh, *, version: int = 1) -> NavmeshFile:
    """A navmesh as a file.

    Args:
        navmesh: Made from a scene, or read.
        version: 1, which every habitat-sim reads and which keeps no settings, or 2.

    Raises:
        InputError: If version 2 is wanted and the settings are not known.
    """
    if version == 1:
        return NavmeshFile(navmesh.file, navmesh.settings)
    known = navmesh.settings
    if known is None:
        raise InputError("the navmesh does not say what it was made for, as version 2 must")
    values = (float(getattr(known, name)) for name in SETTING_NAMES)
    return NavmeshFile(navmesh.file, known, _SETTINGS.pack(*values, *_FILTERS))


def write_navmesh(path: Path, navmesh: Navmesh, *, version: int = 1) -> None:
    """Write a ``.navmesh`` file as habitat-sim reads it.

    Raises:
        InputError: As ``navmesh_file``, or if it cannot be written.
    """
    write_bytes_atomic(path, navmesh_file(navmesh, version=version).to_bytes())
