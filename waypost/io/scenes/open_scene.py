"""Opens a scene file of any known format, in a child, into the canonical scene frame."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.scene.scene import Scene
from waypost.io.confined.ask_child import ask_child, progress_of
from waypost.io.scenes.corrections import check_corrections
from waypost.io.scenes.registry import format_of_file
from waypost.io.scenes.scene_handover import scene_of


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
        Progress, many times a second, even while the child is in one long call.

    Returns:
        The scene.

    Raises:
        InputError: If a correction is out of range.
        ReadError: If the file is missing, empty, damaged, of no known format, or without meshes;
            if it needs more memory or time than allowed (``confined.limits``).
    """
    check_corrections(up_axis, metres_per_unit)
    format_of_file(path)
    arguments = {
        "up_axis": up_axis,
        "metres_per_unit": metres_per_unit,
        "allow_outside": allow_outside,
        "asset_folders": [str(folder) for folder in asset_folders],
    }
    steps = ask_child("scene", path, arguments)
    handover = yield from progress_of(steps)
    return scene_of(handover, path)


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
