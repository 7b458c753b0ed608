"""Base colours of MaterialX networks: a constant or one picture; the rest is not read.

Source:
    MaterialX specification 1.38 and its libraries: stdlib, standard_surface, UsdPreviewSurface,
    open_pbr_surface and gltf_pbr, with their node graphs of tiledimage, gltf_image and place2d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap, WrapMode
from waypost.io.scenes.color_numbers import linear_of_srgb

_BASE_COLORS: Final = {
    "standard_surface": ("base_color", "base", (0.8, 0.8, 0.8)),
    "open_pbr_surface": ("base_color", "base_weight", (0.8, 0.8, 0.8)),
    "UsdPreviewSurface": ("diffuseColor", "", (0.18, 0.18, 0.18)),
    "gltf_pbr": ("base_color", "", (1.0, 1.0, 1.0)),
}
"""Surface → its colour, its weight (1 if it says nothing) and the colour if it says nothing."""

_FACTORS: Final[dict[str, tuple[str, ...]]] = {
    "image": (),
    "tiledimage": (),
    "UsdUVTexture": ("scale",),
    "gltf_image": ("factor",),
    "gltf_colorimage": ("color", "geomcolor"),
}
"""Picture → the inputs that it is multiplied with."""

_GLTF_PICTURES: Final = frozenset({"gltf_image", "gltf_colorimage"})
_PASSES_ON: Final = frozenset({"convert", "dot"})
_READS_PRIMVAR: Final = {"geompropvalue": "geomprop", "UsdPrimvarReader": "varname"}
_WRAPS: Final = {
    "periodic": WrapMode.REPEAT,
    "mirror": WrapMode.MIRROR,
    "clamp": WrapMode.CLAMP,
    "constant": WrapMode.BLACK,
    "black": WrapMode.BLACK,
}
_LONGEST_CHAIN: Final = 8
_SRGB: Final = frozenset(
    {"srgb_texture", "srgb_displayp3", "srgb_rec709_scene", "srgb_rec709_display", "sRGB"}
)

COLOR_PICTURES: Final = tuple(_FACTORS)
"""Nodes that read a picture file."""

NODE_KINDS: Final = (
    *_BASE_COLORS,
    *COLOR_PICTURES,
    *_PASSES_ON,
    *_READS_PRIMVAR,
    *("constant", "multiply", "texcoord", "place2d", "UsdTransform2d"),
)
"""Every node that is read, by the name of the library."""

Color = tuple[float, float, float]
_Matrix = NDArray[np.float64]
_WHITE: Final = (1.0, 1.0, 1.0)
_UNMOVED: Final = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


class ShadingInput(Protocol):
    """An input of a node, after those of node graphs around it."""

    @property
    def color_space(self) -> str:
        """Of its value, by name; empty for linear numbers."""

    def numbers(self) -> tuple[float, ...] | None:
        """Its constant; ``None`` if a node makes it, or if it is no number."""

    def text(self) -> str:
        """Its constant as text; for a picture what finds the file."""

    def source(self) -> ShadingNode | None:
        """The node that makes it."""


class ShadingNode(Protocol):
    """A node of a network."""

    @property
    def kind(self) -> str:
        """One of ``NODE_KINDS``, or anything else."""

    def input(self, name: str) -> ShadingInput | None:
        """What is stated for an input; ``None`` for nothing."""


@dataclass(frozen=True, slots=True)
class MaterialXBase:
    """The base colour of one material."""

    color: Color
    """Linear factor, multiplied with the picture."""

    file: str = ""
    """The picture, as the text of its input; empty for none."""

    is_linear: bool = False
    """Whether the numbers of the picture are linear, not sRGB."""

    uv_rows: tuple[float, ...] = _UNMOVED
    """(2, 3) matrix, row by row, from the coordinates to the picture, v = 0 at the bottom row."""

    uv_primvar: str | None = None
    """Which coordinates it reads; ``None`` if it does not say."""

    uv_set: int = 0
    """Their number, where they have no name."""

    wrap: TextureWrap = REPEATED


def base_of(surface: ShadingNode) -> MaterialXBase | None:
    """The base colour of a surface; ``None`` if it is made in a way that is not read."""
    if surface.kind not in _BASE_COLORS:
        return None
    name, weight_name, usual = _BASE_COLORS[surface.kind]
    entry, weight = surface.input(name), surface.input(weight_name)
    base = MaterialXBase(usual) if entry is None else _made_by(entry, _LONGEST_CHAIN)
    factor = MaterialXBase(_WHITE) if weight is None else _made_by(weight, _LONGEST_CHAIN)
    return _product(base, factor)


def _made_by(entry: ShadingInput, nodes_left: int) -> MaterialXBase | None:
    """A colour, followed through as many nodes as are left."""
    color = _constant(entry)
    if color is not None:
        return MaterialXBase(color)
    node = entry.source()
    if node is None or nodes_left == 0:
        return None
    if node.kind in _PASSES_ON:
        return _input_of(node, "in", nodes_left)
    if node.kind == "constant":
        return _input_of(node, "value", nodes_left)
    if node.kind == "multiply":
        first, second = (_input_of(node, name, nodes_left) for name in ("in1", "in2"))
        return _product(first, second)
    return _picture(node, nodes_left) if node.kind in _FACTORS else None


def _input_of(node: ShadingNode, name: str, nodes_left: int) -> MaterialXBase | None:
    entry = node.input(name)
    return None if entry is None else _made_by(entry, nodes_left - 1)


def _constant(entry: ShadingInput) -> Color | None:
    held = entry.numbers()
    if held is None or len(held) not in (1, 3, 4) or not np.isfinite(held).all():
        return None
    color = (held[0], held[0], held[0]) if len(held) == 1 else (held[0], held[1], held[2])
    return linear_of_srgb(color) if entry.color_space in _SRGB else color


def _product(first: MaterialXBase | None, second: MaterialXBase | None) -> MaterialXBase | None:
    """Both multiplied, if not both are pictures."""
    if first is None or second is None or (first.file and second.file):
        return None
    (r, g, b), (red, green, blue) = first.color, second.color
    return replace(first if first.file else second, color=(r * red, g * green, b * blue))


def _picture(node: ShadingNode, nodes_left: int) -> MaterialXBase | None:
    entry = node.input("file")
    placing = _placing(node)
    if entry is None or not entry.text() or placing is None:
        return None
    matrix, primvar, uv_set = placing
    names = ("wrapS", "wrapT") if node.kind == "UsdUVTexture" else ("uaddressmode", "vaddressmode")
    s, t = (_WRAPS.get(_text(node, name), WrapMode.REPEAT) for name in names)
    base: MaterialXBase | None = MaterialXBase(
        _WHITE,
        entry.text(),
        is_linear=entry.color_space not in _SRGB,
        uv_rows=tuple(matrix[:2].reshape(-1).tolist()),
        uv_primvar=primvar,
        uv_set=uv_set,
        wrap=TextureWrap(s, t),
    )
    for name in _FACTORS[node.kind]:
        if node.input(name) is not None:
            base = _product(base, _input_of(node, name, nodes_left))
    return base


def _placing(picture: ShadingNode) -> tuple[_Matrix, str | None, int] | None:
    """(3, 3) matrix from coordinates to a picture, their name and number; ``None`` if not read."""
    matrix = _own_placing(picture)
    node = _source(picture, "st" if picture.kind == "UsdUVTexture" else "texcoord")
    for _ in range(_LONGEST_CHAIN):
        if node is None:
            return matrix, None, int(_number(picture, "uvindex"))
        if node.kind == "texcoord":
            return matrix, None, int(_number(node, "index"))
        if node.kind in _READS_PRIMVAR:
            return matrix, _text(node, _READS_PRIMVAR[node.kind]) or None, 0
        if node.kind == "UsdTransform2d":
            turn = _turned(-_number(node, "rotation"))
            placed = _moved(_pair(node, "translation", 0.0)) @ turn @ _scaled(_pair(node, "scale"))
            node = _source(node, "in")
        elif node.kind == "place2d":
            placed = _placed_2d(node)
            node = _source(node, "texcoord")
        else:
            return None
        matrix = matrix @ placed
    return None


def _own_placing(picture: ShadingNode) -> _Matrix:
    """What a picture does to its coordinates by itself."""
    if picture.kind in _GLTF_PICTURES:
        across, up = _pair(picture, "offset", 0.0)
        moved = _moved((across, -up))
        turned, scaled = _turned(-_number(picture, "rotate")), _scaled(_pair(picture, "scale"))
        is_moved_first = picture.kind == "gltf_image" and _number(picture, "operationorder") == 1
        return _about((0.0, 1.0), picture, moved, turned, scaled, is_moved_first)
    across, up = _pair(picture, "uvoffset", 0.0)
    return _moved((-across, -up)) @ _scaled(_pair(picture, "uvtiling"))


def _placed_2d(node: ShadingNode) -> _Matrix:
    across, up = _pair(node, "offset", 0.0)
    wide, high = _pair(node, "scale")
    scaled = _scaled((1.0 / wide if wide else 1.0, 1.0 / high if high else 1.0))
    turned = _turned(_number(node, "rotate"))
    is_moved_first = _number(node, "operationorder") == 1
    return _about((0.0, 0.0), node, _moved((-across, -up)), turned, scaled, is_moved_first)


def _about(
    usual_pivot: tuple[float, float],
    node: ShadingNode,
    moved: _Matrix,
    turned: _Matrix,
    scaled: _Matrix,
    is_moved_first: bool,
) -> _Matrix:
    pivot = _pair(node, "pivot", *usual_pivot)
    inner = scaled @ turned @ moved if is_moved_first else moved @ turned @ scaled
    return _moved(pivot) @ inner @ _moved((-pivot[0], -pivot[1]))


def _moved(by: tuple[float, float]) -> _Matrix:
    return np.array([[1.0, 0.0, by[0]], [0.0, 1.0, by[1]], [0.0, 0.0, 1.0]])


def _scaled(by: tuple[float, float]) -> _Matrix:
    return np.diag([by[0], by[1], 1.0])


def _turned(degrees: float) -> _Matrix:
    """Clockwise, as ``rotate2d`` does."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _source(node: ShadingNode, name: str) -> ShadingNode | None:
    entry = node.input(name)
    return None if entry is None else entry.source()


def _text(node: ShadingNode, name: str) -> str:
    entry = node.input(name)
    return "" if entry is None else entry.text()


def _number(node: ShadingNode, name: str) -> float:
    entry = node.input(name)
    held = None if entry is None else entry.numbers()
    return held[0] if held is not None and len(held) == 1 and math.isfinite(held[0]) else 0.0


def _pair(
    node: ShadingNode, name: str, usual: float = 1.0, usual_v: float | None = None
) -> tuple[float, float]:
    entry = node.input(name)
    held = None if entry is None else entry.numbers()
    if held is not None and len(held) == 2 and np.isfinite(held).all():
        return held[0], held[1]
    return usual, usual if usual_v is None else usual_v
