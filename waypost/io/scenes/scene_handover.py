"""A scene as JSON values and arrays, which is how it comes from the child that decoded it."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError
from waypost.domain.base.value_codec import decode, encode
from waypost.domain.scene.scene import Mesh, Scene
from waypost.io.confined.works import Handover

_MESH_ARRAYS: Final = {
    "vertices": ("<f4", 3),
    "faces": ("<i4", 3),
    "uvs": ("<f4", 2),
    "colors": ("|u1", 3),
    "light_uvs": ("<f4", 2),
}
"""Array of a mesh → its type and the length of its rows."""

_MESH_FLAGS: Final = ("is_collider", "is_flat", "is_stray")


def handed_over(scene: Scene) -> Handover:
    """Take a scene apart; no array is copied."""
    arrays: list[NDArray[Any]] = []

    def values_of(mesh: Mesh) -> dict[str, Any]:
        values = {}
        for spec in fields(Mesh):
            value = getattr(mesh, spec.name)
            if spec.name in _MESH_ARRAYS and value is not None:
                arrays.append(value)
                value = len(arrays) - 1
            values[spec.name] = value
        return values

    meshes = [values_of(mesh) for mesh in scene.meshes]
    facts = encode(replace(scene, meshes=(), textures=()))
    values = {"facts": facts, "meshes": meshes, "first_texture": len(arrays)}
    return Handover(values, (*arrays, *scene.textures))


def scene_of(handover: Handover, path: Path) -> Scene:
    """Put a scene together; its arrays are those of the handover.

    What the child says is checked as if it came from a stranger: whoever takes over a child by a
    damaged file must not reach the libraries that draw the scene.

    Raises:
        ReadError: If it is no scene.
    """
    try:
        return _scene(handover)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ReadError(str(path), "file", "cannot be read: its reader made no scene") from error


def _scene(handover: Handover) -> Scene:
    values, arrays = handover.values, handover.arrays
    facts = decode(Scene, values["facts"])
    textures = arrays[values["first_texture"] :]
    for texture in textures:
        _require(texture.dtype == np.uint8 and texture.ndim == 3 and texture.shape[2] == 4)
    for material in facts.materials:
        _require_index(material.texture_index, len(textures))
        _require_index(material.emissive_texture_index, len(textures))
        _require_index(material.occlusion_texture_index, len(textures))
    meshes = tuple(_mesh(entry, arrays, len(facts.materials)) for entry in values["meshes"])
    return replace(facts, meshes=meshes, textures=textures)


def _mesh(values: dict[str, Any], arrays: tuple[NDArray[Any], ...], materials: int) -> Mesh:
    parts = dict(values)
    for name, (kind, width) in _MESH_ARRAYS.items():
        if (number := parts[name]) is not None:
            _require_index(number, len(arrays))
            array = parts[name] = arrays[number]
            _require(array.dtype.str == kind and array.ndim == 2 and array.shape[1] == width)
    vertices, faces = parts["vertices"], parts["faces"]
    if len(faces):
        _require(faces.min() >= 0 and faces.max() < len(vertices))
    for name in ("uvs", "colors", "light_uvs"):
        _require(parts[name] is None or len(parts[name]) == len(vertices))
    _require(isinstance(parts["name"], str))
    _require(all(isinstance(parts[name], bool) for name in _MESH_FLAGS))
    _require_index(parts["material_index"], materials)
    return Mesh(**parts)


def _require_index(index: Any, count: int) -> None:
    _require(index is None or (type(index) is int and 0 <= index < count))


def _require(is_met: bool | np.bool_) -> None:
    if not is_met:
        raise ValueError("is no scene")
