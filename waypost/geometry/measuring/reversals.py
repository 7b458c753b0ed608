"""The way of a drive that cannot go sideways, with the fewest reversals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import distance_transform_edt

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import DriveType
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.configuration_space import PoseGrid
from waypost.geometry.measuring.height_field import Bools, Floats, Ints

MOST_REVERSALS = 5
"""A way with more is left to a person, and is not looked for."""

_TUBE_M = 0.4
_STEPS = 5
"""Cells of the longest move."""

_FOLLOWED_RAD = 0.03
"""The engine's drive is done with a turn this near to its heading."""

_SAME_M = 1e-6


def reversals_along(path: Floats, body: MeasuredBody) -> int | None:
    """How often a drive changes between forward and backward, or nothing where it cannot follow.

    A differential drive goes along its heading or turns on the spot; a car-like one turns only
    while it moves, no tighter than its radius.
    """
    step = np.diff(path, axis=0)
    length = np.hypot(step[:, 0], step[:, 1])
    moves = length > _SAME_M
    if body.drive is DriveType.CAR_LIKE:
        most_turn = length / max(body.min_turning_radius_m, _SAME_M)
    else:
        most_turn = np.where(moves, 0.0, np.inf)
    bearing = np.arctan2(step[:, 1], step[:, 0]) - (path[:-1, 2] + path[1:, 2]) / 2
    sideways = np.abs((bearing + math.pi / 2) % math.pi - math.pi / 2)
    is_followed = (sideways <= _FOLLOWED_RAD) | ~moves
    is_followed &= np.abs(step[:, 2]) <= most_turn + _FOLLOWED_RAD
    if not is_followed.all():
        return None
    return int(np.count_nonzero(np.diff(np.cos(bearing[moves]) >= 0)))


def driven_way(
    free: Bools, grid: PoseGrid, path: Floats, body: MeasuredBody, end: Vec3, tolerance_m: float
) -> Floats | None:
    """A way of a drive near a path, with the fewest reversals.

    It begins where the path does, in any heading, and keeps to the drive exactly: each cell has the
    pose by which it was reached first.

    Args:
        free: Cells of the grid that the way may use; how much room a pose leaves that is not in the
            middle of its cell is to be looked at afterwards.
        grid: The cells.
        path: (N, 3) x, y, heading.
        body: A box.
        end: The way ends within the tolerance of this place.
        tolerance_m: The same.

    Returns:
        (N, 3) x, y, heading, or nothing where none has at most five.

    Source:
        D. Dolgov et al., Practical search techniques in path planning for autonomous driving,
        2008: hybrid A*, here without an estimate, by layers of equal reversals.
    """
    search = _Search(_near(free, grid, path), grid, body)
    headings = np.arange(2 * grid.headings) * grid.turn_rad
    places = np.broadcast_to(path[0, :2], (len(headings), 2))
    front = search.kept(np.column_stack([places, headings]), np.full(len(headings), -1))
    for reversals in range(MOST_REVERSALS + 1):
        # A box turned by half a turn goes forward where it went backward: one sense will do.
        front = search.reached_from(front, -1 if reversals % 2 else 1)
        away_m = np.hypot(front.poses[:, 0] - end[0], front.poses[:, 1] - end[1])
        if np.min(away_m, initial=math.inf) <= tolerance_m:
            return search.way_to(int(front.numbers[np.argmin(away_m)]))
    return None


def _near(free: Bools, grid: PoseGrid, path: Floats) -> Bools:
    """The free cells near a path, with a rim of closed ones that no move leaves."""
    away = np.ones((grid.rows, grid.columns), dtype=bool)
    column = np.clip(((path[:, 0] - grid.x0_m) / grid.cell_m).astype(np.int64), 0, grid.columns - 1)
    row = np.clip(((path[:, 1] - grid.y0_m) / grid.cell_m).astype(np.int64), 0, grid.rows - 1)
    away[row, column] = False
    near = free & (distance_transform_edt(away) * grid.cell_m <= _TUBE_M)
    return np.pad(near, ((0, 0), (_STEPS + 1, _STEPS + 1), (_STEPS + 1, _STEPS + 1)))


@dataclass(frozen=True, eq=False, slots=True)
class _Front:
    """Poses that were reached, and their numbers."""

    numbers: Ints
    poses: Floats


