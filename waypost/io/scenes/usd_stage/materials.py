"""Looks of USD materials: UsdPreviewSurface, and MDL by its inputs; what is not drawn is listed.

Source:
    UsdPreviewSurface specification of OpenUSD, version 2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from pxr import Ar, Sdf, Usd, UsdShade

from waypost.domain.scene.scene import ABSENT, AssetKind, Material, MissingAsset
from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap
from waypost.io.file_reading import read_plain_bytes
from waypost.io.scenes.asset_access import NETWORK, AssetAccess, is_address
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.materialx import MaterialXBase, base_of
from waypost.io.scenes.textures import Alpha, PictureRefused, TextureShelf
from waypost.io.scenes.usd_stage.layers import package_file
from waypost.io.scenes.usd_stage.materialx_looks import MaterialXLooks, MaterialXMaterial
from waypost.io.scenes.usd_stage.materialx_networks import MATERIALX_ID, NetworkNode
from waypost.io.scenes.usd_stage.mesh import DISPLAY_COLOR, MeshPart
from waypost.io.scenes.usd_stage.shading import (
    Channel,
    UvReading,
    channel_read_by,
    constant,
    primvar_read_by,
    texture_wrap,
    uv_reading,
    value_or_texture,
)

_TEXTURE_WORDS = ("diffuse", "albedo", "basecolor", "base_color")
_COLOR_INPUTS = ("diffuse_color_constant", "diffuse_tint", "base_color", "BaseColor", "albedo")
_SHIPPED_MDL = ("Omni", "nvidia/", "gltf/", "UsdPreviewSurface", "adobe/")
"""Modules that come with Omniverse; their absence from the scene's folder is normal."""

Color = tuple[float, float, float]


_UNSHOWN_INPUTS: Final = {
    "normal": "normal maps",
    "displacement": "displacements",
    "clearcoat": "clear coats",
    "metallic": "reflections (metal and gloss)",
    "specularColor": "reflections (metal and gloss)",
    "roughness": "reflections (metal and gloss)",
}
"""Inputs of UsdPreviewSurface that are not drawn, in the plural."""

_NO_EFFECT: Final = {"clearcoat": 0.0, "displacement": 0.0, "metallic": 0.0, "roughness": 1.0}
"""Values with which such an input changes nothing."""


class Look(NamedTuple):
    """How a prim is drawn."""

    material_index: int | None
    uvs: UvReading = UvReading()
    """Where its textures take their coordinates."""

    light_uvs: UvReading | None = None
    """Of the emissive and the occlusion texture; ``None`` if that is ``uvs``."""

    color_primvar: str | None = None
    """The primvar that its base colour reads instead of a constant or a texture."""


