"""Packs the meshes of a scene so that a whole house is a few draw calls, one per texture."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.scene.scene import Material, Mesh, Scene
from waypost.domain.scene.texture_wrap import TextureWrap
from waypost.viewers.scene.finish import PLAIN, Finish, finishes_of
from waypost.viewers.scene.mesh_pieces import PieceBounds, cut_to_pieces
from waypost.viewers.scene.mipmaps import Picture, mip_levels

VERTEX_DTYPE = np.dtype(
    [("a_position", np.float32, 3), ("a_uv", np.float32, 2), ("a_packed", np.float32, 2)]
)
"""28 bytes. vispy feeds floats only, and a float holds 24 bits exactly: ``a_packed`` is the sRGB
base colour as ``red + 256 green + 65536 blue``, then the normal likewise (each part 127 n + 128),
plus 1 and negative on closed bodies."""

_SMOOTH_LIMIT = 2_500_000
"""Scenes with more triangles are lit by their flat faces: their facets are below a pixel."""

_NO_NORMAL = 128.0 + 256.0 * 128.0 + 65536.0 * 128.0 + 1.0

_CLOSED_SHARE = 0.05
"""A body is closed if its area-weighted normals cancel to this share of its area."""


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Triangles of one look, drawn in pieces."""

    indices: NDArray[np.uint32]
    """(3 F,) into the packed vertices, piece by piece."""

    bounds: PieceBounds
    """Of the pieces."""

    texture_index: int | None
    """Index into ``Scene.textures``; ``None`` for plain colour."""

    opacity: float
    """Below 1 it is drawn after everything opaque, blended."""

    finish: Finish = PLAIN

    @property
    def is_blended(self) -> bool:
        """Whether it is drawn after everything opaque."""
        return self.opacity < 1.0 or self.finish.is_blended


@dataclass(frozen=True, eq=False, slots=True)
class PackedScene:
    """One vertex buffer and the batches that use it."""

    vertices: NDArray[np.void]
    """(V,) of ``VERTEX_DTYPE``; positions relative to ``Scene.origin_m``."""

    batches: tuple[Batch, ...]
    """Opaque first."""

    closed_meshes: tuple[int, ...]
    """Indices of the meshes that enclose a volume, e.g. walls with a thickness."""

    textures: Mapping[int, tuple[Picture, ...]]
    """Every level of the textures in use, largest first, by index into ``Scene.textures``."""

    wraps: Mapping[int, TextureWrap] = field(default_factory=dict)
    """What the textures in use show beyond their edges, by the same index."""

    light_uvs: NDArray[np.float32] | None = None
    """(V, 2) coordinates of glow and occlusion where some mesh has its own; else those of
    ``vertices`` serve."""


def pack_scene(scene: Scene) -> PackedScene:
    """Merge all meshes at once; see ``pack_steps``."""
    return exhaust(pack_steps(scene))


def pack_steps(scene: Scene) -> Generator[Progress, None, PackedScene]:
    """Merge all meshes; those with the same texture share a batch.

    Pure arithmetic: may run on any thread.

    Yields:
        Progress in meshes and textures.

    Returns:
        What the graphics card is given.
    """
    total = len(scene.meshes) + len(scene.textures)
    is_smooth = scene.triangle_count <= _SMOOTH_LIMIT
    vertices = np.empty(sum(len(mesh.vertices) for mesh in scene.meshes), dtype=VERTEX_DTYPE)
    groups: dict[_Call, list[NDArray[np.uint32]]] = {}
    finishes: dict[tuple[int | None, bool, bool], tuple[Finish, ...]] = {}
    start = 0
    closed: list[int] = []
    for number, mesh in enumerate(scene.meshes):
        yield Progress(number, total, f"Preparing {mesh.name}")
        material = _material_of(scene, mesh)
        texture = _texture_of(scene, mesh, material)
        if _fill(vertices[start : start + len(mesh.vertices)], mesh, material, is_smooth):
            closed.append(number)
        faces = mesh.faces.astype(np.uint32).ravel() + np.uint32(start)
        opacity = _opacity(material)
        key = (mesh.material_index, texture is None, mesh.uvs is None and mesh.light_uvs is None)
        if key not in finishes:
            picture = None if texture is None else scene.textures[texture]
            has_black = texture is not None and scene.wrap_of(texture).has_black
            finishes[key] = finishes_of(
                material, picture, opacity, has_uvs=not key[2], has_black_beyond=has_black
            )
        for finish in finishes[key]:
            call = _Call(finish.is_blended, -opacity, -1 if texture is None else texture, finish)
            groups.setdefault(call, []).append(faces)
        start += len(mesh.vertices)
    batches = tuple(_batches(groups, vertices["a_position"]))
    textures: dict[int, tuple[Picture, ...]] = {}
    for index in sorted({index for batch in batches for index in _textures_of(batch)}):
        yield Progress(len(scene.meshes) + len(textures), total, f"Preparing texture {index}")
        textures[index] = (scene.textures[index], *mip_levels(scene.textures[index]))
    wraps = {index: scene.wrap_of(index) for index in textures}
    light_uvs = _light_uvs(scene, vertices)
    return PackedScene(vertices, batches, tuple(closed), textures, wraps, light_uvs)


class _Call(NamedTuple):
    """What tells draw calls apart, in the order in which they are made."""

    is_last: bool
    minus_opacity: float
    texture: int
    finish: Finish


