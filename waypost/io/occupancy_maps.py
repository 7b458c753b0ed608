"""Reads occupancy maps as ROS stores them: a YAML file that names a picture (PGM or PNG).

The frame of the map is taken as the scene frame: z up, metres, x and y along the floor. Thresholds
as in `ros-planning/navigation2:nav2_map_server`: occupied above ``occupied_thresh``, free below
``free_thresh``, unknown between; see-through pixels are unknown.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.occupancy_map import Cell, OccupancyMap
from waypost.io.file_reading import read_file_bytes, read_file_text
from waypost.io.foreign_errors import reader

_DEFAULTS: Final[Mapping[str, float]] = {"occupied_thresh": 0.65, "free_thresh": 0.196}
_LONGEST_NAME: Final = 1_000
"""Characters of a path."""

_PICTURES: Final = frozenset({".pgm", ".png", ".bmp"})


def can_read(path: Path) -> bool:
    """Whether a file is there that describes a map: the one given, or the one beside a picture."""
    return _description_of(path).is_file()


@reader
def read_occupancy_map(path: Path) -> OccupancyMap:
    """Read a map.

    Args:
        path: The YAML file, or the picture with a YAML file of the same name beside it.

    Raises:
        ReadError: Naming file, place and reason.
    """
    description = _description_of(path)
    values = _values(read_file_text(description), str(description))
    file = str(description)
    resolution = _number(values, "resolution", file)
    if not 0 < resolution <= 10:
        raise ReadError(file, "resolution", f"is {resolution:g}, not a length of a cell in metres")
    low, high = (_share(values, key, file) for key in ("free_thresh", "occupied_thresh"))
    if low > high:
        raise ReadError(file, "free_thresh", f"{low:g} is above occupied_thresh, {high:g}")
    x, y, yaw = _origin(values, file)
    name = _text(values, "image", file)
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise ReadError(file, "image", "is no name of a picture")
    picture = description.parent / name
    is_negated = values.get("negate", "0").lower() in {"1", "true"}
    return OccupancyMap(_cells(picture, is_negated, low, high), resolution, (x, y), yaw)


def _description_of(path: Path) -> Path:
    if path.suffix.lower() not in _PICTURES:
        return path
    beside = [path.with_suffix(ending) for ending in (".yaml", ".yml")]
    return next((file for file in beside if file.is_file()), beside[0])


def _values(text: str, file: str) -> dict[str, str]:
    """Flat YAML: one ``key: value`` a line, lists in brackets or as lines with a dash."""
    values: dict[str, str] = {}
    key = ""
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.split(" #", 1)[0].strip()
        if not bare or bare.startswith(("#", "---", "%")) or bare == "...":
            continue
        if bare.startswith("- ") and key:
            values[key] = ", ".join(part for part in (values[key], bare[2:].strip()) if part)
            continue
        key, colon, value = (part.strip() for part in bare.partition(":"))
        if not colon or not key:
            raise ReadError(file, f"line {number}", "is no “key: value” of a map description")
        values[key] = value.strip().strip("\"'")
    return values


def _text(values: Mapping[str, str], key: str, file: str) -> str:
    if not values.get(key):
        raise ReadError(file, key, "is missing; a ROS map description names it")
    return values[key]


def _number(values: Mapping[str, str], key: str, file: str) -> float:
    return _finite(_text(values, key, file), key, file)


def _finite(text: str, place: str, file: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ReadError(file, place, f"is {text[:40]!r}, not a number") from None
    if not math.isfinite(number):
        raise ReadError(file, place, f"is {text[:40]}, not a finite number")
    return number


def _share(values: Mapping[str, str], key: str, file: str) -> float:
    share = _number(values, key, file) if values.get(key) else _DEFAULTS[key]
    if not 0 <= share <= 1:
        raise ReadError(file, key, f"is {share:g}, not between 0 and 1")
    return share


def _origin(values: Mapping[str, str], file: str) -> tuple[float, float, float]:
    parts = _text(values, "origin", file).strip("[] ").split(",")
    if len(parts) not in {2, 3}:
        raise ReadError(file, "origin", f"has {len(parts)} numbers, not x, y and yaw")
    x, y, yaw = ([_finite(part.strip(), "origin", file) for part in parts] + [0.0])[:3]
    return x, y, yaw


def _cells(path: Path, is_negated: bool, low: float, high: float) -> NDArray[np.uint8]:
    grey, is_seen_through = _grey(path)
    occupied = grey if is_negated else 1.0 - grey
    cells = np.full(grey.shape, Cell.UNKNOWN, dtype=np.uint8)
    cells[occupied > high] = Cell.OCCUPIED
    cells[occupied < low] = Cell.FREE
    cells[is_seen_through] = Cell.UNKNOWN
    return cells


def _grey(path: Path) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """(H, W) brightness in [0, 1], and where the picture is see-through."""
    data = read_file_bytes(path)
    try:
        with warnings.catch_warnings():
            # Pillow only warns of a picture that is too large to be meant.
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(data)) as image:
                is_deep = image.mode.startswith("I")
                pixels = np.asarray(image if is_deep else image.convert("LA"), dtype=np.float32)
    except Exception as error:  # Pillow raises whatever its decoders raise
        raise ReadError(str(path), "file", f"is no picture of a map: {error}") from error
    if is_deep:
        return pixels / 65535.0, np.zeros(pixels.shape, dtype=bool)
    return pixels[..., 0] / 255.0, pixels[..., 1] == 0
