"""Which colours a picture of a window has."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QImage


def colours(image: QImage, every_px: int = 3) -> set[str]:
    """The colours, as ``#rrggbb``, of every so many pixels in both directions."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    words = np.frombuffer(plain.constBits(), dtype=np.uint32)
    words = words.reshape(plain.height(), plain.bytesPerLine() // 4)[:, : plain.width()]
    found = np.unique(words[::every_px, ::every_px] & 0xFFFFFF)
    return {f"#{word:06x}" for word in found}
