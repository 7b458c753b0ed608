"""Open a scene file of any known format into the canonical scene frame."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from pathlib import Path

from waypost.domain.errors import InputError, ReadError
from waypost.domain.progress import Progress, exhaust
from waypost.domain.scene import Scene
from waypost.domain.visible_text import one_line
from waypost.io.file_reading import open_for_reading
from waypost.io.foreign_errors import reading
from waypost.io.scenes.assemble import assemble
from waypost.io.scenes.asset_access import AssetAccess
from waypost.io.scenes.format import Format, SourceScene
from waypost.io.scenes.registry import find_format, known_suffixes

_UP_AXES = ("Y", "Z")
_HEAD_BYTES = 4096
_BEFORE_JSON = b"\xef\xbb\xbf \t\r\n"


def open_scene(
    path: Path,
    *,
    up_axis: str | None = None,
    metres_per_unit: float | None = None,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
) -> Generator[Progress, None, Scene]:
    """Open a scene in steps; closing the generator cancels, and nothing remains.

    Args:
        path: A ``.glb``, ``.gltf``, ``.usd``, ``.usda``, ``.usdc`` or ``.usdz`` file.
        up_axis: ``Y`` or ``Z`` instead of what the file says.
        metres_per_unit: Above 0, instead of what the file says.
        allow_outside: Whether files are read that the scene names outside its own folder.
        asset_folders: Folders that count as inside; USD also searches them.

    Yields:
        Progress, at least once per mesh.

    Returns:
        The scene.

    Raises:
        InputError: If a correction is out of range.
        ReadError: If the file is missing, empty, damaged, of no known format, or without meshes.
    """
    if up_axis is not None and up_axis not in _UP_AXES:
        raise InputError(f"up axis: {up_axis!r} is neither Y nor Z")
    if metres_per_unit is not None and not (0 < metres_per_unit < math.inf):
        raise InputError(f"metres per unit: {metres_per_unit:g} is not above 0")
    access = AssetAccess.of(path, allow_outside=allow_outside, asset_folders=asset_folders)
    with reading(path):
        source = yield from format_of_file(path).read(path, access)
    if up_axis is not None:
        source.up_axis, source.is_up_axis_stated = up_axis, True
    if metres_per_unit is not None:
        source.metres_per_unit, source.is_unit_stated = metres_per_unit, True
    _require_frame(path, source)
    with reading(path, "meshes"):
        return (yield from assemble(path, source))


def _require_frame(path: Path, source: SourceScene) -> None:
    """Refuse an axis or a unit that makes no scene, unless the user has given another."""
    if source.up_axis not in _UP_AXES:
        reason = f"{one_line(source.up_axis, 20)} is neither Y nor Z; say which with --up-axis"
        raise ReadError(str(path), "upAxis", reason)
    if not 0 < source.metres_per_unit < math.inf:
        reason = f"{source.metres_per_unit:g} is not above 0; say what it is with --metres-per-unit"
        raise ReadError(str(path), "metersPerUnit", reason)


def format_of_file(path: Path) -> Format:
    """The format of a scene file, by its first bytes and its name.

    Raises:
        ReadError: If the file is missing, empty, or of no known format.
    """
    head = _read_head(path)
    found = find_format(head)
    if found is None:
        known = " ".join(known_suffixes())
        raise ReadError(str(path), "header", f"this is no scene file; known are {known}")
    if path.suffix.lower() not in found.suffixes:
        wanted = " or ".join(found.suffixes)
        reason = f"the content is {found.name} but the name ends otherwise; rename it to {wanted}"
        if head.lstrip(_BEFORE_JSON).startswith(b"{"):
            # any JSON might be glTF; graphs and labels are JSON as well
            reason = "this is JSON, not a scene; import it if a graph, rename it to .gltf if glTF"
        raise ReadError(str(path), "name", reason)
    return found


def read_scene(
    path: Path,
    *,
    up_axis: str | None = None,
    metres_per_unit: float | None = None,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
) -> Scene:
    """Open a scene at once; see ``open_scene``."""
    return exhaust(
        open_scene(
            path,
            up_axis=up_axis,
            metres_per_unit=metres_per_unit,
            allow_outside=allow_outside,
            asset_folders=asset_folders,
        )
    )


def _read_head(path: Path) -> bytes:
    with open_for_reading(path) as file:
        head = file.read(_HEAD_BYTES)
    if not head:
        raise ReadError(str(path), "file", "the file is empty")
    return head
