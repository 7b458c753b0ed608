"""What a scene is once it is open: triangles, pictures and facts, in the scene frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.extents import corners_of
from waypost.domain.base.frames import Vec3, vec3
from waypost.domain.scene.texture_wrap import REPEATED, TextureWrap


@dataclass(frozen=True, slots=True)
class Storey:
    """A level of a building."""

    name: str
    floor_z_m: float
    """Height of its floor in the scene frame."""


OUTSIDE_PLACE: Final = "files outside its folder"
"""Place of the error of a scene that shows nothing without them."""


ABSENT: Final = "does not exist"
"""Why a file is missing that simply is not there."""


class AssetKind(StrEnum):
    """What a missing file would have brought."""

    GEOMETRY = "geometry"
    TEXTURE = "texture"


@dataclass(frozen=True, slots=True)
class MissingAsset:
    """A file that the scene asks for and that is not there."""

    asset: str
    """The path as the scene states it."""

    wanted_by: str
    """The prim, node or material that asks for it."""

    kind: AssetKind
    """Missing geometry makes labels untrustworthy; a missing texture does not."""

    reason: str = ABSENT
    """Why it is not read, e.g. ``is a folder, not a file``."""


@dataclass(frozen=True, slots=True)
class LeftOutObject:
    """An object of the scene that cannot be shown; everything else is."""

    name: str
    """As meshes are named."""

    reason: str
    """A clause such as ``a vertex is not a finite number``."""


@dataclass(frozen=True, slots=True)
class OutsideAsset:
    """A file outside the folder of the scene that the scene asks for."""

    asset: str
    """The path as the scene states it."""

    wanted_by: str
    """The prim, node or material that asks for it."""

    path: str
    """Where that is on this machine."""

    is_followed: bool
    """Whether it was read, because a person allowed it; else it is missing as well."""


@dataclass(frozen=True, slots=True)
class Material:
    """How the surface of a mesh looks."""

    name: str
    base_color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    """Linear RGBA factor in [0, 1], multiplied with the texture."""

    texture_index: int | None = None
    """Index into ``Scene.textures``."""

    emissive_color: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Linear RGB in [0, 1] that it gives off in any light, multiplied with its own texture."""

    emissive_texture_index: int | None = None
    """Index into ``Scene.textures``."""

    occlusion_texture_index: int | None = None
    """Index into ``Scene.textures``; the red of it is the share of light that arrives."""

    alpha_cutoff: float | None = None
    """Texels of less alpha are not drawn, all others are opaque. ``None`` blends by alpha."""

    is_one_sided: bool = False
    """Whether it is only seen where the triangles face the eye."""


@dataclass(frozen=True, eq=False, slots=True)
class Mesh:
    """Triangles of one object with one material."""

    name: str
    """Object name, shown in contacts and warnings; for USD the prim path."""

    vertices: NDArray[np.float32]
    """(V, 3) metres, relative to ``Scene.origin_m``. Read-only."""

    faces: NDArray[np.int32]
    """(F, 3) vertex indices, counter-clockwise seen from outside. Read-only."""

    uvs: NDArray[np.float32] | None = None
    """(V, 2) texture coordinates, v = 0 at the bottom row of the picture. Read-only."""

    material_index: int | None = None
    """Index into ``Scene.materials``."""

    is_collider: bool = True
    """False for what is drawn but must not stop an agent."""

    colors: NDArray[np.uint8] | None = None
    """(V, 3) sRGB, multiplied as light with the base colour. Read-only."""

    light_uvs: NDArray[np.float32] | None = None
    """(V, 2) coordinates of the emissive and the occlusion texture where they are not ``uvs``.
    Read-only."""

    is_flat: bool = False
    """Whether each face is drawn flat, because the file asks for that."""

    is_stray: bool = False
    """Whether it lies far from everything else and counts for neither bounds nor storeys."""

    def __post_init__(self) -> None:
        for array in (self.vertices, self.faces, self.uvs, self.colors, self.light_uvs):
            if array is not None:
                array.flags.writeable = False


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """An open scene: canonical frame, metres, Z up."""

    name: str
    path: str
    """The file as it was opened."""

    format: str
    """``glb``, ``gltf``, ``usd``, ``usda`` or ``usdc``."""

    meshes: tuple[Mesh, ...]
    materials: tuple[Material, ...] = ()
    textures: tuple[NDArray[np.uint8], ...] = ()
    """Each (H, W, 4) RGBA, first row at the top of the picture. Read-only."""

    origin_m: Vec3 = (0.0, 0.0, 0.0)
    """float64 position of the vertices' zero, so that far-away scenes keep their precision."""

    source_up_axis: str = "Y"
    """``Y`` or ``Z``, as stated by the file or the user."""

    metres_per_unit: float = 1.0
    content_hash: str = ""
    """SHA-256 over the triangles in the scene frame; provenance of labels."""

    storeys: tuple[Storey, ...] = ()
    missing_assets: tuple[MissingAsset, ...] = ()
    left_out: tuple[LeftOutObject, ...] = ()
    outside_assets: tuple[OutsideAsset, ...] = ()
    warnings: tuple[str, ...] = ()
    not_shown: tuple[str, ...] = ()
    """What materials ask for that is not drawn, a sentence each; no doubt about the geometry."""

    texture_wraps: tuple[TextureWrap, ...] = ()
    """One for each texture; those beyond its end repeat."""

    _bounds: list[tuple[Vec3, Vec3]] = field(default_factory=list, init=False, repr=False)

    def wrap_of(self, texture_index: int) -> TextureWrap:
        """What a texture shows beyond its edges."""
        wraps = self.texture_wraps
        return wraps[texture_index] if texture_index < len(wraps) else REPEATED

    @property
    def triangle_count(self) -> int:
        """Number of triangles over all meshes."""
        return sum(len(mesh.faces) for mesh in self.meshes)

    @property
    def bounds_m(self) -> tuple[Vec3, Vec3]:
        """Lowest and highest corner of all meshes but stray ones, scene frame.

        Raises:
            ValueError: If the scene has no vertices.
        """
        if not self._bounds:
            counted = [mesh for mesh in self.meshes if not mesh.is_stray] or self.meshes
            corners = [mesh.vertices for mesh in counted if len(mesh.vertices)]
            if not corners:
                raise ValueError("a scene without vertices has no bounds")
            lows, highs = zip(*(corners_of(c) for c in corners), strict=True)
            low = np.min(lows, axis=0).astype(np.float64)
            high = np.max(highs, axis=0).astype(np.float64)
            origin = np.asarray(self.origin_m)
            self._bounds.append((vec3(low + origin), vec3(high + origin)))
        return self._bounds[0]

    @property
    def size_m(self) -> Vec3:
        """Extent along x, y, z in metres."""
        low, high = self.bounds_m
        return (high[0] - low[0], high[1] - low[1], high[2] - low[2])
