"""One standing quad per look, as glTF and as USD, with the colour that it must show.

The quad is 2 × 2 m, its picture upright; a grey wall of the same size stands 0.5 m behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worlds.scene_files import Gltf, png, usda

from waypost.domain.scene.scene import Material

Rgb = tuple[float, float, float]

GREY: Rgb = (0.2, 0.2, 0.2)
"""Linear colour of the wall behind."""


@dataclass(frozen=True)
class Written:
    """A look in both formats; pictures lie beside the files as ``a.png``, ``b.png``."""

    gltf: Callable[[Gltf], dict[str, Any]]
    """Gives the material and, under ``attributes``, more attributes of the quad."""

    usd: str
    """The inside of a preview surface and the shaders beside it, split by ``---``; then more of
    the mesh."""

    shown: dict[tuple[float, float], Rgb | str]
    """Where on the quad (0 to 1, from the lower left) → the linear base colour of an opaque plain
    material that looks the same, ``behind`` for the wall, or ``glow r g b`` in sRGB bytes."""

    pictures: dict[str, Any] = field(default_factory=dict)

    materialx: str = ""
    """The inside of the same material as a network of MaterialX nodes, if it can be one."""


def quad_points(y: float = 0.0) -> list[list[float]]:
    """Corners in the stage's frame (Z up), counter-clockwise seen from −y."""
    return [[0, y, 0], [2, y, 0], [2, y, 2], [0, y, 2]]


def write_glb(folder: Path, look: Written, *, is_turned: bool = False) -> Path:
    """The look as ``a.glb``; ``is_turned`` shows the back of the quad."""
    gltf = Gltf()
    material = look.gltf(gltf)
    attributes = material.pop("attributes", {})
    grey = {"pbrMetallicRoughness": {"baseColorFactor": [*GREY, 1]}, "doubleSided": True}
    gltf.header["materials"] = [{"name": "look", **material}, {"name": "grey", **grey}]
    faces = [0, 2, 1, 0, 3, 2] if is_turned else [0, 1, 2, 0, 2, 3]
    quads = []
    for y, number in ((0.0, 0), (0.5, 1)):
        points = [[x, z, -depth] for x, depth, z in quad_points(y)]
        more = attributes if number == 0 else {}
        uvs = gltf.accessor([[0, 1], [1, 1], [1, 0], [0, 0]], "f4")
        quads.append(
            {
                "attributes": {
                    "POSITION": gltf.accessor(points, "f4"),
                    "NORMAL": gltf.accessor([[0, 0, 1]] * 4, "f4"),
                    "TEXCOORD_0": uvs,
                    **more,
                },
                "indices": gltf.accessor(faces if number == 0 else [0, 1, 2, 0, 2, 3], "u2"),
                "material": number,
            }
        )
    gltf.scene(*(gltf.node(mesh=gltf.primitives([quad])) for quad in quads))
    return gltf.write(folder / "a.glb")


def write_usda(folder: Path, look: Written, *, is_materialx: bool = False) -> Path:
    """The look as ``a.usda``, as a preview surface or as a network of MaterialX."""
    for name, pixels in look.pictures.items():
        (folder / name).write_bytes(png(pixels))
    inputs, shaders, mesh = (part.strip() for part in look.usd.split("---"))
    binding = "rel material:binding = </Looks/Look>" if inputs else ""
    body = _quad("Quad", quad_points(), f"{binding}\n{mesh}")
    body += _quad("Wall", quad_points(0.5), "rel material:binding = </Looks/Grey>")
    grey = f"color3f inputs:diffuseColor = {GREY}"
    made = f'def Material "Look" {{{look.materialx}}}\n'
    body += 'def Scope "Looks" {\n' + (made if is_materialx else _material("Look", inputs, shaders))
    return usda(folder / "a.usda", body + _material("Grey", grey, "") + "}\n")


def texture(name: str, file: str, more: str = "", st: str = "R.outputs:result") -> str:
    """A texture shader beside the surface of ``Looks/Look``."""
    return f"""
def Shader "{name}" {{
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @./{file}@
    float2 inputs:st.connect = </Looks/Look/{st}>
    {more}
    float3 outputs:rgb
    float outputs:r
    float outputs:a
}}"""


def materialx(shader: str, color: str, more: str) -> str:
    """A material of one surface whose colour an output of ``more`` makes."""
    name = "diffuseColor" if shader == "UsdPreviewSurface" else "base_color"
    return f"""
token outputs:mtlx:surface.connect = </Looks/Look/S.outputs:surface>
def Shader "S" {{
    uniform token info:id = "ND_{shader}_surfaceshader"
    color3f inputs:{name}.connect = </Looks/Look/{color}>
    token outputs:surface
}}
{more}
"""


READER = """
def Shader "R" {
    uniform token info:id = "UsdPrimvarReader_float2"
    string inputs:varname = "st"
    float2 outputs:result
}"""


def reference(color: Rgb) -> Material:
    """The plain material that looks like a colour."""
    return Material("plain", (*color, 1.0))


def _quad(name: str, points: list[list[float]], more: str) -> str:
    shown = ", ".join(str(tuple(point)) for point in points)
    return f"""
def Mesh "{name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [{shown}]
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
    uniform token subdivisionScheme = "none"
    {more}
}}
"""


def _material(name: str, inputs: str, shaders: str) -> str:
    return f"""
def Material "{name}" {{
    token outputs:surface.connect = </Looks/{name}/S.outputs:surface>
    def Shader "S" {{
        uniform token info:id = "UsdPreviewSurface"
        {inputs}
        token outputs:surface
    }}
    {shaders}
}}
"""
