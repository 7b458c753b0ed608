"""Flights of stairs: risers that follow one another."""

from __future__ import annotations

import math

import numpy as np
from scipy.ndimage import label, maximum_filter, minimum_filter

from waypost.geometry.measuring.ground_flood import GroundSheet
from waypost.geometry.measuring.height_field import Bools

RISER_M = 0.05
"""A jump of the ground by more than this is a riser: as for the mover of the engine."""

_AROUND_M = 0.3
_FAR_M = 3.0


def flight_cells(sheet: GroundSheet, noise_m: float) -> Bools:
    """Cells at a riser that has another riser within 0.3 m.

    On an uneven floor a riser must stand out of its noise by three standard deviations.

    Args:
        sheet: The ground that was reached.
        noise_m: Its own; see ``floor_noise_m``.
    """
    ground = sheet.is_ground
    low, high = np.where(ground, sheet.z_m, np.inf), np.where(ground, sheet.z_m, -np.inf)
    heights = sheet.z_m[ground]
    if not len(heights) or heights.max() - heights.min() <= RISER_M:
        return np.zeros_like(ground)
    around = 2 * int(_AROUND_M / sheet.grid.cell_m) + 1
    own = maximum_filter(high, 3) - minimum_filter(low, 3)
    wide = maximum_filter(high, around) - minimum_filter(low, around)
    least = RISER_M + 3 * math.sqrt(2) * noise_m
    riser = ground & (own > least) & (own < _FAR_M)
    return np.asarray(riser & (wide > own + least) & (wide < _FAR_M))


def count_flights(cells: Bools) -> int:
    """How many flights some cells belong to."""
    if not cells.any():
        return 0
    _, count = label(maximum_filter(cells, 31))
    return int(count)
