"""Single pictures as PNG or JPEG, and a folder of them that appears whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.io.atomic import target_of, write_bytes_atomic
from waypost.io.camera_takes.opencv import cv2
from waypost.io.growing_folder import growing_folder

PICTURE_FORMATS: Final = ("png", "jpg")
"""Without loss, or with the quality below."""

_JPEG_QUALITY: Final = 95


def write_picture(path: Path, picture: NDArray[np.uint8]) -> None:
    """Replace a picture file; the ending says the format.

    Args:
        path: Ends in one of ``PICTURE_FORMATS``.
        picture: (H, W, 3) RGB.

    Raises:
        InputError: If the ending is another.
        WriteError: If it cannot be written.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in PICTURE_FORMATS:
        raise InputError(f"{path}: file: a picture ends in .png or .jpg")
    options = [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY] if ending == "jpg" else []
    _, data = cv2.imencode(f".{ending}", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), options)
    write_bytes_atomic(path, data.tobytes())


def check_new_folder(folder: Path, *, replaces: bool = False) -> None:
    """Refuse a folder in use, unless its pictures may be replaced.

    Raises:
        InputError: Then.
    """
    if folder.is_dir() and not replaces and any(folder.iterdir()):
        raise InputError(f"{folder}: folder: is not empty; --force replaces its pictures")


@contextlib.contextmanager
def open_folder(folder: Path, last: str, *, replaces: bool = False) -> Iterator[Path]:
    """Give a temporary folder whose files move to their place when the block ends well.

    If the block raises, nothing of it stays and what was there before is untouched.

    Args:
        folder: Where the files belong; made if missing.
        last: The file that tells about all others; it moves after them.
        replaces: Whether the folder may hold files already; those of the same name go.

    Raises:
        InputError: If the folder is in use and may not be.
        WriteError: If it cannot be written to.
    """
    check_new_folder(folder, replaces=replaces)
    with growing_folder(folder) as growing:
        yield growing
        target = target_of(folder)
        target.mkdir(exist_ok=True)
        for file in sorted(growing.iterdir(), key=lambda path: (path.name == last, path.name)):
            file.replace(target_of(target / file.name))
