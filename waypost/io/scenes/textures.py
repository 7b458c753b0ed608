"""Decode pictures once, however many materials use them, within a bound of memory."""

from __future__ import annotations

import hashlib
import io
import logging
import warnings
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap
from waypost.io.scenes.bounds import MAX_PICTURE_PIXELS
from waypost.io.scenes.color_numbers import srgb_bytes

FULL_SIDE_PX = 2048
"""Larger pictures are shown reduced to this."""

CROWDED_SIDE_PX = 512
"""… and to this once the pictures of the scene have filled the budget."""

KTX2_IDENTIFIER = b"\xabKTX 20\xbb\r\n\x1a\n"

BUDGET_BYTES = 512 * 1024 * 1024


_TOO_LARGE = f"is not shown: it has more than {MAX_PICTURE_PIXELS:,} pixels"

_log = logging.getLogger(__name__)


class PictureRefused(Exception):  # noqa: N818 - the scene is shown without it
    """A picture is left out; the text says why, as a predicate."""


@dataclass(frozen=True, slots=True)
class Alpha:
    """The channel of a picture that says how opaque something is."""

    encoded: bytes
    channel: Literal["R", "G", "B", "A"]

    @property
    def key(self) -> tuple[bytes, str]:
        """Tells it from others."""
        return _digest(self.encoded), self.channel


class TextureShelf:
    """Collects the textures of one scene; equal pictures are kept once.

    Args:
        textures: Gets the pictures.
        wraps: Gets what each of them shows beyond its edges.
    """

    def __init__(self, textures: list[NDArray[np.uint8]], wraps: list[TextureWrap]) -> None:
        self._textures = textures
        self._wraps = wraps
        self._known: dict[tuple[object, ...], int] = {}
        self._used_bytes = 0
        self.reduced_count = 0
        """How many pictures are smaller in the scene than in their files."""

    def add(
        self,
        encoded: bytes,
        *,
        is_opaque: bool,
        red_share: float | None = None,
        alpha: Alpha | None = None,
        is_linear: bool = False,
        wrap: TextureWrap = REPEATED,
    ) -> int:
        """Decode a picture file.

        Args:
            encoded: PNG, JPEG, WebP or anything else Pillow reads, or KTX 2 of Basis Universal.
            is_opaque: Ignore the alpha of the picture.
            red_share: Make it a picture of how much light arrives: how much of it the red channel
                says. ``None`` keeps the colours.
            alpha: Takes the place of the picture's own.
            is_linear: Whether its numbers are linear, not sRGB.
            wrap: What it shows beyond its edges.

        Returns:
            Index into the scene's textures.

        Raises:
            PictureRefused: If the picture cannot be decoded or is too large.
        """
        key = (_digest(encoded), is_opaque, red_share, is_linear, alpha and alpha.key)
        if key not in self._known:
            pixels = self._decode(encoded)
            if is_linear:
                pixels[:, :, :3] = srgb_bytes(np.arange(256) / 255.0)[pixels[:, :, :3]]
            if red_share is not None:
                share = 1.0 + red_share * (pixels[:, :, 0] / 255.0 - 1.0)
                pixels[:, :, :3] = np.rint(np.clip(share, 0.0, 1.0) * 255.0)[:, :, None]
            if alpha is not None:
                pixels[:, :, 3] = self._alpha(alpha, pixels.shape[1], pixels.shape[0])
            elif is_opaque:
                pixels[:, :, 3] = 255
            self._keep(key, pixels)
        return self._wrapped(key, wrap)

    def add_alpha(self, alpha: Alpha, wrap: TextureWrap = REPEATED) -> int:
        """A white picture with an alpha; see `add`."""
        key = ("alpha", alpha.key)
        if key not in self._known:
            shape = self._decode(alpha.encoded).shape
            pixels = np.full(shape, 255, dtype=np.uint8)
            pixels[:, :, 3] = self._alpha(alpha, shape[1], shape[0])
            self._keep(key, pixels)
        return self._wrapped(key, wrap)

    def _wrapped(self, key: tuple[object, ...], wrap: TextureWrap) -> int:
        """Index of a picture that is known with this wrap; the pixels are kept once."""
        index = self._known[key]
        if wrap == REPEATED:
            return index
        if (key, wrap) not in self._known:
            self._known[key, wrap] = self._append(self._textures[index], wrap)
        return self._known[key, wrap]

    def _append(self, pixels: NDArray[np.uint8], wrap: TextureWrap) -> int:
        self._textures.append(pixels)
        self._wraps.append(wrap)
        return len(self._textures) - 1

    def _decode_ktx2(self, encoded: bytes, limit: int) -> NDArray[np.uint8]:
        pixels, is_reduced = _ktx2_pixels(encoded, limit)
        if max(pixels.shape[:2]) > limit:
            small = Image.fromarray(pixels)
            small.thumbnail((limit, limit))
            pixels, is_reduced = np.array(small, dtype=np.uint8), True
        self.reduced_count += is_reduced
        return pixels

    def _keep(self, key: tuple[object, ...], pixels: NDArray[np.uint8]) -> None:
        pixels.flags.writeable = False
        self._known[key] = self._append(pixels, REPEATED)
        self._used_bytes += pixels.nbytes

    def _alpha(self, alpha: Alpha, width: int, height: int) -> NDArray[np.uint8]:
        """(height, width) what a picture says about alpha, in the size of another."""
        channel = Image.fromarray(self._decode(alpha.encoded)).getchannel(alpha.channel)
        return np.array(channel.resize((width, height)), dtype=np.uint8)

    def _decode(self, encoded: bytes) -> NDArray[np.uint8]:
        limit = FULL_SIDE_PX if self._used_bytes < BUDGET_BYTES else CROWDED_SIDE_PX
        if encoded.startswith(KTX2_IDENTIFIER):
            return self._decode_ktx2(encoded, limit)
        try:
            with warnings.catch_warnings():
                # Pillow warns of sizes that are within the bound here
                warnings.simplefilter("ignore")
                converted = _converted(encoded, limit)
        except (PictureRefused, MemoryError):
            raise
        except Image.DecompressionBombError:
            raise PictureRefused(_TOO_LARGE) from None
        except Exception as error:  # Pillow raises whatever its decoders raise
            _log.debug("a picture cannot be decoded", exc_info=True)
            raise PictureRefused("cannot be decoded") from error
        if max(converted.size) > limit:
            converted.thumbnail((limit, limit))
            self.reduced_count += 1
        return np.array(converted, dtype=np.uint8)


