"""COLLADA by pycollada: triangles with their transforms, colours, emission and base textures.

Source:
    Khronos COLLADA 1.4.1 specification, chapters 5 and 8.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import collada
import numpy as np
from collada.triangleset import BoundTriangleSet
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError
from waypost.domain.scene.scene import AssetKind, Material
from waypost.io.file_reading import read_beginning
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import MAX_FILE_BYTES
from waypost.io.scenes.color_numbers import linear_of_srgb
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.textures import PictureRefused, TextureShelf

_UNSHOWN_MAPS: Final = {
    "bumpmap": "normal maps",
    "reflective": "reflections (metal and gloss)",
}


def add_collada(path: Path, access: AssetAccess, source: SourceScene) -> None:
    """Read a COLLADA file into a source, with its unit and up axis.

    Raises:
        ReadError: If it is no COLLADA.
    """
    data = read_beginning(path, MAX_FILE_BYTES)
    with warnings.catch_warnings():
        # pycollada multiplies with numpy's matrices and sets shapes, which are to go some day
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        _add(path, access, source, data)


def _add(path: Path, access: AssetAccess, source: SourceScene, data: bytes) -> None:
    try:
        document = collada.Collada(io.BytesIO(data), ignore=[collada.common.DaeError])
    except collada.common.DaeError as error:
        raise ReadError(str(path), "file", f"the COLLADA cannot be read ({error})") from error
    facts = document.assetInfo
    source.up_axis = (facts.upaxis or "Y_UP").removesuffix("_UP")
    source.is_up_axis_stated = facts.upaxis is not None
    source.is_unit_stated = facts.unitmeter is not None
    source.metres_per_unit = float(facts.unitmeter or 1.0)
    if document.errors:
        count = len(document.errors)
        source.warnings.append(f"{count} parts of the COLLADA are damaged ({document.errors[0]})")
    if document.scene is None:
        raise ReadError(str(path), "scene", "there is no scene to show")
    looks = _Looks(path, access, source)
    for bound in document.scene.objects("geometry"):
        name = str(bound.original.name or bound.original.id)
        is_mirrored = bool(np.linalg.det(np.asarray(bound.matrix)[:3, :3]) < 0)
        for primitive in bound.primitives():
            triangles = _triangles(primitive)
            if triangles is None:
                source.warnings.append(f"{name} has lines, which are not shown")
                continue
            index = looks.index_of(primitive.material)
            source.meshes += _meshes(name, triangles, index, is_mirrored=is_mirrored)
    for controller in document.scene.objects("controller"):
        named = getattr(controller.original, "id", "a skinned mesh")
        source.leave_out(str(named), "it is bent by a skeleton, which is not read")


def _triangles(primitive: Any) -> BoundTriangleSet | None:
    if isinstance(primitive, BoundTriangleSet):
        return primitive
    return primitive.triangleset() if hasattr(primitive, "triangleset") else None


def _meshes(
    name: str, triangles: BoundTriangleSet, index: int | None, *, is_mirrored: bool
) -> Iterator[SourceMesh]:
    if triangles.vertex is None or triangles.vertex_index is None:
        return
    corners = np.asarray(triangles.vertex_index, dtype=np.int64).reshape(-1)
    points = np.asarray(triangles.vertex, dtype=np.float64)
    uvs: NDArray[np.float32] | None = None
    if len(triangles.texcoordset):
        # a point may have another coordinate in each face
        uv_rows = np.asarray(triangles.texcoord_indexset[0], dtype=np.int64).reshape(-1)
        pairs, corners = np.unique(np.column_stack([corners, uv_rows]), axis=0, return_inverse=True)
        points = points[pairs[:, 0]]
        uvs = np.asarray(triangles.texcoordset[0], dtype=np.float32)[pairs[:, 1], :2]
    faces = corners.reshape(-1, 3).astype(np.int32)
    if is_mirrored:
        faces = faces[:, ::-1]
    yield SourceMesh(name, points, faces, uvs, index)


class _Looks:
    """Turns the materials of one file into domain materials, each once."""

    def __init__(self, path: Path, access: AssetAccess, source: SourceScene) -> None:
        self._path, self._access, self._source = path, access, source
        self._shelf = TextureShelf(source.textures, source.texture_wraps)
        self._indices: dict[str, int] = {}

    def index_of(self, material: Any) -> int | None:
        """Index into the scene's materials; ``None`` for a symbol that nothing is bound to."""
        if material is None or isinstance(material, str):
            return None
        key = str(material.id)
        if key not in self._indices:
            self._indices[key] = len(self._source.materials)
            self._source.materials.append(self._convert(material))
        return self._indices[key]

    def _convert(self, material: Any) -> Material:
        """Colours of COLLADA are sRGB, as nearly all writers have it."""
        name, effect = str(material.name or material.id), material.effect
        for key, what in _UNSHOWN_MAPS.items():
            if isinstance(getattr(effect, key, None), collada.material.Map):
                self._source.leave_out_look(what, name)
        texture = None
        color = (0.8, 0.8, 0.8)
        if isinstance(effect.diffuse, collada.material.Map):
            texture = self._texture(effect.diffuse, name)
            color = (1.0, 1.0, 1.0)
        elif effect.diffuse is not None:
            color = linear_of_srgb(effect.diffuse[:3])
        glow = (0.0, 0.0, 0.0)
        if isinstance(effect.emission, collada.material.Map):
            self._source.leave_out_look("emissive textures of COLLADA", name)
        elif effect.emission is not None:
            glow = linear_of_srgb(effect.emission[:3])
        return Material(name, (*color, self._alpha(effect, name)), texture, emissive_color=glow)

    def _alpha(self, effect: Any, name: str) -> float:
        clear = effect.transparent
        if clear is None:
            return 1.0
        if isinstance(clear, collada.material.Map) or str(effect.opaque_mode) != "A_ONE":
            self._source.leave_out_look("transparent materials of COLLADA", name)
            return 1.0
        share = effect.transparency
        alpha = float(clear[3]) * (1.0 if share is None else float(share))
        return min(max(alpha, 0.0), 1.0)

    def _texture(self, mapped: Any, name: str) -> int | None:
        stated = str(mapped.sampler.surface.image.path)
        file = self._path.parent / unquote(stated).replace("\\", "/")
        if not self._source.permits(self._access, stated, file, name, AssetKind.TEXTURE):
            return None
        try:
            return self._shelf.add(read_beginning(file, MAX_FILE_BYTES), is_opaque=True)
        except PictureRefused as refusal:
            self._source.warnings.append(f"the picture {stated} {refusal}")
            return None
