"""The same real house as glTF and as OpenUSD must be the same scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from waypost.domain.scene.scene import Mesh, Scene
from waypost.geometry.ray_index import RayIndex
from waypost.io.scenes.open_scene import read_scene

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def house_glb(shared_data: Path) -> Scene:
    return read_scene(shared_data / "scenes/small_house/small_house.glb")


@pytest.fixture(scope="module")
def house_usd(shared_data: Path) -> Scene:
    return read_scene(shared_data / "scenes/small_house/usd/small_house.usda")


def _object_glb(mesh: Mesh) -> str:
    """``Bed_01_001_2`` is the third mesh and belongs to the object Bed_01_001."""
    return mesh.name.rpartition("_")[0]


def _object_usd(mesh: Mesh) -> str:
    """``/World/Bed_01_001/mesh_0`` belongs to the object Bed_01_001."""
    return mesh.name.split("/")[2]


def _pairs(house_glb: Scene, house_usd: Scene) -> list[tuple[Mesh, Mesh]]:
    """Meshes of both files, object by object; within an object their order is the same."""
    waiting: dict[str, list[Mesh]] = {}
    for mesh in house_usd.meshes:
        waiting.setdefault(_object_usd(mesh), []).append(mesh)
    pairs = [(mesh, waiting[_object_glb(mesh)].pop(0)) for mesh in house_glb.meshes]
    assert not any(waiting.values())
    return pairs


def _look(scene: Scene, mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:
    """Base colour and mean texture colour, RGBA in 0 to 255."""
    assert mesh.material_index is not None
    material = scene.materials[mesh.material_index]
    color = np.array(material.base_color) * 255
    if material.texture_index is None:
        return color, np.full(4, 255.0)
    return color, scene.textures[material.texture_index].reshape(-1, 4).mean(axis=0)


def _has_texture(scene: Scene, mesh: Mesh) -> bool:
    assert mesh.material_index is not None
    return scene.materials[mesh.material_index].texture_index is not None


@pytest.mark.parametrize("kind", ["house_glb", "house_usd"])
def test_size_and_triangles(kind: str, request: pytest.FixtureRequest) -> None:
    house: Scene = request.getfixturevalue(kind)
    assert house.size_m == pytest.approx((19.0, 11.4, 3.0), abs=0.005)
    assert house.triangle_count == 145_844
    assert len(house.meshes) == 108
    assert house.missing_assets == ()
    assert house.warnings == ()
    assert [storey.name for storey in house.storeys] == ["Ground floor"]
    assert house.storeys[0].floor_z_m == pytest.approx(0.0, abs=0.01)


def test_what_the_files_state(house_glb: Scene, house_usd: Scene) -> None:
    assert (house_glb.format, house_glb.source_up_axis, house_glb.metres_per_unit) == (
        "glb",
        "Y",
        1.0,
    )
    assert (house_usd.format, house_usd.source_up_axis, house_usd.metres_per_unit) == (
        "usda",
        "Z",
        0.01,
    )


def test_every_object_is_in_the_same_place(house_glb: Scene, house_usd: Scene) -> None:
    np.testing.assert_allclose(house_glb.bounds_m, house_usd.bounds_m, atol=1e-5)
    for ours, theirs in _pairs(house_glb, house_usd):
        assert len(ours.faces) == len(theirs.faces), ours.name
        for bound in (np.min, np.max):
            np.testing.assert_allclose(
                bound(ours.vertices, axis=0), bound(theirs.vertices, axis=0), atol=1e-4
            )


def test_every_object_looks_the_same(house_glb: Scene, house_usd: Scene) -> None:
    textured = 0
    for ours, theirs in _pairs(house_glb, house_usd):
        for mine, other in zip(_look(house_glb, ours), _look(house_usd, theirs), strict=True):
            np.testing.assert_allclose(mine, other, atol=3.0, err_msg=ours.name)
        assert _has_texture(house_glb, ours) == _has_texture(house_usd, theirs), ours.name
        if _has_texture(house_glb, ours):
            textured += 1
            assert ours.uvs is not None
            assert theirs.uvs is not None
            corners = np.concatenate([ours.vertices[ours.faces], ours.uvs[ours.faces]], axis=2)
            others = np.concatenate(
                [theirs.vertices[theirs.faces], theirs.uvs[theirs.faces]], axis=2
            )
            np.testing.assert_allclose(corners, others, atol=1e-4, err_msg=ours.name)
    assert textured > 80


def test_hash_is_the_same_at_every_opening(house_glb: Scene, shared_data: Path) -> None:
    again = read_scene(shared_data / "scenes/small_house/small_house.glb")
    assert again.content_hash == house_glb.content_hash


def test_floor_is_found_in_the_middle_of_both(house_glb: Scene, house_usd: Scene) -> None:
    hits = [RayIndex.build(house).floor_below((0.0, 0.0, 1.0)) for house in (house_glb, house_usd)]
    assert all(hit is not None and abs(hit.point_m[2]) < 0.02 for hit in hits)
