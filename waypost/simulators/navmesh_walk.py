"""Shortest ways and steps over a navmesh as another program has them, asked through its worker."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from waypost.domain.base.frames import Vec3
from waypost.simulators.worker_process import WorkerProcess

_Points = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True)
class WalkedWay:
    """The shortest way between two points, as the engine finds it."""

    length_m: float
    points_m: tuple[Vec3, ...]
    """Where it bends, from start to end; scene frame."""


class NavmeshWalk:
    """One navmesh in an engine that moves points over it, such as habitat-sim.

    Raises:
        InputError: If the engine has no navmeshes or cannot read this one.
    """

    def __init__(self, worker: WorkerProcess, navmesh: Path) -> None:
        self._worker = worker
        worker.ask("walk_load", {"file": str(navmesh.absolute())})

    def shortest_way(self, start_m: Vec3, end_m: Vec3) -> WalkedWay | None:
        """The geodesic between two points, scene frame; ``None`` if no way leads there."""
        said = self._worker.ask("walk_way", {"start_m": list(start_m), "end_m": list(end_m)})
        if said.get("length_m") is None:
            return None
        length_m = self._worker.told(float, said, "length_m")
        return WalkedWay(length_m, self._worker.told(_Points, said, "points_m"))

    def try_step(self, start_m: Vec3, end_m: Vec3, *, slides: bool = True) -> Vec3:
        """Where a point gets that wants to go straight; scene frame.

        Args:
            start_m: On the navmesh.
            end_m: Where it wants to go.
            slides: Whether it slides along the edge, as VLN-CE's R2R allows and RxR does not.
        """
        values = {"start_m": list(start_m), "end_m": list(end_m), "slides": slides}
        said = self._worker.ask("walk_step", values)
        return self._worker.told(tuple[float, float, float], said, "end_m")
