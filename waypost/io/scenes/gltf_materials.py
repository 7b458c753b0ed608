"""Looks of glTF materials: base colour, glow, occlusion, alpha; what is not drawn is listed.

Source:
    Khronos glTF 2.0 specification, section 3.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import AssetKind, Material, MissingAsset
from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap, WrapMode
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.gltf_container import Container
from waypost.io.scenes.gltf_texture_uvs import UvSource, uv_source
from waypost.io.scenes.textures import PictureRefused, TextureShelf

_WHITE = (1.0, 1.0, 1.0, 1.0)
_USUAL_CUTOFF: Final = 0.5

_DRAWN_EXTENSIONS: Final = frozenset({"KHR_materials_emissive_strength"})
"""Material extensions that are drawn whole."""

_WORDS: Final = {
    "KHR_materials_unlit": "surfaces without light (they are lit like all others)",
    "KHR_materials_pbrSpecularGlossiness": "reflections (metal and gloss)",
}


_WRAPS: Final = {33071: WrapMode.CLAMP, 33648: WrapMode.MIRROR, 10497: WrapMode.REPEAT}
"""Numbers of OpenGL, which glTF uses."""


class MaterialUvs(NamedTuple):
    """Where the textures of a material take their coordinates."""

    main: UvSource
    light: UvSource | None
    """Of the emissive and the occlusion texture; ``None`` if that is ``main``."""


class GltfMaterials:
    """Turns the materials of one file into domain materials, each when it is first used."""

    def __init__(self, container: Container, source: SourceScene) -> None:
        self._container = container
        self._source = source
        self._shelf = TextureShelf(source.textures, source.texture_wraps)
        self._indices: dict[int, int] = {}

    def index_of(self, material: int) -> int:
        """Index into the scene's materials of a material of the file."""
        if material not in self._indices:
            self._indices[material] = len(self._source.materials)
            self._source.materials.append(self._convert(material))
        return self._indices[material]

    def uvs(self, material: int) -> MaterialUvs:
        """Which TEXCOORD attributes the textures use, and how they are transformed."""
        data = self._container.items("materials")[material]
        used = [uv_source(each) for each in _texture_slots(data) if each is not None]
        if not used:
            return MaterialUvs(UvSource(), None)
        main = used[0]
        emissive, occlusion = data.get("emissiveTexture"), data.get("occlusionTexture")
        lit = emissive or occlusion
        light = main if lit is None else uv_source(lit)
        return MaterialUvs(main, None if light == main else light)

    def note_vertex_alpha(self, material: int | None, colors: NDArray[np.float64]) -> None:
        """List a material that lets the alpha of vertex colours show; only their colour is drawn.

        Args:
            material: Index in the file; ``None`` for the one of meshes without.
            colors: (V, 3 or 4) vertex colours.
        """
        if material is None or colors.shape[1] < 4 or colors[:, 3].min(initial=1.0) >= 1.0:
            return
        data = self._container.items("materials")[material]
        if data.get("alphaMode", "OPAQUE") != "OPAQUE":
            name = str(data.get("name") or f"material {material}")
            self._source.leave_out_look("vertex colours that can be seen through", name)

    @property
    def reduced_count(self) -> int:
        """How many textures are kept smaller than in their files."""
        return self._shelf.reduced_count

    def _convert(self, index: int) -> Material:
        data = self._container.items("materials")[index]
        name = str(data.get("name") or f"material {index}")
        factor, texture = _base_look(data)
        mode = data.get("alphaMode", "OPAQUE")
        is_opaque = mode not in ("MASK", "BLEND")
        red, green, blue, alpha = (float(value) for value in factor)
        for what in _not_drawn(data):
            self._source.leave_out_look(what, name)
        is_cut_out = mode == "MASK"
        cutoff = float(data.get("alphaCutoff", _USUAL_CUTOFF))
        if is_cut_out:
            # the factor counts with the texture against the cut-off; what is left is opaque
            cutoff, alpha = cutoff / max(alpha, 1e-6), 1.0
        return Material(
            name,
            (red, green, blue, 1.0 if is_opaque else alpha),
            self._picture(texture, name, is_opaque=is_opaque),
            emissive_color=_emissive_color(data),
            emissive_texture_index=self._picture(data.get("emissiveTexture"), name),
            occlusion_texture_index=self._occlusion(index, data.get("occlusionTexture"), name),
            alpha_cutoff=cutoff if is_cut_out else None,
            is_one_sided=is_cut_out and not data.get("doubleSided", False),
        )

    def _occlusion(self, index: int, texture: dict[str, Any] | None, name: str) -> int | None:
        if texture is None:
            return None
        uvs = self.uvs(index)
        if uv_source(texture) != (uvs.light or uvs.main):
            what = "occlusion textures with a third set of coordinates"
            self._source.leave_out_look(what, name)
            return None
        return self._picture(texture, name, red_share=float(texture.get("strength", 1.0)))

    def _picture(
        self,
        reference: dict[str, Any] | None,
        material_name: str,
        *,
        is_opaque: bool = True,
        red_share: float | None = None,
    ) -> int | None:
        if reference is None:
            return None
        found = self._encoded(int(reference["index"]), material_name)
        if found is None:
            return None
        label, encoded = found
        try:
            return self._shelf.add(
                encoded,
                is_opaque=is_opaque,
                red_share=red_share,
                wrap=self._wrap(int(reference["index"])),
            )
        except PictureRefused as refusal:
            self._source.warnings.append(f"the picture {label} {refusal}")
            return None

    def _wrap(self, index: int) -> TextureWrap:
        """What the sampler of a texture says of its edges."""
        sampler = self._container.items("textures")[index].get("sampler")
        if sampler is None:
            return REPEATED
        said = self._container.items("samplers")[sampler]
        s, t = (_WRAPS.get(said.get(key), WrapMode.REPEAT) for key in ("wrapS", "wrapT"))
        return TextureWrap(s, t)

    def _encoded(self, index: int, material_name: str) -> tuple[str, bytes] | None:
        """Name and bytes of the picture of a texture; what is missing is listed."""
        texture = self._container.items("textures")[index]
        extensions = texture.get("extensions", {})
        basis = extensions.get("KHR_texture_basisu", {}).get("source")
        webp = extensions.get("EXT_texture_webp", {}).get("source")
        sources = (webp, texture.get("source"), basis)
        image_index = next((index for index in sources if index is not None), None)
        if image_index is None:
            self._source.warnings.append(
                f"the texture of {material_name} is only there in a format that is not supported"
            )
            return None
        image = self._container.items("images")[image_index]
        if "bufferView" in image:
            label = str(image.get("name") or f"image {image_index}")
            encoded = self._container.view(image["bufferView"])
        else:
            uri = image.get("uri", "")
            label = f"image {image_index}" if uri.startswith("data:") else uri
            if not self._container.is_there(self._source, uri, material_name, AssetKind.TEXTURE):
                return None
            encoded = self._container.resource(uri)
        if encoded is None:
            missing = MissingAsset(label, material_name, AssetKind.TEXTURE, "cannot be read")
            self._source.add_missing(missing)
            return None
        return label, encoded


