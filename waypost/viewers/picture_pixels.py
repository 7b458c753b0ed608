"""The pixels of a Qt picture as an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage


def rgb_pixels(image: QImage) -> NDArray[np.uint8]:
    """(H, W, 3) RGB, in real pixels."""
    return _pixels(image.convertToFormat(QImage.Format.Format_RGB888), 3)


def rgba_pixels(image: QImage) -> NDArray[np.uint8]:
    """(H, W, 4) RGBA, in real pixels."""
    return _pixels(image.convertToFormat(QImage.Format.Format_RGBA8888), 4)


def _pixels(image: QImage, channels: int) -> NDArray[np.uint8]:
    # Qt pads its rows to whole words.
    rows = np.frombuffer(image.constBits(), dtype=np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())[:, : image.width() * channels]
    return rows.reshape(image.height(), image.width(), channels).copy()