def _ktx2_pixels(encoded: bytes, limit: int) -> tuple[NDArray[np.uint8], bool]:
    """(H, W, 4) a Basis Universal picture, and whether a smaller level of it is taken.

    Raises:
        PictureRefused: If it has too many pixels or cannot be decoded.
    """
    import opengl_basisu  # noqa: PLC0415 - few files need it

    try:
        texture = opengl_basisu.open(encoded)
        level = 0
        while level + 1 < texture.levels and max(texture.level_size(level)) > limit:
            level += 1
        is_too_large = texture.width * texture.height > MAX_PICTURE_PIXELS
        pixels = None if is_too_large else np.array(texture.transcode("rgba8", level).data)
    except MemoryError:
        raise
    except Exception as error:  # what the decoder raises is not listed anywhere
        _log.debug("a picture cannot be decoded", exc_info=True)
        raise PictureRefused("cannot be decoded") from error
    if pixels is None:
        raise PictureRefused(_TOO_LARGE)
    return pixels, level > 0


def _digest(encoded: bytes) -> bytes:
    return hashlib.sha256(encoded).digest()


def _converted(encoded: bytes, limit: int) -> Image.Image:
    """The picture as RGBA; where its decoder can, reduced to little above the limit.

    Raises:
        PictureRefused: If it has too many pixels, which is told before they are decoded.
    """
    with Image.open(io.BytesIO(encoded)) as picture:
        picture.draft("RGB", (limit, limit))
        if picture.width * picture.height > MAX_PICTURE_PIXELS:
            raise PictureRefused(_TOO_LARGE)
        return picture.convert("RGBA")
