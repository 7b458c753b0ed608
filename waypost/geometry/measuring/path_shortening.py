"""A path over cells made shorter, with the room it leaves known."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.spatial import cKDTree

from waypost.domain.base.frames import Vec3
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.pose_clearance import between, pose_clearance

_STEP_M = 0.01
"""No point of the body moves farther between two checked poses."""

_SHORTCUTS = 60


def clearance_along(points: Floats, tree: cKDTree, path: Floats, body: MeasuredBody) -> float:
    """The least distance of a point from the body on its way; known to 5 mm."""
    poses = [path[:1]] + [between(a, b, body, _STEP_M)[1:] for a, b in pairwise(path)]
    return float(pose_clearance(points, tree, np.concatenate(poses), body).min())


def shortened(
    points: Floats, tree: cKDTree, path: Floats, body: MeasuredBody, room_m: float
) -> Floats:
    """The path with straight moves where they leave enough room."""
    kept, here, left = [0], 0, _SHORTCUTS
    while here < len(path) - 1:
        there, span = here + 1, len(path) - 1 - here
        while span > 1 and left > 0:
            left -= 1
            poses = between(path[here], path[here + span], body, 0.01)
            if _leaves_room(points, tree, poses, body, room_m):
                there = here + span
                break
            span //= 2
        kept.append(there)
        here = there
    return path[kept]


def _leaves_room(
    points: Floats, tree: cKDTree, poses: Floats, body: MeasuredBody, room_m: float
) -> bool:
    """Whether all poses do; a few of them refuse most shortcuts."""
    return all(
        pose_clearance(points, tree, some, body).min() >= room_m for some in (poses[::10], poses)
    )


def length_between_m(path: Floats, start: Vec3, end: Vec3) -> float:
    """Length in plan of a path from node to node, what is missing at its ends included."""
    step = np.diff(np.concatenate([[start[:2]], path[:, :2], [end[:2]]]), axis=0)
    return float(np.hypot(step[:, 0], step[:, 1]).sum())


def unwound(path: Floats) -> Floats:
    """The path with headings that do not jump by half a turn."""
    path = path.copy()
    for k in range(1, len(path)):
        turn = math.remainder(float(path[k, 2] - path[k - 1, 2]), math.pi)
        path[k, 2] = path[k - 1, 2] + turn
    return path
