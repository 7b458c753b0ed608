"""Standing and turning at a node, judged apart from passing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import DriveType
from waypost.domain.traverse.traversability import Verdict
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.configuration_space import (
    AROUND,
    BESIDE,
    HalfSides,
    PoseCells,
    PoseGrid,
    classify,
    components,
)
from waypost.geometry.measuring.geometric_measure import GeometricTurn
from waypost.geometry.measuring.height_field import Bools, Floats
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.widest_disc import widest_disc_near

_CELL_M = 0.02
_HEADINGS = 60
_NEAR_M = 2.0
_SPARE_M = 0.1
"""Points this far beyond what the body can cover cannot matter to a cell."""


class TurningRoom:
    """The room that a body has at a node, whichever way it comes and goes.

    Args:
        points: Obstacles around it.
        place: Position of the node; the body may stand within the rule's tolerance of it.
        body: Round bodies turn wherever they stand.
        rule: Tolerance and margin.
    """

    def __init__(
        self, points: Floats, place: Vec3, body: MeasuredBody, rule: MeasuringRule
    ) -> None:
        self._place, self.body, self.rule = place, body, rule
        self._near = points
        if len(points):
            self._near = points[np.abs(points - np.array(place[:2])).max(axis=1) < _NEAR_M]

    @cached_property
    def widest_m(self) -> float:
        """Diameter of the widest disc that it can stand in."""
        return widest_disc_near(self._near, self._place, self.rule.node_tolerance_m)[0]

    @cached_property
    def cells(self) -> PoseCells:
        """Where a box can be, and in which headings."""
        return _cells(self._near, self._place, self.body, self.rule)


def turn_at(
    room: TurningRoom,
    node_id: str,
    arrival_rad: float | None = None,
    leaving: Iterable[tuple[str, float]] = (),
) -> GeometricTurn:
    """What a body can do at a node.

    Args:
        room: That it has there.
        node_id: Of the node.
        arrival_rad: Heading in which it comes; ``None`` if it does not.
        leaving: Neighbours and the headings towards them.
    """
    body, rule, has = room.body, room.rule, room.widest_m
    needs = _needed_m(body)
    turns_fully = _by_margin(has - needs, rule.turn_margin_m)
    # Where the disc of a full turn fits, every heading is free.
    is_sure = body.is_round or turns_fully is Verdict.TRAVELS
    cells = None if is_sure else room.cells
    to_edges: list[tuple[str, Verdict]] = []
    for neighbour, heading in leaving if arrival_rad is not None else ():
        if is_sure:
            verdict = turns_fully if not body.is_round else _by_margin(has - needs, 0.0)
        elif body.drive is DriveType.CAR_LIKE or cells is None or arrival_rad is None:
            verdict = Verdict.UNCERTAIN
        else:
            verdict = _turns(cells, arrival_rad, heading)
        to_edges.append((neighbour, verdict))
    return GeometricTurn(node_id, needs, min(has, 9.0), turns_fully, tuple(to_edges))


def _needed_m(body: MeasuredBody) -> float:
    if body.drive is not DriveType.CAR_LIKE:
        return body.turning_disc_m
    return 2 * math.hypot(body.min_turning_radius_m + body.width_m / 2, body.length_m / 2)


def _by_margin(spare_m: float, margin_m: float) -> Verdict:
    if spare_m >= margin_m:
        return Verdict.TRAVELS
    return Verdict.DOES_NOT if spare_m <= -margin_m else Verdict.UNCERTAIN


def _cells(points: Floats, place: Vec3, body: MeasuredBody, rule: MeasuringRule) -> PoseCells:
    reach = rule.node_tolerance_m
    box = (place[0] - reach, place[1] - reach, place[0] + reach, place[1] + reach)
    grid = PoseGrid.over(box, _CELL_M, _HEADINGS)
    allowed = grid.away_m(place) <= reach + _CELL_M / 2
    far = reach + _CELL_M + body.reach_m + _SPARE_M
    points = points[np.abs(points - np.array(place[:2])).max(axis=1, initial=0.0) < far]
    sides = HalfSides(body.length_m / 2, body.width_m / 2)
    return classify(points, sides, grid, allowed, bin_m=0.0025)


def _turns(cells: PoseCells, arrival_rad: float, leaving_rad: float) -> Verdict:
    """Whether a turn leads from one heading to another; a box looks the same after half a turn."""
    if _connected(cells.passable, cells.grid, arrival_rad, leaving_rad, around=False):
        return Verdict.TRAVELS
    if _connected(cells.open, cells.grid, arrival_rad, leaving_rad, around=True):
        return Verdict.UNCERTAIN
    return Verdict.DOES_NOT


def _connected(
    cells: Bools, grid: PoseGrid, arrival_rad: float, leaving_rad: float, *, around: bool
) -> bool:
    whole = np.concatenate([cells, cells])
    parts, _ = components(whole, AROUND if around else BESIDE)
    ends = []
    for heading in (arrival_rad, leaving_rad):
        k = round(heading / grid.turn_rad) % len(whole)
        found = np.unique(parts[k])
        ends.append(found[found > 0])
    return bool(np.isin(ends[0], ends[1]).any())
