"""How often a drive must change between forward and backward on its way."""

from __future__ import annotations

import math

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
    free = np.concatenate([free, free])
    goal = np.broadcast_to(grid.away_m(end) <= tolerance_m, free.shape)
    search = _Search(free, body, grid.turn_rad, grid.cell_m)
    heading = round(float(path[0, 2]) / grid.turn_rad)
    seeds = np.zeros_like(free)
    for turn in (0, grid.headings):
        seeds[(heading + turn) % len(free), row[0], column[0]] = True
    reached = {sense: search.closure(seeds & free, sense) for sense in (1, -1)}
    for number in range(MOST + 1):
        if any((cells_of & goal).any() for cells_of in reached.values()):
            return number
        reached = {
            sense: search.closure(reached[sense] | reached[-sense], sense) for sense in (1, -1)
        }
    return None


class _Search:
    """Moves of a drive over cells of a full turn."""

    def __init__(self, free: Bools, body: MeasuredBody, turn_rad: float, cell_m: float) -> None:
        self._free = free
        self._turn_rad = turn_rad
        self._is_car = body.drive is DriveType.CAR_LIKE
        self._bends = [0]
        if self._is_car:
            longest = _STEPS[-1] * cell_m
            most = int(longest / max(body.min_turning_radius_m, 1e-6) / turn_rad)
            self._bends = list(range(-most, most + 1))

    def closure(self, seeds: Bools, sense: int) -> Bools:
        """Everything that is reached from some cells without a reversal."""
        reached = seeds.copy()
        front = np.flatnonzero(seeds)
        flat, free = reached.ravel(), self._free.ravel()
        while len(front):
            found = np.unique(np.concatenate(self._after(front, sense)))
            found = found[free[found] & ~flat[found]]
            flat[found] = True
            front = found
        return flat.reshape(reached.shape)

    def _after(self, front: Ints, sense: int) -> list[Ints]:
        headings, rows, columns = self._free.shape
        k, j, i = np.unravel_index(front, self._free.shape)
        found = []
        if not self._is_car:
            found = [
                np.ravel_multi_index(((k + turn) % headings, j, i), self._free.shape)
                for turn in (1, -1)
            ]
        for length in _STEPS[-1:] if self._is_car else _STEPS:
            for bend in self._bends:
                angle = (k + sense * bend / 2) * self._turn_rad
                a = j + np.rint(sense * length * np.sin(angle)).astype(np.int64)
                b = i + np.rint(sense * length * np.cos(angle)).astype(np.int64)
                inside = (a >= 0) & (a < rows) & (b >= 0) & (b < columns)
                turned = (k + sense * bend) % headings
                middle = self._free[
                    k, (a.clip(0, rows - 1) + j) // 2, (b.clip(0, columns - 1) + i) // 2
                ]
                good = inside & middle
                found.append(
                    np.ravel_multi_index((turned[good], a[good], b[good]), self._free.shape)
                )
        return found


def needs_manoeuvres(reversals: int | None) -> bool:
    """Whether a person should look at it: two reversals or more."""
    return reversals is None or reversals > 1


def straight_poses(start: Vec3, end: Vec3) -> Floats:
    """The straight edge as a path: x, y, heading at both ends."""
    heading = math.atan2(end[1] - start[1], end[0] - start[0])
    return np.array([[start[0], start[1], heading], [end[0], end[1], heading]])