class UsdMaterials:
    """Turns the materials bound on one stage into domain materials, each once."""

    def __init__(self, access: AssetAccess, source: SourceScene) -> None:
        self._access = access
        self._source = source
        self._shelf = TextureShelf(source.textures, source.texture_wraps)
        self._materialx = MaterialXLooks(access)
        self._looks: dict[str, Look] = {}

    @property
    def materialx_files(self) -> set[Path]:
        """Documents of MaterialX of which something is shown, or said not to be."""
        return self._materialx.read_files

    @property
    def reduced_count(self) -> int:
        """How many textures are kept smaller than in their files."""
        return self._shelf.reduced_count

    def look_of(self, part: MeshPart) -> Look:
        """The look of a mesh or subset; its display colour counts if no material is bound."""
        material, _ = UsdShade.MaterialBindingAPI(part.material_prim).ComputeBoundMaterial()
        documented = None if material else self._materialx.bound_to(part.material_prim)
        if documented is not None:
            if documented.key not in self._looks:
                self._looks[documented.key] = self._convert_document(documented)
            return self._looks[documented.key]
        if material:
            key = str(material.GetPath())
            if key not in self._looks:
                self._looks[key] = self._convert(material)
            return self._looks[key]
        display_color, display_opacity = part.display_color, part.display_opacity
        if display_color is None and display_opacity >= 1.0:
            return Look(None, color_primvar=DISPLAY_COLOR)
        key = f"display color {display_color} {display_opacity}"
        if key not in self._looks:
            color = (1.0, 1.0, 1.0) if display_color is None else display_color
            look = self._keep(Material("display color", (*color, display_opacity)))
            self._looks[key] = look._replace(
                color_primvar=DISPLAY_COLOR if display_color is None else None
            )
        return self._looks[key]

    def _keep(self, material: Material) -> Look:
        self._source.materials.append(material)
        return Look(len(self._source.materials) - 1)

    def _convert(self, material: UsdShade.Material) -> Look:
        name = str(material.GetPath())
        shader = _surface(material)
        if shader is None:
            documented = self._materialx.of_prim(material.GetPrim())
            if documented is not None:
                return self._convert_document(documented)
            return self._keep(Material(name))
        kind = str(shader.GetIdAttr().Get() or "")
        if kind == "UsdPreviewSurface":
            return self._convert_preview(name, shader)
        if kind.startswith(MATERIALX_ID):
            return self._convert_network(name, shader)
        return self._convert_mdl(name, shader)

    def _convert_preview(self, name: str, shader: UsdShade.Shader) -> Look:
        for what in _not_drawn(shader):
            self._source.leave_out_look(what, name)
        color, diffuse = value_or_texture(shader.GetInput("diffuseColor"))
        glow, emissive = value_or_texture(shader.GetInput("emissiveColor"))
        _, occlusion = value_or_texture(shader.GetInput("occlusion"))
        opacity, clear = value_or_texture(shader.GetInput("opacity"))
        alpha = self._alpha(name, clear, diffuse, channel_read_by(shader.GetInput("opacity")))
        alpha_value = 1.0 if opacity is None else float(opacity)
        color_primvar = primvar_read_by(shader.GetInput("diffuseColor"))
        color = (1.0, 1.0, 1.0) if color_primvar else color
        cutoff = float(constant(shader.GetInput("opacityThreshold")) or 0.0)
        index, tint = self._base(name, color, diffuse, alpha, clear)
        if cutoff > 0 and opacity is not None and clear is None:
            alpha_value = 1.0 if alpha_value >= cutoff else 0.0
        glow_index, emission = self._emission(name, glow, emissive)
        uvs, light = _readings(diffuse or clear, emissive or occlusion)
        if occlusion is not None and uv_reading(occlusion) != (light or uvs):
            what = "occlusion textures with a third set of coordinates"
            self._source.leave_out_look(what, name)
            occlusion = None
        made = Material(
            name,
            (*tint, alpha_value),
            index,
            emissive_color=emission,
            emissive_texture_index=glow_index,
            occlusion_texture_index=self._texture(occlusion, name, red_share=1.0),
            alpha_cutoff=cutoff if cutoff > 0 and clear is not None else None,
        )
        look = self._keep(made)
        return look._replace(uvs=uvs, light_uvs=light, color_primvar=color_primvar)

    def _base(
        self,
        name: str,
        color: Any,
        diffuse: UsdShade.Shader | None,
        alpha: Alpha | None,
        clear: UsdShade.Shader | None,
    ) -> tuple[int | None, Color]:
        """Texture and factor of the base colour; an alpha alone makes a white texture."""
        if diffuse is None:
            index = None
            if alpha is not None and clear is not None:
                wrap = texture_wrap(clear)
                index = self._shelf_add(name, lambda: self._shelf.add_alpha(alpha, wrap))
            return index, (0.18, 0.18, 0.18) if color is None else _color(color)
        index = self._texture(diffuse, name, alpha=alpha)
        if index is not None:
            scale = constant(diffuse.GetInput("scale"))
            self._list_bias(name, diffuse)
            return index, (1.0, 1.0, 1.0) if scale is None else _color(scale)
        fallback = constant(diffuse.GetInput("fallback"))
        return None, (0.5, 0.5, 0.5) if fallback is None else _color(fallback)

    def _emission(
        self, name: str, glow: Any, emissive: UsdShade.Shader | None
    ) -> tuple[int | None, Color]:
        """Texture and factor of what a surface gives off."""
        if emissive is None:
            return None, (0.0, 0.0, 0.0) if glow is None else _within_one(_color(glow))
        index = self._texture(emissive, name)
        if index is None:
            fallback = constant(emissive.GetInput("fallback"))
            return None, (0.0, 0.0, 0.0) if fallback is None else _within_one(_color(fallback))
        scale = constant(emissive.GetInput("scale"))
        self._list_bias(name, emissive)
        return index, (1.0, 1.0, 1.0) if scale is None else _within_one(_color(scale))

    def _alpha(
        self,
        name: str,
        clear: UsdShade.Shader | None,
        diffuse: UsdShade.Shader | None,
        channel: Channel,
    ) -> Alpha | None:
        """What says how opaque a surface is, if a picture does."""
        if clear is None:
            return None
        if diffuse is not None and uv_reading(clear) != uv_reading(diffuse):
            self._source.leave_out_look("opacity textures with coordinates of their own", name)
            return None
        if diffuse is not None and texture_wrap(clear) != texture_wrap(diffuse):
            what = "opacity textures that go on beyond their edges in another way"
            self._source.leave_out_look(what, name)
        encoded = self._encoded(clear.GetInput("file"), name)
        return None if encoded is None else Alpha(encoded[1], channel)

    def _list_bias(self, name: str, texture: UsdShade.Shader) -> None:
        if any(constant(texture.GetInput("bias")) or ()):
            self._source.leave_out_look("biases of textures", name)

    def _convert_mdl(self, name: str, shader: UsdShade.Shader) -> Look:
        self._list_missing_module(name, shader)
        index = None
        color: Color = (0.5, 0.5, 0.5)
        for entry in shader.GetInputs():
            words = entry.GetBaseName().lower()
            is_file = entry.GetTypeName() == Sdf.ValueTypeNames.Asset
            if is_file and index is None and any(word in words for word in _TEXTURE_WORDS):
                index = self._picture(entry, name)
        if index is not None:
            color = (1.0, 1.0, 1.0)
        else:
            constants = (constant(shader.GetInput(key)) for key in _COLOR_INPUTS)
            color = next((_color(value) for value in constants if value is not None), color)
        self._source.leave_out_look("parts of MDL materials beside colour and base texture", name)
        return self._keep(Material(name, (*color, 1.0), index))

    def _convert_document(self, found: MaterialXMaterial) -> Look:
        """A material of a document, whose pictures lie beside it."""

        def picture(base: MaterialXBase) -> int | None:
            path = found.document.parent / base.file
            given = (base.file, path, found.key, AssetKind.TEXTURE)
            if not self._source.permits(self._access, *given):
                return None
            encoded = read_plain_bytes(path)
            return self._shelf_add(
                base.file,
                lambda: self._shelf.add(
                    encoded, is_opaque=True, is_linear=base.is_linear, wrap=base.wrap
                ),
            )

        return self._convert_materialx(found.key, found.base, picture)

    def _convert_network(self, name: str, shader: UsdShade.Shader) -> Look:
        """A material of MaterialX nodes in the stage, whose pictures its attributes name."""

        def picture(base: MaterialXBase) -> int | None:
            entry = UsdShade.Input(shader.GetPrim().GetStage().GetAttributeAtPath(base.file))
            return self._picture(entry, name, is_linear=base.is_linear, wrap=base.wrap)

        return self._convert_materialx(name, base_of(NetworkNode(shader)), picture)

    def _convert_materialx(
        self, key: str, base: MaterialXBase | None, picture: Callable[[MaterialXBase], int | None]
    ) -> Look:
        """The base colour of a material; everything else of it is listed."""
        if base is None:
            what = "base colours of MaterialX that are no constant and no single picture"
            self._source.leave_out_look(what, key)
            return self._keep(Material(key))
        self._source.leave_out_look("parts of MaterialX beside the base colour", key)
        if base.uv_set:
            # Neither MaterialX nor OpenUSD says which primvar a number means.
            what = "texture coordinates that MaterialX asks for by a number above 0"
            self._source.leave_out_look(what, key)
        index = picture(base) if base.file else None
        look = self._keep(Material(key, (*base.color, 1.0), index))
        return look._replace(uvs=UvReading(base.uv_primvar, base.uv_rows))

    def _list_missing_module(self, name: str, shader: UsdShade.Shader) -> None:
        asset = shader.GetSourceAsset("mdl")
        if asset is None or not asset.path or asset.resolvedPath:
            return
        if not asset.path.startswith(_SHIPPED_MDL):
            self._miss(asset.path, name, ABSENT)

    def _texture(
        self,
        texture: UsdShade.Shader | None,
        name: str,
        *,
        alpha: Alpha | None = None,
        red_share: float | None = None,
    ) -> int | None:
        """Index of the picture of a texture shader; what is not to be had is listed."""
        if texture is None:
            return None
        is_linear = red_share is None and constant(texture.GetInput("sourceColorSpace")) == "raw"
        entry = texture.GetInput("file")
        return self._picture(
            entry,
            name,
            alpha=alpha,
            red_share=red_share,
            is_linear=is_linear,
            wrap=texture_wrap(texture),
        )

    def _picture(
        self,
        entry: UsdShade.Input,
        material_name: str,
        *,
        alpha: Alpha | None = None,
        red_share: float | None = None,
        is_linear: bool = False,
        wrap: TextureWrap = REPEATED,
    ) -> int | None:
        found = self._encoded(entry, material_name)
        if found is None:
            return None
        label, encoded = found

        def add() -> int:
            return self._shelf.add(
                encoded,
                is_opaque=True,
                alpha=alpha,
                red_share=red_share,
                is_linear=is_linear,
                wrap=wrap,
            )

        return self._shelf_add(label, add)

    def _shelf_add(self, label: str, add: Callable[[], int]) -> int | None:
        """Index of a picture that is put on the shelf; a warning if it is refused."""
        try:
            return add()
        except PictureRefused as refusal:
            self._source.warnings.append(f"the picture {label} {refusal}")
            return None

    def _encoded(self, entry: UsdShade.Input, material_name: str) -> tuple[str, bytes] | None:
        """Path and bytes of a picture; what is missing is listed."""
        asset = constant(entry)
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
        return asset.path, encoded

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
    for context in ("", "mtlx", "mdl"):
        shader = material.ComputeSurfaceSource(context)[0]
        if shader:
            return shader
    shaders = (UsdShade.Shader(child) for child in material.GetPrim().GetChildren())
    return next((shader for shader in shaders if shader), None)


