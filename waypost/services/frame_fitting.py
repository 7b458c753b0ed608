"""Which frames the positions of a graph file may be in, tried on an open scene."""

from __future__ import annotations

import math
from collections.abc import Callable

from waypost.domain.base.frames import Vec3
from waypost.domain.scene.scene import Scene
from waypost.geometry.ray_index import RayIndex
from waypost.io.datasets.frame_proposals import MAX_HEIGHT_M, FrameProposal, propose_frame
from waypost.io.graphs.graph_files import GraphFile

_LIFT_M = 0.1
"""Floors are searched from this far above a point."""


def fitting_frames(file: GraphFile, scene: Scene, rays: RayIndex) -> tuple[FrameProposal, ...]:
    """Every frame the file may be in, the one that fits the scene best first.

    Raises:
        ValueError: If the file has no nodes.
    """
    return propose_frame(
        file.positions,
        scene.bounds_m,
        lambda point: _height_above_floor(rays, point),
        edge_ends=file.edge_ends,
        clear_probe=lambda start, end: _is_clear(rays, start, end),
    )


def floor_below(rays: RayIndex) -> Callable[[Vec3], float | None]:
    """Ask a scene for the height of the floor under a point."""

    def ask(point: Vec3) -> float | None:
        x, y, z = point
        hit = rays.floor_below((x, y, z + _LIFT_M), MAX_HEIGHT_M + _LIFT_M)
        return None if hit is None else hit.point_m[2]

    return ask


def _height_above_floor(rays: RayIndex, point: Vec3) -> float | None:
    floor_z = floor_below(rays)(point)
    return None if floor_z is None else point[2] - floor_z


def _is_clear(rays: RayIndex, start: Vec3, end: Vec3) -> bool:
    heading = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    return rays.first_hit(start, heading, max_distance_m=math.dist(start, end)) is None
