"""Read OpenUSD stages: what usdview would draw, in the stage's own axes and units."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Tf, Usd, UsdGeom, UsdUtils

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress
from waypost.domain.scene.scene import AssetKind, MissingAsset
from waypost.geometry.transform import transform_points
from waypost.io.foreign_errors import reading
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.bounds import PlacedCount
from waypost.io.scenes.format import SourceMesh, SourceScene
from waypost.io.scenes.usd_layers import StageLayers
from waypost.io.scenes.usd_materials import UsdMaterials
from waypost.io.scenes.usd_mesh import MeshPart, mesh_parts
from waypost.io.scenes.usd_size import StageSize
from waypost.io.scenes.usd_walk import PlacedPrim, walk

_ASSET = re.compile(r"@([^@]+)@")
_PARSE_ERROR = re.compile(r"'[^']*?:(\d+):\d+: ([^']*)")
_NAMESPACES = re.compile(r"pxrInternal\w*::(?:\w+::)*")
_TOLD = re.compile(r": '([^']*)'")


def read_usd(path: Path, access: AssetAccess) -> Generator[Progress, None, SourceScene]:
    """Read a ``.usd``, ``.usda``, ``.usdc`` or ``.usdz`` file with all its payloads.

    Raises:
        ReadError: If the stage cannot be opened; see ``open_scene``.
    """
    yield Progress(0, 0, f"Opening {path.name}")
    # while it lives, OpenUSD does not write its diagnostics to standard error
    diagnostics = UsdUtils.CoalescingDiagnosticDelegate()
    source = SourceScene(path.suffix.lower().lstrip("."), "Y", 0.01)
    stage = _open_stage(path, access, source)
    source.up_axis = str(UsdGeom.GetStageUpAxis(stage))
    source.metres_per_unit = float(UsdGeom.GetStageMetersPerUnit(stage))
    source.is_up_axis_stated = bool(stage.HasAuthoredMetadata(UsdGeom.Tokens.upAxis))
    source.is_unit_stated = bool(UsdGeom.StageHasAuthoredMetersPerUnit(stage))
    _list_unresolved(path, stage, source)
    yield Progress(0, 0, f"Composing {path.name}")
    placed = list(walk(path, stage, source.warnings))
    materials = UsdMaterials(access, source)
    placing = PlacedCount(path)
    time = Usd.TimeCode.EarliestTime()
    for number, entry in enumerate(placed, start=1):
        place = str(entry.prim.GetPath())
        with reading(path, place):
            for part in _parts(path, entry.prim, time, source.warnings):
                placing.add(place, len(part.faces), len(part.points))
                source.meshes.append(_place(entry, part, materials))
        yield Progress(number, len(placed), f"Reading {entry.prim.GetName()}")
    if materials.reduced_count:
        source.warnings.append(f"{materials.reduced_count} large textures are shown reduced")
    del diagnostics
    return source


def _parts(
    path: Path, prim: Usd.Prim, time: Usd.TimeCode, warnings: list[str]
) -> Iterator[MeshPart]:
    try:
        yield from mesh_parts(prim, time, warnings)
    except Tf.ErrorException as error:
        raise ReadError(str(path), str(prim.GetPath()), _told(error)) from error


def _open_stage(path: Path, access: AssetAccess, source: SourceScene) -> Usd.Stage:
    """Open the layers, then compose the stage of them.

    The stage holds the layers; they must not be opened again while parts are taken out of them.
    """
    layers = StageLayers(path, access, source)
    try:
        root = layers.open_all()
        StageSize(path, root, layers.named).require_bound()
        return Usd.Stage.Open(root, layers.context, Usd.Stage.LoadAll)
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


def _list_unresolved(path: Path, stage: Usd.Stage, source: SourceScene) -> None:
    """List every layer, payload and reference that composition did not find."""
    for error in stage.GetCompositionErrors():
        text = str(error)
        found = _ASSET.search(text)
        wanted_by = str(error.rootSite.path)
        asset = _short(path, found[1]) if found else text
        if "<defaultPrim>" in text:
            source.warnings.append(
                f"{wanted_by} refers to {asset}, and that reference has no default prim to show"
            )
            continue
        source.add_missing(MissingAsset(asset, wanted_by, AssetKind.GEOMETRY))


def _short(path: Path, asset: str) -> str:
    """An asset path as a scene in the same folder would state it."""
    try:
        return Path(asset).relative_to(path.parent.resolve()).as_posix()
    except ValueError:
        return asset


def _place(entry: PlacedPrim, part: MeshPart, materials: UsdMaterials) -> SourceMesh:
    matrix: NDArray[np.float64] = entry.world_from_prim
    with np.errstate(all="ignore"):  # what is not finite is refused when all is put together
        is_mirrored = bool(np.linalg.det(matrix[:3, :3]) < 0)
        points = transform_points(part.points, matrix[:3, :3], matrix[:3, 3])
    faces = part.faces[:, ::-1] if is_mirrored != part.is_left_handed else part.faces
    look = materials.look_of(part.material_prim, part.display_color)
    uvs = part.uvs(look.uv_primvar)
    return SourceMesh(
        name=str(part.material_prim.GetPath()) + entry.instance,
        points=points,
        faces=faces,
        uvs=uvs,
        material_index=look.material_index,
        is_collider=part.is_collider,
    )
