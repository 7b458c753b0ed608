"""Read OpenUSD stages: what usdview would draw, in the stage's own axes and units."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Tf, Usd, UsdGeom, UsdUtils

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress
from waypost.geometry.transform import SQUASHED, is_squashed, transform_points
from waypost.io.foreign_errors import reading
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import PlacedCount
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.usd_stage.layers import StageLayers
from waypost.io.scenes.usd_stage.materials import UsdMaterials
from waypost.io.scenes.usd_stage.mesh import MeshPart, mesh_parts
from waypost.io.scenes.usd_stage.missing import list_unresolved
from waypost.io.scenes.usd_stage.size import StageSize
from waypost.io.scenes.usd_stage.units import list_other_units
from waypost.io.scenes.usd_stage.walk import PlacedPrim, walk

_PARSE_ERROR = re.compile(r"'[^']*?:(\d+):\d+: ([^']*)")
_NAMESPACES = re.compile(r"pxrInternal\w*::(?:\w+::)*")
_TOLD = re.compile(r": '([^']*)'")


def read_usd(
    path: Path, access: AssetAccess, metres_per_unit: float | None = None
) -> Generator[Progress, None, SourceScene]:
    """Read a ``.usd``, ``.usda``, ``.usdc`` or ``.usdz`` file with all its payloads.

    Args:
        path: The file.
        access: Where the files that it names may lie.
        metres_per_unit: What a person says instead of the stage: files of that unit are in place.

    Raises:
        ReadError: If the stage cannot be opened; see ``open_scene``.
    """
    yield Progress(0, 0, f"Opening {path.name}")
    # while it lives, OpenUSD does not write its diagnostics to standard error
    diagnostics = UsdUtils.CoalescingDiagnosticDelegate()
    source = SourceScene(path.suffix.lower().lstrip("."), "Y", 0.01)
    stage, layers = _open_stage(path, access, source)
    source.up_axis = str(UsdGeom.GetStageUpAxis(stage))
    source.metres_per_unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    source.is_up_axis_stated = bool(stage.HasAuthoredMetadata(UsdGeom.Tokens.upAxis))
    source.is_unit_stated = bool(UsdGeom.StageHasAuthoredMetersPerUnit(stage))
    list_other_units(stage, layers, source, metres_per_unit)
    yield Progress(0, 0, f"Finding the objects of {path.name}")
    placed = list(walk(path, stage, source))
    materials = UsdMaterials(access, source)
    placing = PlacedCount(path)
    time = Usd.TimeCode.EarliestTime()
    for number, entry in enumerate(placed, start=1):
        for part in _parts(path, entry, time, source):
            placing.add(str(entry.prim.GetPath()), len(part.faces), len(part.points))
            with reading(path, str(entry.prim.GetPath())):
                source.meshes.append(_place(entry, part, materials))
        done = f"object {number:,} of {len(placed):,}"
        yield Progress(number, len(placed), f"Reading {path.name}: {done}")
    list_unresolved(path, stage, source, materials.materialx_files)
    if materials.reduced_count:
        source.warnings.append(f"{materials.reduced_count} large textures are shown reduced")
    del diagnostics
    return source


def _parts(
    path: Path, entry: PlacedPrim, time: Usd.TimeCode, source: SourceScene
) -> list[MeshPart]:
    """The parts of a prim; if anything is wrong with it, it is left out by name."""
    place = str(entry.prim.GetPath())
    try:
        with reading(path, place):
            parts = list(mesh_parts(entry.prim, time, source))
    except ReadError as error:
        source.leave_out(place, error.reason)
        return []
    if any(is_squashed(entry.world_from_prim[:3, :3], part.points) for part in parts):
        source.leave_out(place + entry.instance, SQUASHED)
        return []
    return parts


def _open_stage(
    path: Path, access: AssetAccess, source: SourceScene
) -> tuple[Usd.Stage, StageLayers]:
    """Open the layers, then compose the stage of them.

    The stage holds the layers; they must not be opened again while parts are taken out of them.
    """
    layers = StageLayers(path, access, source)
    try:
        root = layers.open_all()
        StageSize(path, root, layers.named).require_bound()
        return Usd.Stage.Open(root, layers.context, Usd.Stage.LoadAll), layers
    except Tf.ErrorException as error:
        text = _text(error)
        parse = _PARSE_ERROR.search(text)
        if parse:
            reason = f"the text cannot be parsed ({' '.join(parse[2].split())[:120]})"
            raise ReadError(str(path), f"line {parse[1]}", reason) from error
        reason = f"the stage cannot be opened ({_told(error)}); it may be truncated"
        raise ReadError(str(path), "file", reason) from error


def _text(error: Exception) -> str:
    """What OpenUSD says, without the names of its C++ namespaces."""
    try:
        return _NAMESPACES.sub("", str(error))
    except UnicodeDecodeError:  # it quotes the file, whatever its bytes are
        return ""


def _told(error: Exception) -> str:
    """The first reason OpenUSD gives, on one line."""
    found = _TOLD.search(_text(error))
    return " ".join(found[1].split()) if found else "OpenUSD gives no reason"


def _place(entry: PlacedPrim, part: MeshPart, materials: UsdMaterials) -> SourceMesh:
    matrix: NDArray[np.float64] = entry.world_from_prim
    with np.errstate(all="ignore"):  # what is not finite is refused when all is put together
        is_mirrored = bool(np.linalg.det(matrix[:3, :3]) < 0)
        points = transform_points(part.points, matrix[:3, :3], matrix[:3, 3])
    faces = part.faces[:, ::-1] if is_mirrored != part.is_left_handed else part.faces
    look = materials.look_of(part)
    light = look.light_uvs
    return SourceMesh(
        name=str(part.material_prim.GetPath()) + entry.instance,
        points=points,
        faces=faces,
        uvs=look.uvs.placed(part.uvs(look.uvs.primvar)),
        material_index=look.material_index,
        is_collider=part.is_collider,
        colors=part.colors(look.color_primvar) if look.color_primvar else None,
        light_uvs=None if light is None else light.placed(part.uvs(light.primvar)),
    )
