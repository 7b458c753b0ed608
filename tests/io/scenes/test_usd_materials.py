from __future__ import annotations

from pathlib import Path

import pytest
from pxr import UsdUtils
from worlds.scene_files import png, texel, usd_cube, usda

from waypost.domain.scene.scene import AssetKind
from waypost.io.scenes.decode_scene import decode_at_once as read_scene

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)

_MATERIAL = """
def Scope "Looks"
{
    def Material "Paint"
    {
        token outputs:surface.connect = </Looks/Paint/S.outputs:surface>
        def Shader "S"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Looks/Paint/T.outputs:rgb>
            token outputs:surface
        }
        def Shader "T"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @./checker.png@
            float2 inputs:st.connect = </Looks/Paint/R.outputs:result>
            float3 outputs:rgb
        }
        def Shader "R"
        {
            uniform token info:id = "UsdPrimvarReader_float2"
            string inputs:varname = "layout"
            float2 outputs:result
        }
    }
    def Material "Flat"
    {
        token outputs:surface.connect = </Looks/Flat/S.outputs:surface>
        def Shader "S"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor = (0.25, 0.5, 0.75)
            float inputs:opacity = 0.5
            token outputs:surface
        }
    }
}
"""
_QUAD = """
def Mesh "Quad" (prepend apiSchemas = ["MaterialBindingAPI"])
{
    int[] faceVertexCounts = [4, 4]
    int[] faceVertexIndices = [0, 1, 2, 3, 1, 4, 5, 2]
    point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 0, 2), (0, 0, 2), (4, 0, 0), (4, 0, 2)]
    texCoord2f[] primvars:layout = [(0, 0), (1, 0), (1, 1), (0, 1)] (
        interpolation = "faceVarying"
    )
    int[] primvars:layout:indices = [0, 1, 2, 3, 0, 1, 2, 3]
    rel material:binding = </Looks/Paint>
    %s
}
"""


def _write(folder: Path, more: str = "") -> Path:
    (folder / "checker.png").write_bytes(png([[RED, GREEN], [BLUE, WHITE]]))
    return usda(folder / "a.usda", _QUAD % more + _MATERIAL)


def test_face_varying_picture_is_upright_on_every_face(tmp_path: Path) -> None:
    scene = read_scene(_write(tmp_path))
    mesh, texture = scene.meshes[0], scene.textures[0]
    assert mesh.uvs is not None
    assert len(mesh.vertices) == 8
    for face in mesh.faces:
        middle = mesh.vertices[face].mean(axis=0)
        for vertex in face:
            # towards the corner from the middle of the 2 m tile, one quarter in
            tile_x = 1.0 if middle[0] < 2 else 3.0
            point, uv = mesh.vertices[vertex], 0.25 + mesh.uvs[vertex] * 0.5
            expected = {
                (False, True): RED,
                (True, True): GREEN,
                (False, False): BLUE,
                (True, False): WHITE,
            }[bool(point[0] > tile_x), bool(point[2] > 1)]
            assert texel(texture, float(uv[0]), float(uv[1])) == (*expected, 255)
    assert scene.materials[0].name == "/Looks/Paint"


def test_subsets_get_their_own_material_and_the_rest_keeps_the_mesh_one(tmp_path: Path) -> None:
    subset = """
def GeomSubset "Half" (prepend apiSchemas = ["MaterialBindingAPI"])
{
    uniform token elementType = "face"
    uniform token familyName = "materialBind"
    int[] indices = [1]
    rel material:binding = </Looks/Flat>
}
"""
    scene = read_scene(_write(tmp_path, subset))
    parts = {mesh.name: mesh for mesh in scene.meshes}
    assert set(parts) == {"/Quad/Half", "/Quad"}
    assert parts["/Quad/Half"].vertices[:, 0].min() == 2.0
    assert parts["/Quad"].vertices[:, 0].max() == 2.0
    flat = scene.materials[parts["/Quad/Half"].material_index or 0]
    assert flat.base_color == (0.25, 0.5, 0.75, 0.5)
    assert flat.texture_index is None
    paint = scene.materials[parts["/Quad"].material_index or 0]
    assert paint.texture_index == 0


def test_display_color_counts_without_material(tmp_path: Path) -> None:
    cube = usd_cube("C", more="color3f[] primvars:displayColor = [(1, 0.5, 0)]")
    scene = read_scene(usda(tmp_path / "a.usda", cube))
    assert scene.materials[scene.meshes[0].material_index or 0].base_color == (1, 0.5, 0, 1)


def test_package_with_its_picture(tmp_path: Path) -> None:
    source = _write(tmp_path)
    package = tmp_path / "a.usdz"
    assert UsdUtils.CreateNewUsdzPackage(str(source), str(package))
    scene = read_scene(package)
    assert scene.format == "usdz"
    assert scene.textures[0][0, 0].tolist() == [255, 0, 0, 255]
    assert scene.missing_assets == ()