def _base_look(data: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
    """Colour factor and texture reference of a material's base colour."""
    glossy = data.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness")
    if glossy is not None:
        return glossy.get("diffuseFactor", _WHITE), glossy.get("diffuseTexture")
    rough = data.get("pbrMetallicRoughness", {})
    return rough.get("baseColorFactor", _WHITE), rough.get("baseColorTexture")


def _texture_slots(data: dict[str, Any]) -> tuple[dict[str, Any] | None, ...]:
    """References of the textures that are drawn; the first one that is there says where."""
    return _base_look(data)[1], data.get("emissiveTexture"), data.get("occlusionTexture")


def _emissive_color(data: dict[str, Any]) -> tuple[float, float, float]:
    extension = data.get("extensions", {}).get("KHR_materials_emissive_strength", {})
    strength = float(extension.get("emissiveStrength", 1.0))
    factor = np.asarray(data.get("emissiveFactor", (0.0, 0.0, 0.0)), dtype=np.float64)
    red, green, blue = np.clip(factor * strength, 0.0, 1.0)
    return (float(red), float(green), float(blue))


def _not_drawn(data: dict[str, Any]) -> Iterator[str]:
    """What a material asks for that is not drawn, in the plural."""
    if "normalTexture" in data:
        yield "normal maps"
    rough = data.get("pbrMetallicRoughness", {})
    is_shiny = rough.get("metallicFactor", 0.0) > 0 or rough.get("roughnessFactor", 1.0) < 1
    if is_shiny or "metallicRoughnessTexture" in rough:
        yield "reflections (metal and gloss)"
    for name in data.get("extensions", {}):
        if name not in _DRAWN_EXTENSIONS:
            yield _WORDS.get(name, f"effects of {name}")
