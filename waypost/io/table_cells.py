"""Tables as CSV: rows read with their lines, and texts that no spreadsheet runs as formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from waypost.domain.base.errors import ReadError

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


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as CSV for spreadsheets: byte order mark, texts safe to open.

    Args:
        columns: Their names.
        rows: Cells in the order of the columns, as ``escaped`` does not yet have them.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(columns)
    writer.writerows([escaped(cell) for cell in row] for row in rows)
    return "\ufeff" + stream.getvalue()


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
