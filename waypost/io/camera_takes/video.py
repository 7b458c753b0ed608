"""Writes a video that is there whole, with every picture, or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.record.camera_take import PictureSize
from waypost.io.atomic import target_of
from waypost.io.camera_takes.encoders import Encoder, open_encoder
from waypost.io.camera_takes.opencv import cv2
from waypost.io.growing_folder import growing_folder


class Video:
    """An mp4 in the making; made by ``open_video``.

    Args:
        path: As the user named it.
        temporary: Where it grows.
        size: Of every picture; both sides even.
        fps: Pictures per second.
    """

    def __init__(self, path: Path, temporary: Path, size: PictureSize, fps: float) -> None:
        self._path = path
        self._temporary = temporary
        self._size = size
        self._count = 0
        self._is_closed = False
        self._fps = fps
        self._encoder: Encoder | None = None

    def write(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture, (H, W, 3) RGB.

        Raises:
            ValueError: If it has another size.
            WriteError: If nothing encodes this size here, or the encoder cannot go on.
        """
        if picture.shape != (self._size.height_px, self._size.width_px, 3):
            raise ValueError(f"a picture of shape {picture.shape} in a video of {self._size}")
        # Not before: importing one takes the processor from a window that is about to film.
        encoder = self._encoder = self._encoder or self._begun()
        with self._telling():
            encoder.write(picture)
        self._count += 1

    def release(self) -> None:
        """Let the encoder go, without looking at what it made."""
        if self._encoder is not None:
            self._encoder.abandon()

    def close(self) -> None:
        """End the video and read it back; not every encoder says that a disk is full.

        Raises:
            WriteError: If the file does not hold every picture.
        """
        if self._is_closed:
            return
        self._is_closed = True
        if self._encoder is not None:
            with self._telling():
                self._encoder.close()
        found = count_pictures(self._temporary)
        if found != self._count:
            reason = f"the encoder kept {found} of {self._count} pictures; is the disk full?"
            raise WriteError(str(self._path), reason)

    def _begun(self) -> Encoder:
        encoder = open_encoder(self._temporary, self._size, self._fps)
        if encoder is None:
            reason = f"no encoder of this computer makes a video of {self._size}"
            raise WriteError(str(self._path), reason)
        return encoder

    @contextlib.contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = f"the encoder stopped after {self._count} pictures: {error.strerror or error}"
            raise WriteError(str(self._path), reason) from error


@contextlib.contextmanager
def open_video(path: Path, size: PictureSize, fps: float) -> Iterator[Video]:
    """Write an mp4; it takes its name when the block ends well and all of it can be read.

    If the block raises, a file that was there before stays and nothing else is left behind.

    Raises:
        InputError: If the ending is not ``.mp4`` or a side is odd.
        WriteError: If it cannot be encoded or written.
    """
    if path.suffix.lower() != ".mp4":
        raise InputError(f"{path}: file: a video ends in .mp4")
    if size.width_px % 2 or size.height_px % 2:
        raise InputError(f"size {size}: a video needs even sides")
    target = target_of(path)
    with growing_folder(path) as folder:
        # The encoder picks the container by the ending, which behind a link is any.
        temporary = folder / "video.mp4"
        temporary.touch()
        video = Video(path, temporary, size, fps)
        try:
            yield video
            video.close()
            _take_name(path, temporary, target)
        finally:
            video.release()


def count_pictures(path: Path) -> int:
    """How many pictures of a video can be decoded; 0 for a file that is none."""
    reader = cv2.VideoCapture(str(path))
    count = 0
    while reader.grab():
        count += 1
    reader.release()
    return count


def _take_name(path: Path, temporary: Path, target: Path) -> None:
    try:
        descriptor = os.open(temporary, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(target)
    except OSError as error:
        raise WriteError(str(path), error.strerror or str(error)) from error
