"""Makes of a step's pictures what a strip shows: four views, one band all round, or one frame."""

from __future__ import annotations

import functools
import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError, WaypostError
from waypost.domain.base.progress import Progress
from waypost.domain.replay.picture_lenses import (
    Lens,
    PerspectiveLens,
    Resampling,
    SphereLens,
    band_directions,
    perspective_directions,
    resample,
)
from waypost.domain.replay.views import PerspectiveView
from waypost.io.camera_takes.opencv import cv2
from waypost.io.picture_sources.source import Pixels, SourcePicture, StepPictures

BAND_ELEVATION_RAD: Final = math.radians(45)
"""How far a band all round reaches above and below the horizon."""

_QUARTER: Final = math.pi / 2
_SAME_RAD: Final = math.radians(1.0)
_NOTHING: Final = (60, 64, 72)
"""Grey where no picture shows anything."""


@dataclass(frozen=True, slots=True)
class TileWish:
    """How pictures are wanted."""

    width_px: int
    """Room for one of four tiles."""

    height_px: int
    is_whole: bool = False
    """Whether all round in one band, four tiles wide, instead of four tiles."""


@dataclass(frozen=True, eq=False, slots=True)
class TilePicture:
    """One picture of a strip."""

    pixels: Pixels | None
    """(H, W, 3) RGB; ``None`` where there is none."""

    lens: Lens | None
    """Of the pixels; ``None`` of a band all round, whose middle looks north."""

    reason: str = ""
    """Why it is grey, in one sentence."""


@dataclass(frozen=True, eq=False, slots=True)
class PlacePictures:
    """What a strip shows of one place."""

    tiles: tuple[TilePicture, ...]
    """Those at 0°, 90°, 180°, 270°, or one; empty where there is no picture."""

    caption: str = ""
    reason: str = ""
    """Why there is none."""

    @property
    def is_single(self) -> bool:
        """Whether one picture stands for the place."""
        return len(self.tiles) == 1

    @property
    def byte_count(self) -> int:
        """Memory that the pixels take."""
        return sum(tile.pixels.nbytes for tile in self.tiles if tile.pixels is not None)


def place_pictures(
    found: StepPictures, wish: TileWish, *, is_single: bool = False
) -> Generator[Progress, None, PlacePictures]:
    """Decode, scale and resample the pictures of a step.

    A picture that cannot be used gives a grey tile with the reason.

    Args:
        found: What the source has.
        wish: How it is wanted.
        is_single: Whether the source has one picture per step.

    Yields:
        Progress after each picture.

    Returns:
        The tiles; none where the source has no pictures.
    """
    if not found.pictures:
        return PlacePictures((), reason=found.reason)
    if is_single:
        tile = _scaled(found.pictures[0], wish.width_px * 4, wish.height_px)
        return PlacePictures((tile,), found.caption)
    if wish.is_whole:
        pictures = (found.sphere,) if found.sphere is not None else found.pictures
        band = yield from _band(pictures, wish)
        return PlacePictures((band,), found.caption)
    lens = PerspectiveLens(0.0, 0.0, _QUARTER)
    decoder = _Decoder(found.pictures, lens.pixels_per_rad(wish.width_px, wish.height_px))
    tiles = []
    for quarter in range(4):
        own = _picture_at(found.pictures, quarter * _QUARTER)
        if own is not None:
            tiles.append(_scaled(own, wish.width_px, wish.height_px))
        else:
            tiles.append((yield from _resampled(decoder, quarter * _QUARTER, wish)))
        yield Progress(quarter + 1, 4, "Pictures of a step")
    return PlacePictures(tuple(tiles), found.caption)


def _picture_at(pictures: Sequence[SourcePicture], heading_rad: float) -> SourcePicture | None:
    """The one picture taken straight at a heading, where all are one of four such views."""
    if len(pictures) > 4:
        return None
    for picture in pictures:
        lens = picture.lens
        if isinstance(lens, PerspectiveLens) and abs(lens.elevation_rad) < _SAME_RAD:
            turn = math.remainder(lens.heading_rad - heading_rad, math.tau)
            if abs(turn) < _SAME_RAD:
                return picture
    return None


def _scaled(picture: SourcePicture, width_px: int, height_px: int) -> TilePicture:
    """A picture as it is, as large as there is room."""
    try:
        pixels = picture.read(width_px)
    except WaypostError as error:
        return TilePicture(None, None, _short_reason(error))
    height, width = pixels.shape[:2]
    scale = min(width_px / width, height_px / height)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    if size != (width, height):
        shape = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=shape), dtype=np.uint8)
    return TilePicture(pixels, picture.lens)


def _resampled(
    decoder: _Decoder, heading_rad: float, wish: TileWish
) -> Generator[Progress, None, TilePicture]:
    """A level view of 90° across, made of whatever pictures show it."""
    lens = PerspectiveLens(heading_rad, 0.0, _QUARTER)
    pixels, reason = yield from _joined(decoder, lens.view(wish.width_px, wish.height_px))
    return TilePicture(pixels, lens, reason)


