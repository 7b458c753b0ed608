"""Fake of ``habitat_sim.nav``: the path finder over one rectangle in Habitat's frame, Y up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from waypost.geometry.navmesh.tiles import read_polygons


class ShortestPath:
    def __init__(self) -> None:
        self.requested_start = self.requested_end = None
        self.geodesic_distance = float("inf")
        self.points = []


class PathFinder:
    def __init__(self) -> None:
        self.is_loaded = False

    def load_nav_mesh(self, path: str) -> bool:
        try:
            corners = read_polygons(Path(path).read_bytes()).triangles_m.reshape(-1, 3)
        except Exception:
            return False
        self._low, self._high = corners.min(axis=0), corners.max(axis=0)
        self.is_loaded = True
        return True

    def find_path(self, path: ShortestPath) -> bool:
        ends = [path.requested_start, path.requested_end]
        if not all(self._is_inside(end) for end in ends):
            return False
        path.points = ends
        path.geodesic_distance = float(np.linalg.norm(ends[1] - ends[0]))
        return True

    def try_step(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        return np.clip(end, self._low, self._high)

    def try_step_no_sliding(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        share = 1.0
        for axis in (0, 2):
            way = end[axis] - start[axis]
            if way:
                edge = self._high[axis] if way > 0 else self._low[axis]
                share = min(share, (edge - start[axis]) / way)
        return start + share * (end - start)

    def _is_inside(self, point: np.ndarray) -> bool:
        return bool(((point >= self._low - 0.3) & (point <= self._high + 0.3)).all())
