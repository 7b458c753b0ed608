"""Where a passage is decided, as a picture from above: made of its measure and the scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from waypost.domain.base.frames import Vec3, bearing_rad
from waypost.domain.scene.scene import Scene
from waypost.domain.traverse.agent import AgentProfile, BodyShape
from waypost.domain.traverse.measure import PassageMeasure
from waypost.domain.traverse.traversability import state_of
from waypost.services.appearance import SIGNS
from waypost.viewers.map.frame import Point
from waypost.viewers.map.spot_plan import HeightBand, Segments, SpotPlan, joined, outlines_around
from waypost.viewers.scene.floor_plan import FloorPlan

_LEAST_WINDOW_M: Final = 0.8
"""Of the window to each side of the spot; more around a large body."""

_SHAPE: Final = 1.7
"""The picture is so many times as wide as it is high."""

_LIMIT_M: Final = 0.001
"""A body may touch the limits of its band of heights, as in the measuring."""

_EVERY_M: Final = 0.05
_MOST_CUTS: Final = 40
_NEAR_BODY_M: Final = 0.1
_ROUND_POINTS: Final = 48


@dataclass(frozen=True, slots=True)
class BodyAtSpot:
    """Where the body stands at the critical place."""

    floor_m: Vec3
    """Under its middle."""

    yaw_rad: float


def body_at_spot(
    measure: PassageMeasure, profile: AgentProfile, start_m: Vec3, end_m: Vec3
) -> BodyAtSpot | None:
    """Where the body is nearest to the critical place on its way.

    That is on the path found, with the heading that the body has there; without a path on the
    straight edge. A place that the body does not reach from the edge is in a gap beside it: the
    body stands there, headed along the edge.

    Args:
        measure: What was measured.
        profile: Of whom.
        start_m: The node at the start, on the floor.
        end_m: The node at the end.

    Returns:
        ``None`` if nothing is critical.
    """
    if measure.at_m is None:
        return None
    along_edge = bearing_rad(start_m, end_m)
    if len(measure.path_m) > 1:
        return _on_path(measure, measure.at_m)
    place, floor_m = np.array(measure.at_m[:2]), _nearest_on(start_m, end_m, measure.at_m)
    reach_m = math.hypot(profile.width_m, profile.depth_m) / 2 + _NEAR_BODY_M
    if np.hypot(*(place - floor_m[:2])) <= reach_m:
        return BodyAtSpot(floor_m, along_edge)
    return BodyAtSpot((measure.at_m[0], measure.at_m[1], floor_m[2]), along_edge)


def spot_plan(
    scene: Scene, measure: PassageMeasure, profile: AgentProfile, start_m: Vec3, end_m: Vec3
) -> SpotPlan | None:
    """The picture of the critical place, from the numbers of the measure alone.

    Pure arithmetic: may run on any thread.

    Args:
        scene: Gives the outlines.
        measure: As for ``body_at_spot``, with the others.
        profile: Whose band of heights is cut, and whose body is drawn.
        start_m: The node at the start, on the floor.
        end_m: The node at the end.

    Returns:
        ``None`` if nothing is critical.
    """
    body = body_at_spot(measure, profile, start_m, end_m)
    if body is None or measure.at_m is None:
        return None
    x, y, ground_m = body.floor_m
    reach = max(_LEAST_WINDOW_M, 0.9 * math.hypot(profile.width_m, profile.depth_m))
    low, high = (x - _SHAPE * reach, y - reach), (x + _SHAPE * reach, y + reach)
    step_m = ground_m + profile.step_limit_m
    band = HeightBand(step_m + _LIMIT_M, ground_m + profile.height_m - _LIMIT_M)
    under = HeightBand(min(ground_m + 0.005, step_m), step_m)
    blocking = outlines_around(scene, low, high, band.heights_m(_EVERY_M, _MOST_CUTS))
    stepped = outlines_around(scene, low, high, under.heights_m(_EVERY_M, _MOST_CUTS))
    named = [(name, lines) for name, lines in blocking if name in measure.contacts]
    touched, obstacle, obstacle_at = _nearest_named(named, body, profile)
    width_m, at_m = measure.clear_width_m, measure.clear_width_at_m
    gap = None
    if width_m is not None and at_m is not None and math.dist(at_m[:2], (x, y)) <= reach:
        gap = ((at_m[0], at_m[1]), width_m)
    half = profile.width_m / 2
    return SpotPlan(
        FloorPlan(joined(blocking), joined(stepped), low, high),
        touched,
        ((start_m[0], start_m[1]), (end_m[0], end_m[1])),
        tuple((px, py) for px, py, _ in measure.path_m),
        _footprint(body, profile),
        (_placed(body, (0.0, half)), _placed(body, (0.0, -half))),
        profile.width_m,
        (measure.at_m[0], measure.at_m[1]),
        SIGNS[state_of(measure.answer)].colour,
        gap,
        obstacle or next(iter(measure.contacts), ""),
        obstacle_at,
    )


def spot_words(spot: SpotPlan, measure: PassageMeasure) -> str:
    """What the picture shows, in a sentence for who cannot see it."""
    x, y = spot.at
    way = f", the way {spot.gap[1]:.2f} m" if spot.gap else ""
    what = f" at {spot.obstacle}" if spot.obstacle else ""
    return f"At {x:.2f}, {y:.2f}{what}: the body is {spot.width_m:.2f} m wide{way}. {measure.words}"


def _on_path(measure: PassageMeasure, at_m: Vec3) -> BodyAtSpot:
    path = measure.path_m
    pairs = list(pairwise(path))
    places = [_nearest_on(a, b, at_m) for a, b in pairs]
    best = min(range(len(pairs)), key=lambda n: math.dist(places[n][:2], at_m[:2]))
    (a, b), place = pairs[best], places[best]
    if len(measure.headings_rad) != len(path):
        return BodyAtSpot(place, bearing_rad(a, b))
    first, second = measure.headings_rad[best], measure.headings_rad[best + 1]
    length_m = math.dist(a[:2], b[:2])
    share = math.dist(a[:2], place[:2]) / length_m if length_m > 0 else 0.0
    return BodyAtSpot(place, first + share * math.remainder(second - first, math.tau))


def _nearest_on(a: Vec3, b: Vec3, at_m: Vec3) -> Vec3:
    """The place between two others that is nearest in plan to a third."""
    ax, ay, az = a
    dx, dy, dz = b[0] - ax, b[1] - ay, b[2] - az
    length2 = dx * dx + dy * dy
    share = ((at_m[0] - ax) * dx + (at_m[1] - ay) * dy) / length2 if length2 > 0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return (ax + share * dx, ay + share * dy, az + share * dz)


def _placed(body: BodyAtSpot, point: Point) -> Point:
    """A point of the body's own frame, forward and left, in the scene."""
    cosine, sine = math.cos(body.yaw_rad), math.sin(body.yaw_rad)
    x, y, _ = body.floor_m
    forward, left = point
    return x + forward * cosine - left * sine, y + forward * sine + left * cosine


