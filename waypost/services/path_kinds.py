"""What a path is to Waypost, by its first bytes: one answer for the command line and the window."""

from __future__ import annotations

import os
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.project import SUFFIX
from waypost.io.file_head import read_head
from waypost.io.foreign_errors import reader
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.io.picture_sources.layouts import find_layout
from waypost.io.scenes.registry import format_of_file, known_suffixes
from waypost.services.project_head import require_project

CONNECTIVITY: Final = ("_connectivity.json", "_connectivity.json.gz")
CAPNAV_GRAPHS: Final = ("-graph.json", "-graph.json.gz")
"""How the names of files of graphs end, behind scan or scene."""

FILM: Final = ".mp4"
_MOST_NAMES: Final = 3_000
"""Names of a folder that are looked at for a graph."""


class PathKind(StrEnum):
    """What can be opened, given together with a run, or looked through for runs."""

    PROJECT = "project"
    SCENE = "scene"
    RUN = "run"
    """A file or folder of results."""

    EPISODES = "episodes"
    GRAPHS = "graphs"
    """A folder of connectivity or CapNav graphs, or one CapNav graph file."""

    PICTURES = "pictures"
    """A folder with pictures in it or below it; runs may lie there as well."""

    FILM = "film"

    FOLDER = "folder"
    """Any other folder; it may hold runs."""


@reader
def kind_of_path(path: Path) -> PathKind:
    """Tell what a path is by its name and its first bytes; damage further in shows on opening.

    Results whose shape is that of the episodes they answer count as results.

    Raises:
        ReadError: If it is not there, cannot be read, or is nothing that Waypost opens.
    """
    if path.suffix == SUFFIX:
        require_project(path)
        return PathKind.PROJECT
    if path.name.endswith(CAPNAV_GRAPHS) and path.is_file():
        return PathKind.GRAPHS
    if path.is_dir():
        return _kind_of_folder(path)
    try:
        format_of_file(path)
    except InputError as no_scene:
        return _kind_of_file(path, no_scene)
    return PathKind.SCENE


def _kind_of_file(path: Path, no_scene: InputError) -> PathKind:
    try:
        RUN_FORMATS.find(path)
    except InputError as no_run:
        if path.is_file():
            head = read_head(path)
            if EPISODE_FORMATS.of_content(head) is not None:
                return PathKind.EPISODES
            if path.suffix.lower() == FILM:
                return PathKind.FILM
            if head.sample is not None:
                # What is wrong with it as results says more than that it is no scene.
                raise no_run from None
        if path.exists() and path.suffix.lower() not in known_suffixes():
            reason = "this is neither a project nor a scene nor results in a known form"
            raise ReadError(str(path), "header", reason) from None
        raise no_scene from None
    return PathKind.RUN


def _kind_of_folder(path: Path) -> PathKind:
    try:
        RUN_FORMATS.find(path)
    except InputError:
        if _holds_graphs(path):
            return PathKind.GRAPHS
        return PathKind.FOLDER if find_layout(path) is None else PathKind.PICTURES
    return PathKind.RUN


def _holds_graphs(folder: Path) -> bool:
    try:
        with os.scandir(folder) as listing:
            names = [entry.name for entry in islice(listing, _MOST_NAMES)]
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise ReadError(str(folder), "file", reason) from error
    return any(name.endswith((*CONNECTIVITY, *CAPNAV_GRAPHS)) for name in names)
