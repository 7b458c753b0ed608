"""What an engine offers that moves a point over a navmesh instead of a body among triangles.

Positions are in the scene frame: Z up, metres, not relative to an origin, as the navmesh has them.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from waypost.simulators.protocol import Vec3


class ShortestWay(NamedTuple):
    """The shortest way between two points over a navmesh."""

    length_m: float
    points_m: tuple[Vec3, ...]
    """Where it bends, from start to end."""


@runtime_checkable
class WalkingEngine(Protocol):
    """An engine with at most one navmesh."""

    def load_navmesh(self, path: str) -> None:
        """Replace the navmesh.

        Args:
            path: A ``.navmesh`` file of Habitat.

        Raises:
            NotOfferedError: If the engine cannot read it.
        """

    def shortest_way(self, start_m: Vec3, end_m: Vec3) -> ShortestWay | None:
        """The geodesic between two points; ``None`` if no way leads there."""

    def try_step(self, start_m: Vec3, end_m: Vec3, *, slides: bool) -> Vec3:
        """Where a point gets that wants to go straight.

        Args:
            start_m: On the navmesh.
            end_m: Where it wants to go.
            slides: Whether it slides along the edge of the navmesh or stops there.
        """
