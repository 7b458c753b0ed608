"""Whether a body gets from node to node by any path within the detour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.ndimage import label
from scipy.spatial import cKDTree

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import DriveType
from waypost.domain.traverse.traversability import Verdict
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.box_passage import box_passage, pose_grid
from waypost.geometry.measuring.configuration_space import PoseCells, PoseGrid, cells_away
from waypost.geometry.measuring.grid_path import near_cells, plan_path
from waypost.geometry.measuring.height_field import Bools, Floats, Ints
from waypost.geometry.measuring.path_shortening import (
    ROOMY_M,
    clearance_along,
    length_between_m,
    shortened,
    unwound,
)
from waypost.geometry.measuring.reversals import driven_way, reversals_along
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.scene_ground import Box
from waypost.geometry.measuring.widest_disc import WidestWay


@dataclass(frozen=True, eq=False)
class Search:
    """What a path is looked for among."""

    points: Floats
    """(N, 2) that the body must not contain."""

    body: MeasuredBody
    start: Vec3
    end: Vec3
    box: Box
    others: Floats
    """(N, 2) nodes that the path must not pass."""

    rule: MeasuringRule

    @property
    def edge_m(self) -> float:
        """Length of the straight edge in plan."""
        return math.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    @cached_property
    def tree(self) -> cKDTree:
        """Of the points."""
        return cKDTree(self.points)


@dataclass(frozen=True, eq=False, slots=True)
class AnyPath:
    """Whether a path was found, and how wide the way is."""

    verdict: Verdict
    way: WidestWay
    is_width: bool = False
    """Whether the width alone decided."""

    path: Floats | None = None
    """(N, 3) x, y, heading."""

    clearance_m: float | None = None
    """The least room on the path; what is above 6 cm is said as 6 cm."""

    tight: Floats | None = None
    """The pose on the path that leaves the least room; none where it leaves more than 5 cm."""

    leaves_edge: bool = False
    """Whether there is a path, but too long or past another node."""

    reversals: int | None = 0
    touches_rim: bool = False
    """Whether the body gets to the rim of the window, so that more room might let it travel."""


def search_path(search: Search, way: WidestWay) -> AnyPath:
    """Look for a path: first by the widest disc, then for a box by its cells.

    Args:
        search: What is asked.
        way: Of the widest disc among its points; see ``widest_passage``.
    """
    body, rule = search.body, search.rule
    grid = pose_grid(search.box)
    if way.width_m <= body.narrow_m - rule.width_margin_m:
        return AnyPath(Verdict.DOES_NOT, way, is_width=True, touches_rim=_touches(search, grid))
    if body.is_round or way.width_m >= body.turning_disc_m + rule.width_margin_m:
        return _disc_path(search, way, grid)
    return _box_path(search, way, grid)


def seen_places(search: Search, grid: PoseGrid) -> Bools:
    """Cells in which the whole body is in the window: what stands beyond it is not known."""
    x0, y0, x1, y1 = search.box
    reach_m = search.body.reach_m
    columns = (grid.x_m >= x0 + reach_m) & (grid.x_m <= x1 - reach_m)
    rows = (grid.y_m >= y0 + reach_m) & (grid.y_m <= y1 - reach_m)
    return np.asarray(rows[:, None] & columns[None, :])


def allowed_places(search: Search, grid: PoseGrid) -> Bools:
    """Cells on some path that is short enough and passes no other node."""
    detour = grid.away_m(search.start) + grid.away_m(search.end)
    allowed = seen_places(search, grid)
    allowed &= detour <= search.rule.longest_path_m(search.edge_m)
    ends = np.minimum(grid.away_m(search.start), grid.away_m(search.end))
    for x, y in search.others:
        near = grid.away_m((x, y, 0.0)) < search.rule.other_node_m
        allowed &= ~near | (ends <= search.rule.node_tolerance_m)
    return np.asarray(allowed)


def _distances(search: Search, grid: PoseGrid, limits_m: tuple[float, ...]) -> Floats:
    """(rows, columns) distance of the nearest point, exact where it is near to one of some limits.

    Elsewhere it is known to 2 cm, from the middles of the cells that have points in them.
    """
    if not len(search.points):
        return np.full((grid.rows, grid.columns), np.inf)
    known, within_m = cells_away(search.points, grid, 1)
    away_m = known.astype(np.float64)
    x, y = np.meshgrid(grid.x_m, grid.y_m)
    near = np.any([np.abs(away_m - limit) <= within_m for limit in limits_m], axis=0)
    away_m[near], _ = search.tree.query(np.stack([x[near], y[near]], axis=1))
    return away_m


def _touches(search: Search, grid: PoseGrid, rim: Bools | None = None) -> bool:
    """Whether the narrowest side gets from the start to the rim without too long a detour.

    Args:
        search: What is asked.
        grid: The cells.
        rim: Cells that are the rim; by default the outermost two on every side.
    """
    half_m = search.body.narrow_m / 2
    free = _distances(search, grid, (half_m,)) >= half_m
    detour = grid.away_m(search.start) + grid.away_m(search.end)
    free &= detour <= search.rule.longest_path_m(search.edge_m)
    parts, _ = label(free)
    here = np.unique(parts[grid.away_m(search.start) <= search.rule.node_tolerance_m + grid.cell_m])
    if rim is None:
        rim = np.ones(free.shape, dtype=bool)
        rim[2:-2, 2:-2] = False
    return bool(np.isin(here[here > 0], parts[rim]).any())


def _disc_path(search: Search, way: WidestWay, grid: PoseGrid) -> AnyPath:
    """The shortest path of a disc; the widest way is always part of what it may use."""
    body, rule = search.body, search.rule
    spare = way.width_m - (body.width_m if body.is_round else body.turning_disc_m)
    verdict = Verdict.TRAVELS if spare >= rule.width_margin_m else Verdict.UNCERTAIN
    limits_m = (rule.width_margin_m / 2, ROOMY_M)
    room = _distances(search, grid, tuple(body.reach_m + m for m in limits_m)) - body.reach_m
    cost = np.where(room >= limits_m[1], 1.0, np.where(room >= limits_m[0], 3.0, np.inf))
    cost[~seen_places(search, grid)] = np.inf
    row, column = _cells_on(way, grid)
    cost[row, column] = np.minimum(cost[row, column], 4.0)
    allowed = allowed_places(search, grid)
    for limited in (True, False):
        usable = np.where(allowed, cost, np.inf) if limited else cost
        near = [
            near_cells(usable, grid, place, rule.node_tolerance_m)
            for place in (search.start, search.end)
        ]
        cells = plan_path(usable, grid.cell_m, near[0], near[1])
        if cells is None:
            continue
        x, y = grid.x_m[cells[:, 1]], grid.y_m[cells[:, 0]]
        path = with_headings(np.stack([x, y], axis=1))
        path, least, tight = _short(search, path)
        if least is not None and least < 0:
            # Cells are too coarse for a way so narrow; the line of the widest disc is not.
            if limited and not allowed[row, column].all():
                continue
            path, least, tight = _short(search, with_headings(np.array(way.line_m)))
        too_long = length_between_m(path, search.start, search.end) > rule.longest_path_m(
            search.edge_m
        )
        if limited and too_long:
            continue
        touches = not limited and _touches(search, grid)
        return AnyPath(verdict, way, False, path, least, tight, not limited, touches_rim=touches)
    return AnyPath(verdict, way, leaves_edge=True, touches_rim=_touches(search, grid))


def _cells_on(way: WidestWay, grid: PoseGrid) -> tuple[Ints, Ints]:
    """Cells along the widest way."""
    corners = np.array(way.line_m)
    step = np.diff(corners, axis=0)
    count = np.maximum(1, np.ceil(np.hypot(step[:, 0], step[:, 1]) / (grid.cell_m / 3)))
    points = np.concatenate(
        [
            a + np.linspace(0, 1, int(n) + 1)[:, None] * d
            for a, d, n in zip(corners[:-1], step, count, strict=True)
        ]
    )
    row = ((points[:, 1] - grid.y0_m) / grid.cell_m).astype(np.int64).clip(0, grid.rows - 1)
    column = ((points[:, 0] - grid.x0_m) / grid.cell_m).astype(np.int64).clip(0, grid.columns - 1)
    return row, column


def with_headings(xy: Floats) -> Floats:
    """Places with the heading towards the next one."""
    if len(xy) < 2:
        return np.column_stack([xy, np.zeros(len(xy))])
    step = np.diff(xy, axis=0)
    heading = np.arctan2(step[:, 1], step[:, 0])
    return np.column_stack([xy, np.append(heading, heading[-1])])


def _short(search: Search, path: Floats) -> tuple[Floats, float | None, Floats | None]:
    """The path without the corners of cells, the least room on it, and where that is little."""
    if len(path) < 2 or not len(search.points):
        return path, None, None
    path = _without_corners(search, path)
    return path, *_room(search, path)


def _without_corners(search: Search, path: Floats) -> Floats:
    body = search.body
    path = shortened(search.points, search.tree, path, body, search.rule.width_margin_m / 2)
    return with_headings(path[:, :2]) if body.is_round else unwound(path)


def _room(search: Search, path: Floats) -> tuple[float, Floats | None]:
    room, pose = clearance_along(search.points, search.tree, path, search.body)
    return room, pose if room <= ROOMY_M else None


def _box_path(search: Search, way: WidestWay, grid: PoseGrid) -> AnyPath:
    body, rule = search.body, search.rule
    allowed = allowed_places(search, grid)
    tolerance, margin = rule.node_tolerance_m, rule.width_margin_m
    found = box_passage(
        search.points, body, search.start, search.end, grid, allowed, tolerance, margin
    )
    leaves = False
    anywhere = seen_places(search, grid)
    if found.verdict is not Verdict.TRAVELS and (allowed != anywhere).any():
        wider = box_passage(
            search.points, body, search.start, search.end, grid, anywhere, tolerance, margin
        )
        if wider.verdict is Verdict.TRAVELS:
            found, leaves = wider, True
    if found.verdict is Verdict.DOES_NOT:
        return AnyPath(Verdict.DOES_NOT, way, touches_rim=_touches(search, grid, ~anywhere))
    driven = _Driven(None, None, None, None)
    if found.path is not None:
        driven = _driven(search, found.cells, unwound(found.path))
    is_open = leaves or found.verdict is Verdict.UNCERTAIN
    touches = is_open and _touches(search, grid, ~anywhere)
    return AnyPath(found.verdict, way, False, *driven[:3], leaves, driven.reversals, touches)


class _Driven(NamedTuple):
    """A path, the least room on it, where that is little, and how often its drive reverses."""

    path: Floats | None
    clearance_m: float | None
    tight: Floats | None
    reversals: int | None


def _driven(search: Search, cells: PoseCells, planned: Floats) -> _Driven:
    """The path of a box as its drive takes it, or a way of the drive where it cannot."""
    body, rule = search.body, search.rule
    path, room, tight = _short(search, planned)
    if body.drive is DriveType.HOLONOMIC or not len(search.points):
        return _Driven(path, room, tight, 0)
    reversals = reversals_along(path, body)
    if reversals is not None and reversals <= 1:
        return _Driven(path, room, tight, reversals)

    def is_short(way: Floats) -> bool:
        length_m = length_between_m(way, search.start, search.end)
        return length_m <= rule.longest_path_m(search.edge_m)

    for free in (cells.passable, cells.passable | cells.likely):
        own = driven_way(free, cells.grid, planned, body, search.end, rule.node_tolerance_m)
        if own is None:
            continue
        if body.drive is DriveType.DIFFERENTIAL and len(own) > 1:
            own = _without_corners(search, own)
        own_room, own_tight = _room(search, own)
        needed = reversals_along(own, body)
        if needed is not None and is_short(own) and own_room >= rule.width_margin_m / 2:
            return _Driven(own, own_room, own_tight, needed)
    return _Driven(path, room, tight, reversals if is_short(path) else None)
