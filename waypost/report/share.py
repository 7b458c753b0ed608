"""Writes an episode as an annotated picture, a GIF or an mp4, step by step as a job."""

from __future__ import annotations

import io
from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.base.progress import Progress
from waypost.domain.record.camera_take import PictureSize
from waypost.io.atomic import write_bytes_atomic
from waypost.io.camera_takes.encoders import codec_of
from waypost.io.camera_takes.video import open_video
from waypost.report.picture import EpisodePainter
from waypost.report.strip_making import StripMaker
from waypost.services.replay.loading import ReplayedEpisode
from waypost.viewers.map.sheet import MapBackground
from waypost.viewers.scene.picture_pixels import rgb_pixels

MOST_GIF_PICTURES: Final = 150
MOST_VIDEO_PICTURES: Final = 600
_GIF_WIDTH_PX: Final = 800
_COLOURS: Final = 256
_FPS: Final = 10
_STEP_S: Final = 0.8
"""How long a step of a short run stays."""

_LAST_S: Final = 2.5
_SHORT: Final = 60
"""Runs of more steps show each for one tenth of a second."""

ENDINGS: Final = (".png", ".gif", ".mp4")


@dataclass(frozen=True, slots=True)
class ShareRequest:
    """What to write."""

    shown: ReplayedEpisode
    path: Path
    """Ends in one of ``ENDINGS``."""

    title: str = ""
    """Of the run."""

    step: int | None = None
    """Of a picture: up to where; the whole run without."""

    strip: StripMaker | None = None
    background: MapBackground | None = None


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """What was written."""

    path: Path
    picture_count: int
    message: str
    """Says so when steps were left out, and where a film does not play."""


def share_episode(request: ShareRequest) -> Generator[Progress, None, SharedFiles]:
    """Write the file; an older one stays whole if this fails or is cancelled.

    Yields:
        Progress in pictures.

    Raises:
        InputError: If the ending is unknown or the step does not exist.
        WriteError: If the file cannot be written.
    """
    ending = request.path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{request.path}: file: a shared episode ends in {', '.join(ENDINGS)}")
    count = len(request.shown.replay)
    if request.step is not None and not 0 <= request.step < count:
        raise InputError(f"--step: {request.step} is not between 0 and {count - 1}")
    yield Progress(0, 0, "Laying out the episode")
    painter = EpisodePainter(
        request.shown, title=request.title, strip=request.strip, background=request.background
    )
    if ending == ".png":
        buffer = io.BytesIO()
        picture = Image.fromarray(rgb_pixels(painter.picture(request.step)))
        picture.save(buffer, format="PNG", optimize=True)
        write_bytes_atomic(request.path, buffer.getvalue())
        return SharedFiles(request.path, 1, f"{request.path}: 1 picture")
    write = _write_gif if ending == ".gif" else _write_video
    return (yield from write(request.path, painter))


def film_steps(count: int, most: int) -> list[int]:
    """The steps that a film shows: all, or so many at even distances with the first and last."""
    if count <= most:
        return list(range(count)) or [0]
    return [int(step) for step in np.unique(np.linspace(0, count - 1, most).round())]


def _write_gif(path: Path, painter: EpisodePainter) -> Generator[Progress, None, SharedFiles]:
    steps = film_steps(len(painter.shown.replay), MOST_GIF_PICTURES)
    pictures: list[Image.Image] = []
    for done, step in enumerate(steps):
        yield Progress(done, len(steps), f"Painting picture {done + 1} of {len(steps)}")
        pixels = rgb_pixels(_narrow(painter.picture(step)))
        pictures.append(_few_colours(Image.fromarray(pixels)))
    yield Progress(len(steps), len(steps), "Writing the file")
    buffer = io.BytesIO()
    times_ms = [round(1000 * seconds) for seconds in _times_s(len(steps))]
    pictures[0].save(
        buffer,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=times_ms,
        loop=0,
        optimize=False,
    )
    write_bytes_atomic(path, buffer.getvalue())
    return _shared(path, steps, painter)


def _write_video(path: Path, painter: EpisodePainter) -> Generator[Progress, None, SharedFiles]:
    steps = film_steps(len(painter.shown.replay), MOST_VIDEO_PICTURES)
    size = PictureSize(painter.size.width(), painter.size.height())
    with open_video(path, size, _FPS) as video:
        for done, (step, seconds) in enumerate(zip(steps, _times_s(len(steps)), strict=True)):
            yield Progress(done, len(steps), f"Painting picture {done + 1} of {len(steps)}")
            pixels: NDArray[np.uint8] = rgb_pixels(painter.picture(step))
            for _ in range(max(1, round(seconds * _FPS))):
                video.write(pixels)
    shared = _shared(path, steps, painter)
    note = codec_of(path).note
    return replace(shared, message=f"{shared.message}. {note}") if note else shared


def _times_s(count: int) -> list[float]:
    each = _STEP_S if count <= _SHORT else 1 / _FPS
    return [*[each] * (count - 1), _LAST_S]


def _shared(path: Path, steps: list[int], painter: EpisodePainter) -> SharedFiles:
    count = len(painter.shown.replay)
    if len(steps) >= count:
        return SharedFiles(
            path, len(steps), f"{path}: {counted(len(steps), 'picture')}, one for each step"
        )
    every = (count - 1) / (len(steps) - 1)
    told = f"{len(steps):,} pictures of {count:,} steps, one for about every {every:.0f}"
    return SharedFiles(path, len(steps), f"{path}: {told}")


def _few_colours(picture: Image.Image) -> Image.Image:
    # The usual way to choose colours would give them all to the shades of large areas.
    return picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def _narrow(image: QImage) -> QImage:
    size = QSize(_GIF_WIDTH_PX, round(image.height() * _GIF_WIDTH_PX / image.width()))
    return image.scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
