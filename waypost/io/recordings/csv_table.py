"""Reads tables of numbers as other programs and people leave them, and notes every oddity."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import decode_text, read_file_bytes

_SEPARATORS: Final = (",", ";", "\t")
_SEPARATOR_NAMES: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_SEPARATOR_LINE: Final = re.compile(r"sep=.")
_BYTE_ORDER_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class CsvTable:
    """Cells as text, with decimal points."""

    names: tuple[str, ...]
    """Column names, as in the file without surrounding spaces."""

    rows: tuple[tuple[str, ...], ...]
    """Cells, without surrounding spaces; a row may have fewer or more than there are names."""

    line_numbers: tuple[int, ...]
    """Where each row stands in the file, from 1."""

    is_cut_off: bool
    """Whether the last row has no line end."""

    notes: tuple[str, ...]
    data: bytes
    """The file itself."""


def read_csv_table(path: Path) -> CsvTable:
    """Read a table with column names in its first line.

    Separators may be commas, semicolons or tabs; a byte order mark, Windows line ends, blank
    lines, ``#`` comments, decimal commas and zero bytes at the end (left by a power cut) are
    noted and dealt with.

    Raises:
        ReadError: If the file cannot be read, is not text, or has no column names.
    """
    data = read_file_bytes(path)
    notes: list[str] = []
    if data.startswith(_BYTE_ORDER_MARKS):
        notes.append("begins with a byte order mark")
    kept = data.rstrip(b"\x00") if not data.startswith(_BYTE_ORDER_MARKS[1:]) else data
    if len(kept) < len(data):
        notes.append(f"ends in {len(data) - len(kept)} zero bytes, which were left out")
    text = decode_text(kept, str(path)).removeprefix("\ufeff")
    if "\r\n" in text:
        notes.append("has Windows line ends")
    lines = _content_lines(text, notes)
    if not lines:
        raise ReadError(str(path), "line 1", "there are no column names")
    separator = max(_SEPARATORS, key=lines[0][1].count)
    if separator != ",":
        notes.append(f"cells are separated by {_SEPARATOR_NAMES[separator]}")
    try:
        rows = [_cells(line, separator) for _, line in lines]
    except csv.Error as error:
        raise ReadError(str(path), "file", f"is not a table: {error}") from error
    if separator != "," and any(_DECIMAL_COMMA.fullmatch(c) for row in rows[1:] for c in row):
        notes.append("numbers have a decimal comma")
        rows[1:] = [_with_points(row) for row in rows[1:]]
    return CsvTable(
        rows[0],
        tuple(rows[1:]),
        tuple(number for number, _ in lines[1:]),
        not text.endswith(("\n", "\r")) and len(rows) > 1,
        tuple(notes),
        data,
    )


def _content_lines(text: str, notes: list[str]) -> list[tuple[int, str]]:
    lines = list(enumerate(_LINE_END.split(text), 1))
    filled = [(number, line) for number, line in lines if line.strip()]
    last = filled[-1][0] if filled else 0
    blank = sum(1 for number, line in lines if not line.strip() and number <= last)
    if blank:
        notes.append(f"has {blank} blank lines, which were left out")
    if filled and _SEPARATOR_LINE.fullmatch(filled[0][1].strip()):
        notes.append("begins with a line for Excel, which was left out")
        del filled[0]
    content = [(number, line) for number, line in filled if not line.lstrip().startswith("#")]
    if len(content) < len(filled):
        notes.append(f"has {len(filled) - len(content)} lines of comment, which were left out")
    return content


def _cells(line: str, separator: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=separator)))


def _with_points(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell for cell in row)
