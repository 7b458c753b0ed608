"""Distances over the floors of a benchmark's scenes, from a folder of navmeshes or of scenes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.frames import Vec3
from waypost.geometry.navmesh.navmesh import Navmesh, make_navmesh
from waypost.geometry.navmesh.recast import MISSING, is_installed
from waypost.geometry.navmesh.settings import NavmeshSettings
from waypost.io.file_reading import require_folder
from waypost.io.foreign_errors import reading
from waypost.io.navmesh_files import SUFFIX, read_navmesh
from waypost.io.scenes.open_scene import read_scene
from waypost.io.scenes.registry import known_suffixes
from waypost.metrics.profile import GoalDistance

HABITAT_AGENT: Final = NavmeshSettings()
"""What habitat-sim makes navmeshes for; scenes without a file get theirs for it."""

_DEEPEST: Final = 3
"""Folders below the given one in which files are found, as ``mp3d/SCAN/SCAN.navmesh``."""


def check_navmeshes(folder: Path, scene_ids: Iterable[str] = ()) -> None:
    """Refuse a folder that gives no distance, before anything is scored.

    Args:
        folder: Holds navmeshes or scenes.
        scene_ids: Scenes whose navmesh is looked into as well, where the folder has its file.

    Raises:
        InputError: If it cannot be read, holds neither navmesh nor scene, or the extra is missing.
        ReadError: If the navmesh of one of the scenes is damaged.
    """
    require_folder(folder)
    if not is_installed():
        raise InputError(MISSING)
    if not _files(folder):
        raise ReadError(str(folder), "folder", f"holds neither a {SUFFIX} file nor a scene")
    for scene_id in scene_ids:
        path = _files(folder).get(scene_id)
        if path is not None and path.suffix.lower() == SUFFIX:
            _navmesh(path)


def goal_distance_over(folder: Path | None, scene_id: str) -> GoalDistance | None:
    """The distance over the navmesh of a scene; ``None`` where the folder has none.

    The file ``<scene id>.navmesh`` counts before a scene file of that name, whose navmesh is made
    for the agent of habitat-sim.

    Raises:
        InputError: If the file is damaged or nothing in the scene can be stood on.
    """
    if folder is None or scene_id not in _files(folder):
        return None
    navmesh = _navmesh(_files(folder)[scene_id])

    def distance(scene: str, points_m: NDArray[np.float64], goal_m: Vec3) -> NDArray[np.float64]:
        del scene
        return navmesh.geodesics_m(points_m, goal_m)

    return distance


def navmesh_words(folder: Path) -> str:
    """Where the distances of a folder come from, for the definitions of scores."""
    files = _files(folder)
    read = sum(path.suffix.lower() == SUFFIX for path in files.values())
    words = [f"{SUFFIX} files of {folder.name}"] if read else []
    if read < len(files):
        words.append(f"made from the scenes of {folder.name}: {HABITAT_AGENT.words}")
    return "; ".join(words)


def _files(folder: Path) -> Mapping[str, Path]:
    """Scene id → the file that tells its distances; listed anew when a folder has changed."""
    known = _LISTED.get(folder)
    if known is None or any(_changed_ns(place) != at for place, at in known.folders.items()):
        known = _LISTED[folder] = _listed(folder)
    return known.files


@dataclass(frozen=True, slots=True)
class _Listing:
    """What a folder had when it was listed."""

    files: Mapping[str, Path]
    folders: Mapping[Path, int]
    """It and those below it → when what is in them changed."""


_LISTED: Final[dict[Path, _Listing]] = {}


def _listed(folder: Path) -> _Listing:
    wanted = (*reversed(known_suffixes()), SUFFIX)
    folders = {folder: _changed_ns(folder)}
    found: dict[str, tuple[int, Path]] = {}
    for depth in range(_DEEPEST):
        for path in sorted(folder.glob("*/" * depth + "*")):
            suffix = path.suffix.lower()
            if depth + 1 < _DEEPEST and path.is_dir():
                folders[path] = _changed_ns(path)
            if suffix not in wanted or not path.is_file():
                continue
            rank = wanted.index(suffix)
            if path.stem not in found or found[path.stem][0] < rank:
                found[path.stem] = (rank, path)
    return _Listing({name: path for name, (_, path) in found.items()}, folders)


def _changed_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1


def _navmesh(path: Path) -> Navmesh:
    """The navmesh of a file, read once as long as the file stays as it is."""
    with reading(path):
        facts = path.stat()
    return _unchanged_navmesh(path, facts.st_mtime_ns, facts.st_size)


@lru_cache(maxsize=256)
def _unchanged_navmesh(path: Path, _changed_ns: int, _size: int) -> Navmesh:
    if path.suffix.lower() == SUFFIX:
        return read_navmesh(path)
    try:
        return make_navmesh(read_scene(path), HABITAT_AGENT)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
