"""``--engine`` and ``--python``, which all commands share that drive agents."""

from __future__ import annotations

import argparse

from waypost.domain.base.errors import InputError
from waypost.simulators.engines import ENGINE_KINDS, REFERENCE_ENGINE, EngineChoice, driving_kind


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Declare both."""
    known = ", ".join(kind.name for kind in ENGINE_KINDS.values() if kind.drives)
    parser.add_argument(
        "--engine",
        default=REFERENCE_ENGINE,
        metavar="NAME",
        help=f"what drives: {known} (default: {REFERENCE_ENGINE})",
    )
    parser.add_argument("--python", help="Python that has the engine; by default it is looked for")


def chosen_engine(options: argparse.Namespace) -> EngineChoice:
    """What was asked for.

    Raises:
        InputError: If there is no such engine, or it drives nobody.
    """
    try:
        kind = driving_kind(options.engine)
    except InputError as error:
        raise InputError(f"--engine: {error}") from error
    return EngineChoice(kind.name, options.python)
