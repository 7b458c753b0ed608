"""Base colours of MaterialX documents, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from worlds.scene_files import png, usda

from waypost.domain.scene.scene import Scene
from waypost.domain.scene.texture_wrap import TextureWrap, WrapMode
from waypost.io.scenes.decode_scene import decode_at_once
from waypost.io.scenes.materialx_documents import base_colors

DOCUMENT = """<?xml version="1.0"?>
<materialx version="1.38" colorspace="lin_rec709">
  <nodegraph name="NG" fileprefix="tex/">
    <tiledimage name="img" type="color3">
      <input name="file" type="filename" value="a.png" colorspace="srgb_texture"/>
      <input name="uvtiling" type="vector2" value="2, 3"/>
      <input name="uaddressmode" type="string" value="mirror"/>
    </tiledimage>
    <output name="out" type="color3" nodename="img"/>
  </nodegraph>
  <standard_surface name="S" type="surfaceshader">
    <input name="base" type="float" value="0.5"/>
    <input name="base_color" type="color3" nodegraph="NG" output="out"/>
  </standard_surface>
  <surfacematerial name="Tiled" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="S"/>
  </surfacematerial>
  <UsdPreviewSurface name="P" type="surfaceshader">
    <input name="diffuseColor" type="color3" value="0.1, 0.2, 0.3"/>
  </UsdPreviewSurface>
  <surfacematerial name="Plain" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="P"/>
  </surfacematerial>
  <open_pbr_surface name="O" type="surfaceshader">
    <input name="base_color" type="color3" value="1, 0.5, 0" colorspace="srgb_texture"/>
  </open_pbr_surface>
  <surfacematerial name="Open" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="O"/>
  </surfacematerial>
  <noise2d name="noise" type="color3"/>
  <standard_surface name="N" type="surfaceshader">
    <input name="base_color" type="color3" nodename="noise"/>
  </standard_surface>
  <surfacematerial name="Noisy" type="material">
    <input name="surfaceshader" type="surfaceshader" nodename="N"/>
  </surfacematerial>
