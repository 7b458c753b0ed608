"""Where the project of a scene or a run is kept, and which project belongs to a scene."""

from __future__ import annotations

import hashlib
import itertools
import os
import stat
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from waypost.domain.base.progress import Progress
from waypost.domain.project import SUFFIX
from waypost.services.open_project import LoadedProject, open_project_job
from waypost.services.relative_path import relative_path

SCENES_FOLDER: Final = "scenes"
"""In the user's data folder: projects of scenes whose folder cannot be written."""

_ANY_WRITE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_MARK_LETTERS: Final = 8


@dataclass(frozen=True, eq=False, slots=True)
class SceneProject:
    """What was found for a scene."""

    loaded: LoadedProject | None
    """The scene's own project; else one that stands in its place; else none."""

    is_own: bool
    """Whether that project names this scene."""

    free_place: Path
    """Where a project of its own can be made."""


def find_scene_project(
    scene: Path,
    data_folder: Path,
    location: Path | str | None = None,
    steps: Path | None = None,
    viewer: str = "",
) -> Generator[Progress, None, SceneProject]:
    """Find the project of a scene by the scene that it names, not by its own name.

    ``room.glb`` and ``room.usda`` would both have ``room.waypost``: whose scene it is decides.

    Args:
        scene: The scene file.
        data_folder: Where this user's data is kept.
        location: The only project that is looked at: a file that may not be there yet, or the
            URL of a database.
        steps: Folder of the steps of undo, where they are kept.
        viewer: Who opens it.

    Yields:
        Rows read and rows in all.

    Raises:
        ReadError: If something in its place is no project, damaged, or of a newer Waypost.
        StoreError: If it cannot be reached.
    """
    foreign: LoadedProject | None = None
    for place in _places(scene, data_folder) if location is None else (location,):
        if isinstance(place, Path) and not place.exists():
            continue
        loaded = yield from open_project_job(place, steps=steps, viewer=viewer)
        if names_scene(loaded, scene):
            return SceneProject(loaded, is_own=True, free_place=scene)
        foreign = foreign or loaded
    if foreign is None and isinstance(location, Path):
        return SceneProject(None, is_own=False, free_place=location)
    return SceneProject(foreign, is_own=False, free_place=_free_place(scene, data_folder))


def names_scene(loaded: LoadedProject, scene: Path) -> bool:
    """Whether the scene of a project is this file, by whatever way both name it."""
    named = loaded.project.scene_path
    if not named:
        return False
    theirs = loaded.store.root / named
    try:
        return theirs.samefile(scene)
    except OSError:
        return os.path.normpath(theirs.absolute()) == os.path.normpath(scene.absolute())


def stated_scene(project_file: Path, scene: Path, data_folder: Path) -> str:
    """How a project states the path of its scene.

    Relative, so that both move together; absolute for a project in the user's data folder, which
    stays where it is.
    """
    if project_file.absolute().is_relative_to(data_folder.absolute()):
        return scene.absolute().as_posix()
    return relative_path(project_file.absolute().parent, scene.absolute())


def takes_files(folder: Path) -> bool:
    """Whether a folder can be written; one that nobody may write is left alone by root too."""
    try:
        is_for_somebody = bool(folder.stat().st_mode & _ANY_WRITE)
    except OSError:
        return False
    return is_for_somebody and os.access(folder, os.W_OK)


def place_in_data(data_folder: Path, kind: str, name: str, of: Path) -> Path:
    """A project in the user's data folder; files of one name in several folders share none.

    Args:
        data_folder: Where this user's data is kept.
        kind: Folder in it.
        name: Of the project, without suffix.
        of: The file that it is about.
    """
    mark = hashlib.sha256(os.fsencode(of.resolve())).hexdigest()[:_MARK_LETTERS]
    return data_folder / kind / f"{name}-{mark}{SUFFIX}"


def _places(scene: Path, data_folder: Path) -> Iterator[Path]:
    """Where projects of a scene are made, the usual place first."""
    yield scene.with_suffix(SUFFIX)
    yield scene.with_name(scene.name + SUFFIX)
    yield place_in_data(data_folder, SCENES_FOLDER, scene.stem, scene)


def _free_place(scene: Path, data_folder: Path) -> Path:
    beside, longer, in_data = _places(scene, data_folder)
    if takes_files(scene.parent):
        for place in (beside, longer):
            if not place.exists():
                return place
    if not in_data.exists():
        return in_data
    others = (in_data.with_name(f"{in_data.stem}-{n}{SUFFIX}") for n in itertools.count(2))
    return next(other for other in others if not other.exists())
