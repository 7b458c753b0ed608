"""The same tasks as NavBench's JSON in a table: one row per episode, for people with spreadsheets.

Columns ``scan``, ``path_id``, ``path``, ``instruction`` in any order, and if known ``instr_id``,
``heading``, ``distance`` and any others. A path is viewpoints with blanks between them, or a JSON
array. NavBench publishes no table; this is its JSON, flattened.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.episode import Episode
from waypost.domain.episode.import_report import ImportKind
from waypost.io.datasets.episode_format import EpisodeFormat
from waypost.io.datasets.episode_records import note_secret_goals, split_of
from waypost.io.datasets.navbench_episodes import KEEPS, build_record, episode_of, level_of
from waypost.io.datasets.record_writing import records_of
from waypost.io.file_head import FileHead
from waypost.io.file_reading import open_unpacked
from waypost.io.foreign_errors import input_error
from waypost.io.json_reading import JsonValue
from waypost.io.logs.run_writing import open_text
from waypost.io.read_log import ReadLog

_NAME: Final = "navbench-csv"
_NEEDED: Final = ("scan", "path_id", "path", "instruction")
_NUMBERS: Final = ("heading", "distance")
_SEPARATORS: Final = ",;\t"
_COLUMNS: Final = ("distance", "scan", "path_id", "path", "heading", "instruction", "instr_id")


def can_read(head: FileHead) -> bool:
    """Whether the first line names the columns of a table of paths."""
    if head.is_folder or head.sample is not None:
        return False
    first_line = head.text.partition("\n")[0].rstrip("\r")
    return set(_NEEDED) <= set(_split_line(first_line))


def _separator(line: str) -> str:
    return max(_SEPARATORS, key=line.count)


def _split_line(line: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=_separator(line)), [])
    except csv.Error:
        return []


def read(path: Path, log: ReadLog) -> Iterator[Episode]:
    """Yield one episode per row; its id is ``instr_id`` or, without one, ``path_id``.

    Raises:
        ReadError: If the file is no such table.
    """
    split = level_of(path) or split_of(path)
    for row in _rows(path, log):
        try:
            episode = episode_of(row, split, log, _NAME)
        except Exception as error:
            said = str(input_error(error, path, row.place))
            log.add(ImportKind.UNREADABLE, said, item_id=_row_id(row.value), value=row.place)
            continue
        note_secret_goals([episode], log)
        yield episode


def _row_id(row: dict[str, Any]) -> str:
    return str(row.get("instr_id") or row.get("path_id") or "")


def _rows(path: Path, log: ReadLog) -> Iterator[JsonValue]:
    line = 0
    try:
        with open_unpacked(path) as stream, _as_text(stream) as text:
            header = text.readline()
            reader = csv.DictReader(
                text,
                [name.strip() for name in _split_line(header.rstrip("\r\n"))],
                delimiter=_separator(header),
                strict=True,
            )
            missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                raise ReadError(str(path), "line 1", f"has no column {missing[0]!r}")
            twice = [name for name in _NEEDED if (reader.fieldnames or ()).count(name) > 1]
            if twice:
                raise ReadError(str(path), "line 1", f"has the column {twice[0]!r} twice")
            for cells in reader:
                line = reader.line_num + 1
                if None in cells:  # a comma in a text without quotes moves what follows it
                    said = f"{path}: line {line}: has more cells than the first line"
                    log.add(ImportKind.UNREADABLE, said, value=f"line {line}")
                    continue
                value = _typed({key: cell for key, cell in cells.items() if key and cell})
                yield JsonValue(value, str(path), f"line {line}")
    except EOFError:
        log.add(
            ImportKind.TRUNCATED,
            f"{path} ends in the middle; the rows up to line {line} were read",
            item_id=str(path),
            step=line,
        )
    except csv.Error as error:
        place = f"line {line + 1}"
        if "unexpected end" in str(error):
            log.add(
                ImportKind.TRUNCATED,
                f"{path} ends in the middle of a row; the rows before were read",
                item_id=str(path),
                step=line,
            )
            return
        raise ReadError(str(path), place, f"is no row of a table: {error}") from error
    except UnicodeDecodeError as error:
        raise ReadError(str(path), f"line {line + 1}", "is not UTF-8 text") from error
    except (OSError, ValueError) as error:
        raise ReadError(str(path), "file", f"cannot be read: {error}") from error


def _as_text(stream: Any) -> TextIOWrapper:
    return TextIOWrapper(stream, "utf-8-sig", newline="")


def _typed(cells: dict[str, Any]) -> dict[str, Any]:
    """Cells as the JSON form has them; what is no number or path stays text for the message."""
    for key in _NUMBERS:
        if key in cells:
            cells[key] = _number(cells[key])
    if "path" in cells:
        text = cells["path"].strip()
        try:
            cells["path"] = json.loads(text) if text.startswith("[") else text.split()
        except (RecursionError, ValueError):
            cells["path"] = text
    return cells


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def _cells(record: dict[str, Any]) -> dict[str, str]:
    """A record as text: exact numbers, viewpoints with blanks between them."""
    return {
        key: " ".join(value)
        if isinstance(value, list) and all(isinstance(part, str) for part in value)
        else repr(value)
        if isinstance(value, float)
        else str(value)
        for key, value in record.items()
    }


def write(path: Path, episodes: Iterable[Episode], log: ReadLog) -> None:
    """Write the table, separated by commas; the first episode decides on further columns.

    Raises:
        WriteError: If the file cannot be written.
    """
    rows = map(_cells, records_of(_NAME, episodes, build_record, log, KEEPS, grouped=False))
    first = list(islice(rows, 1))
    names = [*_COLUMNS, *(key for row in first for key in row if key not in _COLUMNS)]
    with open_text(path) as text:
        writer = csv.DictWriter(text, names, restval="", extrasaction="ignore")
        writer.writeheader()
        for row in first:
            writer.writerow(row)
        for row in rows:
            if set(row) - set(names):
                log.add(
                    ImportKind.NOTE,
                    f"the table has no column for {sorted(set(row) - set(names))}",
                    item_id=_row_id(row),
                )
            writer.writerow(row)


FORMAT: Final = EpisodeFormat(
    name=_NAME,
    title="NavBench tasks as a table",
    can_read=can_read,
    read=read,
    conventions=(
        "Matterport3D viewpoints with blanks between them; headings in radians, 0 = +Y, clockwise"
        " seen from above; distances in metres along the graph"
    ),
    source="NavBench/Evaluation_Code:Exec_code/datasets/annotations/NavBench_Easy.json",
    write=write,
    keys=("scan", "path_id", "path", "instruction"),
    dataset="NavBench",
)