</materialx>"""

QUAD = """
def Mesh "Quad" (prepend apiSchemas = ["MaterialBindingAPI"]) {
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
    uniform token subdivisionScheme = "none"
    rel material:binding = <%s>
}
"""


def stage(folder: Path, name: str, *, is_below: bool = False, document: str = DOCUMENT) -> Scene:
    """A quad with a material of the document, referred to itself or below its scope."""
    (folder / "m.mtlx").write_text(document)
    (folder / "tex").mkdir(exist_ok=True)
    (folder / "tex/a.png").write_bytes(png(np.full((2, 2, 3), 188, np.uint8)))
    if is_below:
        looks = 'def "Looks" (references = @./m.mtlx@</MaterialX/Materials>) {}'
        bound = f"/Looks/{name}"
    else:
        looks = f'def Material "M" (references = @./m.mtlx@</MaterialX/Materials/{name}>) {{}}'
        bound = "/M"
    return decode_at_once(usda(folder / "a.usda", looks + QUAD % bound))


def test_constants_and_pictures_are_read_with_their_weight() -> None:
    found = base_colors(DOCUMENT.encode())
    assert list(found) == ["Tiled", "Plain", "Open"]
    assert found["Plain"].color == (0.1, 0.2, 0.3)
    # sRGB 0.5 is linear ((0.5 + 0.055) / 1.055) ** 2.4
    assert found["Open"].color == pytest.approx((1.0, 0.21404, 0.0), abs=1e-5)
    tiled = found["Tiled"]
    assert (tiled.file, tiled.color, tiled.is_linear) == ("tex/a.png", (0.5, 0.5, 0.5), False)
    assert tiled.uv_rows == (2.0, 0.0, 0.0, 0.0, 3.0, 0.0)


@pytest.mark.parametrize("is_below", [False, True])
def test_a_stage_shows_base_colours_of_a_document(tmp_path: Path, is_below: bool) -> None:
    scene = stage(tmp_path, "Plain", is_below=is_below)
    assert not scene.missing_assets
    assert any("MaterialX beside the base colour" in text for text in scene.not_shown)
    (mesh,) = scene.meshes
    assert mesh.material_index is not None
    assert scene.materials[mesh.material_index].base_color == (0.1, 0.2, 0.3, 1.0)


def test_a_stage_shows_tiled_pictures_of_a_document(tmp_path: Path) -> None:
    scene = stage(tmp_path, "Tiled")
    assert not scene.missing_assets
    (mesh,) = scene.meshes
    assert mesh.material_index is not None
    assert mesh.uvs is not None
    material = scene.materials[mesh.material_index]
    assert material.base_color == (0.5, 0.5, 0.5, 1.0)
    assert material.texture_index is not None
    assert scene.textures[material.texture_index][0, 0].tolist() == [188, 188, 188, 255]
    assert scene.wrap_of(material.texture_index) == TextureWrap(WrapMode.MIRROR, WrapMode.REPEAT)
    assert mesh.uvs.max(axis=0).tolist() == [2.0, 3.0]


def test_what_nodes_compute_is_listed(tmp_path: Path) -> None:
    scene = stage(tmp_path, "Noisy")
    assert not scene.missing_assets
    assert any("no constant and no single picture" in text for text in scene.not_shown)


NETWORK = """
def Material "M" {
    float inputs:share = 0.5
    token outputs:mtlx:surface.connect = </M/S.outputs:out>
    def Shader "S" {
        uniform token info:id = "ND_%s"
        %s
        token outputs:out
    }
    def Shader "I" {
        uniform token info:id = "ND_tiledimage_color3"
        asset inputs:file = @./tex/a.png@ (colorSpace = "%s")
        float2 inputs:uvtiling = (2, 3)
        float2 inputs:uvoffset = (0.5, 0)
        color3f outputs:out
    }
    def Shader "F" {
        uniform token info:id = "ND_image_float"
        asset inputs:file = @./tex/a.png@
        float outputs:out
    }
}
"""


def network(folder: Path, surface: str, inputs: str, space: str = "srgb_texture") -> Scene:
    """A quad with a material of MaterialX nodes that stand in the stage."""
    (folder / "tex").mkdir(exist_ok=True)
    (folder / "tex/a.png").write_bytes(png(np.full((2, 2, 3), 188, np.uint8)))
    text = NETWORK % (surface, inputs, space) + QUAD % "/M"
    return decode_at_once(usda(folder / "a.usda", text))


@pytest.mark.parametrize(
    ("surface", "inputs", "color"),
    [
        ("standard_surface", "color3f inputs:base_color = (0.2, 0.4, 1)", (0.2, 0.4, 1.0)),
        ("standard_surface", "float inputs:base.connect = </M.inputs:share>", (0.4, 0.4, 0.4)),
        ("UsdPreviewSurface", "color3f inputs:diffuseColor = (1, 0, 0)", (1.0, 0.0, 0.0)),
        ("gltf_pbr", "float inputs:metallic = 0", (1.0, 1.0, 1.0)),
        (
            "open_pbr_surface",
            'color3f inputs:base_color = (1, 0.5, 0) (colorSpace = "srgb_texture")',
            (1.0, 0.21404, 0.0),
        ),
    ],
)
def test_a_network_in_a_stage_has_a_base_colour(
    surface: str, inputs: str, color: tuple[float, ...], tmp_path: Path
) -> None:
    scene = network(tmp_path, f"{surface}_surfaceshader", inputs)
    assert scene.materials[0].base_color == pytest.approx((*color, 1.0), abs=1e-5)
    (listed,) = scene.not_shown
    assert "parts of MaterialX beside the base colour" in listed


def test_a_network_in_a_stage_has_a_tiled_picture_with_its_weight(tmp_path: Path) -> None:
    inputs = "color3f inputs:base_color.connect = </M/I.outputs:out>\nfloat inputs:base = 0.25"
    # linear 188 is sRGB 1.055 * (188 / 255) ** (1 / 2.4) - 0.055
    for space, shown in (("srgb_texture", 188), ("lin_rec709", 223)):
        scene = network(tmp_path, "standard_surface_surfaceshader", inputs, space)
        assert not scene.missing_assets
        (mesh,) = scene.meshes
        material = scene.materials[mesh.material_index or 0]
        assert material.base_color == (0.25, 0.25, 0.25, 1.0)
        assert scene.textures[material.texture_index or 0][0, 0, 0] == shown
        assert mesh.uvs is not None
        assert [mesh.uvs.min(axis=0).tolist(), mesh.uvs.max(axis=0).tolist()] == [
            [-0.5, 0.0],
            [1.5, 3.0],
        ]


def test_coordinates_that_are_asked_for_by_number_are_listed(tmp_path: Path) -> None:
    document = DOCUMENT.replace(
        '<input name="uvtiling"', '<input name="texcoord" type="vector2" nodename="uv"/>'
        '<input name="uvtiling"',
    ).replace(
        "<output", '<texcoord name="uv" type="vector2"><input name="index" type="integer"'
        ' value="1"/></texcoord><output', 1,
    )  # fmt: skip
    for text, number in ((document, 1), (document.replace('value="1"', 'value="0"'), 0)):
        assert base_colors(text.encode())["Tiled"].uv_set == number
    scene = stage(tmp_path, "Tiled", document=document)
    assert scene.materials[scene.meshes[0].material_index or 0].texture_index is not None
    assert any("asks for by a number above 0 are not shown" in text for text in scene.not_shown)


@pytest.mark.parametrize(
    ("surface", "inputs"),
    [
        ("mix_surfaceshader", "float inputs:mix = 0.5"),
        (
            "standard_surface_surfaceshader",
            "color3f inputs:base_color.connect = </M/F.outputs:out>",
        ),
        (
            "standard_surface_surfaceshader",
            "color3f inputs:base_color.connect = </M/S.outputs:out>",
        ),
    ],
)
def test_what_a_network_computes_is_listed(surface: str, inputs: str, tmp_path: Path) -> None:
    (listed,) = network(tmp_path, surface, inputs).not_shown
    assert "no constant and no single picture" in listed


def test_a_picture_that_is_not_there_is_missing(tmp_path: Path) -> None:
    stage(tmp_path, "Tiled")
    (tmp_path / "tex/a.png").unlink()
    (missing,) = decode_at_once(tmp_path / "a.usda").missing_assets
    assert (missing.asset, missing.reason) == ("tex/a.png", "does not exist")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"x", "is no XML"),
        (b"<svg/>", "no MaterialX document"),
        (b'<!DOCTYPE a [<!ENTITY b "x">]><materialx>&b;</materialx>', "document type"),
    ],
)
def test_what_is_no_document_is_refused(text: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        base_colors(text)


def test_a_damaged_document_is_said_to_be_unread(tmp_path: Path) -> None:
    stage(tmp_path, "Plain")
    (tmp_path / "m.mtlx").write_bytes(b"<materialx")
    (missing,) = decode_at_once(tmp_path / "a.usda").missing_assets
    assert "no base colour could be read" in missing.reason
