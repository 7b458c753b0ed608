"""Packing a scene for the graphics card keeps every triangle, texture and normal."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.viewers.scene.mesh_batches import pack_scene, vertex_normals
from waypost.viewers.scene.shapes import box, disc

WHITE = (1.0, 1.0, 1.0, 1.0)


def mesh(name: str, material_index: int | None, *, has_uvs: bool = True) -> Mesh:
    vertices = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=np.float32)
    uvs = np.array([(0, 0), (1, 0), (0, 0.25)], dtype=np.float32)
    faces = np.array([(0, 1, 2)], dtype=np.int32)
    return Mesh(name, vertices, faces, uvs if has_uvs else None, material_index)


def scene(*meshes: Mesh) -> Scene:
    picture = np.zeros((2, 2, 4), dtype=np.uint8)
    materials = (
        Material("wood", (1.0, 1.0, 1.0, 1.0), 0),
        Material("stone", (1.0, 1.0, 1.0, 1.0), 1),
        Material("glass", (0.5, 0.5, 1.0, 0.3)),
        Material("lost", (1.0, 0.0, 0.0, 1.0), 7),
    )
    return Scene("s", "s.glb", "glb", meshes, materials, (picture, picture))


def test_meshes_with_one_texture_are_one_draw_call() -> None:
    packed = pack_scene(scene(mesh("a", 0), mesh("b", 1), mesh("c", 0), mesh("d", None)))
    assert [(b.texture_index, b.indices.tolist()) for b in packed.batches] == [
        (None, [9, 10, 11]),
        (0, [0, 1, 2, 6, 7, 8]),
        (1, [3, 4, 5]),
    ]
    assert len(packed.vertices) == 12


def test_transparent_batches_come_last() -> None:
    packed = pack_scene(scene(mesh("pane", 2), mesh("a", 1)))
    assert [(b.texture_index, b.opacity) for b in packed.batches] == [(1, 1.0), (None, 0.3)]


def test_a_texture_that_is_not_there_leaves_the_plain_colour() -> None:
    for odd in (mesh("lost", 3), mesh("bare", 0, has_uvs=False)):
        assert [b.texture_index for b in pack_scene(scene(odd)).batches] == [None]


def test_pictures_are_read_from_their_top_row() -> None:
    packed = pack_scene(scene(mesh("a", 0)))
    assert packed.vertices["a_uv"].tolist() == [[0, 1], [1, 1], [0, 0.75]]


def test_colour_and_normal_survive_packing() -> None:
    packed = pack_scene(scene(mesh("lost", 3)))
    color, normal = packed.vertices["a_packed"][0].tolist()
    assert color == 255.0
    parts = [(abs(normal) - 1) // 256**i % 256 for i in range(3)]
    assert [(p - 128) / 127 for p in parts] == pytest.approx([0, 0, 1])


def test_closed_bodies_are_told_from_sheets_and_inside_out_ones() -> None:
    body, sheet = box((0, 0, 0), (1, 2, 3), 0.0, WHITE), disc((0, 0, 0), 1.0, WHITE)
    solids = [(body, 1), (sheet, 1), (body, -1)]
    meshes = [
        Mesh("m", s.vertices.astype(np.float32), np.ascontiguousarray(s.faces[:, ::step]))
        for s, step in solids
    ]
    packed = pack_scene(scene(*meshes))
    assert packed.closed_meshes == (0,)
    assert (packed.vertices["a_packed"][:8, 1] < 0).all()
    assert (packed.vertices["a_packed"][8:, 1] > 0).all()


def test_normals_are_weighted_by_area_and_skip_what_has_none() -> None:
    vertices = np.array(
        [(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 1), (9, 9, 9), (5, 5, 5)], dtype=np.float32
    )
    faces = np.array([(0, 1, 2), (0, 3, 1), (4, 4, 5)], dtype=np.int32)
    normals, is_closed = vertex_normals(vertices, faces)
    assert normals[0] == pytest.approx(np.array([0, 2, 4]) / np.sqrt(20))
    assert normals[2] == pytest.approx([0, 0, 1])
    assert normals[4].tolist() == [0, 0, 0]
    assert not is_closed


def test_an_empty_scene_has_no_batches() -> None:
    packed = pack_scene(Scene("s", "", "glb", ()))
    assert packed.batches == ()
    assert len(packed.vertices) == 0
