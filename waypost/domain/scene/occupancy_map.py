"""A map of where a robot can be, as a raster over the floor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


class Cell(IntEnum):
    """What a cell of an occupancy map holds."""

    FREE = 0
    OCCUPIED = 1
    UNKNOWN = 2


@dataclass(frozen=True, eq=False, slots=True)
class OccupancyMap:
    """Cells as they stand in the picture: the first row is the one furthest along y."""

    cells: NDArray[np.uint8]
    """(H, W) of ``Cell``. Read-only."""

    resolution_m: float
    """Side of a cell."""

    origin_m: tuple[float, float]
    """Where the lower left corner of the picture is, x and y, scene frame."""

    origin_yaw_rad: float = 0.0
    """How far the picture is turned about that corner, counter-clockwise."""

    def __post_init__(self) -> None:
        self.cells.flags.writeable = False

    def corner_m(self, column: float, row: float) -> tuple[float, float]:
        """Scene x and y of a place in the picture, counted from its upper left corner."""
        x, y = column * self.resolution_m, (len(self.cells) - row) * self.resolution_m
        cosine, sine = math.cos(self.origin_yaw_rad), math.sin(self.origin_yaw_rad)
        return (
            self.origin_m[0] + cosine * x - sine * y,
            self.origin_m[1] + sine * x + cosine * y,
        )

    @property
    def bounds_m(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Lowest and highest x and y of what is known; ``None`` where nothing is."""
        known = self.cells != Cell.UNKNOWN
        rows, columns = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
        if not len(rows):
            return None
        corners = [
            self.corner_m(column, row)
            for column in (columns[0], columns[-1] + 1)
            for row in (rows[0], rows[-1] + 1)
        ]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return (float(min(xs)), float(min(ys))), (float(max(xs)), float(max(ys)))
