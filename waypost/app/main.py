"""The ``waypost`` command: picks a subcommand, or opens the window."""

from __future__ import annotations

import argparse
import importlib
import logging
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

from waypost import __version__
from waypost.app.commands.arguments.path_types import check_paths, check_word
from waypost.app.commands.arguments.reading_limits import add_reading_limits, use_reading_limits
from waypost.app.terminal.messages import say_error
from waypost.app.terminal.output import drop_output, flush_output
from waypost.domain.base.errors import SimulatorError, WaypostError
from waypost.services.terminal_log import TerminalLog

COMMANDS = {
    "gui": "open the window (the default)",
    "scene": "facts about a scene file; a project's scene",
    "drive": "drive an agent straight towards a target and report",
    "prelabel": "measure every passage of a graph for every agent: travels, does not, uncertain",
    "navmesh": "make or read a navmesh: area, shortest ways, files of Habitat",
    "conformance": "whether an engine does what every engine must, and how far engines agree",
    "record": "record a drive by scripted keys from the start of an episode",
    "study": "people who drive: make a study, assign, follow, queue again, export",
    "tour": "a video of a walk along a graph or of a recorded drive, with the camera's poses",
    "panoramas": "four views and the whole sphere at every node of a graph, with their headings",
    "sample": "write the sample project",
    "graph": "check, import, export and propose navigation graphs",
    "labels": "import and export traversability labels",
    "team": "people of a project: second labels of a share of passages, and who decides",
    "questions": "import, list and export the questions of a project, and prompts for models",
    "evaluate": "score result files with a named metric profile",
    "validate": "what is missing, doubled, broken or doubtful in episodes and runs",
    "convert": "turn episodes or runs of one format into another",
    "score": "batches of instructions that people score: make, import, export, results, rubrics",
    "agreement": "how far people who score the same items agree, by criterion",
    "instructions": "what the texts of instructions are made of: lengths, words, near-duplicates",
    "metrics": "what every score means, and who says so",
    "runs": "the result files in a folder tree, by data set, split, model and setting",
    "replay": "one episode of a run, step by step, against its reference",
    "report": "a whole run as one HTML page: metrics, charts, every episode's replay",
    "demo": "perform the main job on the sample and leave pictures and a report",
}
"""Subcommand → one line of help; the module of the same name in ``app.commands`` runs it."""

_MODULES: Final = {"demo": "waypost.demo.command"}
"""What runs a subcommand that stands above ``app``."""

_WITHOUT_LIMITS: Final = frozenset({"gui", "metrics", "sample"})
"""Commands that read no scenes and runs, and the window, which has them in its settings."""

UNEXPECTED: Final = 70
"""Exit code after a fault of Waypost itself, as ``sysexits.h`` has it."""

_log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        0 done, 1 ran and found problems or the engine failed, 2 bad usage or input
        (one line ``error: FILE: PLACE: REASON`` on standard error), 70 a fault of Waypost
        itself (``-v`` tells where), 130 interrupted.
    """
    with TerminalLog() as log:
        try:
            code = _run(argv, log)
            flush_output()
        except KeyboardInterrupt:
            say_error("interrupted")
            code = 130
        except BrokenPipeError:
            # The reader (head, less) has had enough.
            drop_output()
            code = 0
        except Exception as error:
            sentence, code = _end(error)
            say_error(sentence)
            _log.debug("the command ended", exc_info=error)
        return code


def _end(error: Exception) -> tuple[str, int]:
    """What to say of an error that ends the command, and the exit code."""
    if isinstance(error, SimulatorError):
        return str(error), 1
    if isinstance(error, WaypostError):
        return str(error), 2
    if isinstance(error, MemoryError):
        return "this needs more memory than there is", 2
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: file: {error.strerror}", 2
    sentence = f"unexpected {type(error).__name__}: {error}"
    return f"{sentence}; this is a fault of Waypost, -v shows where", UNEXPECTED


def find_command(name: str) -> ModuleType:
    """The module that declares the arguments of a subcommand and runs it."""
    return importlib.import_module(_MODULES.get(name, f"waypost.app.commands.{name}"))


def _run(argv: Sequence[str] | None, log: TerminalLog) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments and arguments[0] in COMMANDS else None
    if name is None and arguments and arguments[0] in {"-h", "--help", "--version"}:
        _overview_parser().parse_args(arguments)
    if name is None and arguments and _is_no_command(arguments[0]):
        _overview_parser().error(f"{arguments[0]!r} is neither a command nor a file")
    if name is None:
        name, rest = "gui", arguments
    else:
        rest = arguments[1:]
    command = find_command(name)
    parser = _CommandParser(prog=f"waypost {name}", description=COMMANDS[name])
    parser.add_argument("-v", "--verbose", action="store_true", help="log more")
    command.add_arguments(parser)
    if name not in _WITHOUT_LIMITS:
        add_reading_limits(parser)
    options = parser.parse_args(rest)
    log.is_verbose = options.verbose
    check_paths(parser, options)
    use_reading_limits(options)
    return int(command.run(options))


def _is_no_command(word: str) -> bool:
    """Whether a first argument looks like a mistyped command: a plain word that is no path."""
    return re.fullmatch(r"\w[\w-]*", word) is not None and not Path(word).exists()


class _CommandParser(argparse.ArgumentParser):
    """Takes ids that begin with a minus; refuses bad usage in one line, as everything else."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does it; ``--episode -2+3`` means ``--episode=-2+3``."""
        given = list(sys.argv[1:] if args is None else args)
        return super().parse_known_args(self._joined(given), namespace)

    def _joined(self, given: list[str]) -> list[str]:
        """The arguments with each value that only looks like an option joined to its own."""
        known = self._option_string_actions
        takes_one = {
            name for name, action in known.items() if name[:2] == "--" and action.nargs is None
        }
        joined: list[str] = []
        for place, word in enumerate(given):
            if word == "--":
                return joined + given[place:]
            is_value = word[:1] == "-" and word[:2] != "--" and len(word) > 1 and word not in known
            if joined and is_value and joined[-1] in takes_one:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined

    # argparse has no public place that every path goes through.
    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        check_word(action, arg_string)
        return super()._get_value(action, arg_string)

    def error(self, message: str) -> NoReturn:
        named = re.match(r"argument (?:-\w/)?(--[\w-]+).*: expected one argument$", message)
        if named:
            message += f" (one that begins with a minus is written {named[1]}=VALUE)"
        say_error(f"{self.prog}: {message}; --help says more")
        self.exit(2)


def _overview_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    lines = "\n".join(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items())
    parser = _CommandParser(
        prog="waypost",
        usage="waypost COMMAND …, or waypost [PATH] for the window",
        description="The workbench of vision-and-language navigation benchmark teams. PATH is a "
        "project,\na scene, or the results of a run.",
        epilog=f"commands:\n{lines}\n\nwaypost COMMAND --help says more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"waypost {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
