"""``waypost demo``: the main job on the sample, without a person; needs a display or Xvfb."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from waypost.app.commands.arguments.path_types import folder_to_write
from waypost.app.terminal.output import write_line


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--out",
        type=folder_to_write,
        default=Path("out/demo"),
        metavar="DIR",
        help="default: out/demo",
    )


def run(options: Namespace) -> int:
    """Perform it and print the paths of what it left."""
    from waypost.demo.performance import perform  # noqa: PLC0415 - Qt only where needed

    report = perform(options.out)
    for path in sorted(report.parent.glob("*.png")):
        write_line(str(path))
    write_line(str(report))
    return 0
