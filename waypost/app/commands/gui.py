"""``waypost [PATH]``: opens the window."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from waypost.app.commands.arguments.path_types import path_to_read, project_to_make, project_to_open
from waypost.domain.base.errors import InputError, ReadError
from waypost.services.project_head import require_project

_GIVEN_AS = {
    "episodes": ("episodes", "--annotations"),
    "graphs": ("graphs", "--connectivity"),
    "film": ("a film", "--pictures"),
}
"""Kind of path that belongs to a run → what it holds, and the option that takes it."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "path",
        nargs="?",
        metavar="PATH",
        help="a project (.waypost), a scene, or the results of a run to replay",
    )
    parser.add_argument(
        "--project",
        type=project_to_make,
        metavar="LOCATION",
        help="a project file, or postgresql://…; beside a scene as PATH it is made if need be",
    )
    parser.add_argument(
        "--run",
        type=path_to_read,
        metavar="RESULTS",
        help="results to replay in that project, or in one of their own; what goes with them is"
        " looked for beside them unless given",
    )
    parser.add_argument(
        "--annotations",
        type=path_to_read,
        nargs="+",
        metavar="A",
        default=[],
        help="episode files of the run",
    )
    parser.add_argument(
        "--connectivity", type=path_to_read, metavar="DIR", help="graphs of the run"
    )
    parser.add_argument("--pictures", type=path_to_read, metavar="DIR", help="pictures of the run")


def run(options: Namespace) -> int:
    """Open the window and stay until it is closed.

    What can be told from the first bytes of a file is refused here; damage further in is told in
    the window, which then stays as it was.

    Raises:
        ReadError: If the path is no project, no scene and no results, or a file is not there.
        InputError: If something is given that belongs to a run, without one.
    """
    path, results = options.path, options.run
    if path and "://" not in path and _is_run(Path(path)):
        if results is not None:
            raise InputError(f"{path}: is a second run beside {results}; open them one by one")
        path, results = "", Path(path)
    if options.project and not _is_scene(path):
        if path:
            raise InputError(f"{path}: --project names another one to open")
        project_to_open.check(options.project)
    if options.project and "://" not in options.project and Path(options.project).exists():
        require_project(Path(options.project))
    location = path or options.project or None
    if results is not None:
        _check_run(results)
    _check_companions(options, has_run=results is not None)
    from waypost.app.window.startup import run_window  # noqa: PLC0415 - Qt only where a window is wanted
    from waypost.domain.episode.run_source import RunSource  # noqa: PLC0415 - a window starts fast

    source = None
    if results is not None:
        source = RunSource(
            (results,), tuple(options.annotations), options.connectivity, options.pictures
        )
    return run_window(location, source, options.project if path else None)


def _is_run(path: Path) -> bool:
    """Whether a path shows results; projects and scenes do not.

    Raises:
        ReadError: If it shows none of the three.
    """
    from waypost.services.path_kinds import (  # noqa: PLC0415 - a window starts fast
        PathKind,
        kind_of_path,
    )

    kind = kind_of_path(path)
    if kind in {PathKind.PROJECT, PathKind.SCENE, PathKind.RUN}:
        return kind is PathKind.RUN
    reason = "is a folder"
    if kind.value in _GIVEN_AS:
        holds, option = _GIVEN_AS[kind.value]
        reason = f"holds {holds}, no results; give it with {option} beside them"
    raise ReadError(str(path), "file", reason)


def _is_scene(path: str | None) -> bool:
    from waypost.domain.project import SUFFIX  # noqa: PLC0415 - a window starts fast

    return bool(path) and "://" not in str(path) and Path(str(path)).suffix != SUFFIX


def _check_run(path: Path) -> None:
    from waypost.io.known_formats import RUN_FORMATS  # noqa: PLC0415 - a window starts fast

    RUN_FORMATS.find(path)


def _check_companions(options: Namespace, *, has_run: bool) -> None:
    given = {
        "--annotations": options.annotations,
        "--connectivity": [options.connectivity] if options.connectivity else [],
        "--pictures": [options.pictures] if options.pictures else [],
    }
    for option, paths in given.items():
        if paths and not has_run:
            raise InputError(f"{option}: belongs to a run; name its results with --run")
        for path in paths:
            if not path.exists():
                raise ReadError(str(path), "file", "does not exist")
