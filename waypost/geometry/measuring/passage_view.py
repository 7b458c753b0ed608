"""One body on one edge: its ground, what it must not touch, and the holes under it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.traversability import Reason
from waypost.geometry.measuring.any_path import Search
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.body_ground import BodyGround, ReachedGround, body_ground
from waypost.geometry.measuring.height_field import Floats, Ints
from waypost.geometry.measuring.holes import Holes, find_holes
from waypost.geometry.measuring.obstruction import (
    Obstruction,
    drop_at,
    obstruction_at,
)
from waypost.geometry.measuring.rule import MeasuringRule
from waypost.geometry.measuring.scene_ground import Box, GroundWindow
from waypost.geometry.measuring.widest_disc import WidestWay

_FLIGHT = -2
"""In place of a triangle: the point belongs to a flight of stairs."""

_STOREY_M = 0.4
"""Ground this far from a node's height is not the node's."""


@dataclass(frozen=True, eq=False, slots=True)
class PassageView:
    """What one body finds on one edge."""

    window: GroundWindow
    ground: BodyGround
    reached: ReachedGround
    body: MeasuredBody
    start: Vec3
    end: Vec3
    points: Floats
    """(N, 2) obstacles and flights."""

    heights_m: Floats
    triangle: Ints
    holes: Holes

    @property
    def fault(self) -> str:
        """Why the other node is not reached by the ground alone; empty if it is."""
        return self._end_fault()

    def _end_fault(self) -> str:
        sheet = self.reached.sheet
        column, row, _ = sheet.grid.cells(np.array([self.end[:2]]))
        j, i = int(row[0]), int(column[0])
        reach = max(1, round(0.1 / sheet.grid.cell_m))
        part = sheet.z_m[max(0, j - reach) : j + reach + 1, max(0, i - reach) : i + reach + 1]
        near = part[np.isfinite(part)]
        if len(near) and np.abs(near - self.end[2]).min() <= _STOREY_M:
            return ""
        surface, fault = self.ground.surface_at(self.end, 0.1)
        if fault:
            return f"the end has {fault}" if fault.startswith("no") else f"the end is {fault}"
        if abs(self.start[2] - self.end[2]) > 1.0:
            return "the end is on another storey, and the ground does not lead there"
        return "the ground does not lead to the end" if surface >= 0 else "the end has no floor"

    def name(self, index: int) -> str:
        """The object that one of the points belongs to."""
        triangle = int(self.triangle[index])
        if triangle == _FLIGHT:
            sheet = self.reached.sheet
            column, row, _ = sheet.grid.cells(self.points[index][None])
            triangle = int(sheet.triangle[int(row[0]), int(column[0])])
        return self.window.name_of(triangle)

    def obstruction(self, index: int) -> Obstruction:
        """What one of the points is."""
        x, y = self.points[index]
        at = (float(x), float(y), float(self.heights_m[index]))
        triangle = int(self.triangle[index])
        if triangle == _FLIGHT:
            name = self.name(index)
            words = f"{name} rises like stairs, which it does not climb"
            return Obstruction(Reason.STAIRS, words, at, (name,))
        return obstruction_at(
            self.window,
            self.reached.sheet,
            self.body,
            at,
            triangle,
            on_furniture=self.ground.on_furniture,
        )

    def hole(self, index: int) -> Obstruction:
        """What one of the cells of holes is."""
        x, y = self.holes.xy_m[index]
        return drop_at(
            self.window,
            self.reached.sheet,
            (float(x), float(y), self.start[2]),
            float(self.holes.width_m[index]),
            self.body.contact.largest_gap_m,
        )

    def tight_place(self, way: WidestWay) -> Vec3 | None:
        """Where a way is tightest, on the ground."""
        return None if way.at_m is None else self.on_ground(way.at_m)

    def on_ground(self, place: tuple[float, float]) -> Vec3:
        """A place in plan at the height of the ground that was reached."""
        sheet = self.reached.sheet
        column, row, _ = sheet.grid.cells(np.array([place]))
        z = float(sheet.z_m[int(row[0]), int(column[0])])
        return (*place, z if np.isfinite(z) else self.start[2])

    def rim_points(self) -> Floats:
        """(N, 2) edges of holes."""
        return np.asarray(self.holes.xy_m[self.holes.is_rim])

    def search(self, box: Box, others: Floats, rule: MeasuringRule) -> Search:
        """What a path from node to node is looked for among, holes included."""
        points = np.concatenate([self.points, self.rim_points()])
        return Search(points, self.body, self.start, self.end, box, others, rule)


def passage_view(
    window: GroundWindow,
    body: MeasuredBody,
    ends: tuple[Vec3, Vec3],
    rule: MeasuringRule,
    *,
    on_furniture: bool,
) -> PassageView | Obstruction:
    """What a body finds between two nodes, or why it cannot stand at the first one.

    Args:
        window: Around the edge.
        body: What moves.
        ends: Start and end.
        rule: Says how near to the start the ground must be.
        on_furniture: Whether furniture is ground; otherwise it stands in the way from 5 cm on.
    """
    start, end = ends
    ground = body_ground(window, body, on_furniture=on_furniture)
    surface, fault = ground.surface_at(start, rule.node_tolerance_m)
    if fault:
        words = (
            "the start has no floor" if fault.startswith("no") else "the start is inside something"
        )
        return Obstruction(Reason.OBSTACLE, words, start, ())
    reached = ground.reached_from(surface)
    if reached.holes is None:
        reached.holes = find_holes(window.triangles_m, window.field, reached.sheet, body)
    j = i = np.empty(0, np.int64)
    if not body.climbs_stairs:
        j, i = np.nonzero(reached.flights)
    points = reached.points
    return PassageView(
        window,
        ground,
        reached,
        body,
        start,
        end,
        np.concatenate([points.xy_m, reached.sheet.grid.centres(j, i)]),
        np.concatenate([points.z_m, reached.sheet.z_m[j, i]]),
        np.concatenate([points.triangle, np.full(len(j), _FLIGHT)]),
        reached.holes,
    )
