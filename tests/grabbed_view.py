"""The pixels of a 3D view, whole and at once, as no screen would show them yet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, QPainter

from waypost.domain.base.progress import exhaust
from waypost.viewers.scene.picture_pixels import rgb_pixels
from waypost.viewers.scene.view import SceneView


def grab_image(view: SceneView) -> NDArray[np.uint8]:
    """(H, W, 3) RGB of the view with its labels, in real pixels."""
    if view._stage is None:
        return rgb_pixels(view.grab().toImage())
    image: QImage = exhaust(view._stage.grab_steps())
    image.setDevicePixelRatio(view.devicePixelRatioF())
    view._overlay.set_lens(view._drawn_lens)
    painter = QPainter(image)
    view._overlay.paint(painter)
    painter.end()
    return rgb_pixels(image)
