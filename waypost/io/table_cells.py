"""Tables as CSV: rows read with their lines, and texts that no spreadsheet runs as formulas."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from waypost.domain.base.errors import ReadError
from waypost.io.atomic import write_text_atomic

_RISKY: Final = ("=", "+", "-", "@", "\t", "\r", "'")
_SEPARATORS: Final = (",", ";", "\t")


class TableRow(NamedTuple):
    """One row of a table."""

    line: int
    """Of the file, from 1; where a row has several, its last."""

    cells: Mapping[str, str]
    """By column; a cell that the row lacks is absent."""


def escaped(cell: str) -> str:
    """A text that no spreadsheet runs: one that begins like a formula gets an apostrophe."""
    return f"'{cell}" if cell.startswith(_RISKY) else cell


def unescaped(cell: str) -> str:
    """The text that ``escaped`` was given."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_RISKY) else cell


def number_in(cell: str) -> float | None:
    """The finite number that a cell says; ``None`` where it says none."""
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def write_csv_table(path: Path, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write CSV for spreadsheets, texts safe to open; the old file stays whole if that fails.

    Args:
        path: Where to.
        columns: Their names.
        rows: Values in the order of the columns: texts, numbers, times, ``None`` for nothing.

    Raises:
        WriteError: If the file cannot be written, or a text holds half a character.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    write_text_atomic(path, "\ufeff" + stream.getvalue())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    return escaped(value) if isinstance(value, str) else repr(value)


def table_rows(text: str, file: str, needed: Sequence[str]) -> Iterator[TableRow]:
    """The rows of a table with ``,``, ``;`` or tabs between its columns, in any order.

    Column names are compared without case and outer spaces; empty lines are skipped.

    Args:
        text: Of the file; a byte order mark is fine.
        file: Only named in messages.
        needed: Columns that must be there.

    Raises:
        ReadError: Naming the line: it is no CSV, or a column is missing or stands twice.
    """
    text = text.removeprefix("\ufeff")
    head = text.split("\n", 1)[0]
    separator = max(_SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    columns: list[str] | None = None
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = _columns(cells, file, needed)
                continue
            if len(cells) > len(columns):
                reason = f"has {len(cells)} cells, the first line {len(columns)}"
                raise ReadError(file, f"line {reader.line_num}", reason)
            found = dict(zip(columns, map(unescaped, cells), strict=False))
            yield TableRow(reader.line_num, found)
    except csv.Error as error:
        raise ReadError(file, f"line {reader.line_num}", f"is not CSV: {error}") from error
    if columns is None:
        raise ReadError(file, "line 1", "there is no line with the names of the columns")


def _columns(cells: Sequence[str], file: str, needed: Sequence[str]) -> list[str]:
    columns = [cell.strip().lower() for cell in cells]
    for name in needed:
        if name not in columns:
            raise ReadError(file, "line 1", f"the column {name} is missing")
    twice = next((name for name in columns if name and columns.count(name) > 1), None)
    if twice is not None:
        raise ReadError(file, "line 1", f"the column {twice} stands twice")
    return columns
