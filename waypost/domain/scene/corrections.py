"""What is right where a file is wrong about its up axis or unit, and what moves along."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.frames import GLTF, SCENE, Vec3
from waypost.domain.scene.graph import NavigationGraph, move_nodes
from waypost.domain.scene.scene import Scene

UNITS: Final[Mapping[float, str]] = MappingProxyType(
    {1.0: "metres", 0.01: "centimetres", 0.001: "millimetres", 0.0254: "inches", 0.3048: "feet"}
)
"""Metres per unit → the unit, likely ones first."""

_LOW_M: Final = 2.0
_HIGH_M: Final = 3.8
"""From floor to ceiling, as dwellings and offices have it."""

_BESIDE: Final = 0.01
"""A node this share of the scene outside it is in it: one on a floor without thickness, which is
the lowest of the scene, lies below it by what rays are rounded."""

_AWAY_M: Final = 10.0
_MOST_SPOTS: Final = 50


def other_axis(scene: Scene) -> str:
    """The axis that may be up instead."""
    return "Z" if scene.source_up_axis == "Y" else "Y"


def likely_unit(scene: Scene) -> float:
    """Metres per unit with which a storey is as high as people build it, if there is one.

    Returns:
        That of ``UNITS``; the next larger or smaller one of the metric units where none fits.
    """
    storey_m = scene.size_m[2] / max(1, len(scene.storeys))
    units = storey_m / scene.metres_per_unit
    for unit in UNITS:
        if unit != scene.metres_per_unit and _LOW_M <= units * unit <= _HIGH_M:
            return unit
    return 0.01 if scene.metres_per_unit >= 1 else 1.0


def carried_along(graph: NavigationGraph, before: Scene, after: Scene) -> NavigationGraph:
    """The graph at the same places of a scene that is read with another up axis or unit.

    Args:
        graph: Drawn in the scene as it was read before.
        before: That scene.
        after: The same file, read otherwise.
    """
    if not graph.nodes:
        return graph
    positions = np.array([node.position_m for node in graph.nodes.values()])
    moved = positions @ _after_from_before(before, after).T
    places = (tuple(place) for place in moved.tolist())
    return move_nodes(graph, dict(zip(graph.nodes, places, strict=True)))


def is_drawn_in(graph: NavigationGraph, scene: Scene) -> bool:
    """Whether most nodes lie inside a scene, so that they were drawn in it as it is."""
    low, high = scene.bounds_m
    beside = _BESIDE * max(scene.size_m)
    inside = [
        all(
            a - beside <= p <= b + beside
            for a, p, b in zip(low, node.position_m, high, strict=True)
        )
        for node in graph.nodes.values()
    ]
    return 2 * sum(inside) > len(inside)


def stray_spots(scene: Scene) -> tuple[Vec3, ...]:
    """Where the stray vertices of a scene are, the farthest first; at most 50."""
    low, high = (np.asarray(corner) for corner in scene.bounds_m)
    found: list[NDArray[np.float64]] = []
    for mesh in scene.meshes:
        if mesh.is_stray:
            points = mesh.vertices.astype(np.float64) + np.asarray(scene.origin_m)
            away = np.maximum(low - points, points - high).max(axis=1)
            found.append(np.column_stack([away, points])[away > _AWAY_M])
    if not found:
        return ()
    rows = np.unique(np.concatenate(found), axis=0)[::-1][:_MOST_SPOTS]
    return tuple((x, y, z) for _, x, y, z in rows.tolist())


def _after_from_before(before: Scene, after: Scene) -> NDArray[np.float64]:
    return _scene_from_source(after) @ np.linalg.inv(_scene_from_source(before))


def _scene_from_source(scene: Scene) -> NDArray[np.float64]:
    frame = GLTF if scene.source_up_axis == "Y" else SCENE
    return frame.scene_from_frame * scene.metres_per_unit
