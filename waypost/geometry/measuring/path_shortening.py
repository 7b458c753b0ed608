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
_SHORT = 4
"""Poses of a path that are a short move."""

_SHORTCUTS = 300

ROOMY_M = 0.05
"""A path keeps this much room where there is more: an engine touches what a body grazes."""


def clearance_along(
    points: Floats, tree: cKDTree, path: Floats, body: MeasuredBody
) -> tuple[float, Floats]:
    """The least distance of a point from the body on its way, known to 5 mm, and the pose there."""
    poses = np.concatenate(
        [path[:1]] + [between(a, b, body, _STEP_M)[1:] for a, b in pairwise(path)]
    )
    room = pose_clearance(points, tree, poses, body)
    tight = int(np.argmin(room))
    return float(room[tight]), poses[tight]


def shortened(
    points: Floats, tree: cKDTree, path: Floats, body: MeasuredBody, room_m: float
) -> Floats:
    """The path with moves of the body's drive where they leave enough room.

    A move keeps the room that the path had, up to 5 cm; where none does, a short one that leaves
    enough is taken, as its drive can follow it.
    """
    had = np.minimum(pose_clearance(points, tree, path, body), ROOMY_M)
    kept, here, left = [path[:1]], 0, _SHORTCUTS
    while here < len(path) - 1:
        most = len(path) - 1 - here
        spans = [most >> k for k in range(most.bit_length())]
        rooms = [max(room_m, float(had[here : here + span + 1].min())) for span in spans]
        tries = list(zip(spans, rooms, strict=True))
        tries += [(span, room_m) for span in spans if span <= _SHORT]
        move, taken = path[here + 1][None], 1
        for span, needed in tries[:left]:
            left -= 1
            tried = _moves(path[here], path[here + span], body)
            steps = [between(a, b, body, _STEP_M) for a, b in pairwise(tried)]
            if _leaves_room(points, tree, np.concatenate(steps), body, needed - 1e-6):
                move, taken = tried[1:], span
                break
        kept.append(move)
        here += taken
    return _without_detours(np.concatenate(kept))


def _without_detours(path: Floats) -> Floats:
    """The path with one turn where it turned twice at a place; both turns cover what is left."""
    kept: list[Floats] = []
    for k, pose in enumerate(path):
        is_inner = 0 < k < len(path) - 1
        if is_inner and np.hypot(*(pose - kept[-1])[:2]) + np.hypot(*(path[k + 1] - pose)[:2]) == 0:
            whole = abs(path[k + 1, 2] - kept[-1][2])
            if whole <= math.pi / 2:
                continue
        kept.append(pose)
    return np.array(kept)


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
