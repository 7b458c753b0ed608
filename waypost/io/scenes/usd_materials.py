"""Base colours and base textures of USD materials: UsdPreviewSurface, and MDL by its inputs."""

from __future__ import annotations

from typing import Any, NamedTuple

from pxr import Ar, Sdf, Usd, UsdShade

from waypost.domain.scene.scene import ABSENT, AssetKind, Material, MissingAsset
from waypost.io.scenes.asset_access import NETWORK, AssetAccess, is_address
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.textures import PictureRefused, TextureShelf
from waypost.io.scenes.usd_layers import package_file

_TEXTURE_WORDS = ("diffuse", "albedo", "basecolor", "base_color")
_COLOR_INPUTS = ("diffuse_color_constant", "diffuse_tint", "base_color", "BaseColor", "albedo")
_SHIPPED_MDL = ("Omni", "nvidia/", "gltf/", "UsdPreviewSurface", "adobe/")
"""Modules that come with Omniverse; their absence from the scene's folder is normal."""

Color = tuple[float, float, float]


class Look(NamedTuple):
    """How a prim is drawn."""

    material_index: int | None
    uv_primvar: str | None
    """The primvar its texture reads; ``None`` if the material does not say."""


class UsdMaterials:
    """Turns the materials bound on one stage into domain materials, each once."""

    def __init__(self, access: AssetAccess, source: SourceScene) -> None:
        self._access = access
        self._source = source
        self._shelf = TextureShelf(source.textures)
        self._looks: dict[str, Look] = {}

    @property
    def reduced_count(self) -> int:
        """How many textures are kept smaller than in their files."""
        return self._shelf.reduced_count

    def look_of(self, prim: Usd.Prim, display_color: Color | None) -> Look:
        """The look of a mesh or subset; its display colour counts if no material is bound."""
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        if material:
            key = str(material.GetPath())
            if key not in self._looks:
                self._looks[key] = self._convert(material)
            return self._looks[key]
        if display_color is None:
            return Look(None, None)
        key = f"display color {display_color}"
        if key not in self._looks:
            self._looks[key] = self._keep(Material("display color", (*display_color, 1.0)), None)
        return self._looks[key]

    def _keep(self, material: Material, uv_primvar: str | None) -> Look:
        self._source.materials.append(material)
        return Look(len(self._source.materials) - 1, uv_primvar)

    def _convert(self, material: UsdShade.Material) -> Look:
        name = str(material.GetPath())
        shader = _surface(material)
        if shader is None:
            return self._keep(Material(name), None)
        if shader.GetIdAttr().Get() == "UsdPreviewSurface":
            return self._convert_preview(name, shader)
        return self._convert_mdl(name, shader)

    def _convert_preview(self, name: str, shader: UsdShade.Shader) -> Look:
        opacity, opacity_texture = _value_or_texture(shader.GetInput("opacity"))
        color, texture = _value_or_texture(shader.GetInput("diffuseColor"))
        is_opaque = opacity_texture is None and opacity is None
        alpha = 1.0 if opacity is None else float(opacity)
        if texture is None:
            base = (0.18, 0.18, 0.18) if color is None else color
            return self._keep(Material(name, (*_color(base), alpha)), None)
        index = self._texture(texture.GetInput("file"), name, is_opaque=is_opaque)
        fallback = _constant(texture.GetInput("fallback"))
        tint: Color = (1.0, 1.0, 1.0)
        if index is not None:
            scale = _constant(texture.GetInput("scale"))
            tint = tint if scale is None else _color(scale)
        else:
            tint = (0.5, 0.5, 0.5) if fallback is None else _color(fallback)
        return self._keep(Material(name, (*tint, alpha), index), _uv_name(texture))

    def _convert_mdl(self, name: str, shader: UsdShade.Shader) -> Look:
        self._list_missing_module(name, shader)
        index = None
        color: Color = (0.5, 0.5, 0.5)
        for entry in shader.GetInputs():
            words = entry.GetBaseName().lower()
            is_file = entry.GetTypeName() == Sdf.ValueTypeNames.Asset
            if is_file and index is None and any(word in words for word in _TEXTURE_WORDS):
                index = self._texture(entry, name, is_opaque=True)
        if index is not None:
            color = (1.0, 1.0, 1.0)
        else:
            constants = (_constant(shader.GetInput(key)) for key in _COLOR_INPUTS)
            color = next((_color(value) for value in constants if value is not None), color)
        return self._keep(Material(name, (*color, 1.0), index), None)

    def _list_missing_module(self, name: str, shader: UsdShade.Shader) -> None:
        asset = shader.GetSourceAsset("mdl")
        if asset is None or not asset.path or asset.resolvedPath:
            return
        if not asset.path.startswith(_SHIPPED_MDL):
            self._miss(asset.path, name, ABSENT)

    def _texture(self, entry: UsdShade.Input, material_name: str, *, is_opaque: bool) -> int | None:
        asset = _constant(entry)
        if not isinstance(asset, Sdf.AssetPath) or not asset.path:
            return None
        resolved = asset.resolvedPath or _first_tile(entry, asset.path)
        if not resolved:
            self._miss(asset.path, material_name, NETWORK if is_address(asset.path) else ABSENT)
            return None
        file = package_file(resolved)
        if not self._source.permits(
            self._access, asset.path, file, material_name, AssetKind.TEXTURE
        ):
            return None
        encoded = _read_asset(resolved)
        if encoded is None:
            self._miss(asset.path, material_name, "cannot be read")
            return None
        try:
            return self._shelf.add(encoded, is_opaque=is_opaque)
        except PictureRefused as refusal:
            self._source.warnings.append(f"the picture {asset.path} {refusal}")
            return None

    def _miss(self, asset: str, material_name: str, reason: str) -> None:
        missing = MissingAsset(asset, material_name, AssetKind.TEXTURE, reason)
        self._source.add_missing(missing)


