"""Base colours and base textures of glTF materials."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from waypost.domain.scene.scene import AssetKind, Material, MissingAsset
from waypost.io.scenes.format import SourceScene
from waypost.io.scenes.gltf_container import Container
from waypost.io.scenes.textures import PictureRefused, TextureShelf

_WHITE = (1.0, 1.0, 1.0, 1.0)


class GltfMaterials:
    """Turns the materials of one file into domain materials, each when it is first used."""

    def __init__(self, container: Container, source: SourceScene) -> None:
        self._container = container
        self._source = source
        self._shelf = TextureShelf(source.textures)
        self._indices: dict[int, int] = {}

    def index_of(self, material: int) -> int:
        """Index into the scene's materials of a material of the file."""
        if material not in self._indices:
            self._indices[material] = len(self._source.materials)
            self._source.materials.append(self._convert(material))
        return self._indices[material]

    def uv_set(self, material: int) -> int:
        """Which TEXCOORD attribute the base texture uses."""
        _, texture = _base_look(self._container.items("materials")[material])
        transform = _transform(texture)
        return int(transform.get("texCoord", (texture or {}).get("texCoord", 0)))

    def place_uvs(self, material: int, uvs: NDArray[np.float64]) -> NDArray[np.float32]:
        """Apply the texture transform and put v = 0 at the bottom row.

        Args:
            material: Index in the file.
            uvs: (V, 2) as stored, v = 0 at the top row.
        """
        _, texture = _base_look(self._container.items("materials")[material])
        return flip_v(_apply_transform(_transform(texture), uvs))

    @property
    def reduced_count(self) -> int:
        """How many textures are kept smaller than in their files."""
        return self._shelf.reduced_count

    def _convert(self, index: int) -> Material:
        data = self._container.items("materials")[index]
        name = str(data.get("name") or f"material {index}")
        factor, texture = _base_look(data)
        is_opaque = data.get("alphaMode", "OPAQUE") == "OPAQUE"
        red, green, blue, alpha = (float(value) for value in factor)
        texture_index = None
        if texture is not None:
            texture_index = self._texture(int(texture["index"]), name, is_opaque=is_opaque)
        color = (red, green, blue, 1.0 if is_opaque else alpha)
        return Material(name, color, texture_index)

    def _texture(self, index: int, material_name: str, *, is_opaque: bool) -> int | None:
        texture = self._container.items("textures")[index]
        webp = texture.get("extensions", {}).get("EXT_texture_webp", {})
        image_index = webp.get("source", texture.get("source"))
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
        try:
            return self._shelf.add(encoded, is_opaque=is_opaque)
        except PictureRefused as refusal:
            self._source.warnings.append(f"the picture {label} {refusal}")
            return None


def flip_v(uvs: NDArray[np.float64]) -> NDArray[np.float32]:
    """(V, 2) glTF coordinates, v = 0 at the top row, with v = 0 at the bottom row."""
    return np.column_stack([uvs[:, 0], 1.0 - uvs[:, 1]]).astype(np.float32)


def _base_look(data: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
    """Colour factor and texture reference of a material's base colour."""
    glossy = data.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness")
    if glossy is not None:
        return glossy.get("diffuseFactor", _WHITE), glossy.get("diffuseTexture")
    rough = data.get("pbrMetallicRoughness", {})
    return rough.get("baseColorFactor", _WHITE), rough.get("baseColorTexture")


def _transform(texture: dict[str, Any] | None) -> dict[str, Any]:
    found: dict[str, Any] = (texture or {}).get("extensions", {}).get("KHR_texture_transform", {})
    return found


def _apply_transform(transform: dict[str, Any], uvs: NDArray[np.float64]) -> NDArray[np.float64]:
    if not transform:
        return uvs
    angle = float(transform.get("rotation", 0.0))
    cosine, sine = math.cos(angle), math.sin(angle)
    turned_from_scaled = np.array([[cosine, sine], [-sine, cosine]])
    scaled = uvs * np.asarray(transform.get("scale", (1.0, 1.0)), dtype=np.float64)
    offset = np.asarray(transform.get("offset", (0.0, 0.0)), dtype=np.float64)
    placed: NDArray[np.float64] = scaled @ turned_from_scaled.T + offset
    return placed
