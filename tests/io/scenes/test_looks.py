"""What readers make of looks: exact bytes and coordinates, and a list of what is not drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from worlds.ktx2_files import ktx2
from worlds.look_cases import LOOKS, QUARTERS, enlarged
from worlds.looks_as_written import READER, Written, texture, write_glb, write_usda
from worlds.scene_files import Gltf, cube_glb, png, usd_cube, usda

from waypost.domain.scene.scene import Scene
from waypost.io.scenes.decode_scene import decode_at_once as read_scene


def quad_of(scene: Scene) -> int:
    """Index of the quad at y = 0, which has the look."""
    return next(i for i, m in enumerate(scene.meshes) if not m.vertices[:, 1].any())


# sRGB bytes of linear 0.8 and 0.2: 1.055 · v^(1/2.4) − 0.055 is 0.9063 and 0.4845
@pytest.mark.parametrize("name", [name for name in LOOKS if name.startswith("vertex colours, ")])
@pytest.mark.parametrize("write", [write_glb, write_usda])
def test_vertex_colours_are_kept_corner_by_corner(name: str, write: object, tmp_path: Path) -> None:
    scene = read_scene(write(tmp_path, LOOKS[name]))  # type: ignore[operator]
    mesh = scene.meshes[quad_of(scene)]
    assert mesh.colors is not None
    for vertex, color in zip(mesh.vertices, mesh.colors, strict=True):
        wanted = (231, 0, 124) if vertex[0] < 1 else (124, 0, 231)
        assert tuple(color.tolist()) == pytest.approx(wanted, abs=1)


def test_a_colour_per_face_is_not_averaged(tmp_path: Path) -> None:
    colors = ", ".join(["(1, 0, 0)"] * 3 + ["(0, 0, 1)"] * 3)
    more = f'color3f[] primvars:displayColor = [{colors}] (interpolation = "uniform")'
    mesh = read_scene(usda(tmp_path / "a.usda", usd_cube("C", more=more))).meshes[0]
    assert mesh.colors is not None
    per_face = {tuple(mesh.colors[face].reshape(-1).tolist()) for face in mesh.faces}
    assert per_face == {(255, 0, 0) * 3, (0, 0, 255) * 3}


def test_indexed_and_inherited_display_colours_count(tmp_path: Path) -> None:
    indexed = """color3f[] primvars:displayColor = [(0, 1, 0), (1, 0, 0)] (
        interpolation = "vertex"
    )
    int[] primvars:displayColor:indices = [1, 1, 1, 1, 0, 0, 0, 0]"""
    parent = 'color3f[] primvars:displayColor = [(0, 0, 1)] (interpolation = "constant")'
    body = usd_cube("C", more=indexed) + f'def Xform "P" {{ {parent} {usd_cube("D")} }}'
    scene = read_scene(usda(tmp_path / "a.usda", body))
    first, second = scene.meshes
    assert first.colors is not None
    is_low = first.vertices[:, 2] < 0.5
    assert np.unique(first.colors[is_low], axis=0).tolist() == [[255, 0, 0]]
    assert np.unique(first.colors[~is_low], axis=0).tolist() == [[0, 255, 0]]
    assert scene.materials[second.material_index or 0].base_color == (0, 0, 1, 1)


def test_display_opacity_counts_without_material(tmp_path: Path) -> None:
    more = "float[] primvars:displayOpacity = [0.25]"
    scene = read_scene(usda(tmp_path / "a.usda", usd_cube("C", more=more)))
    assert scene.materials[scene.meshes[0].material_index or 0].base_color[3] == 0.25


def test_a_turned_picture_is_turned_counter_clockwise(tmp_path: Path) -> None:
    turned = """
    def Shader "M" {
        uniform token info:id = "UsdTransform2d"
        float2 inputs:in.connect = </Looks/Look/R.outputs:result>
        float inputs:rotation = 90
        float2 inputs:scale = (2, 3)
        float2 inputs:translation = (0.5, 0.25)
        float2 outputs:result
    }"""
    look = Written(
        lambda _: {},
        "color3f inputs:diffuseColor.connect = </Looks/Look/T.outputs:rgb> ---"
        + texture("T", "a.png", st="M.outputs:result")
        + turned
        + READER
        + "---",
        {},
        {"a.png": QUARTERS},
    )
    scene = read_scene(write_usda(tmp_path, look))
    mesh = scene.meshes[quad_of(scene)]
    # (s, t) scaled is (2 s, 3 t), turned by 90° is (−3 t, 2 s), moved by (0.5, 0.25)
    assert mesh.uvs is not None
    wanted = [(0.5 - 3 * z / 2, 0.25 + 2 * x / 2) for x, _, z in mesh.vertices.tolist()]
    np.testing.assert_allclose(mesh.uvs, wanted, atol=1e-6)


def test_a_light_map_has_coordinates_of_its_own(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["images"] = [
        {"bufferView": gltf.view(png(enlarged(QUARTERS)))},
        {"bufferView": gltf.view(png([[(51, 0, 0)]]))},
    ]
    gltf.header["textures"] = [{"source": 0}, {"source": 1}]
    baked = {"index": 1, "texCoord": 1, "strength": 0.5}
    look = {"baseColorTexture": {"index": 0}}
    gltf.header["materials"] = [{"pbrMetallicRoughness": look, "occlusionTexture": baked}]
    attributes = {
        "POSITION": gltf.accessor([[0, 0, 0], [1, 0, 0], [0, 2, 0]], "f4"),
        "TEXCOORD_0": gltf.accessor([[0, 0], [1, 0], [0, 1]], "f4"),
        "TEXCOORD_1": gltf.accessor([[0.5, 0.5], [0.75, 0.5], [0.5, 1]], "f4"),
    }
    gltf.scene(gltf.node(mesh=gltf.primitives([{"attributes": attributes, "material": 0}])))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    mesh = scene.meshes[0]
    assert mesh.light_uvs is not None
    np.testing.assert_allclose(mesh.light_uvs, [[0.5, 0.5], [0.75, 0.5], [0.5, 0]])
    # 1 + 0.5 (51 / 255 − 1) = 0.6
    index = scene.materials[0].occlusion_texture_index
    assert index is not None
    assert scene.textures[index][0, 0, 0] == 153


def test_emission_is_multiplied_by_its_strength_up_to_white(tmp_path: Path) -> None:
    gltf = cube_glb()
    strength = {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}}
    look = {"emissiveFactor": [0.1, 0.2, 0.5], "extensions": strength}
    gltf.header["materials"] = [look]
    gltf.header["meshes"][0]["primitives"][0]["material"] = 0
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert scene.materials[0].emissive_color == pytest.approx((0.4, 0.8, 1.0))


def test_what_is_not_drawn_is_listed_once_per_kind(tmp_path: Path) -> None:
    gltf = Gltf()
    gltf.header["images"] = [{"bufferView": gltf.view(png(QUARTERS))}]
    gltf.header["textures"] = [{"source": 0}]
    gltf.header["materials"] = [
        {"name": "oak", "normalTexture": {"index": 0}},
        {"name": "ash", "normalTexture": {"index": 0}},
        {"name": "pane", "extensions": {"KHR_materials_transmission": {"transmissionFactor": 1}}},
        {"name": "chrome", "pbrMetallicRoughness": {"metallicFactor": 1, "roughnessFactor": 0}},
        {"name": "wall", "pbrMetallicRoughness": {"metallicFactor": 0, "roughnessFactor": 1}},
    ]
    gltf.scene(*(gltf.node(mesh=gltf.mesh(material=number)) for number in range(5)))
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert scene.not_shown == (
        "effects of KHR_materials_transmission are not shown (pane)",
        "normal maps are not shown (oak and 1 more)",
        "reflections (metal and gloss) are not shown (chrome)",
    )


def test_what_a_preview_surface_asks_for_and_is_not_drawn_is_listed(tmp_path: Path) -> None:
    look = Written(
        lambda _: {},
        "color3f inputs:diffuseColor = (1, 0, 0)\nfloat inputs:metallic = 0.5\n"
        "float inputs:clearcoat = 0\nnormal3f inputs:normal.connect = </Looks/Look/T.outputs:rgb>"
        " ---" + texture("T", "a.png") + READER + "---",
        {},
        {"a.png": QUARTERS},
    )
    assert read_scene(write_usda(tmp_path, look)).not_shown == (
        "normal maps are not shown (/Looks/Look)",
        "reflections (metal and gloss) are not shown (/Looks/Look)",
    )


def test_vertex_colours_of_a_wrong_kind_are_left_out_by_name(tmp_path: Path) -> None:
    gltf = cube_glb()
    primitive = gltf.header["meshes"][0]["primitives"][0]
    primitive["attributes"]["COLOR_0"] = gltf.accessor([[1, 0]] * 8, "f4")
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    assert scene.meshes[0].colors is None
    assert any("vertex colours" in text for text in scene.warnings)


@pytest.mark.parametrize(("picture", "texel"), [(ktx2((200, 100, 50, 255), 8), 200), (b"", None)])
def test_a_ktx2_picture_is_decoded(picture: bytes, texel: int | None, tmp_path: Path) -> None:
    gltf = cube_glb()
    broken = ktx2((0, 0, 0, 255), 8)[:90]
    gltf.header["images"] = [{"bufferView": gltf.view(picture or broken)}]
    gltf.header["textures"] = [{"extensions": {"KHR_texture_basisu": {"source": 0}}}]
    gltf.header["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    gltf.header["meshes"][0]["primitives"][0]["material"] = 0
    gltf.header["extensionsRequired"] = ["KHR_texture_basisu"]
    scene = read_scene(gltf.write(tmp_path / "a.glb"))
    if texel is None:
        assert any("cannot be decoded" in text for text in scene.warnings)
    else:
        assert scene.textures[0].shape == (8, 8, 4)
        assert scene.textures[0][3, 3].tolist() == [200, 100, 50, 255]
