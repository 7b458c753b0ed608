"""The part of a scene around one spot, cut at the heights of a body and seen from above."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import Mesh, Scene
from waypost.viewers.map.frame import Point
from waypost.viewers.scene.floor_plan import FloorPlan
from waypost.viewers.scene.section import section_segments

Segments = NDArray[np.float64]
"""(S, 2, 2) metres, x and y of the scene frame."""


@dataclass(frozen=True, eq=False, slots=True)
class SpotPlan:
    """What a picture of one spot shows; metres, x and y of the scene frame."""

    plan: FloorPlan
    """Walls are what reaches into the body's band of heights, furniture what it steps over."""

    touched: Segments
    """Outlines of what was named, where they are near the body."""

    edge: tuple[Point, Point]
    """From node to node."""

    path: tuple[Point, ...]
    """The path found; empty where there is none beside the edge."""

    footprint: tuple[Point, ...]
    """Corners of the body at the spot, or points around it."""

    across: tuple[Point, Point]
    """The ends of its width."""

    width_m: float
    at: Point
    """The critical place."""

    at_colour: str
    """Token of the colour of the answer that is decided there."""

    gap: tuple[Point, float] | None = None
    """Middle and diameter of the widest disc that gets through, where it is tightest."""

    obstacle: str = ""
    """Name of what was touched nearest to the body; empty for nothing."""

    obstacle_at: Point | None = None


@dataclass(frozen=True, slots=True)
class HeightBand:
    """Heights in metres, scene frame."""

    low_m: float
    high_m: float

    def heights_m(self, spacing_m: float, most: int) -> NDArray[np.float64]:
        """Evenly spaced heights, both ends among them."""
        count = min(max(2, round((self.high_m - self.low_m) / spacing_m) + 1), most)
        return np.linspace(self.low_m, self.high_m, count)


def outlines_around(
    scene: Scene, low: Point, high: Point, heights_m: Iterable[float]
) -> tuple[tuple[str, Segments], ...]:
    """What stands in a window at some heights, by the name of its object.

    Args:
        scene: Objects that stop nobody are left out.
        low: Lowest x and y of the window.
        high: Highest x and y.
        heights_m: Where it is cut; scene frame.
    """
    origin = np.asarray(scene.origin_m, dtype=np.float64)
    window = np.array([low, high]) - origin[:2]
    found = []
    cuts = [height - origin[2] for height in heights_m]
    for mesh in scene.meshes:
        faces = _faces_near(mesh, window) if mesh.is_collider else mesh.faces[:0]
        if not len(faces):
            continue
        used, places = np.unique(faces, return_inverse=True)
        compact = np.asarray(places.reshape(-1, 3), dtype=np.int32)
        parts = [section_segments(mesh.vertices[used], compact, cut) for cut in cuts]
        segments = np.concatenate([*parts, np.empty((0, 2, 2))])
        segments = segments[_is_near(segments.min(axis=1), segments.max(axis=1), window)]
        if len(segments):
            found.append((mesh.name, segments + origin[:2]))
    return tuple(found)


def joined(parts: Sequence[tuple[str, Segments]]) -> Segments:
    """All outlines, whatever they belong to."""
    return np.concatenate([*(segments for _, segments in parts), np.empty((0, 2, 2))])


def _faces_near(mesh: Mesh, window: NDArray[np.float64]) -> NDArray[np.int32]:
    """The triangles whose box in plan reaches into a window.

    Told from four bits of each vertex, so that a mesh of millions needs no copy of its corners.
    """
    if not len(mesh.faces):
        return mesh.faces
    plan = mesh.vertices[:, :2]
    beside = (
        (plan[:, 0] < window[0, 0]) * np.uint8(1)
        | (plan[:, 1] < window[0, 1]) * np.uint8(2)
        | (plan[:, 0] > window[1, 0]) * np.uint8(4)
        | (plan[:, 1] > window[1, 1]) * np.uint8(8)
    )
    corners = beside[mesh.faces]
    is_near = (corners[:, 0] & corners[:, 1] & corners[:, 2]) == 0
    return np.asarray(mesh.faces[is_near])


def _is_near(
    least: NDArray[np.float64], most: NDArray[np.float64], window: NDArray[np.float64]
) -> NDArray[np.bool_]:
    return np.asarray((least <= window[1]).all(axis=1) & (most >= window[0]).all(axis=1))
