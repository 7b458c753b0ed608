"""Which of many points decide how wide a disc gets from one place to another.

Most of them, such as those behind the front of furniture, touch no disc as wide as the way. Among
the others the triangles along the way are the same, and are found in a fifth of the time.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.height_field import Bools, Floats, Ints
from waypost.geometry.measuring.scene_ground import Box

_CELL_M: Final = 0.01
_RADII_M: Final = tuple(1.2 * 0.85**k for k in range(18))
"""Discs that are tried, down to 7.6 cm: no smaller one, as those slip through the rim."""

_OFF: Final = 1.5
"""Cells by which the distance of two places and that of the middles of their cells differ at most:
half a diagonal for each."""


def decisive_points(cloud: Floats, ends: tuple[Vec3, Vec3], box: Box) -> Ints:
    """Points among which the widest way is the same as among all.

    A disc that surely moves from end to end is found on cells. All points are kept that an empty
    disc of its size can touch anywhere it can be moved to. It never gets to where points are left
    out, because it would touch one of them first; so every gap that is as wide and is reached, and
    every triangle beside it, is among the kept points what it is among all.

    Args:
        cloud: (N, 2) metres, a rim around the window with gaps of 14 cm or less among them.
        ends: Their plan positions count.
        box: Window.

    Returns:
        Indices, ascending; of all points where no disc is sure to move.
    """
    x0, y0 = box[0] - 2 * _CELL_M, box[1] - 2 * _CELL_M
    columns, rows = (math.ceil((box[k + 2] - box[k]) / _CELL_M) + 5 for k in (0, 1))

    def cells(places: Floats) -> tuple[Ints, Ints]:
        column = np.floor((places[:, 0] - x0) / _CELL_M).astype(np.int64)
        row = np.floor((places[:, 1] - y0) / _CELL_M).astype(np.int64)
        return row.clip(0, rows - 1), column.clip(0, columns - 1)

    own = cells(cloud)
    is_point = np.zeros((rows, columns), dtype=bool)
    is_point[own] = True
    away = _cells_away(is_point)
    row, column = cells(np.array([place[:2] for place in ends]))
    for radius_m in _RADII_M:
        radius = radius_m / _CELL_M
        if away[row, column].min() < radius + _OFF:
            continue
        _, part = cv2.connectedComponents((away >= radius + _OFF).astype(np.uint8))
        if part[row[0], column[0]] == part[row[1], column[1]]:
            _, part = cv2.connectedComponents((away >= radius - _OFF).astype(np.uint8))
            near = _cells_away(part == part[row[0], column[0]])
            return np.flatnonzero(near[own] <= radius + _OFF)
    return np.arange(len(cloud))


def _cells_away(cells: Bools) -> Floats:
    """How many cells each cell is from the nearest one of some."""
    others = (~cells).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(others, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))
