"""Networks of MaterialX nodes that stand in a stage as shaders."""

from __future__ import annotations

from typing import Any, Final

from pxr import Sdf, Usd, UsdShade

from waypost.io.scenes.materialx import COLOR_PICTURES, NODE_KINDS

MATERIALX_ID: Final = "ND_"
"""Begins the identifiers of node definitions."""

_AUTOMATIC: Final = frozenset({"", "auto"})


class NetworkNode:
    """A shader as a node; its kind is what its identifier names in the library.

    Args:
        shader: Of an identifier such as ``ND_image_color3``.
    """

    def __init__(self, shader: UsdShade.Shader) -> None:
        self._shader = shader

    @property
    def kind(self) -> str:
        """Without the types that the identifier tells; pictures of colours alone are pictures."""
        stated = str(self._shader.GetIdAttr().Get() or "").removeprefix(MATERIALX_ID)
        for name in NODE_KINDS:
            if stated == name or stated.startswith(f"{name}_"):
                is_color = name not in COLOR_PICTURES[:2] or "_color" in stated
                return name if is_color else stated
        return stated

    def input(self, name: str) -> NetworkInput | None:
        """What a shader, or the material around it, says for an input."""
        entry = self._shader.GetInput(name) if name else None
        produced = entry.GetValueProducingAttributes() if entry else []
        return NetworkInput(produced[0]) if produced else None


class NetworkInput:
    """An input, by the attribute that makes its value."""

    def __init__(self, producer: Usd.Attribute) -> None:
        self._producer = producer

    @property
    def color_space(self) -> str:
        """As authored; a picture of which nothing is said is sRGB, as renderers take it."""
        stated = self._producer.GetColorSpace()
        is_file = self._producer.GetTypeName() == Sdf.ValueTypeNames.Asset
        return "srgb_texture" if is_file and stated in _AUTOMATIC else str(stated)

    def numbers(self) -> tuple[float, ...] | None:
        """A number or a vector."""
        value = self._value()
        if isinstance(value, str | bytes | Sdf.AssetPath):
            return None
        try:
            parts = list(value) if hasattr(value, "__len__") else [value]
            return tuple(float(part) for part in parts)
        except (TypeError, ValueError):
            return None

    def text(self) -> str:
        """Text as it is; for a file the path of the attribute that states it."""
        value = self._value()
        if isinstance(value, Sdf.AssetPath):
            return str(self._producer.GetPath()) if value.path else ""
        return value if isinstance(value, str) else ""

    def source(self) -> NetworkNode | None:
        """The shader of an output."""
        shader = UsdShade.Shader(self._producer.GetPrim())
        return NetworkNode(shader) if self._is_made and shader else None

    @property
    def _is_made(self) -> bool:
        return str(self._producer.GetName()).startswith("outputs:")

    def _value(self) -> Any:
        return None if self._is_made else self._producer.Get(Usd.TimeCode.EarliestTime())
