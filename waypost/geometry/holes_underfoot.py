"""Where wheels or feet pass over nothing on a straight way, which engines do not mind."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from waypost.domain.base.frames import Vec3
from waypost.domain.traverse.agent import AgentProfile
from waypost.geometry.measuring.body import MeasuredBody
from waypost.geometry.ray_index import RayIndex

_POSE_M: Final = 0.01
"""Distance of the places that are looked at."""

_ABOVE_M: Final = 0.05
"""Ground is searched from a little above a step."""


class Hole(NamedTuple):
    """A stretch of the way on which one wheel or foot has no ground."""

    length_m: float
    """Along the way, to 1 cm."""

    at_m: Vec3
    """Its middle, scene frame."""


def longest_hole(rays: RayIndex, start: Vec3, end: Vec3, profile: AgentProfile) -> Hole | None:
    """The longest hole that is wider than what an agent passes; ``None`` if there is none.

    Args:
        rays: The scene.
        start: Floor under the centre of the body, scene frame.
        end: The same, where it came straight to.
        profile: Its contacts with the ground, its steps and the gap that it passes.
    """
    body = MeasuredBody.of(profile)
    length_m = math.dist(start[:2], end[:2])
    if length_m < _POSE_M:
        return None
    ahead = np.subtract(end[:2], start[:2]) / length_m
    places = np.array([(0.0, 0.0), *body.contact.places]) @ [ahead, (-ahead[1], ahead[0])]
    count = math.ceil(length_m / _POSE_M)
    step_m = length_m / count
    over = np.zeros((count + 1, len(places) - 1), dtype=bool)
    # Each contact goes by the ground that it was on: on stairs and ramps they stand apart, at
    # the start by no more than the steepest floor, of 45°, makes of their distance.
    apart_m = np.hypot(*places.T)
    grounds, heights = start[2] - apart_m, np.empty(count + 1)
    ground_m = start[2] + float(apart_m.max())
    for number in range(count + 1):
        top_m = ground_m + body.step_up_m + _ABOVE_M
        spots = places + start[:2] + ahead * (number * step_m)
        starts = np.column_stack([spots, np.full(len(spots), top_m)])
        found_m = top_m - rays.first_hit_distances(starts, [(0.0, 0.0, -1.0)] * len(starts))
        lowest_m = np.minimum(grounds, ground_m) - body.step_down_m - _ABOVE_M
        is_ground = found_m >= lowest_m
        over[number] = ~is_ground[1:]
        grounds[is_ground] = found_m[is_ground]
        if is_ground.any():
            ground_m = float(found_m[is_ground].max())
        heights[number] = ground_m
    runs = [run for contact in range(over.shape[1]) for run in _runs(contact, over[:, contact])]
    contact, first, last = max(runs, key=lambda run: run[2] - run[1], default=(0, 0, -1))
    long_m = (last - first + 1) * step_m
    if long_m <= body.contact.largest_gap_m:
        return None
    middle = (first + last) // 2
    x, y = (places[contact + 1] + start[:2] + ahead * (middle * step_m)).tolist()
    return Hole(long_m, (x, y, float(heights[middle])))


def _runs(contact: int, is_over: np.ndarray) -> list[tuple[int, int, int]]:
    """Contact, first and last place of each stretch without ground."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], is_over.astype(np.int8), [0]])))
    return [(contact, int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
