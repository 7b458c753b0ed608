"""Decodes a scene file in this process: what the child does for ``open_scene``.

The only module through which a reader of scenes is imported; nothing of the window imports it.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from importlib import resources
from pathlib import Path

from waypost.domain.base.errors import ReadError
from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.base.visible_text import one_line
from waypost.domain.scene.scene import Scene
from waypost.io.confined.works import Handover
from waypost.io.foreign_errors import reading
from waypost.io.scenes.assemble import assemble
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.corrections import UNIT_PLACE, UP_AXES, UP_AXIS_PLACE, check_corrections
from waypost.io.scenes.format import Reading, SourceScene
from waypost.io.scenes.mesh_files.formats import MESH_FORMATS
from waypost.io.scenes.registry import format_of_file
from waypost.io.scenes.scene_handover import handed_over


def decode_scene(
    path: Path,
    *,
    up_axis: str | None = None,
    metres_per_unit: float | None = None,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
) -> Generator[Progress, None, Scene]:
    """Decode a scene here, without limits of memory and time; see ``open_scene``."""
    check_corrections(up_axis, metres_per_unit)
    access = AssetAccess.of(path, allow_outside=allow_outside, asset_folders=asset_folders)
    with reading(path):
        source = yield from _read(path, access, metres_per_unit)
    if up_axis is not None:
        source.up_axis, source.is_up_axis_stated = up_axis, True
    if metres_per_unit is not None:
        source.metres_per_unit, source.is_unit_stated = metres_per_unit, True
    _require_frame(path, source)
    with reading(path, "meshes"):
        return (yield from assemble(path, source))


def _require_frame(path: Path, source: SourceScene) -> None:
    """Refuse an axis or a unit that makes no scene, unless the user has given another."""
    if source.up_axis not in UP_AXES:
        reason = f"{one_line(source.up_axis, 20)} is neither Y nor Z; say which with --up-axis"
        raise ReadError(str(path), UP_AXIS_PLACE, reason)
    if not 0 < source.metres_per_unit < math.inf:
        reason = f"{source.metres_per_unit:g} is not above 0; say what it is with --metres-per-unit"
        raise ReadError(str(path), UNIT_PLACE, reason)


def decode_at_once(
    path: Path,
    *,
    up_axis: str | None = None,
    metres_per_unit: float | None = None,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
) -> Scene:
    """``decode_scene`` without its progress."""
    return exhaust(
        decode_scene(
            path,
            up_axis=up_axis,
            metres_per_unit=metres_per_unit,
            allow_outside=allow_outside,
            asset_folders=asset_folders,
        )
    )


def hand_over_scene(
    path: Path,
    *,
    up_axis: str | None,
    metres_per_unit: float | None,
    allow_outside: bool,
    asset_folders: Sequence[str],
) -> Generator[Progress, None, Handover]:
    """The work of the child: ``decode_scene`` with plain values in and out."""
    scene = yield from decode_scene(
        path,
        up_axis=up_axis,
        metres_per_unit=metres_per_unit,
        allow_outside=allow_outside,
        asset_folders=[Path(folder) for folder in asset_folders],
    )
    return handed_over(scene)


def rehearse() -> None:
    """Read the shipped scene in both formats: what libraries do only once is then done."""
    with resources.as_file(resources.files("waypost.resources") / "sample" / "scenes") as folder:
        for name in ("home.glb", "home.usda"):
            decode_at_once(folder / name)


def _read(path: Path, access: AssetAccess, metres_per_unit: float | None) -> Reading:
    """Begin to read a file; of the readers only the one that is needed is imported."""
    found = format_of_file(path)
    if found in MESH_FORMATS:
        from waypost.io.scenes.mesh_files.read import read_mesh_file  # noqa: PLC0415 - likewise

        return read_mesh_file(path, access)
    if found.name == "glTF":
        from waypost.io.scenes.gltf_reader import read_gltf  # noqa: PLC0415 - slow to import

        return read_gltf(path, access)
    from waypost.io.scenes.usd_stage.reader import read_usd  # noqa: PLC0415 - slow to import

    return read_usd(path, access, metres_per_unit)
