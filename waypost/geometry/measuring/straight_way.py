"""A body pushed along the straight edge: how much room it leaves, and what is nearest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats


@dataclass(frozen=True, slots=True)
class StraightClearance:
    """The room beside a body on a straight line."""

    distance_m: float
    """To the nearest point from outside; negative if the body would contain it."""

    nearest: int
    """Index of that point; −1 if there is none."""


def straight_clearance(
    points: Floats, start: Vec3, end: Vec3, body: MeasuredBody
) -> StraightClearance:
    """Move a body from start to end, heading along the edge, among points in plan."""
    if not len(points):
        return StraightClearance(math.inf, -1)
    distance = swept_distance(points, start, end, body)
    nearest = int(np.argmin(distance))
    return StraightClearance(float(distance[nearest]), nearest)


def swept_distance(points: Floats, start: Vec3, end: Vec3, body: MeasuredBody) -> Floats:
    """Distance of each point to what the body sweeps; negative inside."""
    along = np.array([end[0] - start[0], end[1] - start[1]])
    length = float(np.hypot(*along))
    along = along / length if length > 0 else np.array([1.0, 0.0])
    offset = points - np.array(start[:2])
    s = offset @ along
    beside = np.abs(offset @ np.array([-along[1], along[0]]))
    beyond = np.maximum(np.maximum(-s, s - length), -length / 2)
    if body.is_round:
        return np.asarray(np.hypot(np.maximum(0.0, beyond), beside) - body.width_m / 2)
    return box_distance(beyond - body.length_m / 2, beside - body.width_m / 2)


def box_distance(along: Floats, across: Floats) -> Floats:
    """Distance from a box, given how far a point lies beyond its sides in each direction."""
    outside = np.hypot(np.maximum(along, 0.0), np.maximum(across, 0.0))
    return np.where(outside > 0, outside, np.maximum(along, across))
