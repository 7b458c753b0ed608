"""A body pushed along the straight edge: how much room it leaves."""

from __future__ import annotations

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats


def swept_distance(points: Floats, start: Vec3, end: Vec3, body: MeasuredBody) -> Floats:
    """Distance of each point to what the body sweeps, heading along the edge; negative inside."""
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
