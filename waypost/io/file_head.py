"""The beginning of a file or folder, looked at once, from which every format is recognised."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import decode_text, open_unpacked

_HEAD_BYTES = 1 << 16
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?P<closed>"?)|[\[\]{},]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class FileHead:
    """What the content of a file shows before it is read."""

    path: Path
    is_folder: bool
    names: tuple[str, ...]
    """Names inside a folder, sorted, of at most 1,000 entries; empty for a file."""

    start: bytes
    """The first 64 KiB, unpacked; empty for a folder."""

    text: str
    """The same as text, without byte order mark; bytes that are none are replaced."""

    sample: Any
    """The JSON document as if it ended within the first 64 KiB, its last item possibly partial;
    of JSON lines the list of their values; ``None`` where it is no JSON."""

    is_lines: bool
    """Whether ``sample`` comes from JSON lines."""

    goes_on: bool = False
    """Whether more stands behind the JSON document, of which ``sample`` is then only the first."""

    @property
    def first(self) -> Any:
        """The first element of a top-level array or of JSON lines, or the first member's value."""
        if isinstance(self.sample, dict):
            return next(iter(self.sample.values()), None)
        return self.sample[0] if isinstance(self.sample, list) and self.sample else None

    def first_has(self, *keys: str) -> bool:
        """Whether the first item is an object with all of these keys."""
        return isinstance(self.first, dict) and all(key in self.first for key in keys)

    @property
    def first_line(self) -> Any:
        """``first`` of a format of JSON lines, where a lone object is a file of one line."""
        return self.sample if isinstance(self.sample, dict) else self.first

    def line_has(self, *keys: str) -> bool:
        """Whether ``first_line`` is an object with all of these keys."""
        first = self.first_line
        return isinstance(first, dict) and all(key in first for key in keys)


def read_head(path: Path) -> FileHead:
    """Look at the beginning of a file or folder.

    Raises:
        ReadError: If it does not exist or cannot be opened.
    """
    if path.is_dir():
        names = tuple(sorted(entry.name for entry in islice(path.iterdir(), 1000)))
        return FileHead(path, True, names, b"", "", None, False)
    with open_unpacked(path) as stream:
        start = b""
        try:
            while len(start) < _HEAD_BYTES and (data := stream.read1(_HEAD_BYTES - len(start))):
                start += data
        except (EOFError, zlib.error):
            pass  # a cut-off gzip: what came out before the cut still shows the format
        except OSError as error:
            raise ReadError(str(path), "file", f"cannot be read: {error}") from error
    text = _text(start)
    lines = _lines(text)
    sample, goes_on = (lines, False) if lines is not None else _beginning(text)
    return FileHead(path, False, (), start, text, sample, lines is not None, goes_on)


def _text(start: bytes) -> str:
    try:
        text = decode_text(start, "")
    except ReadError:
        text = start.decode("utf-8-sig", errors="replace")
    return text.removeprefix("\ufeff")


def _lines(text: str) -> list[Any] | None:
    """Values of JSON lines; ``None`` where the first line is no whole value or is alone."""
    lines = [line for line in text.split("\n") if line.strip()]
    values = []
    for line in lines:
        try:
            values.append(json.loads(line))
        except (RecursionError, ValueError):
            break
    is_json = bool(values) and isinstance(values[0], dict | list)
    return values if is_json and len(lines) > 1 else None


def _beginning(text: str) -> tuple[Any, bool]:
    """The JSON value that ``text`` begins, closed where the text ends inside it.

    Returns:
        The value, ``None`` for none, and whether text goes on behind it.
    """
    if text.lstrip()[:1] not in ("[", "{"):
        return None, False
    open_brackets: list[str] = []
    whole = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            open_brackets.append("]" if mark == "[" else "}")
            whole = token.end()
        elif mark in "]}":
            if not open_brackets or open_brackets.pop() != mark:
                return None, False
            whole = token.end()
            if not open_brackets:
                break
        elif mark == ",":
            whole = token.start()
    closing = "".join(reversed(open_brackets))
    try:
        value = json.loads(text[:whole] + closing)
    except (RecursionError, ValueError):
        return None, False
    return value, not closing and bool(text[whole:].strip())
