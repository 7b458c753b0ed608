"""Base colours of MaterialX documents: a constant or one picture; the rest is not read.

Source:
    MaterialX specification 1.38 and its libraries of standard_surface, UsdPreviewSurface,
    open_pbr_surface and gltf_pbr.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap, WrapMode
from waypost.io.scenes.color_numbers import linear_of_srgb

_BASE_COLORS: Final = {
    "standard_surface": ("base_color", "base", (0.8, 0.8, 0.8)),
    "open_pbr_surface": ("base_color", "base_weight", (0.8, 0.8, 0.8)),
    "UsdPreviewSurface": ("diffuseColor", "", (0.18, 0.18, 0.18)),
    "gltf_pbr": ("base_color", "", (1.0, 1.0, 1.0)),
}
"""Surface → its colour, its weight (1 if it says nothing) and the colour if it says nothing."""

_PICTURES: Final = frozenset({"image", "tiledimage", "UsdUVTexture"})
_PASSES_ON: Final = frozenset({"convert", "dot"})
_WRAPS: Final = {
    "periodic": WrapMode.REPEAT,
    "mirror": WrapMode.MIRROR,
    "clamp": WrapMode.CLAMP,
    "constant": WrapMode.BLACK,
}
_LONGEST_CHAIN: Final = 8
_SRGB: Final = frozenset({"srgb_texture", "srgb_displayp3", "sRGB"})

Color = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class MaterialXBase:
    """The base colour of one material."""

    color: Color
    """Linear factor, multiplied with the picture."""

    file: str = ""
    """The picture as the document states it, relative to the document; empty for none."""

    is_linear: bool = False
    """Whether the numbers of the picture are linear, not sRGB."""

    tiling: tuple[float, float] = (1.0, 1.0)
    """How often the picture is repeated over one unit of the coordinates."""

    wrap: TextureWrap = REPEATED


def base_colors(text: bytes) -> dict[str, MaterialXBase]:
    """The base colour of each material of a document, by name, those that can be read.

    No document type and no entity is read, whatever a document declares.

    Raises:
        ValueError: If it is no MaterialX document.
    """
    parser = XMLParser(target=_PlainBuilder())  # noqa: S314 - document types are refused
    try:
        parser.feed(text)
        root = parser.close()
    except ParseError as error:
        raise ValueError(f"is no XML ({error})") from error
    if root.tag != "materialx":
        raise ValueError("is no MaterialX document")
    document = _Document(root)
    found = {}
    for material in root.iter("surfacematerial"):
        base = document.base_of(material)
        if base is not None:
            found[material.get("name", "")] = base
    return found


class _PlainBuilder(TreeBuilder):
    """Elements alone: where entities could be declared, reading ends."""

    def doctype(self, *_: object) -> None:
        """Refuse it before anything is expanded."""
        raise ValueError("declares a document type, which is not read")


class _Document:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._parents = {child: parent for parent in root.iter() for child in parent}

    def base_of(self, material: Element) -> MaterialXBase | None:
        """The base colour of a material; ``None`` if it is made in a way that is not read."""
        surface = self._named(self._root, (_input(material, "surfaceshader"), "nodename"))
        if surface is None or surface.tag not in _BASE_COLORS:
            return None
        name, weight_name, usual = _BASE_COLORS[surface.tag]
        weight = _numbers(_input(surface, weight_name), 1) if weight_name else None
        factor = 1.0 if weight is None else weight[0]
        entry = _input(surface, name)
        if entry is None:
            return MaterialXBase(_scaled(usual, factor))
        color = self._constant(entry)
        if color is not None:
            return MaterialXBase(_scaled(color, factor))
        node = self._source_of(entry)
        for _ in range(_LONGEST_CHAIN):
            if node is None or node.tag not in _PASSES_ON:
                break
            entry = _input(node, "in")
            node = None if entry is None else self._source_of(entry)
        if node is None:
            return None
        if node.tag == "constant":
            held = _input(node, "value")
            color = None if held is None else self._constant(held)
            return None if color is None else MaterialXBase(_scaled(color, factor))
        return self._picture(node, factor) if node.tag in _PICTURES else None

    def _picture(self, node: Element, factor: float) -> MaterialXBase | None:
        entry = _input(node, "file")
        file = None if entry is None else entry.get("value")
        if entry is None or not file:
            return None
        tiling = _numbers(_input(node, "uvtiling"), 2) or (1.0, 1.0)
        modes = [_text(_input(node, f"{axis}addressmode")) for axis in "uv"]
        s, t = (_WRAPS.get(mode, WrapMode.REPEAT) for mode in modes)
        return MaterialXBase(
            (factor, factor, factor),
            self._inherited(entry, "fileprefix") + file,
            is_linear=self._inherited(entry, "colorspace") not in _SRGB,
            tiling=(tiling[0], tiling[1]),
            wrap=TextureWrap(s, t),
        )

    def _constant(self, entry: Element) -> Color | None:
        held = _numbers(entry, 3)
        if held is None:
            return None
        color = (held[0], held[1], held[2])
        is_srgb = self._inherited(entry, "colorspace") in _SRGB
        return linear_of_srgb(color) if is_srgb else color

    def _source_of(self, entry: Element) -> Element | None:
        """The node that an input is connected to, through the output of a graph."""
        graph_name = entry.get("nodegraph")
        if graph_name is None:
            scope = self._parents[self._parents[entry]]
            return self._named(scope, (entry, "nodename"))
        graph = next((g for g in self._root.iter("nodegraph") if g.get("name") == graph_name), None)
        if graph is None:
            return None
        outputs = graph.findall("output")
        wanted = entry.get("output")
        output = next((o for o in outputs if wanted in (None, o.get("name"))), None)
        return self._named(graph, (output, "nodename"))

    def _named(self, scope: Element, reference: tuple[Element | None, str]) -> Element | None:
        entry, attribute = reference
        name = None if entry is None else entry.get(attribute)
        return None if name is None else next((n for n in scope if n.get("name") == name), None)

    def _inherited(self, element: Element, attribute: str) -> str:
        """What the nearest element around says; empty if none does."""
        at: Element | None = element
        while at is not None:
            found = at.get(attribute)
            if found is not None:
                return found
            at = self._parents.get(at)
        return ""


def _input(node: Element, name: str) -> Element | None:
    return next((entry for entry in node.findall("input") if entry.get("name") == name), None)


def _text(entry: Element | None) -> str:
    return "" if entry is None else entry.get("value", "")


def _numbers(entry: Element | None, count: int) -> tuple[float, ...] | None:
    parts = _text(entry).split(",")
    try:
        numbers = tuple(float(part) for part in parts)
    except ValueError:
        return None
    return numbers if len(numbers) == count else None


def _scaled(color: Color, factor: float) -> Color:
    return (color[0] * factor, color[1] * factor, color[2] * factor)
