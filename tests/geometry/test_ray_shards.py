"""Building the index in shards changes nothing but how long one step takes."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry import ray_index
from waypost.geometry.ray_index import RayIndex


@pytest.fixture
def scene():
    """A bumpy sheet of 800 triangles, a lone triangle above it, and a mesh without faces."""
    side = 21
    x, y = (axis.ravel() for axis in np.meshgrid(np.arange(side), np.arange(side)))
    sheet = np.column_stack([x, y, np.sin(x) * np.cos(y) * 0.3]).astype(np.float32)
    corner = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + side])
    upper = np.column_stack([corner + 1, corner + side + 1, corner + side])
    faces = np.vstack([lower, upper]).astype(np.int32)
    triangle = np.array([[4, 4, 2], [6, 4, 2], [5, 6, 2]], dtype=np.float32)
    meshes = (
        Mesh("sheet", sheet, faces),
        Mesh("nothing", triangle.copy(), np.empty((0, 3), dtype=np.int32)),
        Mesh("triangle", triangle, np.array([[0, 1, 2]], dtype=np.int32)),
    )
    return Scene("bumps", "bumps.glb", "glb", meshes, origin_m=(1000.0, -2000.0, 5.0))


@pytest.mark.parametrize("limit", [1, 7, 800, 801])
def test_shards_give_the_same_hits(scene, monkeypatch, limit):
    whole = RayIndex.build(scene)
    monkeypatch.setattr(ray_index, "_SHARD_TRIANGLES", limit)
    sharded = RayIndex.build(scene)
    random = np.random.default_rng(5)
    origins = random.uniform((-1, -1, -3), (21, 21, 4), (60, 3)) + scene.origin_m
    targets = random.uniform((-1, -1, -1), (21, 21, 1), (60, 3)) + scene.origin_m
    rays = list(
        zip(map(tuple, origins.tolist()), map(tuple, (targets - origins).tolist()), strict=True)
    )
    hits = [(whole.first_hit(*ray), sharded.first_hit(*ray)) for ray in rays]
    assert sum(a is not None for a, _ in hits) > 20
    for a, b in hits:
        assert (a is None) == (b is None)
        if a is not None:
            assert b.point_m == pytest.approx(a.point_m, abs=1e-4)
            assert (b.mesh_name, b.is_back) == (a.mesh_name, a.is_back)
    distances = [
        index.first_hit_distances(origins, targets - origins) for index in (whole, sharded)
    ]
    assert np.allclose(*distances, atol=1e-4)
    one_tree = RayIndex.build(scene, in_one_tree=True)
    down = np.broadcast_to((0.0, 0.0, -1.0), origins.shape)
    for index in (sharded, one_tree):
        below = index.distances_below(origins)
        assert np.array_equal(below, index.first_hit_distances(origins, down))


def test_the_nearest_of_several_shards_wins(scene, monkeypatch):
    monkeypatch.setattr(ray_index, "_SHARD_TRIANGLES", 400)
    rays = RayIndex.build(scene)
    hit = rays.first_hit((1005.0, -1995.0, 15.0), (0.0, 0.0, -1.0))
    assert (hit.mesh_name, hit.point_m[2]) == ("triangle", pytest.approx(7.0))
    below = rays.first_hit((1005.0, -1995.0, 15.0), (0.0, 0.0, -1.0), cut_z_m=6.5)
    assert below.mesh_name == "sheet"


def test_every_shard_is_a_step_that_can_be_cancelled(scene, monkeypatch):
    monkeypatch.setattr(ray_index, "_SHARD_TRIANGLES", 100)
    steps = list(RayIndex.build_steps(scene))
    assert [p.done for p in steps] == [0, 100, 200, 300, 400, 500, 600, 700, 800]
    assert {p.total for p in steps} == {801}
