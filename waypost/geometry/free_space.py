"""Where one can stand on a storey, and which rooms that makes: a raster seen from above."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from waypost.domain.base.frames import Vec3
from waypost.geometry.openings import openings_without_lintel
from waypost.geometry.ray_index import RayIndex

HEAD_M: Final = 1.8
"""Free space is at least this high."""

BODY_HEIGHTS_M: Final = (0.25, 0.4, 1.0, 1.5)
"""Above the floor: what is met here is in the way, whether furniture or wall."""

LINTEL_HEIGHTS_M: Final = (2.15, 2.3, 2.45)
"""Above the floor: over doors and windows, where only walls are, which part the rooms."""

FLOOR_BELOW_M: Final = 0.6
FLOOR_ABOVE_M: Final = 0.3
"""How far the floor may be below or above that of its storey: paths outside, sunken rooms."""

_STEP_M: Final = 0.25
"""Floor that changes by more from cell to cell is an edge and no way."""

_MOST_CELLS: Final = 1_500_000
_FINEST_M: Final = 0.05
_PAST_M: Final = 1e-3


@dataclass(frozen=True, eq=False, slots=True)
class FreeSpace:
    """The raster of one storey; row ``j`` is y, column ``i`` is x."""

    low_m: tuple[float, float]
    """Corner of the first cell, scene frame."""

    cell_m: float
    ground_m: NDArray[np.float64]
    """(ny, nx) height of the floor, NaN where there is none."""

    clearance_m: NDArray[np.float64]
    """(ny, nx) distance to the nearest cell that is not free; 0 there."""

    rooms: NDArray[np.int32]
    """(ny, nx) number of the room from 1; 0 in walls, under lintels, and where no floor is."""

    outside: frozenset[int]
    """Rooms that reach the rim of the raster."""

    openings: NDArray[np.bool_]
    """(ny, nx) free cells of doorways: below a lintel, or where walls leave a narrow gap."""

    def point(self, cell: tuple[int, int]) -> Vec3:
        """The middle of a cell, on its floor."""
        row, column = cell
        x = self.low_m[0] + (column + 0.5) * self.cell_m
        y = self.low_m[1] + (row + 0.5) * self.cell_m
        return (x, y, float(self.ground_m[row, column]))


def free_space_steps(
    rays: RayIndex, low_m: Vec3, high_m: Vec3, floor_z_m: float
) -> Generator[None, None, FreeSpace]:
    """Look at one storey.

    Rays fall from the height of a head for the floor, and scan along rows and columns at the
    heights of bodies and of lintels for what stands on it.

    Args:
        rays: The scene.
        low_m: Lowest corner of the scene.
        high_m: Highest corner.
        floor_z_m: Floor of the storey.

    Yields:
        Between parts of the work.
    """
    size = (high_m[0] - low_m[0], high_m[1] - low_m[1])
    cell = max(_FINEST_M, math.sqrt(max(size[0] * size[1], 0.01) / _MOST_CELLS))
    raster = _Raster(
        (low_m[0], low_m[1]), cell, *(max(1, math.ceil(length / cell)) for length in size)
    )
    ground = raster.ground(rays, floor_z_m)
    yield
    blocked = np.isnan(ground) | _edges(ground)
    for height in BODY_HEIGHTS_M:
        blocked |= raster.crossed(rays, floor_z_m + height)
        yield
    lintel = np.zeros_like(blocked)
    for height in LINTEL_HEIGHTS_M:
        lintel |= raster.crossed(rays, floor_z_m + height)
        yield
    # A wall has two faces; the cells between them belong to it.
    lintel = ndimage.binary_closing(np.pad(lintel, 8), np.ones((3, 3)), iterations=5)[8:-8, 8:-8]
    lintel |= openings_without_lintel(lintel, cell)
    yield
    free = ~blocked
    clearance = ndimage.distance_transform_edt(np.pad(free, 1))[1:-1, 1:-1] * cell
    labels, _ = ndimage.label(~lintel)
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    rooms = np.where(free & ~lintel, labels, 0).astype(np.int32)
    outside = frozenset(int(number) for number in np.unique(rim) if number)
    return FreeSpace(
        (low_m[0], low_m[1]), cell, ground, np.asarray(clearance), rooms, outside, free & lintel
    )


@dataclass(frozen=True, slots=True)
class _Raster:
    low_m: tuple[float, float]
    cell_m: float
    columns: int
    rows: int

    def _middles(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        x = self.low_m[0] + (np.arange(self.columns) + 0.5) * self.cell_m
        y = self.low_m[1] + (np.arange(self.rows) + 0.5) * self.cell_m
        return np.asarray(x), np.asarray(y)

    def ground(self, rays: RayIndex, floor_z_m: float) -> NDArray[np.float64]:
        """(rows, columns) height of the floor; NaN where something is under the head first."""
        x, y = np.meshgrid(*self._middles())
        top = floor_z_m + HEAD_M
        starts = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, top)])
        down = np.broadcast_to([0.0, 0.0, -1.0], starts.shape)
        found = top - rays.first_hit_distances(starts, down).reshape(x.shape)
        is_floor = (found >= floor_z_m - FLOOR_BELOW_M) & (found <= floor_z_m + FLOOR_ABOVE_M)
        return np.where(is_floor, found, np.nan)

    def crossed(self, rays: RayIndex, z_m: float) -> NDArray[np.bool_]:
        """(rows, columns) the cells in which something is met at a height."""
        found = np.zeros((self.rows, self.columns), dtype=bool)
        for axis in (0, 1):
            for across, along in self._scanned(rays, z_m, axis):
                if axis == 0:
                    found[across, along] = True
                else:
                    found[along, across] = True
        return found

    def _scanned(
        self, rays: RayIndex, z_m: float, axis: int
    ) -> Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Line by line, everything that a ray along it meets, hit after hit."""
        middles = self._middles()[1 - axis]
        cells = (self.columns, self.rows)[axis]
        low = self.low_m[axis]
        starts = np.empty((len(middles), 3))
        starts[:, 1 - axis], starts[:, 2], starts[:, axis] = middles, z_m, low - _PAST_M
        way = np.zeros(3)
        way[axis] = 1.0
        live = np.arange(len(middles))
        while len(live):
            hits = rays.first_hit_distances(starts[live], np.broadcast_to(way, (len(live), 3)))
            is_hit = np.isfinite(hits)
            live = live[is_hit]
            places = starts[live, axis] + hits[is_hit]
            index = np.floor((places - low) / self.cell_m).astype(np.int64)
            is_inside = (index >= 0) & (index < cells)
            yield live[is_inside], index[is_inside]
            starts[live, axis] = places + _PAST_M


def _edges(ground: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Cells beside which the floor is a step lower or higher."""
    level = np.nan_to_num(ground, nan=-1e9)
    known = ~np.isnan(ground)
    found = np.zeros_like(known)
    for axis in (0, 1):
        near = np.abs(np.diff(level, axis=axis)) > _STEP_M
        both = np.take(known, range(1, known.shape[axis]), axis) & np.take(
            known, range(known.shape[axis] - 1), axis
        )
        pads = [(0, 0), (0, 0)]
        for side in ((1, 0), (0, 1)):
            pads[axis] = side
            found |= np.pad(near & both, pads)
    return found
