from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from waypost.domain.base.frames import FRAMES, GLTF, Vec3
from waypost.geometry.ray_index import RayIndex
from waypost.io.datasets.frame_proposals import clear_winner, propose_frame
from waypost.io.scenes.open_scene import read_scene
from waypost.services.frame_fitting import floor_below

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def house(shared_data: Path) -> tuple[tuple[Vec3, Vec3], RayIndex]:
    scene = read_scene(shared_data / "scenes" / "small_house" / "small_house.glb")
    return scene.bounds_m, RayIndex.build(scene)


def is_clear(rays: RayIndex, start: Vec3, end: Vec3) -> bool:
    heading = tuple(b - a for a, b in zip(start, end, strict=True))
    length = float(np.linalg.norm(heading))
    return rays.first_hit(start, heading, max_distance_m=length) is None


def nodes_in(rays: RayIndex, seed: int, count: int) -> list[Vec3]:
    generator = np.random.default_rng(seed)
    nodes: list[Vec3] = []
    while len(nodes) < count:
        x, y = generator.uniform([-9.0, -5.2], [9.0, 5.2])
        floor = rays.floor_below((x, y, 1.0), 1.5)
        if floor is not None and abs(floor.point_m[2]) < 0.05:
            nodes.append((float(x), float(y), 1.3))
    return nodes


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("key", list(FRAMES))
def test_every_frame_is_recognised(
    house: tuple[tuple[Vec3, Vec3], RayIndex], key: str, seed: int
) -> None:
    bounds, rays = house
    nodes = nodes_in(rays, seed, 12)
    edges = [(a, b) for a, b in combinations(range(12), 2) if is_clear(rays, nodes[a], nodes[b])]

    def height(point: Vec3) -> float | None:
        floor_z = floor_below(rays)(point)
        return None if floor_z is None else point[2] - floor_z

    ranked = propose_frame(
        FRAMES[key].from_scene(np.array(nodes)),
        bounds,
        height,
        edge_ends=edges,
        clear_probe=lambda start, end: is_clear(rays, start, end),
    )
    winner = clear_winner(ranked)
    assert winner is not None
    assert winner.frame.key == key
    # The house is as wide left as right: without edges its mirror image fits just as well.
    unsure = propose_frame(GLTF.from_scene(np.array(nodes)), bounds, height)
    assert unsure[0].score - unsure[1].score < 0.2