def _band(
    pictures: Sequence[SourcePicture], wish: TileWish
) -> Generator[Progress, None, TilePicture]:
    """Everything around from 45° below to 45° above the horizon; north in the middle."""
    width = min(wish.width_px * 4, wish.height_px * 4)
    decoder = _Decoder(pictures, width / math.tau)
    pixels, reason = yield from _joined(decoder, (width, max(1, width // 4)))
    return TilePicture(pixels, None, reason)


class _Decoder:
    """The pictures around a place, each decoded once, about as fine as wanted.

    Args:
        pictures: Not decoded yet.
        pixels_per_rad: Of what is made of them.
    """

    def __init__(self, pictures: Sequence[SourcePicture], pixels_per_rad: float) -> None:
        self.lenses = tuple(picture.lens for picture in pictures)
        self._pictures = pictures
        self._pixels_per_rad = pixels_per_rad
        self._decoded: dict[int, Pixels | str] = {}

    def pixels(self, number: int) -> Pixels | str:
        """A picture; the reason where it cannot be used."""
        if number not in self._decoded:
            try:
                self._decoded[number] = self._fitting(self._pictures[number])
            except WaypostError as error:
                self._decoded[number] = _short_reason(error)
        return self._decoded[number]

    def _fitting(self, picture: SourcePicture) -> Pixels:
        """A picture shrunk to what is needed, so that resampling it does not flicker."""
        aspect = _usual_aspect(picture.lens)
        fineness = picture.lens.pixels_per_rad(1000, max(1, round(1000 / aspect))) / 1000
        wished = math.ceil(self._pixels_per_rad / fineness)
        pixels = picture.read(wished)
        height, width = pixels.shape[:2]
        if wished >= width:
            return pixels
        size = wished, max(1, round(height * wished / width))
        return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _short_reason(error: WaypostError) -> str:
    """Why a picture cannot be used, short enough to stand in its place: the file by its name."""
    if isinstance(error, ReadError):
        return f"{PurePath(error.file).name} {error.reason}"
    return str(error)


def _joined(
    decoder: _Decoder, view: PerspectiveView | tuple[int, int]
) -> Generator[Progress, None, tuple[Pixels | None, str]]:
    lenses = decoder.lenses
    # Which picture shows what hardly depends on their shape; only those needed are decoded.
    rough = _resampling(lenses, tuple(_usual_aspect(lens) for lens in lenses), view)
    decoded: dict[int, Pixels] = {}
    reasons: list[str] = []
    for number in np.unique(rough.picture[rough.picture >= 0]).tolist():
        pixels = decoder.pixels(number)
        if isinstance(pixels, str):
            reasons.append(pixels)
        else:
            decoded[number] = pixels
        yield Progress(len(decoded), 0, "Pictures of a step")
    if not decoded:
        return None, reasons[0] if reasons else "no picture shows this side"
    kept = sorted(decoded)
    aspects = tuple(round(decoded[n].shape[1] / decoded[n].shape[0], 3) for n in kept)
    exact = _resampling(tuple(lenses[n] for n in kept), aspects, view)
    joined = np.full((*exact.picture.shape, 3), _NOTHING, np.uint8)
    for place, number in enumerate(kept):
        _draw(joined, decoded[number], exact, place)
    return joined, "; ".join(reasons)


def _draw(joined: Pixels, picture: Pixels, exact: Resampling, place: int) -> None:
    """Put into the joined picture what one of the pictures shows of it."""
    shown = exact.picture == place
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    if not len(rows):
        return
    part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = picture.shape[:2]
    # OpenCV counts from the middle of the first pixel.
    x = np.clip(exact.columns[part] * width - 0.5, 0, width - 1)
    y = np.clip(exact.rows[part] * height - 0.5, 0, height - 1)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
    joined[part][shown[part]] = seen[shown[part]]


def _usual_aspect(lens: Lens) -> float:
    """Width by height that pictures of a lens mostly have."""
    if isinstance(lens, PerspectiveLens):
        return 4 / 3 if lens.is_vertical else 1.0
    return 2.0 if isinstance(lens, SphereLens) else 1.0


@functools.lru_cache(maxsize=64)
def _resampling(
    lenses: tuple[Lens, ...],
    aspects: tuple[float, ...],
    view: PerspectiveView | tuple[int, int],
) -> Resampling:
    """Where each pixel of a view comes from; the same for every place with the same lenses."""
    return resample(lenses, aspects, _directions(view))


def _directions(view: PerspectiveView | tuple[int, int]) -> NDArray[np.float64]:
    if isinstance(view, tuple):
        return band_directions(0.0, *view, BAND_ELEVATION_RAD)
    return perspective_directions(view)
