"""The path of an instruction as a walk: what an eye sees along it, moment by moment."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.base.frames import Vec3, bearing_rad, distance_m
from waypost.domain.record.camera_take import CameraPose, TourSettings, walk
from waypost.geometry.ray_index import RayIndex

WALK_FPS: Final = 10.0
"""Moments of a walk per second."""

_MOST_MOMENTS: Final = 6_000
"""A longer walk has fewer moments per second."""

_KNEE_M: Final = 0.3
"""A path that says the height of the floor may lie a little below it."""

_DROP_M: Final = 3.0
"""Paths say the height of the floor, of a body or of a camera, none of which is farther up."""


@dataclass(frozen=True, eq=False, slots=True)
class PathWalk:
    """A walk along a path at 1 m/s, and the views from its two ends."""

    times_s: NDArray[np.float64]
    """(N,) since the start."""

    poses: tuple[CameraPose, ...]
    """Of the eye at each of them, scene frame."""

    every_pose: frozenset[CameraPose]
    """The same, to look one up; to make it of a long walk costs a window some milliseconds."""

    places: NDArray[np.int64]
    """(N,) the point of the path that was reached last, from 0."""

    start: CameraPose
    """At the first point, looking along the first leg."""

    goal: CameraPose
    """At the last point, looking along the last leg."""


def path_walk(
    path_m: Sequence[Vec3], eye_height_m: float, rays: RayIndex | None = None
) -> PathWalk:
    """Walk along a path.

    Args:
        path_m: Scene frame, metres.
        eye_height_m: Over the floor; over the points of the path themselves without ``rays``.
        rays: Of the scene. The floor is what lies under each point: data sets differ in whether
            z is that of the floor, of the body or of the camera.

    Raises:
        InputError: If the path has no length in plan.
    """
    floor = [_floor_under(point, rays) for point in path_m]
    headings = _leg_headings(floor)
    if not headings:
        raise InputError("its places lie all in one, or above each other")
    length_m = sum(distance_m(a, b) for a, b in itertools.pairwise(floor))
    fps = min(WALK_FPS, _MOST_MOMENTS / max(length_m, 1.0))
    settings = TourSettings(fps=max(fps, 0.01), eye_height_m=eye_height_m)
    pictures = walk(floor, settings)
    times_s = np.array([picture.time_ns / 1e9 for picture in pictures])
    legs_m = [0.0, *(distance_m(a, b) for a, b in itertools.pairwise(floor))]
    reached_s = np.cumsum(legs_m) / settings.speed_mps
    places = np.searchsorted(reached_s, times_s + 1e-9, side="right") - 1
    places[-1] = len(floor) - 1
    poses = tuple(picture.pose for picture in pictures)
    return PathWalk(
        times_s,
        poses,
        frozenset(poses),
        places,
        replace(poses[0], yaw_rad=headings[0]),
        replace(poses[-1], yaw_rad=headings[-1]),
    )


def _floor_under(point: Vec3, rays: RayIndex | None) -> Vec3:
    x, y, z = point
    hit = None if rays is None else rays.floor_below((x, y, z + _KNEE_M), _KNEE_M + _DROP_M)
    return point if hit is None else (x, y, hit.point_m[2])


def _leg_headings(points: Sequence[Vec3]) -> list[float]:
    """Scene yaw of every leg that has a length in plan."""
    return [
        bearing_rad(a, b)
        for a, b in itertools.pairwise(points)
        if np.hypot(b[0] - a[0], b[1] - a[1]) > 1e-6
    ]
