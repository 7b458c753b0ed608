"""Picking on 1M triangles: index built in the background, then a ray per click or move."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from benchmarks.scenes import bumpy_room
from waypost.geometry.ray_index import RayIndex

RAYS = 2000


def run() -> list[dict[str, Any]]:
    """Build time and time per pick, with trimesh's own embree wrapper as the peer."""
    scene = bumpy_room(1_000_000)
    started = time.perf_counter()
    rays = RayIndex.build(scene)
    build_s = time.perf_counter() - started
    origins = np.random.default_rng(1).uniform(-9, 9, (RAYS, 2))
    times = []
    for x, y in origins:
        started = time.perf_counter()
        hit = rays.first_hit((float(x), float(y), 3.0), (0.1, 0.05, -1.0))
        times.append(time.perf_counter() - started)
        if hit is None:
            raise RuntimeError("a ray at the floor must hit it")
    pick_ms = statistics.median(times) * 1000
    return [
        {
            "name": "pick index, 1M triangles",
            "value": build_s,
            "unit": "s",
            "note": "in background",
        },
        {
            "name": "pick, 1M triangles",
            "value": pick_ms,
            "unit": "ms",
            "limit": "≤ 1 ms",
            "ratio_to": f"trimesh.ray takes {_trimesh_pick_ms(scene) / pick_ms:.1f} times as long",
        },
    ]


def _trimesh_pick_ms(scene: Any) -> float:
    import trimesh  # noqa: PLC0415 - the peer is only loaded here

    mesh = trimesh.Trimesh(scene.meshes[0].vertices, scene.meshes[0].faces, process=False)
    mesh.ray.intersects_first([[0, 0, 3]], [[0, 0, -1]])
    times = []
    for offset in np.linspace(-5, 5, 50):
        started = time.perf_counter()
        mesh.ray.intersects_location([[offset, 0, 3.0]], [[0.1, 0.05, -1.0]], multiple_hits=False)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


if __name__ == "__main__":
    for row in run():
        print(row)
