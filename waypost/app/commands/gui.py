"""``waypost [PATH]``: opens the window."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from waypost.domain.errors import ReadError
from waypost.store.sqlite_header import SQLITE_HEADER


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "path", nargs="?", metavar="PATH", help="a project (.waypost) or a scene to open"
    )
    parser.add_argument("--project", metavar="LOCATION", help="a project file, or postgresql://…")


def run(options: Namespace) -> int:
    """Open the window and stay until it is closed.

    What can be told from the first bytes of a file is refused here; damage further in is told in
    the window, which then stays as it was.

    Raises:
        ReadError: If the path is no project and no scene.
    """
    location = options.project or options.path
    if location and "://" not in location:
        _check(Path(location))
    from waypost.app.startup import run_window  # noqa: PLC0415 - Qt only where a window is wanted

    return run_window(location)


def _check(path: Path) -> None:
    from waypost.io.scenes.open_scene import format_of_file  # noqa: PLC0415 - a window starts fast

    if path.suffix != ".waypost":
        format_of_file(path)
        return
    try:
        with path.open("rb") as file:
            head = file.read(len(SQLITE_HEADER))
    except FileNotFoundError:
        raise ReadError(str(path), "file", "there is no such file") from None
    except OSError as error:
        raise ReadError(str(path), "file", error.strerror or str(error)) from error
    if head != SQLITE_HEADER:
        raise ReadError(str(path), "header", "this is no Waypost project")
