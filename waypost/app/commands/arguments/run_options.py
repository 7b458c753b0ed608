"""The options that name runs and what belongs to them, shared by the commands that take some."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from waypost.app.commands.arguments.path_types import path_to_read
from waypost.domain.episode.run_source import RunSource
from waypost.services.navmesh_distances import check_navmeshes
from waypost.services.replay.profiles import REPLAY_PROFILES


def add_input_arguments(parser: ArgumentParser, *, needs_results: bool) -> None:
    """Declare the files that evaluation and validation share."""
    parser.add_argument(
        "--annotations", type=path_to_read, nargs="+", metavar="A", default=[], help="episode files"
    )
    parser.add_argument(
        "--results",
        type=path_to_read,
        nargs="+",
        metavar="R",
        default=[],
        required=needs_results,
        help="result files, one per run",
    )
    parser.add_argument(
        "--connectivity",
        type=path_to_read,
        metavar="DIR",
        help="folder of <scan>_connectivity.json; CapNav: of <scene>-graph.json",
    )
    _add_formats(parser)


def add_run_arguments(parser: ArgumentParser) -> None:
    """Declare the files and the profile that replay and report share."""
    parser.add_argument(
        "results", type=path_to_read, metavar="RUN", help="result file, log or folder"
    )
    parser.add_argument("--annotations", type=path_to_read, nargs="+", metavar="A", default=[],
                        help="episode files: instruction, reference and goal")  # fmt: skip
    parser.add_argument(
        "--connectivity",
        type=path_to_read,
        metavar="DIR",
        help="folder of <scan>_connectivity.json; CapNav: of <scene>-graph.json, or that file",
    )
    add_navmesh(parser)
    parser.add_argument("--profile", default="", choices=["", *REPLAY_PROFILES], metavar="PROFILE",
                        help="metric profile; by dataset without")  # fmt: skip
    _add_formats(parser)


def add_navmesh(parser: ArgumentParser) -> None:
    """Declare the folder that distances over the floor come from."""
    parser.add_argument(
        "--navmesh",
        type=path_to_read,
        metavar="DIR",
        help="folder of <scene>.navmesh, or of scenes, for distances over the floor",
    )


def source_of(options: Namespace) -> RunSource:
    """The run or runs that the arguments of a command name, with what belongs to them."""
    navmeshes = getattr(options, "navmesh", None)
    if navmeshes is not None:
        check_navmeshes(navmeshes)
    results = options.results if isinstance(options.results, list) else [options.results]
    return RunSource(
        results=tuple(results),
        annotations=tuple(options.annotations),
        connectivity=options.connectivity,
        navmeshes=navmeshes,
        pictures=getattr(options, "pictures", None),
        profile_key=getattr(options, "profile", ""),
        annotation_format=options.annotation_format,
        result_format=options.result_format,
    )


def _add_formats(parser: ArgumentParser) -> None:
    parser.add_argument("--annotation-format", default="", metavar="NAME",
                        help="instead of what the content shows")  # fmt: skip
    parser.add_argument("--result-format", default="", metavar="NAME",
                        help="instead of what the content shows")  # fmt: skip
