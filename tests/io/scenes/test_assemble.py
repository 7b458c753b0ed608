from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.scene_files import CUBE_FACES, CUBE_POINTS

from waypost.domain.base.progress import exhaust
from waypost.domain.scene.scene import Material, Scene
from waypost.io.scenes.assemble import assemble
from waypost.io.scenes.format import SourceMesh, SourceScene


def _cube(name: str, offset: tuple[float, float, float] = (0, 0, 0), **more: bool) -> SourceMesh:
    points = CUBE_POINTS.astype(np.float64) + np.array(offset)
    return SourceMesh(name, points, CUBE_FACES.astype(np.int32), **more)


def _assemble(*meshes: SourceMesh, up_axis: str = "Z", unit: float = 1.0) -> Scene:
    steps = assemble(Path("a.glb"), SourceScene("glb", up_axis, unit, meshes=list(meshes)))
    return exhaust(steps)


def test_near_scene_keeps_the_origin_of_its_file() -> None:
    scene = _assemble(_cube("a", (900, 0, 0)))
    assert scene.origin_m == (0.0, 0.0, 0.0)


def test_far_scene_gets_an_origin_and_keeps_millimetres() -> None:
    far = (2_600_000.0, 1_200_000.0, 430.0)
    fine = _cube("a", far)
    fine.points[-1] += 0.001
    scene = _assemble(fine)
    assert scene.origin_m == (2_600_001.0, 1_200_001.0, 431.0)
    low, high = scene.bounds_m
    assert low == pytest.approx(far, abs=1e-9)
    assert high[0] == pytest.approx(far[0] + 1.001, abs=1e-6)


def test_vertex_of_no_triangle_does_not_stretch_the_bounds() -> None:
    mesh = _cube("a")
    points = np.vstack([[(77.0, 77.0, 77.0)], mesh.points])
    uvs = np.column_stack([points[:, 0], points[:, 1]]).astype(np.float32)
    scene = _assemble(SourceMesh("a", points, mesh.faces + 1, uvs))
    assert scene.bounds_m == ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    placed = scene.meshes[0]
    assert placed.uvs is not None
    np.testing.assert_array_equal(placed.uvs, placed.vertices[:, :2])


def test_arrays_are_read_only() -> None:
    mesh = _assemble(_cube("a")).meshes[0]
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0, 0] = 5


class TestHash:
    @given(order=st.permutations(range(5)))
    @settings(max_examples=20, deadline=None)
    def test_order_and_names_of_meshes_do_not_matter(self, order: list[int]) -> None:
        meshes = [_cube(f"m{i}", (i * 2.0, 0, 0)) for i in range(5)]
        shuffled = [_cube(f"other{i}", (i * 2.0, 0, 0)) for i in order]
        assert _assemble(*meshes).content_hash == _assemble(*shuffled).content_hash

    def test_numbering_of_vertices_does_not_matter(self) -> None:
        plain = _cube("a")
        back = SourceMesh("a", plain.points[::-1], (7 - plain.faces).astype(np.int32))
        assert _assemble(plain).content_hash == _assemble(back).content_hash

    def test_geometry_unit_and_collision_do_matter(self) -> None:
        hashes = {
            _assemble(_cube("a")).content_hash,
            _assemble(_cube("a", (0.001, 0, 0))).content_hash,
            _assemble(_cube("a"), unit=1.001).content_hash,
            _assemble(_cube("a"), up_axis="Y").content_hash,
            _assemble(_cube("a", is_collider=False)).content_hash,
            _assemble(_cube("a"), _cube("a")).content_hash,
        }
        assert len(hashes) == 6
        assert all(len(text) == 64 for text in hashes)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e39])
def test_texture_coordinates_that_are_no_numbers_are_left_out_and_said(value: float) -> None:
    cube = _cube("a")
    uvs = np.array(CUBE_POINTS[:, :2], dtype=np.float64)
    uvs[3, 1] = value
    odd = SourceMesh("odd", cube.points, cube.faces, uvs)
    scene = _assemble(odd, _cube("b", (2, 0, 0)))
    assert [mesh.uvs for mesh in scene.meshes] == [None, None]
    said = "odd is shown without picture: its texture coordinates are no numbers"
    assert said in scene.warnings


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_colour_that_is_none_is_grey_and_said(value: float) -> None:
    source = SourceScene("glb", "Z", 1.0, meshes=[_cube("a")])
    source.materials = [Material("odd", (1.0, value, 0.0, 1.0)), Material("red", (1.0, 0, 0, 1.0))]
    scene = exhaust(assemble(Path("a.glb"), source))
    assert [m.base_color for m in scene.materials] == [(0.8, 0.8, 0.8, 1.0), (1.0, 0, 0, 1.0)]
    assert "odd is shown grey: its colour is no number" in scene.warnings
