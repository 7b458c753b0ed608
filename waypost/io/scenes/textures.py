"""Decode pictures once, however many materials use them, within a bound of memory."""

from __future__ import annotations

import hashlib
import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

FULL_SIDE_PX = 2048
"""Larger pictures are shown reduced to this."""

CROWDED_SIDE_PX = 512
"""… and to this once the pictures of the scene have filled the budget."""

BUDGET_BYTES = 512 * 1024 * 1024


class TextureShelf:
    """Collects the textures of one scene; equal pictures are kept once."""

    def __init__(self, textures: list[NDArray[np.uint8]]) -> None:
        self._textures = textures
        self._known: dict[tuple[bytes, bool], int] = {}
        self._used_bytes = 0
        self.reduced_count = 0
        """How many pictures are smaller in the scene than in their files."""

    def add(self, encoded: bytes, *, is_opaque: bool) -> int | None:
        """Decode a picture file.

        Args:
            encoded: PNG, JPEG, WebP or anything else Pillow reads.
            is_opaque: Ignore the alpha of the picture.

        Returns:
            Index into the scene's textures, or ``None`` if the picture cannot be decoded.
        """
        key = (hashlib.sha256(encoded).digest(), is_opaque)
        if key not in self._known:
            pixels = self._decode(encoded)
            if pixels is None:
                return None
            if is_opaque:
                pixels[:, :, 3] = 255
            pixels.flags.writeable = False
            self._known[key] = len(self._textures)
            self._textures.append(pixels)
            self._used_bytes += pixels.nbytes
        return self._known[key]

    def _decode(self, encoded: bytes) -> NDArray[np.uint8] | None:
        limit = FULL_SIDE_PX if self._used_bytes < BUDGET_BYTES else CROWDED_SIDE_PX
        try:
            with Image.open(io.BytesIO(encoded)) as picture:
                picture.draft("RGB", (limit, limit))
                converted = picture.convert("RGBA")
        except (
            OSError,
            ValueError,
            SyntaxError,
            UnidentifiedImageError,
            Image.DecompressionBombError,
            Image.DecompressionBombWarning,
        ):
            return None
        if max(converted.size) > limit:
            converted.thumbnail((limit, limit))
            self.reduced_count += 1
        return np.array(converted, dtype=np.uint8)
