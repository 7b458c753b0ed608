"""What the checks of a graph find, as values that a list can show and a view can jump to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from waypost.domain.base.frames import Vec3


class FindingKind(StrEnum):
    """What is wrong."""

    ISOLATED_PART = "isolated_part"
    """Nodes that no edge joins to the largest part of the graph."""

    DUPLICATE_NAME = "duplicate_name"
    """Several nodes share one name."""

    NO_FLOOR = "no_floor"
    """A node has no floor under it."""

    ABOVE_FLOOR = "above_floor"
    """A node is a little above the floor."""

    ON_FURNITURE = "on_furniture"
    """A node stands on what is higher than a step and leads nowhere: a table, a bed."""

    NO_ROOM = "no_room"
    """An object is where something would have to stand at a node."""

    THROUGH_WALL = "through_wall"
    """An edge goes through something as high as a wall or a partition."""

    THROUGH_OBSTACLE = "through_obstacle"
    """An edge goes through something lower that no agent gets under or over: furniture, the wall
    under a window."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a graph."""

    kind: FindingKind
    message: str
    """One sentence for the user."""

    node_ids: tuple[str, ...]
    """The nodes concerned."""

    edge_ids: tuple[str, ...]
    """The edges concerned."""

    spot_m: Vec3
    """Where to look, scene frame."""
