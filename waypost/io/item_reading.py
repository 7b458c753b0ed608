"""Stream the items of JSON files of any size: one item in memory, cut-off files included.

Understands an array of items, an object of items by key, an object with the items under one key
beside other members, and JSON values one after the other (JSON lines); plain or gzip, whatever
the name says, UTF-8 or UTF-16 with a byte order mark. A file that ends in the middle gives its
complete items and a ``TRUNCATED`` finding.
"""

from __future__ import annotations

import codecs
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.io.file_reading import open_unpacked
from waypost.io.json_reading import MOST_REPEATED, JsonValue, repeated_keys, said_repeated
from waypost.io.read_log import ReadLog
from waypost.io.reading_limits import MOST_JSON_BYTES, said_limit

_CHUNK_BYTES = 1 << 18
_LONGEST_FIRST_LINE = 1 << 22
_NO_SPACE = re.compile(r"[^ \t\r\n]")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a file."""

    key: str
    """Its key where the items are members of an object; else empty."""

    json: JsonValue
    """Its value, which knows its place: ``[3]``, ``episodes[3]``, ``line 4``."""


def read_items(
    path: Path, log: ReadLog, under: str = "", *, as_lines: bool = False
) -> Iterator[Item]:
    """Yield the items of a JSON file one after the other.

    Args:
        path: The file; gzip is recognised by content.
        log: Told of a cut-off end and of ``NaN`` and ``Infinity``; receives the other members
            of the top-level object when ``under`` is used.
        under: Key of the top-level object that holds the items, e.g. ``episodes``. A file whose
            top level is an array is read as if it stood there.
        as_lines: Whether a lone top-level object is one item, as in JSON lines with one line,
            and not an object of items.

    Raises:
        ReadError: If the file cannot be read or what is there is not JSON.
    """
    with open_unpacked(path) as stream:
        source = _Source(stream, path, log)
        mark = source.peek()
        if mark == "":
            raise ReadError(str(path), "file", "is empty")
        holds_lines = source.holds_lines()
        if mark == "[" and not holds_lines:
            yield from source.array("")
        elif mark == "{" and not holds_lines and not as_lines:
            yield from source.members(under)
        else:
            yield from source.lines()
        source.finish()


class _CutOffError(Exception):
    """The text ends inside a value."""


@dataclass(slots=True)
class _Source:
    """The text of a file, of which only a window is in memory."""

    stream: BufferedIOBase
    path: Path
    log: ReadLog
    text: str = ""
    at: int = 0
    """Position of the next character in ``text``."""

    line: int = 1
    """Line of the file that ``text`` begins on."""

    is_complete: bool = False
    is_cut_off: bool = False
    has_said_so: bool = False
    """Whether the log knows of the cut."""

    constants: Counter[str] = field(default_factory=Counter)
    repeated: dict[str, None] = field(default_factory=dict)
    """Keys that stand twice in one object, the first few."""

    codec: codecs.IncrementalDecoder | None = None
    decoder: json.JSONDecoder = field(default_factory=json.JSONDecoder)

    def __post_init__(self) -> None:
        self.decoder = json.JSONDecoder(
            parse_constant=self._constant, object_pairs_hook=self._members
        )

    def _constant(self, token: str) -> float:
        self.constants[token] += 1
        return float(token.replace("Infinity", "inf"))

    def _members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs) and len(self.repeated) < MOST_REPEATED:
            self.repeated |= dict.fromkeys(repeated_keys(pairs))
        return table

    def error(self, reason: str) -> ReadError:
        line = self.line + self.text.count("\n", 0, self.at)
        return ReadError(str(self.path), f"line {line}", reason)

    def more(self) -> bool:
        """Append the next chunk; False at the end of the file."""
        if self.is_complete:
            return False
        if len(self.text) - self.at > MOST_JSON_BYTES:
            raise self.error(f"here begins {said_limit(MOST_JSON_BYTES)}")
        data = self._bytes(max(_CHUNK_BYTES, len(self.text) - self.at))
        if self.codec is None:
            self.codec = codecs.getincrementaldecoder(_encoding(data))()
        self.is_complete = not data
        self.line += self.text.count("\n", 0, self.at)
        self.text, self.at = self.text[self.at :], 0
        try:
            self.text += self.codec.decode(data, final=False)
        except UnicodeDecodeError as error:
            raise self.error(f"is not {_encoding(data)} text") from error
        return not self.is_complete

    def _bytes(self, size: int) -> bytes:
        """The next bytes; what comes out of a damaged gzip before the damage is kept."""
        parts: list[bytes] = []
        while size > 0 and not self.is_cut_off:
            try:
                part = self.stream.read1(size)
            except (EOFError, zlib.error):
                self.is_cut_off = True
                break
            except OSError as error:
                raise ReadError(str(self.path), "file", f"cannot be read: {error}") from error
            if not part:
                break
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            found = _NO_SPACE.search(self.text, self.at)
            if found is not None:
                self.at = found.start()
                return found[0]
            self.at = len(self.text)
            if not self.more():
                return ""

    def value(self) -> Any:
        """The next whole value."""
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if self.more():
                    continue
                if _is_at_the_end(error):
                    raise _CutOffError from error
                self.at = error.pos
                raise self.error(f"is not JSON: {error.msg}") from error
            except RecursionError as error:
                raise self.error("is nested too deeply") from error
            except ValueError as error:
                raise self.error("holds a number with too many digits") from error
            # A number at the very end of the window may go on in the next chunk.
            if end == len(self.text) and self.more():
                continue
            self.at = end
            return value

    def array(self, place: str) -> Iterator[Item]:
        """The elements of the array that begins here."""
        self.at += 1
        index = 0
        is_whole = True
        while is_whole and self.peek() != "]":
            try:
                value = self.value()
            except _CutOffError:
                is_whole = False
                break
            is_whole = self._goes_on("]")
            # A number without anything behind it may have lost its last digits.
            if is_whole or isinstance(value, dict | list | str):
                yield Item("", JsonValue(value, str(self.path), f"{place}[{index}]"))
                index += 1
        if is_whole:
            self.at += 1
        else:
            self._cut_off(index)

    def members(self, under: str) -> Iterator[Item]:
        """The members of the object that begins here, or the items under one of them."""
        self.at += 1
        index = 0
        is_whole = True
        while is_whole and self.peek() != "}":
            try:
                key = self._member_name()
                if under and key == under and self.peek() in {"[", "{"}:
                    yield from self.array(under) if self.peek() == "[" else self.members("")
                elif under:
                    self.log.document[key] = self.value()
                else:
                    place = f"[{json.dumps(key, ensure_ascii=False)}]"
                    yield Item(key, JsonValue(self.value(), str(self.path), place))
                    index += 1
            except _CutOffError:
                is_whole = False
                break
            is_whole = self._goes_on("}")
        if is_whole:
            self.at += 1
        else:
            self._cut_off(index)

    def _member_name(self) -> str:
        """The name of the next member, up to its value."""
        key = self.value()
        mark = self.peek()
        if not mark:
            raise _CutOffError
        if not isinstance(key, str) or mark != ":":
            raise self.error("is not JSON: a member needs a name and a colon")
        self.at += 1
        if not self.peek():
            raise _CutOffError
        return key

    def lines(self) -> Iterator[Item]:
        """Values one after the other."""
        index = 0
        while self.peek():
            line = self.line + self.text.count("\n", 0, self.at)
            try:
                value = self.value()
            except _CutOffError:
                self._cut_off(index)
                return
            index += 1
            yield Item("", JsonValue(value, str(self.path), f"line {line}"))
        if self.is_cut_off:
            self._cut_off(index)

    def holds_lines(self) -> bool:
        """Whether the first line is a whole value and another one follows it (JSON lines)."""
        while "\n" not in self.text and len(self.text) < _LONGEST_FIRST_LINE and self.more():
            pass
        end = self.text.find("\n", self.at)
        if end < 0:
            return False
        length = end - self.at
        while not self.text[self.at + length :].strip():
            if not self.more():
                return False
        try:
            json.loads(self.text[self.at : self.at + length])
        except (RecursionError, ValueError):
            return False
        return True

    def _goes_on(self, closing: str) -> bool:
        """Step over a comma; False at the end of the text."""
        mark = self.peek()
        if mark == ",":
            self.at += 1
            if self.peek() == closing:
                raise self.error("is not JSON: a comma stands before the end")
            return True
        if mark in {closing, ""}:
            return mark == closing
        raise self.error("is not JSON: a comma is missing")

    def _cut_off(self, complete: int) -> None:
        self.is_cut_off = True
        # Nothing after the cut counts, whatever reads on.
        self.at = len(self.text)
        if self.has_said_so:
            return
        self.has_said_so = True
        self.log.add(
            ImportKind.TRUNCATED,
            f"{self.path} ends in the middle; its {complete} complete items were read",
            item_id=str(self.path),
            step=complete,
        )

    def finish(self) -> None:
        """Check the end and report oddities."""
        if not self.is_cut_off and self.peek():
            raise self.error("the file goes on after its JSON value")
        for token, count in self.constants.items():
            self.log.warn(f"{self.path}: {token} appears {count}× and is not JSON")
        for sentence in said_repeated(str(self.path), self.repeated):
            self.log.warn(sentence)


def _is_at_the_end(error: json.JSONDecodeError) -> bool:
    rest = error.doc[error.pos :].rstrip()
    if "Unterminated" in error.msg:
        return True
    if "escape" in error.msg:
        return len(rest) < len("\\u0000")
    return any(
        word.startswith(rest) for word in ("true", "false", "null", "NaN", "Infinity", "-Infinity")
    )


def _encoding(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-8-sig"
