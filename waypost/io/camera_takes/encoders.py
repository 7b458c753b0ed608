"""Encodes the pictures of a film with what is installed, in the codec that most programs play."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.record.camera_take import PictureSize
from waypost.io.camera_takes.opencv import cv2

_QUALITY: Final = "18"
"""Constant rate factor of x264 at which thin lines and small text stay as they are."""

_LEAST_KEY_DISTANCE: Final = 12
_KEYS_EVERY_S: Final = 2
_MATRIX_BT601: Final = 6
_BT709: Final = 1
_LIMITED: Final = 1
_MOST_RATE_PARTS: Final = 10_000


@dataclass(frozen=True, slots=True)
class FilmCodec:
    """How the pictures of an mp4 are encoded."""

    name: str
    """As ffprobe says it, e.g. ``h264``."""

    note: str = ""
    """One sentence about where the film plays; empty where it plays everywhere."""


H264: Final = FilmCodec("h264")
VP9: Final = FilmCodec(
    "vp9",
    "It is VP9, which browsers and VLC play; once waypost[film] is installed, films are H.264,"
    " which other players show too.",
)
MPEG4: Final = FilmCodec(
    "mpeg4",
    "It is MPEG-4 part 2, which VLC plays and browsers do not; once waypost[film] is installed,"
    " films are H.264, which both show.",
)

_BY_TAG: Final[dict[str, FilmCodec]] = {
    "avc1": H264, "h264": H264, "vp09": VP9, "vp90": VP9, "vp9": VP9,
    "mp4v": MPEG4, "fmp4": MPEG4, "mpg4": MPEG4,
}  # fmt: skip


class Encoder(Protocol):
    """An mp4 in the making."""

    def write(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture, (H, W, 3) RGB; a disk that is full may raise ``OSError``."""

    def close(self) -> None:
        """Write what is left; may raise ``OSError``."""

    def abandon(self) -> None:
        """Let go of the file, whatever it holds."""


EncoderWay = Callable[[Path, PictureSize, float], Encoder | None]
"""Begins a film of a size and rate; nothing where this way does not work here."""


class _H264Encoder:
    """H.264 by x264, in PyAV: 4:2:0, the index first, and no picture before its time."""

    def __init__(self, av: Any, path: Path, size: PictureSize, fps: float) -> None:
        self._av = av
        self._reformatter = av.video.reformatter.VideoReformatter()
        self._container: Any = av.open(str(path), "w", options={"movflags": "+faststart"})
        # Without pictures that look ahead, every one is found by its number exactly.
        distance = max(_LEAST_KEY_DISTANCE, round(_KEYS_EVERY_S * fps))
        options = {"preset": "veryfast", "crf": _QUALITY, "bf": "0", "g": str(distance)}
        try:
            rate = Fraction(fps).limit_denominator(_MOST_RATE_PARTS)
            self._stream: Any = self._container.add_stream("libx264", rate=rate, options=options)
            self._stream.width, self._stream.height = size.width_px, size.height_px
            self._stream.pix_fmt = "yuv420p"
            context = self._stream.codec_context
            # OpenCV, which reads films, takes every one to be of this matrix.
            context.colorspace, context.color_range = _MATRIX_BT601, _LIMITED
            context.color_primaries = context.color_trc = _BT709
            context.open()
        except BaseException:
            self.abandon()
            raise

    def write(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture."""
        frame = self._av.VideoFrame.from_ndarray(picture, format="rgb24")
        # By areas: the usual way mixes in the colour of rows beside, and thin lines lose theirs.
        yuv = self._reformatter.reformat(
            frame,
            format="yuv420p",
            dst_colorspace="ITU601",
            dst_color_range="MPEG",
            interpolation="AREA",
        )
        self._mux(yuv)

    def close(self) -> None:
        """Write what the encoder holds back, and the index."""
        self._mux(None)
        with self._told_as_os_errors():
            self._container.close()

    def abandon(self) -> None:
        """Let the file go; what its end would fail with is of no interest."""
        with contextlib.suppress(self._av.FFmpegError, OSError, ValueError):
            self._container.close()

    def _mux(self, frame: Any) -> None:
        with self._told_as_os_errors():
            for packet in self._stream.encode(frame):
                self._container.mux(packet)

    @contextlib.contextmanager
    def _told_as_os_errors(self) -> Iterator[None]:
        try:
            yield
        except self._av.FFmpegError as error:
            raise OSError(error.errno, error.strerror) from error


class _OpenCvEncoder:
    """What OpenCV encodes itself; it never says that a disk is full."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer

    def write(self, picture: NDArray[np.uint8]) -> None:
        """Append a picture."""
        self._writer.write(cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))

    def close(self) -> None:
        """End the film."""
        self._writer.release()

    abandon = close


def by_x264(path: Path, size: PictureSize, fps: float) -> Encoder | None:
    """H.264, where PyAV is installed and has x264."""
    try:
        import av  # noqa: PLC0415 - only with the film extra, and only for films
    except ImportError:
        return None
    try:
        return _H264Encoder(av, path, size, fps)
    except (av.FFmpegError, ValueError):  # a build without x264, or a size it does not encode
        return None


def by_opencv(tag: str) -> EncoderWay:
    """A way to encode by OpenCV with a four letter tag, e.g. ``vp09``."""

    def begin(path: Path, size: PictureSize, fps: float) -> Encoder | None:
        code = cv2.VideoWriter.fourcc(*tag)
        writer = cv2.VideoWriter(str(path), code, fps, (size.width_px, size.height_px))
        return _OpenCvEncoder(writer) if writer.isOpened() else None

    return begin


WAYS: Final[tuple[EncoderWay, ...]] = (by_x264, by_opencv("vp09"), by_opencv("mp4v"))
"""Best first: H.264 plays everywhere, VP9 in every browser, MPEG-4 part 2 in some players."""


def open_encoder(path: Path, size: PictureSize, fps: float) -> Encoder | None:
    """Begin a film in the first of ``WAYS`` that works here; nothing if none does."""
    begun = (begin(path, size, fps) for begin in WAYS)
    return next((encoder for encoder in begun if encoder is not None), None)


def codec_of(path: Path) -> FilmCodec:
    """How a film is encoded, as the file says; one that is not ours by its tag."""
    reader = cv2.VideoCapture(str(path))
    code = int(reader.get(cv2.CAP_PROP_FOURCC))
    reader.release()
    tag = code.to_bytes(4, "little", signed=False).decode("latin-1").strip("\0 ").lower()
    return _BY_TAG.get(tag, FilmCodec(tag))
