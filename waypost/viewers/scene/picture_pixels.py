"""The pixels of a Qt picture as an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage


def rgb_pixels(image: QImage) -> NDArray[np.uint8]:
    """(H, W, 3) RGB, in real pixels."""
    return _pixels(image.convertToFormat(QImage.Format.Format_RGB888), 3)


def opaque_pixels(image: QImage) -> NDArray[np.uint8]:
    """(H, W, 4) RGBA without transparency, in real pixels."""
    pixels = _pixels(image.convertToFormat(QImage.Format.Format_RGBA8888), 4)
    pixels[..., 3] = 255
    return pixels


def _pixels(image: QImage, channels: int) -> NDArray[np.uint8]:
    # Qt pads its rows to whole words.
    rows = np.frombuffer(image.constBits(), dtype=np.uint8)
    rows = rows.reshape(image.height(), image.bytesPerLine())[:, : image.width() * channels]
    return rows.reshape(image.height(), image.width(), channels).copy()