def _footprint(body: BodyAtSpot, profile: AgentProfile) -> tuple[Point, ...]:
    half_depth, half_width = profile.depth_m / 2, profile.width_m / 2
    if profile.shape is BodyShape.BOX:
        corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        return tuple(_placed(body, (half_depth * f, half_width * s)) for f, s in corners)
    turns = (math.tau * n / _ROUND_POINTS for n in range(_ROUND_POINTS))
    return tuple(_placed(body, (half_width * math.cos(t), half_width * math.sin(t))) for t in turns)


def _nearest_named(
    named: list[tuple[str, Segments]], body: BodyAtSpot, profile: AgentProfile
) -> tuple[Segments, str, Point | None]:
    """Outlines near the body, and the object nearest to its middle with the place of that."""
    reach_m = math.hypot(profile.width_m, profile.depth_m) / 2 + _NEAR_BODY_M
    middle = np.array(body.floor_m[:2])
    near: list[Segments] = []
    least, obstacle, at = math.inf, "", None
    for name, lines in named:
        start, way = lines[:, 0], lines[:, 1] - lines[:, 0]
        length2 = np.maximum((way * way).sum(axis=1), 1e-12)
        share = np.clip(((middle - start) * way).sum(axis=1) / length2, 0.0, 1.0)
        closest = start + share[:, None] * way
        distance = np.hypot(*(closest - middle).T)
        near.append(lines[distance <= reach_m])
        n = int(np.argmin(distance))
        if distance[n] < least:
            least, obstacle = float(distance[n]), name
            at = (float(closest[n, 0]), float(closest[n, 1]))
    return np.concatenate([*near, np.empty((0, 2, 2))]), obstacle, at