def _batches(
    groups: Mapping[_Call, list[NDArray[np.uint32]]], positions: NDArray[np.float32]
) -> Iterator[Batch]:
    for call in sorted(groups):
        indices = np.concatenate(groups[call])
        if not len(indices):
            continue
        # What is blended is seen in the order in which it is drawn.
        indices, bounds = cut_to_pieces(indices, positions, may_sort=not call.is_last)
        texture = None if call.texture < 0 else call.texture
        yield Batch(indices, bounds, texture, -call.minus_opacity, call.finish)


def _textures_of(batch: Batch) -> tuple[int, ...]:
    base = () if batch.texture_index is None else (batch.texture_index,)
    return (*base, *batch.finish.textures)


def _light_uvs(scene: Scene, vertices: NDArray[np.void]) -> NDArray[np.float32] | None:
    """Coordinates of glow and occlusion, if some mesh has its own; as `PackedScene` keeps them."""
    if all(mesh.light_uvs is None for mesh in scene.meshes):
        return None
    placed = np.array(vertices["a_uv"])
    start = 0
    for mesh in scene.meshes:
        if mesh.light_uvs is not None:
            rows = placed[start : start + len(mesh.vertices)]
            rows[:] = mesh.light_uvs
            rows[:, 1] = 1.0 - rows[:, 1]
        start += len(mesh.vertices)
    return placed


def vertex_normals(
    vertices: NDArray[np.float32], faces: NDArray[np.int32]
) -> tuple[NDArray[np.float32], bool]:
    """Area-weighted normals of the vertices, and whether the body is closed.

    Args:
        vertices: (V, 3) metres.
        faces: (F, 3) vertex indices.

    Returns:
        (V, 3) unit normals, zero where no triangle with an area touches the vertex.
    """
    # Column by column: numpy is several times slower along rows of three.
    columns = [np.ascontiguousarray(vertices[:, axis]) for axis in range(3)]
    corners = [faces[:, corner].astype(np.intp) for corner in range(3)]
    first = [column[corners[0]] for column in columns]
    ax, ay, az = (column[corners[1]] - start for column, start in zip(columns, first, strict=True))
    bx, by, bz = (column[corners[2]] - start for column, start in zip(columns, first, strict=True))
    weighted = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    sums = np.empty((3, len(vertices)), dtype=np.float32)
    for axis, part in enumerate(weighted):
        weights = part.astype(np.float64)
        sums[axis] = sum(np.bincount(corner, weights, len(vertices)) for corner in corners)
    lengths = _length(sums)
    normals = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 1e-20)
    area = float(_length(weighted).sum(dtype=np.float64))
    open_area = math.hypot(*(float(part.sum(dtype=np.float64)) for part in weighted))
    volume = sum(
        float(np.einsum("i,i->", start, part, dtype=np.float64))
        for start, part in zip(first, weighted, strict=True)
    )
    is_closed = len(faces) >= 4 and volume > 0 and open_area < _CLOSED_SHARE * area
    return normals.T, is_closed


def _length(
    parts: Sequence[NDArray[np.float32]] | NDArray[np.float32],
) -> NDArray[np.float32]:
    x, y, z = parts
    length: NDArray[np.float32] = np.sqrt(x * x + y * y + z * z)
    return length


def _fill(part: NDArray[np.void], mesh: Mesh, material: Material, is_smooth: bool) -> bool:
    """Write the vertices of one mesh; whether it is closed."""
    part["a_position"] = mesh.vertices
    if mesh.uvs is None:
        part["a_uv"] = 0.0
    else:
        part["a_uv"][:, 0] = mesh.uvs[:, 0]
        # The pictures are uploaded with their top row first.
        part["a_uv"][:, 1] = 1.0 - mesh.uvs[:, 1]
    part["a_packed"][:, 0] = _packed(_srgb_bytes(_vertex_colors(mesh, material)).T)
    part["a_packed"][:, 1] = _NO_NORMAL
    if not is_smooth or len(mesh.faces) == 0:
        return False
    normals, is_closed = vertex_normals(mesh.vertices, mesh.faces)
    if mesh.is_flat:
        normals = np.zeros_like(normals)
    packed = _packed(np.rint(normals * 127.0 + 128.0).T) + 1.0
    part["a_packed"][:, 1] = -packed if is_closed else packed
    return is_closed


def _packed(parts: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(parts[0] + 256.0 * parts[1] + 65536.0 * parts[2], dtype=np.float32)


def _vertex_colors(mesh: Mesh, material: Material) -> NDArray[np.float32]:
    """(3,) or (V, 3) the linear base colour of all vertices or of each."""
    base = np.asarray(material.base_color[:3], dtype=np.float32)
    if mesh.colors is None:
        return base
    bytes_as_srgb = np.arange(256, dtype=np.float32) / np.float32(255)
    linear = np.where(
        bytes_as_srgb <= 0.04045, bytes_as_srgb / 12.92, ((bytes_as_srgb + 0.055) / 1.055) ** 2.4
    ).astype(np.float32)
    colors: NDArray[np.float32] = linear[mesh.colors] * base
    return colors


def _srgb_bytes(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    linear = np.clip(linear, 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(srgb * 255.0).astype(np.float32)


def _opacity(material: Material) -> float:
    """Rounded, so that near-equal materials share a batch."""
    return round(min(max(material.base_color[3], 0.0), 1.0), 2)


def _material_of(scene: Scene, mesh: Mesh) -> Material:
    if mesh.material_index is None:
        return Material("") if mesh.colors is None else Material("", (1.0, 1.0, 1.0, 1.0))
    return scene.materials[mesh.material_index]


def _texture_of(scene: Scene, mesh: Mesh, material: Material) -> int | None:
    index = material.texture_index
    if mesh.uvs is None or index is None or not 0 <= index < len(scene.textures):
        return None
    return index
