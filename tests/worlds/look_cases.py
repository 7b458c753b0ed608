"""The looks that both formats can say, with what must be seen; see ``looks_as_written``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from worlds.looks_as_written import READER, Written, materialx, texture
from worlds.scene_files import Gltf, png

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
QUARTERS = [[RED, GREEN], [BLUE, WHITE]]
LINEAR_OF_188 = 0.5029
"""sRGB 188 is linear ((188 / 255 + 0.055) / 1.055) ** 2.4."""

_LEFT_TO_RIGHT = [[0.8, 0, 0.2], [0.2, 0, 0.8], [0.2, 0, 0.8], [0.8, 0, 0.2]]
_MIDDLE = {(0.5, 0.5): (0.5, 0.0, 0.5), (0.25, 0.5): (0.65, 0.0, 0.35)}
_TEXEL_PX = 32
_RED, _GREEN, _BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_WHITE, _BLACK = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)


def enlarged(pixels: Any) -> np.ndarray:
    """Each pixel as a square, so that a card mixes neighbours only at the seams."""
    return np.asarray(pixels, dtype=np.uint8).repeat(_TEXEL_PX, 0).repeat(_TEXEL_PX, 1)


def _picture(gltf: Gltf, pixels: Any, sampler: dict[str, int] | None = None) -> int:
    view = gltf.view(png(enlarged(pixels)))
    gltf.header.setdefault("images", []).append({"bufferView": view})
    textures = gltf.header.setdefault("textures", [])
    textures.append({"source": len(gltf.header["images"]) - 1})
    if sampler is not None:
        gltf.header.setdefault("samplers", []).append(sampler)
        textures[-1]["sampler"] = len(gltf.header["samplers"]) - 1
    return len(textures) - 1


def _vertex_colors(dtype: str, scale: float, alpha: bool = False) -> Any:
    def material(gltf: Gltf) -> dict[str, Any]:
        rows = [[part * scale for part in row] + [scale] * alpha for row in _LEFT_TO_RIGHT]
        more = {} if dtype == "f4" else {"normalized": True}
        return {"attributes": {"COLOR_0": gltf.accessor(rows, dtype, **more)}}

    return material


def _times_factor(gltf: Gltf) -> dict[str, Any]:
    look = {"baseColorFactor": [0.5, 0.5, 0.5, 1]}
    return {"pbrMetallicRoughness": look, **_vertex_colors("f4", 1.0)(gltf)}


def _glow(gltf: Gltf) -> dict[str, Any]:
    black = {"baseColorFactor": [0, 0, 0, 1]}
    return {"pbrMetallicRoughness": black, "emissiveFactor": [1, LINEAR_OF_188, 0]}


def _glow_texture(gltf: Gltf) -> dict[str, Any]:
    black = {"baseColorFactor": [0, 0, 0, 1]}
    glow = {"emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": _picture(gltf, QUARTERS)}}
    return {"pbrMetallicRoughness": black, **glow}


def _transform(gltf: Gltf) -> dict[str, Any]:
    move = {"offset": [0.5, 0], "scale": [0.5, 0.5]}
    reference = {
        "index": _picture(gltf, QUARTERS),
        "extensions": {"KHR_texture_transform": move},
    }
    return {"pbrMetallicRoughness": {"baseColorTexture": reference}}


def _moved(move: dict[str, Any], sampler: dict[str, int] | None = None) -> Any:
    def material(gltf: Gltf) -> dict[str, Any]:
        reference = {
            "index": _picture(gltf, QUARTERS, sampler),
            "extensions": {"KHR_texture_transform": move},
        }
        return {"pbrMetallicRoughness": {"baseColorTexture": reference}}

    return material


def _moved_usd(move: str, wraps: str = "") -> str:
    transform = f"""