def _read_asset(resolved: str) -> bytes | None:
    """Bytes of a file, also inside a usdz package."""
    opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(resolved))
    return None if opened is None else bytes(opened.GetBuffer())


def _first_tile(entry: UsdShade.Input, path: str) -> str:
    """Where the first tile of a UDIM set is; empty if the path is of another kind."""
    if "<UDIM>" not in path:
        return ""
    specs = entry.GetValueProducingAttributes()[0].GetPropertyStack(Usd.TimeCode.Default())
    tile = path.replace("<UDIM>", "1001")
    return str(specs[0].layer.ComputeAbsolutePath(tile)) if specs else ""


def _surface(material: UsdShade.Material) -> UsdShade.Shader | None:
    for context in ("", "mdl"):
        shader = material.ComputeSurfaceSource(context)[0]
        if shader:
            return shader
    shaders = (UsdShade.Shader(child) for child in material.GetPrim().GetChildren())
    return next((shader for shader in shaders if shader), None)


def _value_or_texture(
    entry: UsdShade.Input | None,
) -> tuple[Any, UsdShade.Shader | None]:
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


def _constant(entry: UsdShade.Input | None) -> Any:
    value, _ = _value_or_texture(entry)
    return value


def _uv_name(texture: UsdShade.Shader) -> str | None:
    """The primvar at the end of a texture's ``st`` connections."""
    shader, pin = texture, "st"
    for _ in range(8):
        entry = shader.GetInput(pin)
        attributes = entry.GetValueProducingAttributes() if entry else []
        if not attributes:
            return None
        shader = UsdShade.Shader(attributes[0].GetPrim())
        kind = str(shader.GetIdAttr().Get() or "")
        if kind.startswith("UsdPrimvarReader"):
            name = _constant(shader.GetInput("varname"))
            return None if name is None else str(name)
        pin = "in"
    return None


def _color(value: Any) -> Color:
    red, green, blue = (float(part) for part in list(value)[:3])
    return (red, green, blue)
