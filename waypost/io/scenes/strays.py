"""Parts a few vertices that lie far from everything else, as scans and exporters leave them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.extents import corners_of
from waypost.io.scenes.format import SourceMesh, SourceScene

_FAR_M: Final = 200.0
_TIMES_THE_REST: Final = 20.0
"""A vertex is stray beyond so many times the extent of the middle nine tenths."""

_MOST_SHARE: Final = 0.01
_MOST_ANYWAY: Final = 3
"""More far vertices than both of these are another building, not strays."""


def part_strays(source: SourceScene) -> None:
    """Part the triangles at stray vertices from their meshes; each such mesh is named.

    They stay visible, and neither bounds nor storeys nor the engine count them: one vertex at
    20 km would leave a house of a millimetre in the view.

    Args:
        source: Changed in place; its points are finite.
    """
    lows, highs = zip(*(corners_of(mesh.points) for mesh in source.meshes), strict=True)
    extent_m = (np.max(highs, axis=0) - np.min(lows, axis=0)) * source.metres_per_unit
    if extent_m.max() <= _FAR_M:
        return
    low, high = _reach(source)
    is_stray = [
        np.asarray(((mesh.points < low) | (mesh.points > high)).any(axis=1))
        for mesh in source.meshes
    ]
    count, total = sum(int(rows.sum()) for rows in is_stray), sum(len(rows) for rows in is_stray)
    if not 0 < count <= max(_MOST_SHARE * total, _MOST_ANYWAY):
        return
    parted: list[SourceMesh] = []
    for mesh, rows in zip(source.meshes, is_stray, strict=True):
        parted += _parted(source, mesh, rows) if rows.any() else [mesh]
    source.meshes = parted


def _reach(source: SourceScene) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Between which corners a vertex is no stray, in the units of the file."""
    points = np.concatenate([mesh.points for mesh in source.meshes])
    first, middle, last = np.quantile(points, (0.05, 0.5, 0.95), axis=0)
    widest = float((last - first).max())
    reach = max(_TIMES_THE_REST * widest, _FAR_M / source.metres_per_unit)
    return middle - reach, middle + reach


def _parted(
    source: SourceScene, mesh: SourceMesh, is_stray: NDArray[np.bool_]
) -> Iterator[SourceMesh]:
    touches = np.asarray(is_stray[mesh.faces].any(axis=1))
    where = ", ".join(f"{value:g}" for value in mesh.points[is_stray][0])
    count = int(is_stray.sum())
    vertices = "vertex" if count == 1 else "vertices"
    source.warnings.append(
        f"{mesh.name} has {count:,} stray {vertices} far from everything else (at {where} in the "
        f"file); {int(touches.sum()):,} triangles there are shown, and nothing collides with them"
    )
    if not touches.all():
        yield _of_faces(mesh, np.logical_not(touches))
    yield replace(
        _of_faces(mesh, touches), name=f"{mesh.name} (stray)", is_collider=False, is_stray=True
    )


def _of_faces(mesh: SourceMesh, is_chosen: NDArray[np.bool_]) -> SourceMesh:
    """The chosen triangles with the vertices they use."""
    faces = mesh.faces[is_chosen]
    used = np.unique(faces)
    return replace(
        mesh,
        points=mesh.points[used],
        faces=np.searchsorted(used, faces).astype(np.int32),
        uvs=None if mesh.uvs is None else mesh.uvs[used],
        colors=None if mesh.colors is None else mesh.colors[used],
        light_uvs=None if mesh.light_uvs is None else mesh.light_uvs[used],
    )
