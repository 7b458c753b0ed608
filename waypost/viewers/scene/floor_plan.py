"""A floor plan of a storey as outlines, for the mini-map and other flat drawings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Scene
from waypost.viewers.scene.section import section_segments

WALL_HEIGHT_M = 1.6
"""Above the floor: over most furniture, below most lintels."""

FURNITURE_HEIGHT_M = 0.35
_MOST_SEGMENTS = 40_000


@dataclass(frozen=True, eq=False, slots=True)
class FloorPlan:
    """Outlines in the scene frame, seen from above. Arrays are read-only."""

    walls: NDArray[np.float64]
    """(S, 2, 2) segments that rise above furniture; metres, x and y."""

    furniture: NDArray[np.float64]
    """(S, 2, 2) segments near the floor, walls included."""

    low: tuple[float, float]
    """Lowest x and y of the scene."""

    high: tuple[float, float]

    def __post_init__(self) -> None:
        self.walls.flags.writeable = False
        self.furniture.flags.writeable = False


def floor_plan_of(scene: Scene, floor_z_m: float) -> FloorPlan:
    """Cut a scene just above the furniture and just above the floor.

    Args:
        scene: With at least one triangle.
        floor_z_m: Floor of the storey, scene frame.
    """
    low, high = scene.bounds_m
    return FloorPlan(
        _outlines(scene, floor_z_m + WALL_HEIGHT_M),
        _outlines(scene, floor_z_m + FURNITURE_HEIGHT_M),
        low[:2],
        high[:2],
    )


def _outlines(scene: Scene, height_m: float) -> NDArray[np.float64]:
    local_z = height_m - scene.origin_m[2]
    parts = [section_segments(mesh.vertices, mesh.faces, local_z) for mesh in scene.meshes]
    segments = np.concatenate([*parts, np.empty((0, 2, 2))])
    if len(segments) > _MOST_SEGMENTS:
        # The longest ones carry the shape of a plan.
        lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
        segments = segments[np.argsort(-lengths, kind="stable")[:_MOST_SEGMENTS]]
    return np.asarray(segments + np.asarray(scene.origin_m[:2]), dtype=np.float64)