def _readings(
    base: UsdShade.Shader | None, light: UsdShade.Shader | None
) -> tuple[UvReading, UvReading | None]:
    """Where base and light textures take their coordinates; ``None`` where both are the same."""
    if light is None:
        return (UvReading() if base is None else uv_reading(base)), None
    if base is None:
        return uv_reading(light), None
    main, other = uv_reading(base), uv_reading(light)
    return main, None if other == main else other


def _not_drawn(shader: UsdShade.Shader) -> Iterator[str]:
    """What a preview surface asks for that is not drawn, in the plural."""
    for entry in shader.GetInputs():
        name = entry.GetBaseName()
        if name not in _UNSHOWN_INPUTS:
            continue
        value, texture = value_or_texture(entry)
        has_effect = name != "specularColor" or bool(
            constant(shader.GetInput("useSpecularWorkflow"))
        )
        if texture is not None or (
            value is not None and has_effect and value != _NO_EFFECT.get(name, value)
        ):
            yield _UNSHOWN_INPUTS[name]


def _within_one(color: Color) -> Color:
    red, green, blue = (float(part) for part in np.clip(color, 0.0, 1.0))
    return (red, green, blue)


def _color(value: Any) -> Color:
    red, green, blue = (float(part) for part in list(value)[:3])
    return (red, green, blue)
