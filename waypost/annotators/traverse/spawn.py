"""Where an agent starts a passage: on the first node, facing the second."""

from __future__ import annotations

import math
from dataclasses import dataclass

from waypost.domain.base.errors import EditError
from waypost.domain.base.frames import Vec3
from waypost.domain.scene.graph import NavigationGraph
from waypost.domain.traverse.traversability import Passage


@dataclass(frozen=True, slots=True)
class SpawnPose:
    """A place on the floor and a heading."""

    floor_m: Vec3
    yaw_rad: float
    target_m: Vec3
    """Where the passage leads."""


def spawn_pose(graph: NavigationGraph, passage: Passage) -> SpawnPose:
    """The pose at the start of a passage.

    A passage straight up or down (an elevator) has no heading of its own; the agent then
    faces +X.

    Raises:
        EditError: If a node is unknown.
    """
    for node_id in (passage.from_id, passage.to_id):
        if node_id not in graph.nodes:
            raise EditError(f"there is no node {node_id!r}")
    start = graph.nodes[passage.from_id].position_m
    target = graph.nodes[passage.to_id].position_m
    yaw = math.atan2(target[1] - start[1], target[0] - start[0])
    return SpawnPose(start, yaw, target)
