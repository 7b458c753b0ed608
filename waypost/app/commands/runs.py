"""``waypost runs``: the result files in a folder tree, and what belongs to one of them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from waypost.app.commands.arguments.path_types import folder_to_read
from waypost.app.terminal.output import write_json, write_line
from waypost.app.terminal.progress_line import exhaust_shown
from waypost.domain.base.visible_text import visible_line
from waypost.domain.episode.run_source import RunSource
from waypost.io.run_catalogue import RunCatalogue, RunEntry, list_runs
from waypost.services.replay.run_companions import search_companions

_HEADS = ("data set", "split", "model", "setting", "format", "file")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "folder", type=folder_to_read, metavar="FOLDER", help="searched down to ten levels below"
    )
    parser.add_argument(
        "--companions",
        action="store_true",
        help="also find annotations, graphs and pictures of each run",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: Namespace) -> int:
    """Search and print.

    Returns:
        0 some runs were found, 1 none, or the search stopped at its bounds.
    """
    catalogue = exhaust_shown(list_runs(options.folder))
    found: dict[Path, RunSource] = {}
    if options.companions:
        for entry in catalogue.entries:
            found[entry.path] = exhaust_shown(search_companions(entry.path))
    if options.json:
        write_json(document(catalogue, found))
    else:
        for line in _lines(catalogue, found):
            write_line(line)
    return 0 if catalogue.entries and catalogue.is_whole else 1


def document(catalogue: RunCatalogue, found: dict[Path, RunSource]) -> dict[str, Any]:
    """The JSON document; parts that nothing tells are empty."""
    return {
        "folder": str(catalogue.folder),
        "is_whole": catalogue.is_whole,
        "runs": [
            {
                "path": str(entry.path),
                "dataset": entry.dataset,
                "split": entry.split,
                "model": entry.model,
                "setting": entry.setting,
                "format": entry.format,
                **_companions(found.get(entry.path)),
            }
            for entry in catalogue.entries
        ],
    }


def _companions(found: RunSource | None) -> dict[str, Any]:
    if found is None:
        return {}
    single = {
        "connectivity": found.connectivity, "pictures": found.pictures, "scene": found.scene
    }  # fmt: skip
    return {
        "annotations": [str(path) for path in found.annotations],
        **{key: None if path is None else str(path) for key, path in single.items()},
        "reasons": list(found.reasons),
    }


def _cells(entry: RunEntry) -> tuple[str, ...]:
    cells = (entry.dataset, entry.split, entry.model, entry.setting, entry.format, entry.name)
    return tuple(map(visible_line, cells))


def _lines(catalogue: RunCatalogue, found: dict[Path, RunSource]) -> list[str]:
    rows = [_HEADS, *map(_cells, catalogue.entries)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    lines: list[str] = []
    for row, path in zip(rows, (None, *(e.path for e in catalogue.entries)), strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append("  ".join(cells).rstrip())
        companions = found.get(path) if path is not None else None
        lines += [f"    {reason}" for reason in companions.reasons] if companions else []
    if not catalogue.entries:
        lines = ["no result file of a known format"]
    if not catalogue.is_whole:
        lines.append("the search stopped at its bounds; choose a folder further down")
    return lines
