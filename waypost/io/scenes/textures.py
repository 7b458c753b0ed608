"""Decode pictures once, however many materials use them, within a bound of memory."""

from __future__ import annotations

import hashlib
import io
import logging
import warnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from waypost.io.scenes.bounds import MAX_PICTURE_PIXELS

FULL_SIDE_PX = 2048
"""Larger pictures are shown reduced to this."""

CROWDED_SIDE_PX = 512
"""… and to this once the pictures of the scene have filled the budget."""

BUDGET_BYTES = 512 * 1024 * 1024


_TOO_LARGE = f"is not shown: it has more than {MAX_PICTURE_PIXELS:,} pixels"

_log = logging.getLogger(__name__)


class PictureRefused(Exception):  # noqa: N818 - the scene is shown without it
    """A picture is left out; the text says why, as a predicate."""


class TextureShelf:
    """Collects the textures of one scene; equal pictures are kept once."""

    def __init__(self, textures: list[NDArray[np.uint8]]) -> None:
        self._textures = textures
        self._known: dict[tuple[bytes, bool], int] = {}
        self._used_bytes = 0
        self.reduced_count = 0
        """How many pictures are smaller in the scene than in their files."""

    def add(self, encoded: bytes, *, is_opaque: bool) -> int:
        """Decode a picture file.

        Args:
            encoded: PNG, JPEG, WebP or anything else Pillow reads.
            is_opaque: Ignore the alpha of the picture.

        Returns:
            Index into the scene's textures.

        Raises:
            PictureRefused: If the picture cannot be decoded or is too large.
        """
        key = (hashlib.sha256(encoded).digest(), is_opaque)
        if key not in self._known:
            pixels = self._decode(encoded)
            if is_opaque:
                pixels[:, :, 3] = 255
            pixels.flags.writeable = False
            self._known[key] = len(self._textures)
            self._textures.append(pixels)
            self._used_bytes += pixels.nbytes
        return self._known[key]

    def _decode(self, encoded: bytes) -> NDArray[np.uint8]:
        limit = FULL_SIDE_PX if self._used_bytes < BUDGET_BYTES else CROWDED_SIDE_PX
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
