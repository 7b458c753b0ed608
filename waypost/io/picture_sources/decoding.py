"""Decodes pictures of unknown origin within bounds, or says in one sentence why not."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, UnidentifiedImageError

from waypost.domain.base.errors import ReadError
from waypost.io.camera_takes.opencv import cv2
from waypost.io.file_reading import read_plain_bytes
from waypost.io.foreign_errors import reader
from waypost.io.picture_sources.source import Pixels
from waypost.io.reading_limits import raised

PICTURE_ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
"""Names that are taken for pictures, in lower case."""

MOST_BYTES: Final = raised(1 << 28)
"""Largest file that is read."""

MOST_PIXELS: Final = 80_000_000
"""Largest picture that is decoded; 12,648 × 6,324 is just below it."""

_FORMATS: Final = ("JPEG", "PNG", "WEBP", "BMP")
_REDUCED: Final = {
    1: "IMREAD_COLOR",
    2: "IMREAD_REDUCED_COLOR_2",
    4: "IMREAD_REDUCED_COLOR_4",
    8: "IMREAD_REDUCED_COLOR_8",
}


@reader
def decode_picture(path: Path, wished_width_px: int = 0) -> Pixels:
    """(H, W, 3) RGB of a picture file.

    Args:
        path: The file.
        wished_width_px: A width that is enough: the picture may come in half, a quarter or an
            eighth of its size as long as it is at least as wide. 0 gives all of it.

    Raises:
        ReadError: If it is missing, damaged or beyond the bounds.
    """
    data, width = picture_data(path)
    shrink = 1
    while shrink < 8 and wished_width_px and width // (shrink * 2) >= wished_width_px:
        shrink *= 2
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), getattr(cv2, _REDUCED[shrink]))
    except cv2.error:
        picture = None
    if picture is None:
        raise ReadError(str(path), "file", "is a damaged picture")
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def picture_data(path: Path) -> tuple[bytes, int]:
    """The bytes of a picture file within the bounds, and its columns; nothing is decoded.

    Raises:
        ReadError: If it is missing, no picture of a known format, or beyond the bounds.
    """
    file = str(path)
    data = read_plain_bytes(path, MOST_BYTES)
    width, height = picture_size(data, file)
    if width * height > MOST_PIXELS:
        raise ReadError(file, "header", f"{width} × {height} pixels are more than {MOST_PIXELS:,}")
    return data, width


def picture_size(data: bytes, file: str) -> tuple[int, int]:
    """Columns and rows as the header says; nothing is decoded.

    Args:
        data: The file's content, or enough of its beginning.
        file: Only named in messages.

    Raises:
        ReadError: If it is no picture of a known format, or says that it is huge.
    """
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            return picture.size
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ReadError(file, "header", f"says more than {MOST_PIXELS:,} pixels") from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise ReadError(file, "file", "is no picture that can be read") from error
