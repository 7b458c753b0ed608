"""``waypost [PATH]``: opens the window."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from waypost.domain.errors import InputError


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "path", nargs="?", metavar="PATH", help="a project (.waypost) or a scene to open"
    )
    parser.add_argument("--project", metavar="LOCATION", help="a project file, or postgresql://…")


def run(options: Namespace) -> int:
    """Open the window and stay until it is closed.

    Raises:
        InputError: If the path does not exist.
    """
    location = options.project or options.path
    if location and "://" not in location and not Path(location).exists():
        raise InputError(f"{location}: file: there is no such file")
    from waypost.app.startup import run_window  # noqa: PLC0415 - Qt only where a window is wanted

    return run_window(location)
