"""Whether the surface under the pointer is a floor that a node may stand on, and if not, why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from waypost.annotators.graph.context import GraphContext, SceneRays
from waypost.domain.base.frames import Vec3
from waypost.geometry.walking_down import drops_m, is_floor
from waypost.viewers.scene.pointer import PointerEvent

LEAST_UPWARD = math.cos(math.radians(45))
"""Floors, stairs and ramps are less steep than 45°."""

_LINES = 8
_MAX_BODY_M = 1.2
"""No wall and hardly a cupboard is thicker."""

_NUDGE_M = 0.001
_SNAP_UP_M = 0.3
_SNAP_DOWN_M = 0.6


@dataclass(frozen=True, slots=True)
class FloorPick:
    """The floor under the pointer, or the reason why there is none."""

    point_m: Vec3 | None
    reason: str = ""
    """One sentence; empty where the floor was found."""


def pick_floor(event: PointerEvent, context: GraphContext) -> FloorPick:
    """Find the visible floor under the pointer.

    The first surface along the ray decides: a node is never placed behind a wall, nor on a
    ceiling hidden by the cut. Holding Shift accepts every surface that faces up.
    """
    rays = context.rays
    if rays is None:
        return FloorPick(None, "The scene is still being prepared; try again in a moment.")
    if is_on_section(event, rays, context.cut_z_m):
        return FloorPick(
            None, "That is a wall or an object that the cut opens; point at the floor."
        )
    hit = rays.first_hit(event.ray_origin, event.ray_direction, cut_z_m=context.cut_z_m)
    if hit is None:
        return FloorPick(None, "There is no floor under the pointer.")
    reason = _steepness_problem(hit.normal[2])
    if reason or event.shift or is_floor(hit.point_m, rays, context.storeys):
        return FloorPick(None if reason else hit.point_m, reason)
    return FloorPick(None, "That is not a floor (furniture or roof); hold Shift to use it anyway.")


def _steepness_problem(upward: float) -> str:
    if upward < -LEAST_UPWARD:
        return "That is a ceiling seen from below; point at the floor."
    if upward < LEAST_UPWARD:
        return "That is a wall or the side of an object; point at the floor."
    return ""


def is_on_section(event: PointerEvent, rays: SceneRays, cut_z_m: float | None) -> bool:
    """Whether the pointer is on the inside of a wall or object that the cut has opened.

    There the ray would run down inside the body, to a floor that nobody sees. Of the level
    lines through the point on the cut the shortest tells: in a body both its ends are met
    from behind.
    """
    origin, direction = event.ray_origin, event.ray_direction
    if cut_z_m is None or origin[2] <= cut_z_m or direction[2] >= 0:
        return False
    share = (cut_z_m - origin[2]) / direction[2]
    point = (origin[0] + share * direction[0], origin[1] + share * direction[1], cut_z_m - _NUDGE_M)
    shortest_m, is_inside = _MAX_BODY_M, False
    for i in range(_LINES):
        angle = math.pi * i / _LINES
        x, y = math.cos(angle), math.sin(angle)
        ends = (
            rays.first_hit(point, (x, y, 0.0), max_distance_m=shortest_m),
            rays.first_hit(point, (-x, -y, 0.0), max_distance_m=shortest_m),
        )
        if ends[0] is None or ends[1] is None:
            continue
        length_m = ends[0].distance_m + ends[1].distance_m
        if length_m < shortest_m:
            shortest_m, is_inside = length_m, ends[0].is_back and ends[1].is_back
    return is_inside


def snap_to_floor(positions_m: Mapping[str, Vec3], rays: SceneRays | None) -> dict[str, Vec3]:
    """Put each position on the surface just below or above it; unchanged where there is none."""
    if rays is None or not positions_m:
        return dict(positions_m)
    points = np.array(list(positions_m.values()), dtype=np.float64)
    origins = points + np.array([0.0, 0.0, _SNAP_UP_M])
    drops = drops_m(origins, rays)
    heights = np.where(
        drops <= _SNAP_UP_M + _SNAP_DOWN_M, origins[:, 2] - drops, points[:, 2]
    ).tolist()
    return {
        node_id: (x, y, height)
        for (node_id, (x, y, _)), height in zip(positions_m.items(), heights, strict=True)
    }
