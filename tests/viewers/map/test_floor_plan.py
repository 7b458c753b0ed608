"""The plan shows walls where they stand, in the scene frame."""

from __future__ import annotations

import numpy as np

from waypost.domain.scene.scene import Mesh, Scene
from waypost.viewers.scene.floor_plan import floor_plan_of
from waypost.viewers.scene.shapes import box

WHITE = (1.0, 1.0, 1.0, 1.0)


def test_walls_are_told_from_furniture_and_moved_by_the_origin() -> None:
    wall = box((0.0, 0.0, 1.25), (0.2, 4.0, 2.5), 0.0, WHITE)
    table = box((2.0, 0.0, 0.4), (1.0, 1.0, 0.8), 0.0, WHITE)
    meshes = [
        Mesh(n, b.vertices.astype(np.float32), b.faces) for n, b in (("w", wall), ("t", table))
    ]
    scene = Scene("s", "", "glb", tuple(meshes), origin_m=(100.0, 50.0, 3.0))
    plan = floor_plan_of(scene, 3.0)
    assert abs(plan.walls[..., 0].min() - 99.9) < 1e-6
    assert plan.walls[..., 0].max() < 100.2
    assert plan.walls[..., 1].max() == 52.0
    assert plan.furniture[..., 0].max() == 102.5
    assert abs(plan.low[0] - 99.9) < 1e-6
    assert plan.low[1] == 48.0


def test_an_upper_storey_may_be_empty() -> None:
    floor = box((0.0, 0.0, -0.1), (4.0, 4.0, 0.2), 0.0, WHITE)
    scene = Scene("s", "", "glb", (Mesh("f", floor.vertices.astype(np.float32), floor.faces),))
    plan = floor_plan_of(scene, 3.0)
    assert plan.walls.shape == (0, 2, 2)