def _mdl(inputs: str) -> str:
    return f"""
{usd_cube("C", more="rel material:binding = </M>")}
def Material "M"
{{
    token outputs:mdl:surface.connect = </M/S.outputs:out>
    def Shader "S"
    {{
        uniform token info:implementationSource = "sourceAsset"
        uniform asset info:mdl:sourceAsset = @OmniPBR.mdl@
        {inputs}
        token outputs:out
    }}
}}
"""


def test_mdl_texture_is_found_by_the_name_of_its_input(tmp_path: Path) -> None:
    (tmp_path / "wood.png").write_bytes(png([[RED]]))
    (tmp_path / "bump.png").write_bytes(png([[BLUE]]))
    body = _mdl(
        "asset inputs:normalmap_texture = @bump.png@\n"
        "asset inputs:diffuse_texture = @wood.png@\n"
        "color3f inputs:diffuse_color_constant = (0, 0, 1)"
    )
    scene = read_scene(usda(tmp_path / "a.usda", body))
    assert [texture[0, 0].tolist() for texture in scene.textures] == [[*RED, 255]]
    assert scene.materials[0].base_color == (1.0, 1.0, 1.0, 1.0)


def test_mdl_without_known_inputs_is_grey(tmp_path: Path) -> None:
    scene = read_scene(usda(tmp_path / "a.usda", _mdl("float inputs:roughness = 1")))
    assert scene.materials[0].base_color == (0.5, 0.5, 0.5, 1.0)


def test_material_without_shader_and_empty_texture_path(tmp_path: Path) -> None:
    body = usd_cube("C", more="rel material:binding = </M>") + 'def Material "M"\n{\n}'
    scene = read_scene(usda(tmp_path / "a.usda", body))
    assert scene.materials[0].name == "/M"
    assert scene.materials[0].texture_index is None
    empty = _QUAD % "" + _MATERIAL.replace("@./checker.png@", "@@")
    assert read_scene(usda(tmp_path / "b.usda", empty)).missing_assets == ()


def test_missing_picture_falls_back_and_an_odd_one_warns(tmp_path: Path) -> None:
    body = _QUAD % "" + _MATERIAL.replace(
        "float3 outputs:rgb", "float4 inputs:fallback = (0, 1, 0, 1)\nfloat3 outputs:rgb"
    )
    path = usda(tmp_path / "a.usda", body)
    scene = read_scene(path)
    assert scene.materials[0].base_color == (0.0, 1.0, 0.0, 1.0)
    (missing,) = scene.missing_assets
    assert (missing.asset, missing.kind) == ("./checker.png", AssetKind.TEXTURE)
    (tmp_path / "checker.png").write_bytes(b"no picture")
    assert "the picture ./checker.png cannot be decoded" in read_scene(path).warnings


def test_texture_scale_tints(tmp_path: Path) -> None:
    path = _write(tmp_path)
    text = path.read_text()
    scale = "float4 inputs:scale = (1, 0.5, 0, 1)"
    path.write_text(text.replace("float3 outputs:rgb", f"{scale}\nfloat3 outputs:rgb"))
    assert read_scene(path).materials[0].base_color == (1.0, 0.5, 0.0, 1.0)


def test_udim_shows_its_first_tile(tmp_path: Path) -> None:
    path = _write(tmp_path)
    (tmp_path / "tile.1001.png").write_bytes(png([[GREEN]]))
    path.write_text(path.read_text().replace("checker.png", "tile.<UDIM>.png"))
    assert read_scene(path).textures[0][0, 0].tolist() == [*GREEN, 255]


@pytest.mark.parametrize(
    ("interpolation", "values", "expected"),
    [
        ("constant", "[(0.25, 0.5)]", [(0.25, 0.5)] * 4),
        ("vertex", "[(0, 0), (1, 0), (1, 1), (0, 1)]", [(0, 0), (1, 0), (1, 1), (0, 1)]),
        ("uniform", "[(0.75, 0.5)]", [(0.75, 0.5)] * 4),
        ("vertex", "[(0, 0)]", None),
    ],
)
def test_interpolations(
    interpolation: str, values: str, expected: list[tuple[float, float]] | None, tmp_path: Path
) -> None:
    body = f"""
def Mesh "Quad"
{{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (2, 0, 0), (2, 0, 2), (0, 0, 2)]
    texCoord2f[] primvars:st = {values} (
        interpolation = "{interpolation}"
    )
}}
"""
    uvs = read_scene(usda(tmp_path / "a.usda", body)).meshes[0].uvs
    assert (None if uvs is None else [tuple(uv) for uv in uvs.tolist()]) == expected
