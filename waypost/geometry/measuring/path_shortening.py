"""A path over cells made shorter, with the room it leaves known."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy.spatial import cKDTree

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import DriveType
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.measuring.height_field import Floats
from waypost.geometry.measuring.pose_clearance import between, pose_clearance

_STEP_M = 0.01
"""No point of the body moves farther between two checked poses."""

_SAME_M = 1e-6
_SHORTCUTS = 150

ROOMY_M = 0.05
"""A path keeps this much room where there is more: an engine touches what a body grazes."""


def clearance_along(points: Floats, tree: cKDTree, path: Floats, body: MeasuredBody) -> float:
    """The least distance of a point from the body on its way; known to 5 mm."""
    poses = [path[:1]] + [between(a, b, body, _STEP_M)[1:] for a, b in pairwise(path)]
    return float(pose_clearance(points, tree, np.concatenate(poses), body).min())


def shortened(
    points: Floats, tree: cKDTree, path: Floats, body: MeasuredBody, room_m: float
) -> Floats:
    """The path with moves of the body's drive where they leave enough room.

    A move keeps the room that the path had, up to 5 cm.
    """
    had = np.minimum(pose_clearance(points, tree, path, body), ROOMY_M)
    kept, here, left = [path[:1]], 0, _SHORTCUTS
    while here < len(path) - 1:
        there, span = path[here + 1][None], len(path) - 1 - here
        move, taken = there, 1
        while span >= 1 and left > 0:
            left -= 1
            tried = _moves(path[here], path[here + span], body)
            steps = [between(a, b, body, _STEP_M) for a, b in pairwise(tried)]
            needed = max(room_m, float(had[here : here + span + 1].min()))
            if _leaves_room(points, tree, np.concatenate(steps), body, needed - 1e-6):
                move, taken = tried[1:], span
                break
            span //= 2
        kept.append(move)
        here += taken
    return np.concatenate(kept)


def _moves(first: Floats, last: Floats, body: MeasuredBody) -> Floats:
    """Poses at which a body turns on its way; one that drives along its heading turns to it."""
    step = last[:2] - first[:2]
    if body.is_round or body.drive is not DriveType.DIFFERENTIAL or np.hypot(*step) < _SAME_M:
        return np.stack([first, last])
    # Forward or backward, whichever needs the smaller turn.
    bearing = math.atan2(step[1], step[0])
    heading = first[2] + math.remainder(bearing - float(first[2]), math.pi)
    return np.array([first, [*first[:2], heading], [*last[:2], heading], last])


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
