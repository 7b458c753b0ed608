"""From metres of a map to pixels and back; north (+Y) is up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]

_LEAST_SCALE: Final = 0.5
_MOST_SCALE: Final = 2_000.0


@dataclass(frozen=True, slots=True)
class MapFrame:
    """Where the map lies in a picture."""

    scale: float
    """Pixels per metre."""

    x_px: float
    """Of x = 0, from the left."""

    y_px: float
    """Of y = 0, from the top."""

    def to_pixel(self, point: Point) -> Point:
        """Where a point of the scene is in the picture."""
        return self.x_px + point[0] * self.scale, self.y_px - point[1] * self.scale

    def to_pixels(self, points_m: NDArray[np.float64]) -> NDArray[np.float64]:
        """(…, 2) pixels of points (…, 2) in metres."""
        moved = points_m * np.array([self.scale, -self.scale]) + np.array([self.x_px, self.y_px])
        return np.asarray(moved, dtype=np.float64)

    def to_metres(self, pixel: Point) -> Point:
        """The point of the scene under a pixel."""
        return (pixel[0] - self.x_px) / self.scale, (self.y_px - pixel[1]) / self.scale

    def moved(self, right_px: float, down_px: float) -> MapFrame:
        """The map pushed along."""
        return MapFrame(self.scale, self.x_px + right_px, self.y_px + down_px)

    def zoomed(self, factor: float, about_px: Point) -> MapFrame:
        """The map larger or smaller; what is under a pixel stays there."""
        scale = min(max(self.scale * factor, _LEAST_SCALE), _MOST_SCALE)
        ratio = scale / self.scale
        return MapFrame(
            scale,
            about_px[0] + (self.x_px - about_px[0]) * ratio,
            about_px[1] + (self.y_px - about_px[1]) * ratio,
        )


def frame_around(low: Point, high: Point, width_px: float, height_px: float) -> MapFrame:
    """The frame that shows a box as large as it goes, in the middle.

    Args:
        low: Lowest x and y, metres.
        high: Highest x and y.
        width_px: Of the picture, margins taken off.
        height_px: Likewise.
    """
    wide, high_m = max(high[0] - low[0], 0.1), max(high[1] - low[1], 0.1)
    scale = min(max(width_px, 1.0) / wide, max(height_px, 1.0) / high_m)
    scale = min(max(scale, _LEAST_SCALE), _MOST_SCALE)
    return MapFrame(
        scale,
        width_px / 2 - (low[0] + high[0]) / 2 * scale,
        height_px / 2 + (low[1] + high[1]) / 2 * scale,
    )
