"""``--read-memory-gb`` and ``--read-minutes``, which all commands share that read files."""

from __future__ import annotations

import argparse

from waypost.io.confined.limits import DEFAULT_MINUTES, chosen_limits, put_in_force


def add_reading_limits(parser: argparse.ArgumentParser) -> None:
    """Declare both for a command, behind its last word as well as behind its first."""
    group = parser.add_argument_group("limits of reading one file")
    group.add_argument(
        "--read-memory-gb",
        type=float,
        metavar="GB",
        default=argparse.SUPPRESS,
        help="memory it may take, whatever its size (by default it grows with the file, to 8 GB)",
    )
    group.add_argument(
        "--read-minutes",
        type=float,
        metavar="M",
        default=argparse.SUPPRESS,
        help=f"time it may take (default: {DEFAULT_MINUTES:g})",
    )
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to its subparsers
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for below in action.choices.values():
                add_reading_limits(below)


def use_reading_limits(options: argparse.Namespace) -> None:
    """Put what was given in force.

    Raises:
        InputError: If it is not above 0.
    """
    memory_gb = getattr(options, "read_memory_gb", None)
    minutes = getattr(options, "read_minutes", None)
    if memory_gb is not None or minutes is not None:
        put_in_force(chosen_limits(memory_gb, minutes))
