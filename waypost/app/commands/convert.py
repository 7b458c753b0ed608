"""``waypost convert``: episodes or runs from one format to another."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.path_types import file_to_write, folder_to_read, path_to_read
from waypost.app.terminal.findings import finding_object
from waypost.app.terminal.output import write_json, write_line
from waypost.domain.base.counted_words import counted
from waypost.domain.base.errors import InputError
from waypost.domain.episode.import_report import ImportKind
from waypost.io.known_formats import EPISODE_FORMATS, RUN_FORMATS
from waypost.services.conversion import (
    EPISODES,
    RUNS,
    Conversion,
    ConversionRequest,
    convert,
)

_MOST_SHOWN = 20


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=path_to_read, nargs="?", metavar="FILE", help="file or folder")
    parser.add_argument("--to", default="", metavar="FORMAT", help="see --list")
    parser.add_argument("--out", type=file_to_write, metavar="FILE", help="*.gz is packed")
    parser.add_argument(
        "--from", dest="source", default="", metavar="FORMAT",
        help="instead of what the content shows",
    )  # fmt: skip
    parser.add_argument(
        "--kind", choices=[EPISODES, RUNS], default="", help="where the content may be both"
    )
    parser.add_argument(
        "--annotations", type=path_to_read, nargs="+", default=[], metavar="A",
        help="episodes that know scene and words of the runs",
    )  # fmt: skip
    parser.add_argument(
        "--connectivity", type=folder_to_read, metavar="DIR",
        help="folder of <scan>_connectivity.json, from which positions are taken",
    )  # fmt: skip
    parser.add_argument(
        "--flat", action="store_true",
        help="with --to r2r: one viewpoint per entry, each the neighbour of the one before, as the"
        " R2R leaderboard takes it; ways back are filled over the graph",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="list the formats and end")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Convert and report.

    Returns:
        0 everything was written, 1 something was unreadable or could not be held.

    Raises:
        InputError: If an argument is missing or a file cannot be used.
    """
    if options.list:
        _list_formats(options.json)
        return 0
    if options.file is None or not options.to or options.out is None:
        raise InputError("arguments: convert needs FILE, --to FORMAT and --out FILE, or --list")
    result = convert(
        ConversionRequest(
            source=options.file,
            target_name=options.to,
            out=options.out,
            kind=options.kind,
            source_name=options.source,
            annotations=tuple(options.annotations),
            connectivity=options.connectivity,
            is_flat=options.flat,
        )
    )
    if options.json:
        write_json(_object(result, options.out))
    else:
        for line in _lines(result, options.out):
            write_line(line)
    return 1 if result.unreadable or result.written < result.read else 0


def _object(result: Conversion, out: Path) -> dict[str, Any]:
    return {
        "kind": result.kind,
        "from": result.source_format,
        "to": result.target_format,
        "out": str(out),
        "read": result.read,
        "written": result.written,
        "left_out": result.read - result.written,
        "unreadable": result.unreadable,
        "conventions": {"from": result.source_conventions, "to": result.target_conventions},
        "findings": [finding_object(finding) for finding in result.findings],
        "findings_left_out": result.findings_left_out,
        "warnings": list(result.warnings),
    }


def _lines(result: Conversion, out: Path) -> list[str]:
    formats = f"{result.source_format} → {result.target_format}"
    lines = [f"{out}: {result.written} of {result.read} {result.kind}, {formats}"]
    if result.unreadable:
        lines.append(f"{counted(result.unreadable, 'unreadable item')} in the source")
    lines += [f"read as: {result.source_conventions}", f"written as: {result.target_conventions}"]
    lines += [f"warning: {text}" for text in result.warnings]
    told = [found for found in result.findings if found.kind is not ImportKind.UNKNOWN_VALUE]
    lines += [f"{found.kind.value}: {found.message}" for found in told[:_MOST_SHOWN]]
    rest = Counter(found.kind.value for found in told[_MOST_SHOWN:])
    lines += [f"… and {count} more of {kind}; --json lists them" for kind, count in rest.items()]
    return lines


def _list_formats(as_json: bool) -> None:
    entries = [
        {
            "kind": known.what,
            "name": entry.name,
            "title": entry.title,
            "writes": entry.write is not None,
            "conventions": entry.conventions,
            "source": entry.source,
        }
        for known in (EPISODE_FORMATS, RUN_FORMATS)
        for entry in known
    ]
    if as_json:
        write_json({"formats": entries})
        return
    for entry in entries:
        mark = "reads, writes" if entry["writes"] else "reads"
        write_line(f"{entry['kind']:<9} {entry['name']:<22} {mark:<14} {entry['title']}")
