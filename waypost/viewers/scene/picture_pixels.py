"""The pixels of a Qt picture as an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage


def rgb_pixels(image: QImage) -> NDArray[np.uint8]:
    """(H, W, 3) RGB, in real pixels."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    # Qt pads its rows to whole words.
    rows = np.frombuffer(image.constBits(), dtype=np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())[:, : image.width() * 3]
    return rows.reshape(image.height(), image.width(), 3).copy()
