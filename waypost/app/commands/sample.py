"""``waypost sample DIR``: write the sample project."""

from __future__ import annotations

import argparse

from waypost.app.commands.arguments.path_types import folder_to_write
from waypost.app.commands.arguments.project_files import add_author_argument, author_of
from waypost.app.terminal.output import write_json, write_line
from waypost.sample.sample_project import GLB_FILE, USD_FILE, write_sample


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the folder and the options."""
    parser.add_argument(
        "folder", metavar="DIR", type=folder_to_write, help="where to write; made if missing"
    )
    parser.add_argument(
        "--force", action="store_true", help="replace the sample's files in a folder in use"
    )
    add_author_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the paths as JSON")


def run(options: argparse.Namespace) -> int:
    """Write the project and print its path."""
    project = write_sample(options.folder, author_of(options), overwrite=options.force)
    if options.json:
        write_json(
            {
                "project": str(project),
                "scenes": [str(options.folder / GLB_FILE), str(options.folder / USD_FILE)],
            }
        )
    else:
        write_line(str(project))
    return 0
