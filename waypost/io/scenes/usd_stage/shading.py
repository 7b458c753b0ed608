"""What the networks of USD shaders say: constants, textures, where coordinates come from.

Source:
    UsdPreviewSurface specification of OpenUSD, version 2.6: UsdUVTexture, UsdTransform2d and
    UsdPrimvarReader.
"""

from __future__ import annotations

import math
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdShade

from waypost.domain.scene.texture_wrap import TextureWrap, WrapMode

_LONGEST_CHAIN: Final = 8
"""Shaders between a texture and the primvar it reads."""

_WRAPS: Final = frozenset(WrapMode)

Channel = Literal["R", "G", "B", "A"]

_CHANNELS: Final[dict[str, Channel]] = {
    "outputs:r": "R",
    "outputs:g": "G",
    "outputs:b": "B",
    "outputs:rgb": "R",
}


class UvReading(NamedTuple):
    """Where a texture takes its coordinates, and what is done to them."""

    primvar: str | None = None
    """``None`` if the material does not say."""

    rows: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    """(2, 3) matrix, row by row, from primvar to texture, v = 0 at the bottom row."""

    def placed(self, uvs: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
        """(V, 2) coordinates of the primvar after the transform."""
        if uvs is None or self.rows == UvReading().rows:
            return uvs
        matrix = np.array(self.rows).reshape(2, 3)
        placed: NDArray[np.float32] = (uvs @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
        return placed


def value_or_texture(entry: UsdShade.Input | None) -> tuple[Any, UsdShade.Shader | None]:
    """A constant, or the texture shader an input is connected to."""
    if not entry:
        return None, None
    attributes = entry.GetValueProducingAttributes()
    if not attributes:
        return None, None
    producer = attributes[0]
    shader = UsdShade.Shader(producer.GetPrim())
    is_output = producer.GetName().startswith("outputs:")
    if is_output and shader and shader.GetIdAttr().Get() == "UsdUVTexture":
        return None, shader
    return (None if is_output else producer.Get(Usd.TimeCode.EarliestTime())), None


def constant(entry: UsdShade.Input | None) -> Any:
    """The constant of an input; ``None`` if it has none or is connected to a texture."""
    value, _ = value_or_texture(entry)
    return value


def channel_read_by(entry: UsdShade.Input | None) -> Channel:
    """The channel of a texture that an input of one number reads; its alpha in case of doubt."""
    attributes = entry.GetValueProducingAttributes() if entry else []
    return _CHANNELS.get(attributes[0].GetName(), "A") if attributes else "A"


def primvar_read_by(entry: UsdShade.Input | None) -> str | None:
    """The primvar of an input that is connected to a primvar reader."""
    attributes = entry.GetValueProducingAttributes() if entry else []
    if not attributes or not attributes[0].GetName().startswith("outputs:"):
        return None
    shader = UsdShade.Shader(attributes[0].GetPrim())
    if not str(shader.GetIdAttr().Get() or "").startswith("UsdPrimvarReader"):
        return None
    name = constant(shader.GetInput("varname"))
    return None if name is None else str(name)


def uv_reading(texture: UsdShade.Shader) -> UvReading:
    """The primvar at the end of a texture's ``st`` connections, and the transforms on the way."""
    shader, pin = texture, "st"
    total = np.eye(3)
    for _ in range(_LONGEST_CHAIN):
        entry = shader.GetInput(pin)
        attributes = entry.GetValueProducingAttributes() if entry else []
        name = None
        if attributes:
            shader = UsdShade.Shader(attributes[0].GetPrim())
            kind = str(shader.GetIdAttr().Get() or "")
            if kind == "UsdTransform2d":
                total = total @ _transform(shader)
            elif kind.startswith("UsdPrimvarReader"):
                name = constant(shader.GetInput("varname"))
        if not attributes or name is not None:
            break
        pin = "in"
    rows = tuple(float(value) for value in total[:2].reshape(-1))
    return UvReading(None if name is None else str(name), rows)


def texture_wrap(texture: UsdShade.Shader) -> TextureWrap:
    """What a texture shows beyond its edges.

    Where it says ``useMetadata`` or nothing it repeats: the specification asks for black, if the
    picture file says nothing either, and the programs that make houses draw repeated tiles.
    """
    said = (constant(texture.GetInput(name)) for name in ("wrapS", "wrapT"))
    s, t = (WrapMode(str(mode)) if mode in _WRAPS else WrapMode.REPEAT for mode in said)
    return TextureWrap(s, t)


def _transform(shader: UsdShade.Shader) -> NDArray[np.float64]:
    """(3, 3) of a UsdTransform2d: scaled, then turned counter-clockwise, then moved."""
    angle = math.radians(float(constant(shader.GetInput("rotation")) or 0.0))
    scale = constant(shader.GetInput("scale")) or (1.0, 1.0)
    move = constant(shader.GetInput("translation")) or (0.0, 0.0)
    cosine, sine = math.cos(angle), math.sin(angle)
    turned_from_scaled = np.array([[cosine, -sine], [sine, cosine]])
    matrix = np.eye(3)
    matrix[:2, :2] = turned_from_scaled * np.asarray(scale, dtype=np.float64)
    matrix[:2, 2] = move
    return matrix