class _Search:
    """Moves of a drive from pose to pose; of the poses of one cell the first is kept."""

    def __init__(self, free: Bools, grid: PoseGrid, body: MeasuredBody) -> None:
        self._free = free
        self._grid = grid
        full_turn = (2 * grid.headings, *free.shape[1:])
        self._reached = {sense: np.zeros(full_turn, dtype=bool).ravel() for sense in (1, -1)}
        self._is_car = body.drive is DriveType.CAR_LIKE
        tightest = 1 / max(body.min_turning_radius_m, grid.cell_m)
        self._curves = (0.0, tightest, -tightest) if self._is_car else (0.0,)
        self._poses: list[Floats] = []
        self._before: list[Ints] = []
        self._count = 0

    def kept(self, poses: Floats, before: Ints) -> _Front:
        """Poses with numbers of their own."""
        self._poses.append(poses)
        self._before.append(before)
        self._count += len(poses)
        return _Front(np.arange(self._count - len(poses), self._count), poses)

    def way_to(self, number: int) -> Floats:
        """The poses that lead to one."""
        poses, before = np.concatenate(self._poses), np.concatenate(self._before)
        way = [number]
        while before[way[-1]] >= 0:
            way.append(int(before[way[-1]]))
        return np.asarray(poses[way[::-1]])

    def reached_from(self, front: _Front, sense: int) -> _Front:
        """Everything that is reached from some poses in one sense, and was not reached before."""
        reached = self._reached[sense]
        cell, is_free = self._cells(front.poses)
        fresh = self._first(cell, is_free & ~reached[cell])
        reached[cell[fresh]] = True
        front = _Front(front.numbers[fresh], front.poses[fresh])
        fronts = [front]
        while len(front.numbers):
            found, before = [front.poses[:0]], [front.numbers[:0]]
            for move in self._moves(front.poses, sense):
                is_open = np.ones(len(front.numbers), dtype=bool)
                for poses in move:
                    cell, is_free = self._cells(poses)
                    is_open &= is_free
                    fresh = self._first(cell, is_open & ~reached[cell])
                    reached[cell[fresh]] = True
                    found.append(poses[fresh])
                    before.append(front.numbers[fresh])
            front = self.kept(np.concatenate(found), np.concatenate(before))
            fronts.append(front)
        return _Front(
            np.concatenate([f.numbers for f in fronts]), np.concatenate([f.poses for f in fronts])
        )

    @staticmethod
    def _first(cell: Ints, is_wanted: Bools) -> Ints:
        """Where each wanted cell is first."""
        wanted = np.flatnonzero(is_wanted)
        return wanted[np.unique(cell[wanted], return_index=True)[1]]

    def _cells(self, poses: Floats) -> tuple[Ints, Bools]:
        """Cells over a full turn, and which of them are free."""
        grid, (headings, rows, columns) = self._grid, self._free.shape
        column = np.floor((poses[:, 0] - grid.x0_m) / grid.cell_m).astype(np.int64) + _STEPS + 1
        row = np.floor((poses[:, 1] - grid.y0_m) / grid.cell_m).astype(np.int64) + _STEPS + 1
        heading = np.rint(poses[:, 2] / grid.turn_rad).astype(np.int64) % (2 * headings)
        is_free = self._free[heading % headings, row, column]
        return (heading * rows + row) * columns + column, is_free

    def _moves(self, poses: Floats, sense: int) -> Iterator[list[Floats]]:
        """The poses along each move, which ends at the first that is not free."""
        if not self._is_car:
            turn = np.array([0.0, 0.0, self._grid.turn_rad])
            yield [poses + turn]
            yield [poses - turn]
        for curve in self._curves:
            yield [
                _moved(poses, sense * n * self._grid.cell_m, curve) for n in range(1, _STEPS + 1)
            ]


def _moved(poses: Floats, length_m: float, curve: float) -> Floats:
    """Poses after a way along their headings; the curve is 1 / radius, to the left."""
    half = curve * length_m / 2
    chord_m = length_m if half == 0 else length_m * math.sin(half) / half
    bearing = poses[:, 2] + half
    step = [chord_m * np.cos(bearing), chord_m * np.sin(bearing), np.full(len(poses), 2 * half)]
    return np.asarray(poses + np.column_stack(step))


def straight_poses(start: Vec3, end: Vec3) -> Floats:
    """The straight edge as a path: x, y, heading at both ends."""
    heading = math.atan2(end[1] - start[1], end[0] - start[0])
    return np.array([[start[0], start[1], heading], [end[0], end[1], heading]])
