"""Finds the file of a scene by its id, in a folder of scenes or in a list of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from waypost.domain.base.errors import ReadError
from waypost.io.json_reading import read_json
from waypost.io.scenes.registry import known_suffixes

VLNVERSE_STEM: Final = "start_result_navigation"
"""What VLNVerse calls the scene in the folder of every house."""


def scene_names(file: Path) -> frozenset[str]:
    """What data sets may call the scene of a file: the name of the file, or of its folder."""
    return frozenset({file.stem, file.parent.name})


def find_scene_file(place: Path, scene_id: str) -> Path:
    """The file of a scene.

    A folder holds ``ID.glb`` (or another suffix of a scene), or a folder ``ID`` with ``ID.glb``,
    with VLNVerse's ``start_result_navigation.usd``, or with one scene file alone. A JSON file is
    an object scene id → path relative to its own folder.

    Raises:
        ReadError: If there is none, or it cannot be told which.
    """
    if place.is_dir():
        return _in_folder(place, scene_id)
    if not place.is_file():
        raise ReadError(str(place), f"scene {scene_id}", "there is no such folder of scenes")
    return _in_list(place, scene_id)


def _in_folder(folder: Path, scene_id: str) -> Path:
    if scene_id in {"", ".", ".."} or "/" in scene_id or "\\" in scene_id:
        raise ReadError(str(folder), f"scene {scene_id!r}", "this is no name of a scene")
    suffixes = known_suffixes()
    own = folder / scene_id
    named = [
        *(folder / f"{scene_id}{suffix}" for suffix in suffixes),
        *(own / f"{stem}{suffix}" for stem in (scene_id, VLNVERSE_STEM) for suffix in suffixes),
    ]
    found = [path for path in named if path.is_file()]
    if found:
        return found[0]
    alone = sorted(p for p in own.glob("*") if p.suffix.lower() in suffixes) if own.is_dir() else []
    if len(alone) > 1:
        names = ", ".join(path.name for path in alone[:3])
        reason = f"its folder holds {len(alone)} scene files ({names}); name one {scene_id}"
        raise ReadError(str(folder), f"scene {scene_id}", reason)
    if not alone:
        reason = f"there is neither a file {scene_id}{suffixes[0]} nor a folder {scene_id} with one"
        raise ReadError(str(folder), f"scene {scene_id}", reason)
    return alone[0]


def _in_list(path: Path, scene_id: str) -> Path:
    root = read_json(path).root
    if not root.has(scene_id):
        raise ReadError(str(path), f"scene {scene_id}", "is not in the list of scenes")
    found = path.parent / root.field(scene_id).as_text()
    if not found.is_file():
        raise ReadError(str(path), f"scene {scene_id}", f"there is no file {found}")
    return found
