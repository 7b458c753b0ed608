"""How far a body at given poses is from points, exactly."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial import cKDTree

from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats, Ints
from waypost.geometry.measuring.straight_way import box_distance

_FAR_M = 0.06
"""Points farther from a body than this are not looked at."""

_PAIRS_AT_ONCE = 2_000_000


def pose_clearance(points: Floats, tree: cKDTree, poses: Floats, body: MeasuredBody) -> Floats:
    """Distance of the nearest point from the body at each (x, y, heading); negative inside.

    Distances above 6 cm are said as 6 cm.
    """
    if body.is_round:
        distance, _ = tree.query(poses[:, :2], distance_upper_bound=body.reach_m + _FAR_M)
        return np.asarray(np.minimum(distance - body.reach_m, _FAR_M))
    result = np.full(len(poses), _FAR_M)
    reach = body.reach_m + _FAR_M
    place, of_place = np.unique(np.round(poses[:, :2], 6), axis=0, return_inverse=True)
    away, _ = tree.query(place, distance_upper_bound=reach)
    is_near = np.flatnonzero(np.isfinite(away))
    near: list[list[int]] = [[] for _ in place]
    for k, found in zip(is_near, tree.query_ball_point(place[is_near], reach), strict=True):
        near[k] = found
    count = np.array([len(found) for found in near], dtype=np.int64)
    for part in _parts(count[of_place]):
        pose = np.repeat(part, count[of_place[part]])
        if not len(pose):
            continue
        point = np.concatenate([near[k] for k in of_place[part]]).astype(np.int64)
        np.minimum.at(result, pose, _box_distances(points[point], poses[pose], body))
    return result


def _parts(count: Ints) -> list[Ints]:
    group = np.cumsum(count) // _PAIRS_AT_ONCE
    return np.split(np.arange(len(count)), np.flatnonzero(np.diff(group)) + 1)


def _box_distances(points: Floats, poses: Floats, body: MeasuredBody) -> Floats:
    dx, dy = points[:, 0] - poses[:, 0], points[:, 1] - poses[:, 1]
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
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
