"""How far a body at given poses is from points, exactly."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial import cKDTree

from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.straight_way import box_distance

_FAR_M = 0.06
"""Points farther from a body than this are not looked at."""

_POSES_AT_ONCE = 16
"""They follow one another, so that the same points are near."""


def pose_clearance(points: Floats, tree: cKDTree, poses: Floats, body: MeasuredBody) -> Floats:
    """Distance of the nearest point from the body at each (x, y, heading); negative inside.

    Distances above 6 cm are said as 6 cm.
    """
    if body.is_round:
        distance, _ = tree.query(poses[:, :2], distance_upper_bound=body.reach_m + _FAR_M)
        return np.asarray(np.minimum(distance - body.reach_m, _FAR_M))
    result = np.full(len(poses), _FAR_M)
    reach = body.reach_m + _FAR_M
    away, _ = tree.query(poses[:, :2], distance_upper_bound=reach)
    near = np.flatnonzero(np.isfinite(away))
    for first in range(0, len(near), _POSES_AT_ONCE):
        some = near[first : first + _POSES_AT_ONCE]
        places = poses[some, :2]
        low, high = places.min(axis=0) - reach, places.max(axis=0) + reach
        x, y = points[:, 0], points[:, 1]
        beside = (x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1])
        distance = _box_distances(points[beside], poses[some], body)
        result[some] = np.minimum(distance.min(axis=1), _FAR_M)
    return result


def _box_distances(points: Floats, poses: Floats, body: MeasuredBody) -> Floats:
    """(poses, points) distances."""
    dx, dy = points[:, 0] - poses[:, :1], points[:, 1] - poses[:, 1:2]
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    along = np.abs(dx * cos + dy * sin) - body.length_m / 2
    across = np.abs(dy * cos - dx * sin) - body.width_m / 2
    return box_distance(along, across)


def between(first: Floats, last: Floats, body: MeasuredBody, step_m: float) -> Floats:
    """Poses from one to another on the straight line between them, both included.

    No point of the body moves farther than the step between two of them.
    """
    turn = math.remainder(float(last[2] - first[2]), math.pi if not body.is_round else math.tau)
    moved = math.hypot(last[0] - first[0], last[1] - first[1]) + body.reach_m * abs(turn)
    share = np.linspace(0.0, 1.0, max(2, math.ceil(moved / step_m) + 1))[:, None]
    change = np.array([last[0] - first[0], last[1] - first[1], turn])
    return np.asarray(first + share * change)
