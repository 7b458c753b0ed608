"""Reads files of triangles or points alone; trimesh decodes them.

Only COLLADA states its unit and which axis is up; for the others metres are assumed, and the up
axis that most writers of the format use.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import numpy as np
import trimesh.exchange.off
import trimesh.exchange.ply
import trimesh.exchange.stl
from numpy.typing import NDArray

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress
from waypost.io.file_reading import open_for_reading
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import MAX_POINTS, PlacedCount
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.mesh_files.point_cubes import cubes_of_points
from waypost.io.scenes.mesh_files.polygons import triangles_of
from waypost.io.scenes.mesh_files.wavefront import add_wavefront

_LOADERS: Final = {
    ".ply": trimesh.exchange.ply.load_ply,
    ".stl": trimesh.exchange.stl.load_stl,
    ".off": trimesh.exchange.off.load_off,
}
_SPLAT: Final = (b"f_dc_0", b"rot_0", b"scale_0")
_HEAD_BYTES: Final = 4096
_BINARY_STL_HEAD: Final = 84
_BINARY_STL_ROW: Final = 50


def read_mesh_file(path: Path, access: AssetAccess) -> Generator[Progress, None, SourceScene]:
    """Read a ``.dae``, ``.obj``, ``.ply``, ``.stl`` or ``.off`` file.

    Raises:
        ReadError: If it cannot be used; see ``open_scene``.
    """
    yield Progress(0, 0, f"Reading {path.name}")
    suffix = path.suffix.lower()
    source = SourceScene(suffix.lstrip("."), "Y" if suffix == ".obj" else "Z", 1.0)
    source.is_up_axis_stated = source.is_unit_stated = False
    if suffix == ".dae":
        from waypost.io.scenes.mesh_files.dae import add_collada  # noqa: PLC0415 - slow to import

        add_collada(path, access, source)
    elif suffix == ".obj":
        add_wavefront(path, access, source)
    else:
        with open_for_reading(path) as file:
            _check_head(path, file.read(_HEAD_BYTES))
            file.seek(0)
            loaded = _LOADERS[suffix](file)
        _add(path, loaded, source)
    placing = PlacedCount(path)
    for mesh in source.meshes:
        placing.add(mesh.name, len(mesh.faces), len(mesh.points))
    return source


def _check_head(path: Path, head: bytes) -> None:
    """Refuse what is announced and not there, and splats, which are no surfaces."""
    if path.suffix.lower() == ".ply" and all(word in head for word in _SPLAT):
        reason = (
            "these are Gaussian splats, which have no surface to stand on; "
            "export a mesh of the same scan (GLB or PLY with faces)"
        )
        raise ReadError(str(path), "header", reason)
    if path.suffix.lower() == ".stl" and not head.lstrip().startswith(b"solid"):
        count = int.from_bytes(head[80:84], "little")
        size = path.stat().st_size
        if size < _BINARY_STL_HEAD or _BINARY_STL_HEAD + count * _BINARY_STL_ROW > size:
            reason = f"{count:,} triangles are announced, and the file has {size:,} bytes"
            raise ReadError(str(path), "header", reason)


def _add(path: Path, loaded: dict[str, Any], source: SourceScene) -> None:
    points = np.asarray(loaded.get("vertices", np.empty((0, 3))), dtype=np.float64)
    colors = _colors(loaded, len(points))
    if len(points) > MAX_POINTS:
        raise ReadError(str(path), "vertices", f"there are more than {MAX_POINTS:,}")
    faces = triangles_of(points, loaded.get("faces"))
    if len(faces):
        source.meshes.append(SourceMesh(path.stem, points, faces, colors=colors))
        return
    if not len(points):
        raise ReadError(str(path), "meshes", "there is no mesh and no point to show")
    cubes, side = cubes_of_points(path.stem, points, colors)
    source.meshes.append(cubes)
    source.warnings.append(
        f"the {len(points):,} points are shown as cubes of {side:g} m; nobody can stand on them"
    )


def _colors(loaded: dict[str, Any], count: int) -> NDArray[np.uint8] | None:
    """(V, 3) sRGB; these formats keep colours as people see them."""
    found = loaded.get("vertex_colors")
    if found is None or len(found) != count:
        return None
    colors = np.asarray(found)[:, :3]
    if colors.dtype.kind == "f":
        colors = np.rint(np.clip(colors, 0.0, 1.0) * 255.0)
    return colors.astype(np.uint8)
