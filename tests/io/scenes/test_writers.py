"""Scenes written and read again: the same triangles, names, looks and pixels."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pxr import Usd, UsdGeom, UsdPhysics

from tools.scene_files.write_glb import glb_bytes, write_glb
from tools.scene_files.write_usd import write_usd
from waypost.domain.base.errors import InputError, WriteError
from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

CORNERS = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0.5]], dtype=np.float32)
FACES = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
UVS = np.array([[0, 0], [4, 0], [4, 2], [0, 2]], dtype=np.float32)


def picture(seed: int, size: int, *, is_opaque: bool = True) -> np.ndarray:
    pixels = np.random.default_rng(seed).integers(0, 256, (size, size, 4), dtype=np.uint8)
    if is_opaque:
        pixels[..., 3] = 255
    return pixels


def two_sheets(origin_m: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Scene:
    """A textured floor and a plain, half-clear sheet above it that nobody collides with."""
    floor = Mesh("Floor: oak", CORNERS.copy(), FACES.copy(), UVS.copy(), 0)
    above = Mesh(
        "Glass pane",
        CORNERS + np.array([0, 0, 1], dtype=np.float32),
        FACES.copy(),
        None,
        1,
        is_collider=False,
    )
    materials = (
        Material("oak", (0.5, 0.25, 1.0, 1.0), 0),
        Material("glass", (0.25, 0.5, 0.75, 0.5)),
        Material("walnut", (1.0, 0.5, 0.25, 1.0), 0),
    )
    return Scene(
        "room", "", "glb", (floor, above), materials, (picture(1, 8),), origin_m, source_up_axis="Z"
    )


def triangles_m(scene: Scene) -> np.ndarray:
    """(N, 3, 3) in the scene frame, in order."""
    parts = [mesh.vertices[mesh.faces].astype(np.float64) for mesh in scene.meshes]
    return np.concatenate(parts) + np.array(scene.origin_m)


def glb_json(data: bytes) -> dict:
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length])


@pytest.mark.parametrize("suffix", [".glb", ".usda", ".usdc"])
@pytest.mark.parametrize("origin_m", [(0.0, 0.0, 0.0), (500_000.25, -20.5, 3.0)])
def test_triangles_survive(tmp_path: Path, suffix: str, origin_m) -> None:
    scene = two_sheets(origin_m)
    path = tmp_path / f"room{suffix}"
    if suffix == ".glb":
        write_glb(scene, path)
    else:
        write_usd(scene, path)
    read = read_scene(path)
    assert np.abs(triangles_m(read) - triangles_m(scene)).max() < 1e-5
    assert np.allclose(read.bounds_m, scene.bounds_m, atol=1e-5)
    assert read.missing_assets == ()


def test_glb_keeps_names_looks_and_pixels(tmp_path: Path) -> None:
    scene = two_sheets()
    write_glb(scene, tmp_path / "room.glb")
    read = read_scene(tmp_path / "room.glb")
    assert [mesh.name for mesh in read.meshes] == ["Floor: oak", "Glass pane"]
    floor, above = read.meshes
    oak = read.materials[floor.material_index]
    assert (oak.name, oak.base_color) == ("oak", (0.5, 0.25, 1.0, 1.0))
    assert read.materials[above.material_index].base_color == (0.25, 0.5, 0.75, 0.5)
    assert np.array_equal(read.textures[oak.texture_index], scene.textures[0])
    assert floor.uvs is not None
    assert np.allclose(floor.uvs, UVS, atol=1e-6)


def test_usd_keeps_names_looks_and_pixels(tmp_path: Path) -> None:
    scene = two_sheets()
    write_usd(scene, tmp_path / "room.usda")
    read = read_scene(tmp_path / "room.usda")
    assert [mesh.name for mesh in read.meshes] == ["/room/Floor_oak", "/room/Glass_pane"]
    floor, above = read.meshes
    oak = read.materials[floor.material_index]
    assert oak.base_color == (0.5, 0.25, 1.0, 1.0)
    assert read.materials[above.material_index].base_color == (0.25, 0.5, 0.75, 0.5)
    assert np.array_equal(read.textures[oak.texture_index], scene.textures[0])
    assert np.allclose(floor.uvs, UVS)
    assert [file.name for file in (tmp_path / "textures").iterdir()] == ["room_00_oak.png"]


def test_alpha_in_a_texture_survives(tmp_path: Path) -> None:
    pixels = picture(2, 4, is_opaque=False)
    mesh = Mesh("leaf", CORNERS.copy(), FACES.copy(), UVS.copy(), 0)
    scene = Scene("leaf", "", "glb", (mesh,), (Material("leaf", texture_index=0),), (pixels,))
    write_glb(scene, tmp_path / "leaf.glb")
    assert np.array_equal(read_scene(tmp_path / "leaf.glb").textures[0], pixels)
    assert glb_json(glb_bytes(scene))["materials"][0]["alphaMode"] == "BLEND"


def test_a_shared_texture_is_stored_once() -> None:
    document = glb_json(glb_bytes(two_sheets()))
    assert len(document["images"]) == 1
    assert [m["pbrMetallicRoughness"].get("baseColorTexture") for m in document["materials"]] == [
        {"index": 0},
        None,
        {"index": 0},
    ]


def test_glb_follows_the_layout_of_the_specification() -> None:
    data = glb_bytes(two_sheets())
    magic, version, length = struct.unpack_from("<III", data)
    assert (magic, version, length) == (0x46546C67, 2, len(data))
    document = glb_json(data)
    assert all(view["byteOffset"] % 4 == 0 for view in document["bufferViews"])
    positions = document["accessors"][
        document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    ]
    assert positions["min"] == [0.0, 0.0, -1.0]
    assert positions["max"] == [2.0, 0.5, 0.0]


def test_many_vertices_need_wide_indices(tmp_path: Path) -> None:
    count = 70_000
    rng = np.random.default_rng(3)
    corners = rng.uniform(-1, 1, (count, 3)).astype(np.float32)
    faces = np.arange(count - count % 3, dtype=np.int32).reshape(-1, 3)
    scene = Scene("cloud", "", "glb", (Mesh("cloud", corners, faces),))
    write_glb(scene, tmp_path / "cloud.glb")
    read = read_scene(tmp_path / "cloud.glb")
    assert np.abs(triangles_m(read) - triangles_m(scene)).max() < 1e-6


def test_meshes_without_triangles_are_left_out() -> None:
    empty = Mesh("nothing", np.zeros((0, 3), np.float32), np.zeros((0, 3), np.int32))
    scene = Scene("x", "", "glb", (empty, Mesh("floor", CORNERS.copy(), FACES.copy())))
    document = glb_json(glb_bytes(scene))
    assert [node["name"] for node in document["nodes"]] == ["floor"]
    assert "materials" not in document


def test_an_empty_scene_is_a_valid_file() -> None:
    document = glb_json(glb_bytes(Scene("x", "", "glb", ())))
    assert document["scenes"] == [{"name": "x", "nodes": []}]
    assert "buffers" not in document


@pytest.mark.parametrize("metres_per_unit", [1.0, 0.01, 0.0254])
def test_usd_states_its_unit(tmp_path: Path, metres_per_unit: float) -> None:
    scene = two_sheets((10.0, 20.0, 30.0))
    write_usd(scene, tmp_path / "room.usdc", metres_per_unit)
    read = read_scene(tmp_path / "room.usdc")
    assert read.metres_per_unit == metres_per_unit
    assert read.source_up_axis == "Z"
    assert np.abs(triangles_m(read) - triangles_m(scene)).max() < 1e-5


def test_usd_is_ready_for_physics(tmp_path: Path) -> None:
    write_usd(two_sheets(), tmp_path / "room.usda")
    stage = Usd.Stage.Open(str(tmp_path / "room.usda"))
    floor = stage.GetPrimAtPath("/room/Floor_oak")
    pane = stage.GetPrimAtPath("/room/Glass_pane")
    assert stage.GetDefaultPrim().GetName() == "room"
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert floor.HasAPI(UsdPhysics.CollisionAPI)
    assert UsdPhysics.MeshCollisionAPI(floor).GetApproximationAttr().Get() == "none"
    assert not pane.HasAPI(UsdPhysics.CollisionAPI)
    assert floor.GetAttribute("semantic:label").Get() == "floor"
    assert floor.GetDisplayName() == "Floor: oak"
    extent = UsdGeom.Mesh(floor).GetExtentAttr().Get()
    assert [list(corner) for corner in extent] == [[0, 0, 0], [2, 1, 0.5]]


def test_usd_names_stay_apart(tmp_path: Path) -> None:
    names = ["a b", "a-b", "2 chairs", "Looks", "…"]
    meshes = tuple(Mesh(name, CORNERS.copy(), FACES.copy()) for name in names)
    write_usd(Scene("room", "", "glb", meshes), tmp_path / "room.usda")
    read = read_scene(tmp_path / "room.usda")
    assert len({mesh.name for mesh in read.meshes}) == 5
    assert read.meshes[1].name == "/room/a_b_2"


@pytest.mark.parametrize("metres_per_unit", [0.0, -1.0, float("nan")])
def test_usd_refuses_a_useless_unit(tmp_path: Path, metres_per_unit: float) -> None:
    with pytest.raises(InputError, match="metres per unit"):
        write_usd(two_sheets(), tmp_path / "room.usda", metres_per_unit)
    assert list(tmp_path.iterdir()) == []


def test_usd_refuses_other_suffixes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="USD stage ends in"):
        write_usd(two_sheets(), tmp_path / "room.obj")


@pytest.mark.parametrize("suffix", [".glb", ".usda", ".usdc"])
def test_the_same_scene_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    write = write_glb if suffix == ".glb" else write_usd
    for folder in ("a", "b"):
        write(two_sheets(), tmp_path / folder / f"room{suffix}")
    first, second = ((tmp_path / k / f"room{suffix}").read_bytes() for k in ("a", "b"))
    assert first == second


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "room.glb"
    path.write_bytes(b"old")

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(WriteError, match="No space left"):
        write_glb(two_sheets(), path)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["room.glb"]


coordinate = st.floats(-50, 50, width=32)


@settings(max_examples=30, deadline=None)
@given(
    points=st.lists(st.tuples(coordinate, coordinate, coordinate), min_size=3, max_size=12),
    data=st.data(),
)
def test_any_triangles_survive_glb(tmp_path_factory, points, data) -> None:
    index = st.integers(0, len(points) - 1)
    faces = data.draw(st.lists(st.tuples(index, index, index), min_size=1, max_size=8))
    mesh = Mesh("m", np.array(points, np.float32), np.array(faces, np.int32))
    floor = Mesh("floor", CORNERS.copy(), FACES.copy())
    scene = Scene("s", "", "glb", (mesh, floor))
    path = tmp_path_factory.mktemp("glb") / "s.glb"
    write_glb(scene, path)
    read = read_scene(path, up_axis="Y", metres_per_unit=1.0)
    assert np.abs(triangles_m(read) - triangles_m(scene)).max() < 1e-5
