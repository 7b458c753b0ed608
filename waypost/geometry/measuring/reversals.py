"""How often a drive must change between forward and backward on its way."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.ndimage import distance_transform_edt

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import DriveType
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.configuration_space import PoseCells
from waypost.geometry.measuring.height_field import Bools, Floats, Ints

MOST = 6
"""More are not counted."""

_TUBE_M = 0.4
_STEPS = (1, 2, 3, 5)
"""Cells of a move along the heading: long ones have better directions."""

_RIM = _STEPS[-1]


def count_reversals(
    cells: PoseCells, path: Floats, body: MeasuredBody, end: Vec3, tolerance_m: float
) -> int | None:
    """The fewest reversals on a way near a path, or nothing where more than six are needed.

    A holonomic body and a round one that turns on the spot need none. A differential drive moves
    along its heading or turns on the spot; a car-like one turns only while it moves.
    """
    if body.drive is DriveType.HOLONOMIC or (
        body.is_round and body.drive is DriveType.DIFFERENTIAL
    ):
        return 0
    grid = cells.grid
    away = np.ones((grid.rows, grid.columns), dtype=bool)
    column = np.clip(((path[:, 0] - grid.x0_m) / grid.cell_m).astype(np.int64), 0, grid.columns - 1)
    row = np.clip(((path[:, 1] - grid.y0_m) / grid.cell_m).astype(np.int64), 0, grid.rows - 1)
    away[row, column] = False
    free = (cells.passable | cells.likely) & (distance_transform_edt(away) * grid.cell_m <= _TUBE_M)
    free = np.pad(np.concatenate([free, free]), ((0, 0), (_RIM, _RIM), (_RIM, _RIM)))
    goal = np.pad(grid.away_m(end) <= tolerance_m, _RIM)
    search = _Search(free, body, grid.turn_rad, grid.cell_m)
    heading = round(float(path[0, 2]) / grid.turn_rad)
    seeds = np.zeros_like(free)
    for turn in (0, grid.headings):
        seeds[(heading + turn) % len(free), row[0] + _RIM, column[0] + _RIM] = True
    reached = {sense: search.closure(seeds & free, sense) for sense in (1, -1)}
    for number in range(MOST + 1):
        if any((cells_of & goal).any() for cells_of in reached.values()):
            return number
        reached = {
            sense: search.closure(reached[sense] | reached[-sense], sense) for sense in (1, -1)
        }
    return None


class _Search:
    """Moves of a drive over cells of a full turn, which have a rim of closed cells around them."""

    def __init__(self, free: Bools, body: MeasuredBody, turn_rad: float, cell_m: float) -> None:
        self._free = free.ravel()
        self._shape = free.shape
        self._turn_rad = turn_rad
        self._is_car = body.drive is DriveType.CAR_LIKE
        self._bends = [0]
        if self._is_car:
            longest = _STEPS[-1] * cell_m
            most = int(longest / max(body.min_turning_radius_m, 1e-6) / turn_rad)
            self._bends = list(range(-most, most + 1))

    def closure(self, seeds: Bools, sense: int) -> Bools:
        """Everything that is reached from some cells without a reversal."""
        moves = list(self._moves(sense))
        reached = seeds.ravel().copy()
        fresh = self._free & ~reached
        front = np.flatnonzero(reached)
        plane = self._shape[1] * self._shape[2]
        while len(front):
            found = []
            heading = front // plane
            for middle, whole in moves:
                start = front
                way = whole[heading]
                if middle is not None:
                    good = self._free[front + middle[heading]]
                    start, way = front[good], way[good]
                end = start + way
                end = end[fresh[end]]
                fresh[end] = False
                found.append(end)
            front = np.concatenate(found)
            reached[front] = True
        return reached.reshape(self._shape)

    def _moves(self, sense: int) -> Iterator[tuple[Ints | None, Ints]]:
        """How far the cells in the middle and at the end of each move are, for each heading."""
        headings, rows, columns = self._shape
        k = np.arange(headings)
        if not self._is_car:
            for turn in (1, -1):
                yield None, ((k + turn) % headings - k) * rows * columns
        for length in _STEPS[-1:] if self._is_car else _STEPS:
            for bend in self._bends:
                angle = (k + sense * bend / 2) * self._turn_rad
                j = np.rint(sense * length * np.sin(angle)).astype(np.int64)
                i = np.rint(sense * length * np.cos(angle)).astype(np.int64)
                turned = (k + sense * bend) % headings - k
                yield (j // 2) * columns + i // 2, (turned * rows + j) * columns + i


def needs_manoeuvres(reversals: int | None) -> bool:
    """Whether a person should look at it: two reversals or more."""
    return reversals is None or reversals > 1


def straight_poses(start: Vec3, end: Vec3) -> Floats:
    """The straight edge as a path: x, y, heading at both ends."""
    heading = math.atan2(end[1] - start[1], end[0] - start[0])
    return np.array([[start[0], start[1], heading], [end[0], end[1], heading]])
