"""Turn what a reader found into a scene: canonical frame, origin, hash, storeys, doubts."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import ReadError
from waypost.domain.base.extents import corners_of
from waypost.domain.base.frames import FARTHEST_M, GLTF, SCENE, TOO_FAR, vec3
from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import ABSENT, OUTSIDE_PLACE, Material, Mesh, Scene
from waypost.geometry.levels import measure_facets
from waypost.geometry.storeys import find_storeys
from waypost.geometry.transform import transform_points
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.plausibility import doubts, unstated
from waypost.io.scenes.strays import part_strays

_Number = TypeVar("_Number", bound=np.generic)

FAR_M = 1000.0
"""Scenes farther from zero than this get an origin of their own: float32 is too coarse there."""


def assemble(path: Path, source: SourceScene) -> Generator[Progress, None, Scene]:
    """Build the scene.

    Args:
        path: The file it came from.
        source: What the reader found, corrected by the user; its meshes are used up.

    Raises:
        ReadError: If there is nothing to see, or no extent, or a number that is not finite.
    """
    source.meshes = list(_usable(source))
    if not source.meshes:
        _refuse_nothing(path, source)
    part_strays(source)
    source.meshes = [_with_finite_uvs(mesh, source.warnings) for mesh in source.meshes]
    frame = GLTF if source.up_axis == "Y" else SCENE
    scene_from_source = frame.scene_from_frame * source.metres_per_unit
    low, high = _bounds(path, source, scene_from_source)
    origin = np.zeros(3)
    if np.abs([low, high]).max() > FAR_M:
        origin = np.round((low + high) / 2)
    meshes: list[Mesh] = []
    digests: list[bytes] = []
    total = len(source.meshes)
    while source.meshes:
        found = source.meshes.pop(0)
        mesh = _place(found, scene_from_source, origin)
        meshes.append(mesh)
        digests.append(_digest(mesh))
        yield Progress(len(meshes), total, f"Placing object {len(meshes):,} of {total:,}")
    scene = Scene(
        name=path.stem,
        path=str(path),
        format=source.format,
        meshes=tuple(meshes),
        materials=tuple(_with_finite_colour(m, source.warnings) for m in source.materials),
        textures=tuple(source.textures),
        texture_wraps=tuple(source.texture_wraps),
        origin_m=vec3(origin),
        source_up_axis=source.up_axis,
        metres_per_unit=source.metres_per_unit,
        content_hash=_hash(digests, origin),
        missing_assets=tuple(source.missing_assets),
        left_out=tuple(source.left_out),
        outside_assets=tuple(source.outside_assets),
        not_shown=tuple(_not_shown(source)),
    )
    return _judged(scene, source)


def _judged(scene: Scene, source: SourceScene) -> Scene:
    """The scene with its storeys and what is doubted, by triangles that are measured once."""
    facets = measure_facets(scene.meshes)
    storeys = find_storeys(scene, facets)
    doubted = doubts(scene, len(storeys), facets)
    warnings = (*source.warnings, *unstated(source, scene), *doubted)
    return replace(scene, storeys=storeys, warnings=warnings)


def _not_shown(source: SourceScene) -> Iterator[str]:
    """A sentence per look that is not drawn, with how many ask for it and one of them."""
    for what, wanted_by in sorted(source.not_shown.items()):
        first = next(iter(wanted_by))
        others = f" and {len(wanted_by) - 1:,} more" if len(wanted_by) > 1 else ""
        yield f"{what} are not shown ({first}{others})"


def _hash(digests: list[bytes], origin: NDArray[np.float64]) -> str:
    """SHA-256 over the digests of all meshes in any order, and the origin."""
    total = hashlib.sha256(np.asarray(origin, dtype="<f8").tobytes())
    for digest in sorted(digests):
        total.update(digest)
    return total.hexdigest()


def _digest(mesh: Mesh) -> bytes:
    """SHA-256 of the triangles alone: numbering of vertices, names and looks do not matter."""
    corners = mesh.vertices[mesh.faces].astype("<f4") + np.float32(0)
    digest = hashlib.sha256(b"collider" if mesh.is_collider else b"ghost")
    digest.update(np.ascontiguousarray(corners).data)
    return digest.digest()


def _place(
    found: SourceMesh, scene_from_source: NDArray[np.float64], origin: NDArray[np.float64]
) -> Mesh:
    points = transform_points(found.points, scene_from_source, -origin)
    return Mesh(
        name=found.name,
        vertices=points.astype(np.float32),
        faces=np.ascontiguousarray(found.faces, dtype=np.int32),
        uvs=_contiguous_uvs(found.uvs),
        material_index=found.material_index,
        is_collider=found.is_collider,
        colors=None if found.colors is None else np.ascontiguousarray(found.colors, dtype=np.uint8),
        light_uvs=_contiguous_uvs(found.light_uvs),
        is_flat=found.is_flat,
        is_stray=found.is_stray,
    )


def _contiguous_uvs(uvs: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    return None if uvs is None else np.ascontiguousarray(uvs, dtype=np.float32)


def _usable(source: SourceScene) -> Iterator[SourceMesh]:
    """The meshes with triangles that can be shown; the others are left out by name."""
    to_metres = source.metres_per_unit
    for mesh in source.meshes:
        if not len(mesh.faces):
            continue
        if mesh.faces.min() < 0 or mesh.faces.max() >= len(mesh.points):
            source.leave_out(mesh.name, "a triangle names a vertex that is not there")
            continue
        placed = _without_loose_vertices(mesh)
        with np.errstate(all="ignore"):
            farthest_m = max(float(placed.points.max()), -float(placed.points.min())) * to_metres
        if not np.isfinite(farthest_m):
            source.leave_out(mesh.name, "a vertex is not a finite number")
        elif farthest_m > FARTHEST_M:
            source.leave_out(mesh.name, f"a vertex is {TOO_FAR}")
        else:
            yield placed


def _without_loose_vertices(found: SourceMesh) -> SourceMesh:
    """Leave out the vertices of no triangle, which must not stretch the bounds."""
    faces = found.faces
    is_used = np.zeros(len(found.points), dtype=np.bool_)
    is_used[faces] = True
    if is_used.all():
        return found
    return replace(
        found,
        points=found.points[is_used],
        faces=(np.cumsum(is_used) - 1)[faces].astype(np.int32),
        uvs=_chosen(found.uvs, is_used),
        colors=_chosen(found.colors, is_used),
        light_uvs=_chosen(found.light_uvs, is_used),
    )


def _chosen(rows: NDArray[_Number] | None, is_used: NDArray[np.bool_]) -> NDArray[_Number] | None:
    return None if rows is None else rows[is_used]


def _with_finite_uvs(found: SourceMesh, warnings: list[str]) -> SourceMesh:
    """A mesh whose texture coordinates are no numbers is shown without picture, and said."""
    if _are_finite(found.uvs) and _are_finite(found.light_uvs):
        return found
    warnings.append(
        f"{found.name} is shown without picture: its texture coordinates are no numbers"
    )
    return replace(found, uvs=None, light_uvs=None)


def _are_finite(uvs: NDArray[np.float32] | None) -> bool:
    if uvs is None or not uvs.size:
        return True
    return bool(float(np.abs(uvs).max()) <= float(np.finfo(np.float32).max))


def _with_finite_colour(material: Material, warnings: list[str]) -> Material:
    """A material whose colour is no colour has that of a material without one."""
    if not np.isfinite(material.base_color).all():
        warnings.append(f"{material.name} is shown grey: its colour is no number")
        material = replace(material, base_color=Material("").base_color)
    if not np.isfinite(material.emissive_color).all():
        warnings.append(f"{material.name} does not glow: its emissive colour is no number")
        material = replace(material, emissive_color=(0.0, 0.0, 0.0))
    return material


def _bounds(
    path: Path, source: SourceScene, scene_from_source: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    counted = [mesh for mesh in source.meshes if not mesh.is_stray] or source.meshes
    lows, highs = zip(*(corners_of(mesh.points) for mesh in counted), strict=True)
    ends = np.array([np.min(lows, axis=0), np.max(highs, axis=0)])
    corners = transform_points(ends, scene_from_source, (0.0, 0.0, 0.0))
    low, high = corners.min(axis=0), corners.max(axis=0)
    if not float((high - low).max()) > 1e-6:
        reason = "all vertices are at one point; the geometry was not decoded or is scaled to zero"
        raise ReadError(str(path), "meshes", reason)
    return low, high


def _refuse_nothing(path: Path, source: SourceScene) -> NoReturn:
    """Say why there is nothing to see."""
    _refuse_unallowed(path, source)
    if source.left_out:
        raise ReadError(str(path), source.left_out[0].name, source.left_out[0].reason)
    raise ReadError(str(path), "meshes", _nothing_to_see(source))


def _refuse_unallowed(path: Path, source: SourceScene) -> None:
    """Say so where all that is to be seen lies outside the folder of the scene."""
    names = list(dict.fromkeys(a.asset for a in source.outside_assets if not a.is_followed))
    if names:
        shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        count = counted(len(names), "file", "files")
        reason = f"there is nothing to show without {count} there ({shown}); allow them to be read"
        raise ReadError(str(path), OUTSIDE_PLACE, f"{reason} (--allow-outside)")


def _nothing_to_see(source: SourceScene) -> str:
    reason = "there is no mesh to show"
    if source.missing_assets:
        missing = source.missing_assets[0]
        what = "is missing" if missing.reason == ABSENT else missing.reason
        reason += f"; {missing.wanted_by} asks for {missing.asset}, which {what}"
    if source.warnings:
        reason += f"; {source.warnings[0]}"
    return "; ".join((reason, *_not_shown(source)))