def Shader "M" {{
    uniform token info:id = "UsdTransform2d"
    float2 inputs:in.connect = </Looks/Look/R.outputs:result>
    {move}
    float2 outputs:result
}}"""
    shaders = texture("T", "a.png", wraps, st="M.outputs:result") + transform + READER
    return f"{_DIFFUSE}---{shaders}---"


def _beyond(s: int, t: int) -> Any:
    """Three pictures along each side, the middle one being the picture itself."""
    return _moved({"offset": [-1, -1], "scale": [3, 3]}, {"wrapS": s, "wrapT": t})


def _beyond_usd(s: str, t: str) -> str:
    wraps = f'token inputs:wrapS = "{s}"\ntoken inputs:wrapT = "{t}"'
    return _moved_usd("float2 inputs:scale = (3, 3)\nfloat2 inputs:translation = (-1, -1)", wraps)


def _colored_picture(gltf: Gltf) -> dict[str, Any]:
    """The channel of the vertex colour shows a tick, the two others what must not be seen."""
    red = gltf.accessor([[1, 0, 0]] * 4, "f4")
    reference = {"index": _picture(gltf, _TICK_IN_RED)}
    return {
        "pbrMetallicRoughness": {"baseColorTexture": reference},
        "attributes": {"COLOR_0": red},
    }


def _cut_out(gltf: Gltf) -> dict[str, Any]:
    reference = {"index": _picture(gltf, _HALF_CLEAR)}
    return {
        "pbrMetallicRoughness": {"baseColorTexture": reference},
        "alphaMode": "MASK",
        "alphaCutoff": 0.7,
        "doubleSided": True,
    }


def _blended(gltf: Gltf) -> dict[str, Any]:
    reference = {"index": _picture(gltf, _HALF_CLEAR)}
    return {"pbrMetallicRoughness": {"baseColorTexture": reference}, "alphaMode": "BLEND"}


def _occlusion(gltf: Gltf) -> dict[str, Any]:
    baked = {"index": _picture(gltf, [[(128, 0, 0), (255, 0, 0)]] * 2)}
    return {
        "pbrMetallicRoughness": {"baseColorFactor": [0.6, 0.4, 0.2, 1]},
        "occlusionTexture": baked,
    }


_TICK_IN_RED = [[(0, 255, 255), (255, 0, 0)], [(255, 255, 255), (0, 0, 0)]]

_HALF_CLEAR = [[(255, 0, 0, 255), (255, 0, 0, 102)]] * 2
"""Left half opaque, right half of alpha 0.4."""

_COLOR_OF_POINT = (
    "color3f[] primvars:displayColor = [(.8, 0, .2), (.2, 0, .8), (.2, 0, .8), (.8, 0, .2)]"
)
_QUARTERS_SHOWN = {
    (0.25, 0.25): "glow 0 0 255",
    (0.75, 0.25): "glow 255 255 255",
    (0.25, 0.75): "glow 255 0 0",
    (0.75, 0.75): "glow 0 255 0",
}
_DIFFUSE = "color3f inputs:diffuseColor.connect = </Looks/Look/T.outputs:rgb>\n"
_TRANSFORM = """
def Shader "M" {
    uniform token info:id = "UsdTransform2d"
    float2 inputs:in.connect = </Looks/Look/R.outputs:result>
    float2 inputs:scale = (0.5, 0.5)
    float2 inputs:translation = (0.5, 0.5)
    float2 outputs:result
}"""

_PLACED = materialx(
    "standard_surface",
    "I.outputs:out",
    """def Shader "I" {
        uniform token info:id = "ND_image_color3"
        asset inputs:file = @./a.png@ (colorSpace = "srgb_texture")
        float2 inputs:texcoord.connect = </Looks/Look/P.outputs:out>
        color3f outputs:out
    }
    def Shader "P" {
        uniform token info:id = "ND_place2d_vector2"
        float2 inputs:texcoord.connect = </Looks/Look/R.outputs:out>
        float2 inputs:scale = (2, 2)
        float2 inputs:offset = (-0.5, -0.5)
        float2 outputs:out
    }
    def Shader "R" {
        uniform token info:id = "ND_geompropvalue_vector2"
        string inputs:geomprop = "st"
        float2 outputs:out
    }""",
)
_TURNED_IN_A_GRAPH = materialx(
    "gltf_pbr",
    "G.outputs:color",
    """def NodeGraph "G" {
        color3f outputs:color.connect = </Looks/Look/G/I.outputs:outcolor>
        def Shader "I" {
            uniform token info:id = "ND_gltf_colorimage"
            asset inputs:file = @./a.png@
            float inputs:rotate = 90
            float2 inputs:offset = (0.25, 1)
            float2 inputs:scale = (1, 0.5)
            color3f outputs:outcolor
        }
    }""",
)
_MIRRORED = materialx(
    "UsdPreviewSurface",
    "T.outputs:rgb",
    """def Shader "T" {
        uniform token info:id = "ND_UsdUVTexture_23"
        asset inputs:file = @./a.png@
        float2 inputs:st.connect = </Looks/Look/M.outputs:out>
        string inputs:wrapS = "mirror"
        string inputs:wrapT = "periodic"
        color3f outputs:rgb
    }
    def Shader "M" {
        uniform token info:id = "ND_UsdTransform2d"
        float2 inputs:in.connect = </Looks/Look/R.outputs:out>
        float2 inputs:scale = (3, 3)
        float2 inputs:translation = (-1, -1)
        float2 outputs:out
    }
    def Shader "R" {
        uniform token info:id = "ND_UsdPrimvarReader_vector2"
        string inputs:varname = "st"
        float2 outputs:out
    }""",
)
_MULTIPLIED = materialx(
    "open_pbr_surface",
    "V.outputs:out",
    """color3f inputs:tint = (1, 0, 0)
    def Shader "V" {
        uniform token info:id = "ND_convert_color4_color3"
        color4f inputs:in.connect = </Looks/Look/X.outputs:out>
        color3f outputs:out
    }
    def Shader "X" {
        uniform token info:id = "ND_multiply_color4"
        color4f inputs:in1.connect = </Looks/Look/I.outputs:out>
        color4f inputs:in2.connect = </Looks/Look/D.outputs:out>
        color4f outputs:out
    }
    def Shader "D" {
        uniform token info:id = "ND_dot_color4"
        color4f inputs:in.connect = </Looks/Look/C.outputs:out>
        color4f outputs:out
    }
    def Shader "C" {
        uniform token info:id = "ND_constant_color3"
        color3f inputs:value.connect = </Looks/Look.inputs:tint>
        color3f outputs:out
    }
    def Shader "I" {
        uniform token info:id = "ND_image_color4"
        asset inputs:file = @./a.png@
        color4f outputs:out
    }""",
)

LOOKS: dict[str, Written] = {
    "vertex colours, floats": Written(
        _vertex_colors("f4", 1.0),
        f'--- --- {_COLOR_OF_POINT} (interpolation = "vertex")',
        _MIDDLE,
    ),
    "vertex colours, bytes": Written(
        _vertex_colors("u1", 255),
        f'--- --- {_COLOR_OF_POINT} (interpolation = "faceVarying")',
        _MIDDLE,
    ),
    "vertex colours, 16 bits and alpha": Written(
        _vertex_colors("u2", 65535, alpha=True),
        f'--- --- {_COLOR_OF_POINT} (interpolation = "varying")',
        _MIDDLE,
    ),
    "vertex colours times a factor": Written(
        _times_factor,
        """color3f inputs:diffuseColor.connect = </Looks/Look/C.outputs:result>
        --- def Shader "C" {
            uniform token info:id = "UsdPrimvarReader_float3"
            string inputs:varname = "half"
            float3 outputs:result
        }
        --- color3f[] primvars:half = [(.4, 0, .1), (.1, 0, .4), (.1, 0, .4), (.4, 0, .1)] (
            interpolation = "vertex"
        )""",
        {(0.5, 0.5): (0.25, 0.0, 0.25)},
    ),
    "emissive colour": Written(
        _glow,
        "color3f inputs:diffuseColor = (0, 0, 0)\n"
        f"color3f inputs:emissiveColor = (1, {LINEAR_OF_188}, 0) --- ---",
        {(0.5, 0.5): "glow 255 188 0"},
    ),
    "emissive texture": Written(
        _glow_texture,
        "color3f inputs:diffuseColor = (0, 0, 0)\n"
        "color3f inputs:emissiveColor.connect = </Looks/Look/T.outputs:rgb> ---"
        + texture("T", "a.png")
        + READER
        + "---",
        _QUARTERS_SHOWN,
        {"a.png": enlarged(QUARTERS)},
    ),
    "texture transform": Written(
        _transform,
        _DIFFUSE
        + "---"
        + texture("T", "a.png", st="M.outputs:result")
        + _TRANSFORM
        + READER
        + "---",
        {(0.5, 0.5): (0.0, 1.0, 0.0), (0.2, 0.8): (0.0, 1.0, 0.0), (0.8, 0.2): (0.0, 1.0, 0.0)},
        {"a.png": enlarged(QUARTERS)},
        materialx=_PLACED,
    ),
    "texture transform, turned": Written(
        _moved({"rotation": math.pi / 2, "offset": [0, 1]}),
        _moved_usd("float inputs:rotation = 90\nfloat2 inputs:translation = (1, 0)"),
        {
            (0.25, 0.75): _BLUE,
            (0.75, 0.75): _RED,
            (0.25, 0.25): _WHITE,
            (0.75, 0.25): _GREEN,
        },
        {"a.png": enlarged(QUARTERS)},
    ),
    "texture transform, turned, scaled and moved": Written(
        _moved({"rotation": math.pi / 2, "offset": [0.25, 1], "scale": [1, 0.5]}),
        _moved_usd(
            "float inputs:rotation = 90\n"
            "float2 inputs:scale = (1, 0.5)\n"
            "float2 inputs:translation = (0.75, 0)"
        ),
        # to the right the picture goes up, downwards from a quarter to three quarters of it
        {
            (0.25, 0.75): _BLUE,
            (0.75, 0.75): _RED,
            (0.25, 0.25): _WHITE,
            (0.75, 0.25): _GREEN,
        },
        {"a.png": enlarged(QUARTERS)},
        materialx=_TURNED_IN_A_GRAPH,
    ),
    "texture clamped to the right, mirrored upwards": Written(
        _beyond(33071, 33648),
        _beyond_usd("clamp", "mirror"),
        {
            (0.1, 0.4): _BLUE,
            (0.25, 0.4): _BLUE,
            (0.75, 0.4): _WHITE,
            (0.9, 0.6): _GREEN,
            (0.25, 0.75): _RED,
            (0.25, 0.9): _BLUE,
            (0.9, 0.1): _GREEN,
        },
        {"a.png": enlarged(QUARTERS)},
    ),
    "texture mirrored to the right, repeated upwards": Written(
        _beyond(33648, 10497),
        _beyond_usd("mirror", "repeat"),
        {
            (0.1, 0.4): _WHITE,
            (0.25, 0.4): _BLUE,
            (0.75, 0.4): _WHITE,
            (0.9, 0.4): _BLUE,
            (0.25, 0.75): _BLUE,
            (0.25, 0.9): _RED,
        },
        {"a.png": enlarged(QUARTERS)},
        materialx=_MIRRORED,
    ),
    "vertex colours times a texture": Written(
        _colored_picture,
        _DIFFUSE
        + "---"
        + texture("T", "a.png", "float4 inputs:scale = (1, 0, 0, 1)")
        + READER
        + "---",
        {
            (0.25, 0.75): _BLACK,
            (0.75, 0.75): _RED,
            (0.25, 0.25): _RED,
            (0.75, 0.25): _BLACK,
        },
        {"a.png": enlarged(_TICK_IN_RED)},
        materialx=_MULTIPLIED,
    ),
    "cut-out": Written(
        _cut_out,
        _DIFFUSE
        + "float inputs:opacity.connect = </Looks/Look/T.outputs:a>\n"
        + "float inputs:opacityThreshold = 0.7 ---"
        + texture("T", "a.png")
        + READER
        + "---",
        {(0.2, 0.5): (1.0, 0.0, 0.0), (0.8, 0.5): "behind"},
        {"a.png": enlarged(_HALF_CLEAR)},
    ),
    "blended texture": Written(
        _blended,
        _DIFFUSE
        + "float inputs:opacity.connect = </Looks/Look/O.outputs:r> ---"
        + texture("T", "a.png")
        + texture("O", "b.png")
        + READER
        + "---",
        {(0.1, 0.5): (1.0, 0.0, 0.0), (0.9, 0.5): "red at 0.4"},
        {"a.png": enlarged([[RED, RED]] * 2), "b.png": enlarged([[(255, 0, 0), (102, 0, 0)]] * 2)},
    ),
    "occlusion": Written(
        _occlusion,
        "color3f inputs:diffuseColor = (0.6, 0.4, 0.2)\n"
        "float inputs:occlusion.connect = </Looks/Look/T.outputs:r> ---"
        + texture("T", "a.png")
        + READER
        + "---",
        {(0.1, 0.5): (0.3012, 0.2008, 0.1004), (0.9, 0.5): (0.6, 0.4, 0.2)},
        {"a.png": enlarged([[(128, 0, 0), (255, 0, 0)]] * 2)},
    ),
}
