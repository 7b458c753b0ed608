from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from worlds.scene_files import Gltf, png, texel

from waypost.domain.scene.scene import AssetKind
from waypost.io.scenes import textures
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def _quad(gltf: Gltf, **material: object) -> None:
    """A standing quad: file x to the right, file y up, picture upright."""
    gltf.header["materials"] = [{"name": "paint", **material}]
    points = [[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]
    uvs = [[0, 1], [1, 1], [1, 0], [0, 0]]
    primitive = {
        "attributes": {
            "POSITION": gltf.accessor(points, "f4"),
            "TEXCOORD_0": gltf.accessor(uvs, "f4"),
        },
        "indices": gltf.accessor([0, 1, 2, 0, 2, 3], "u2"),
        "material": 0,
    }
    gltf.scene(gltf.node(mesh=gltf.primitives([primitive])))


def _with_picture(gltf: Gltf, **reference: object) -> dict[str, object]:
    picture = png([[RED, GREEN], [BLUE, WHITE]])
    gltf.header["images"] = [{"bufferView": gltf.view(picture), "mimeType": "image/png"}]
    gltf.header["textures"] = [{"source": 0}]
    return {"baseColorTexture": {"index": 0, **reference}, "baseColorFactor": [1, 0.5, 0.25, 1]}


def test_picture_is_upright(tmp_path: Path) -> None:
    gltf = Gltf()
    _quad(gltf, pbrMetallicRoughness=_with_picture(gltf))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    mesh, texture = scene.meshes[0], scene.textures[0]
    assert mesh.uvs is not None
    for vertex, uv in zip(mesh.vertices, mesh.uvs, strict=True):
        inside = 0.25 + uv * 0.5
        is_right, is_top = vertex[0] > 1, vertex[2] > 1
        expected = {
            (False, True): RED,
            (True, True): GREEN,
            (False, False): BLUE,
            (True, False): WHITE,
        }[bool(is_right), bool(is_top)]
        assert texel(texture, float(inside[0]), float(inside[1])) == (*expected, 255)
    assert scene.materials[0].base_color == (1.0, 0.5, 0.25, 1.0)
    assert scene.materials[0].name == "paint"


def test_texture_transform_moves_the_picture(tmp_path: Path) -> None:
    gltf = Gltf()
    move = {"extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [0.5, 1]}}}
    _quad(gltf, pbrMetallicRoughness=_with_picture(gltf, **move))
    uvs = read_scene(gltf.write(tmp_path / "a.glb")).meshes[0].uvs
    assert uvs is not None
    np.testing.assert_allclose(uvs, [[0.5, 0], [1, 0], [1, 1], [0.5, 1]])


def test_alpha_counts_only_where_the_material_blends(tmp_path: Path) -> None:
    for mode, alpha in (("OPAQUE", 255), ("BLEND", 10)):
        gltf = Gltf()
        picture = png([[(9, 9, 9, 10)]])
        gltf.header["images"] = [{"bufferView": gltf.view(picture)}]
        gltf.header["textures"] = [{"source": 0}]
        look = {"baseColorTexture": {"index": 0}, "baseColorFactor": [1, 1, 1, 0.5]}
        _quad(gltf, alphaMode=mode, pbrMetallicRoughness=look)
        scene = read_scene(gltf.write(tmp_path / f"{mode}.glb"))
        assert scene.textures[0][0, 0, 3] == alpha
        assert scene.materials[0].base_color[3] == (1.0 if mode == "OPAQUE" else 0.5)


def test_equal_pictures_are_kept_once(tmp_path: Path) -> None:
    gltf = Gltf()
    picture = png([[RED]])
    gltf.header["images"] = [{"bufferView": gltf.view(picture)} for _ in range(3)]
    gltf.header["textures"] = [{"source": i} for i in range(3)]
    gltf.header["materials"] = [
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}} for i in range(3)
    ]
    gltf.scene(*(gltf.node(mesh=gltf.mesh(material=i)) for i in range(3)))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert len(scene.textures) == 1
    assert [material.texture_index for material in scene.materials] == [0, 0, 0]


def test_missing_picture_is_listed_and_does_not_stop(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["images"] = [{"uri": "gone.png"}]
    gltf.header["textures"] = [{"source": 0}]
    _quad(gltf, pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    (missing,) = scene.missing_assets
    assert (missing.asset, missing.wanted_by, missing.kind) == (
        "gone.png",
        "paint",
        AssetKind.TEXTURE,
    )
    assert scene.materials[0].texture_index is None


def test_undecodable_picture_is_a_warning(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["images"] = [{"bufferView": gltf.view(b"\x89PNG nonsense"), "name": "wood"}]
    gltf.header["textures"] = [{"source": 0}]
    _quad(gltf, pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert "the picture wood cannot be decoded" in scene.warnings


def test_a_texture_of_an_unknown_kind_is_said(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["extensionsUsed"] = ["MSFT_texture_dds"]
    gltf.header["textures"] = [{"extensions": {"MSFT_texture_dds": {"source": 0}}}]
    _quad(gltf, pbrMetallicRoughness={"baseColorTexture": {"index": 0}})
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert any("texture of paint" in text for text in scene.warnings)
    assert any("MSFT_texture_dds" in text for text in scene.warnings)


def test_glossy_materials_and_webp_pictures(tmp_path: Path) -> None:
    gltf = Gltf()
    stream = io.BytesIO()
    Image.new("RGB", (4, 4), GREEN).save(stream, "WEBP", lossless=True)
    gltf.header["images"] = [{"bufferView": gltf.view(stream.getvalue())}]
    gltf.header["textures"] = [{"extensions": {"EXT_texture_webp": {"source": 0}}}]
    gltf.header["extensionsRequired"] = ["EXT_texture_webp"]
    glossy = {"diffuseFactor": [0.5, 1, 1, 1], "diffuseTexture": {"index": 0}}
    _quad(gltf, extensions={"KHR_materials_pbrSpecularGlossiness": glossy})
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert scene.textures[0][0, 0].tolist() == [*GREEN, 255]
    assert scene.materials[0].base_color == (0.5, 1.0, 1.0, 1.0)


def test_reduced_pictures_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textures, "FULL_SIDE_PX", 1)
    gltf = Gltf()
    _quad(gltf, pbrMetallicRoughness=_with_picture(gltf))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert "1 large textures are shown reduced" in scene.warnings
