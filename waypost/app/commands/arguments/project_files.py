"""What the graph and labels commands share: an open project, its scene, its author."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from waypost.app.commands.arguments.asset_options import note_outside
from waypost.app.commands.arguments.path_types import project_to_open
from waypost.app.shell.login import login_name
from waypost.app.shell.project_address import others_words, place_name, project_place
from waypost.app.terminal.messages import note
from waypost.domain.base.errors import ReadError
from waypost.domain.project import SUFFIX, Project
from waypost.domain.scene.scene import Scene
from waypost.io.scenes.open_scene import read_scene
from waypost.services.label_report import scene_note
from waypost.services.project_head import begins_as_project
from waypost.store.presence import Presence
from waypost.store.project_store import ProjectStore


def add_project_argument(
    parser: ArgumentParser, kind: Callable[[str], str] = project_to_open
) -> None:
    """Add ``--project``; ``kind`` looks at what is there."""
    parser.add_argument(
        "--project", type=kind, required=True, metavar="P", help=f"project file ({SUFFIX}) or URL"
    )


def add_author_argument(parser: ArgumentParser) -> None:
    """Add ``--author``."""
    parser.add_argument(
        "--author", metavar="NAME", help="name to work under (default: the login name)"
    )


def author_of(options: Namespace) -> str:
    """The name given, or the login name."""
    return str(getattr(options, "author", None) or login_name())


@contextmanager
def opened_project(
    location: str, viewer: str | None = None
) -> Iterator[tuple[ProjectStore, Project]]:
    """Open a project for one command; on a server, say who else has it open.

    Args:
        location: A file or a URL.
        viewer: Who looks, for what two people label; by default the user's login name.

    Raises:
        ReadError: If it is no project.
        StoreError: If it cannot be reached.
    """
    where = project_place(location)
    store = ProjectStore.open(where, viewer=login_name() if viewer is None else viewer)
    try:
        project, presence = store.load(), Presence.at(where)
        with nullcontext() if presence is None else closing(presence):
            others = () if presence is None else presence.others
            if others:
                note(f"{others_words(place_name(where), others)}.")
            yield store, project
    finally:
        store.close()


def is_project(location: str) -> bool:
    """Whether a command line argument names a project and not a graph file."""
    if "://" in location or location.endswith(SUFFIX):
        return True
    try:
        return begins_as_project(Path(location))
    except ReadError:
        return False


def project_scene(
    store: ProjectStore,
    project: Project,
    *,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
) -> Scene | None:
    """Open the scene of a project; ``None`` with a note if it has none or cannot be read.

    The options are those of ``read_scene``.
    """
    if not project.scene_path:
        return None
    path = Path(os.path.normpath(store.root / project.scene_path))
    try:
        return read_scene(
            path,
            up_axis=project.scene_up_axis,
            metres_per_unit=project.scene_metres_per_unit,
            allow_outside=allow_outside,
            asset_folders=asset_folders,
        )
    except ReadError as error:
        note(f"the scene of the project is not used: {error}")
        return None


def judged_scene_hash(
    store: ProjectStore,
    project: Project,
    *,
    allow_outside: bool = False,
    asset_folders: Sequence[Path] = (),
) -> str:
    """Content hash of the scene that labels are judged on now, by which stale ones are told.

    Empty where no label was judged on one, or it cannot be read, which is noted. The options are
    those of ``read_scene``.
    """
    told = scene_note(project, None)
    if not told:
        return ""
    scene = project_scene(store, project, allow_outside=allow_outside, asset_folders=asset_folders)
    if scene is None:
        note(told)
        return ""
    return note_outside(scene).content_hash
