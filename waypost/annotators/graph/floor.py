"""Whether the surface under the pointer is a floor that a node may stand on, and if not, why."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.annotators.graph.context import (
    STOREY_TOLERANCE_M,
    GraphContext,
    SceneRays,
)
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Storey
from waypost.viewers.scene.pointer import PointerEvent

LEAST_UPWARD = math.cos(math.radians(45))
"""Floors, stairs and ramps are less steep than 45°."""

MAX_RISER_M = 0.25
"""Building codes allow less; furniture is higher."""

_STRIDE_M = 0.2
_STRIDES = 15
_DIRECTIONS = 16
_WALKS = 8
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


def is_floor(point_m: Vec3, rays: SceneRays, storeys: tuple[Storey, ...]) -> bool:
    """Whether one can walk from a surface down to a storey's floor, over steps of ≤ 0.25 m.

    That is true of floors, stairs, landings and ramps, and false of tables, beds and roofs.
    Where no storeys are known every upward surface counts.
    """
    if not storeys:
        return True
    x, y, z = point_m
    for _ in range(_WALKS):
        if any(abs(z - s.floor_z_m) <= STOREY_TOLERANCE_M for s in storeys):
            return True
        lower = _lowest_straight_walk((x, y, z), rays)
        if lower[2] > z - 0.02:
            return False
        x, y, z = lower
    return False


def snap_to_floor(positions_m: Mapping[str, Vec3], rays: SceneRays | None) -> dict[str, Vec3]:
    """Put each position on the surface just below or above it; unchanged where there is none."""
    if rays is None or not positions_m:
        return dict(positions_m)
    points = np.array(list(positions_m.values()), dtype=np.float64)
    origins = points + np.array([0.0, 0.0, _SNAP_UP_M])
    drops = _drops(origins, rays)
    heights = np.where(
        drops <= _SNAP_UP_M + _SNAP_DOWN_M, origins[:, 2] - drops, points[:, 2]
    ).tolist()
    return {
        node_id: (x, y, height)
        for (node_id, (x, y, _)), height in zip(positions_m.items(), heights, strict=True)
    }


def _lowest_straight_walk(start: Vec3, rays: SceneRays) -> Vec3:
    """The lowest point reached on straight ways out of ``start`` before a step is too high."""
    angles = np.arange(_DIRECTIONS) * (2 * math.pi / _DIRECTIONS)
    away = np.column_stack([np.cos(angles), np.sin(angles)])
    reach = (np.arange(_STRIDES) + 1) * _STRIDE_M
    plan = np.asarray(start[:2]) + away[:, None, :] * reach[None, :, None]
    top = start[2] + MAX_RISER_M
    origins = np.concatenate([plan, np.full((*plan.shape[:2], 1), top)], axis=2)
    heights = top - _drops(origins.reshape(-1, 3), rays).reshape(plan.shape[:2])
    previous = np.column_stack([np.full(_DIRECTIONS, start[2]), heights[:, :-1]])
    # A missing floor is −inf, and −inf − −inf is nan: neither compares as a small step.
    with np.errstate(invalid="ignore"):
        is_step = np.abs(heights - previous) <= MAX_RISER_M
    is_reached = np.logical_and.accumulate(is_step, axis=1)
    reached = np.where(is_reached, heights, np.inf)
    direction, stride = np.unravel_index(int(np.argmin(reached)), reached.shape)
    if not is_reached[direction, stride]:
        return start
    x, y = plan[direction, stride].tolist()
    return (x, y, float(reached[direction, stride]))


def _drops(origins: NDArray[np.float64], rays: SceneRays) -> NDArray[np.float64]:
    down = np.broadcast_to(np.array([0.0, 0.0, -1.0]), origins.shape)
    return rays.first_hit_distances(origins, np.ascontiguousarray(down))
