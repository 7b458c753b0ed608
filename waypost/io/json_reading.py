"""The one way Waypost reads JSON: whole, checked, and with the place of whatever is wrong."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.frames import FARTHEST_M, TOO_FAR
from waypost.io.file_reading import read_file_text
from waypost.io.reading_limits import MOST_JSON_BYTES

MOST_REPEATED: Final = 10
"""So many keys that stand twice in one object are named."""

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value inside a JSON file that knows where it stands, so that errors can say it."""

    value: Any
    """The parsed value."""

    file: str
    """The file as the user named it."""

    place: str = ""
    """Path of the value, e.g. ``edges[3].to``; empty for the whole document."""

    def error(self, reason: str) -> ReadError:
        """An error that names this place."""
        return ReadError(self.file, self.place or "top level", reason)

    def has(self, key: str) -> bool:
        """Whether this is an object with that key."""
        return isinstance(self.value, dict) and key in self.value

    def field(self, key: str) -> JsonValue:
        """The value of a key.

        Raises:
            ReadError: If this is no object or lacks the key.
        """
        members = self.as_object()
        child = self._child(key)
        if key not in members:
            raise child.error("is missing")
        return child

    def text_of(self, key: str) -> str:
        """The string of a key; empty if the key is missing or null.

        Raises:
            ReadError: If the key holds something else.
        """
        if not self.has(key) or self.value[key] is None:
            return ""
        return self._child(key).as_text()

    def items(self) -> Iterator[JsonValue]:
        """The elements of an array.

        Raises:
            ReadError: If this is no array.
        """
        for index, item in enumerate(self.as_array()):
            yield JsonValue(item, self.file, f"{self.place}[{index}]")

    def entries(self) -> Iterator[tuple[str, JsonValue]]:
        """The members of an object, in the order of the file.

        Raises:
            ReadError: If this is no object.
        """
        for key in self.as_object():
            yield key, self._child(key)

    def as_object(self) -> dict[str, Any]:
        """The value as an object.

        Raises:
            ReadError: If it is something else.
        """
        if not isinstance(self.value, dict):
            raise self.error(f"is {kind_of(self.value)}, not an object")
        return self.value

    def as_array(self) -> list[Any]:
        """The value as an array.

        Raises:
            ReadError: If it is something else.
        """
        if not isinstance(self.value, list):
            raise self.error(f"is {kind_of(self.value)}, not an array")
        return self.value

    def as_text(self) -> str:
        """The value as a string that can be stored and shown.

        Raises:
            ReadError: If it is something else, or holds half of a surrogate pair.
        """
        if not isinstance(self.value, str):
            raise self.error(f"is {kind_of(self.value)}, not text")
        try:
            self.value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise self.error("holds half of a surrogate pair, which is no character") from error
        return self.value

    def as_flag(self) -> bool:
        """The value as true or false.

        Raises:
            ReadError: If it is something else.
        """
        if not isinstance(self.value, bool):
            raise self.error(f"is {kind_of(self.value)}, not true or false")
        return self.value

    def as_number(self) -> float:
        """The value as a finite float.

        Raises:
            ReadError: If it is no number, NaN, infinite or too large.
        """
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.error(f"is {kind_of(self.value)}, not a number")
        try:
            number = float(self.value)
        except OverflowError as error:
            raise self.error("is too large a number") from error
        if not math.isfinite(number):
            raise self.error(f"{number} is not a usable number")
        return number

    def as_coordinate(self) -> float:
        """The value as a part of a position, metres.

        Raises:
            ReadError: If it is no usable number, or no place is there.
        """
        number = self.as_number()
        if abs(number) > FARTHEST_M:
            raise self.error(f"is {number:g} m, {TOO_FAR}")
        return number

    def _child(self, key: str) -> JsonValue:
        step = f".{key}" if _PLAIN_KEY.fullmatch(key) else f"[{json.dumps(key)}]"
        place = (self.place + step).removeprefix(".")
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return JsonValue(value, self.file, place)


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A parsed JSON file."""

    root: JsonValue
    """The top-level value."""

    warnings: tuple[str, ...]
    """Sentences about oddities that did not prevent reading: repeated keys, ``NaN`` tokens."""


def read_json(path: Path) -> JsonDocument:
    """Read a JSON file; gzip and byte order marks are fine.

    Raises:
        ReadError: If the file cannot be read or is not one whole JSON value, or is too long.
    """
    return parse_json(read_file_text(path, MOST_JSON_BYTES), str(path))


def parse_json(text: str, file: str) -> JsonDocument:
    """Read JSON text; ``file`` is only named in messages.

    Raises:
        ReadError: If the text is not one whole JSON value.
    """
    constants: Counter[str] = Counter()
    repeated: dict[str, None] = {}

    def constant(token: str) -> float:
        constants[token] += 1
        return float(token.replace("Infinity", "inf"))

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs) and len(repeated) < MOST_REPEATED:
            repeated.update(dict.fromkeys(repeated_keys(pairs)))
        return table

    try:
        value = json.loads(text, parse_constant=constant, object_pairs_hook=members)
    except json.JSONDecodeError as error:
        raise ReadError(file, f"line {error.lineno}, column {error.colno}", _why(error)) from error
    except RecursionError as error:
        raise ReadError(file, "file", "is nested too deeply") from error
    except ValueError as error:
        raise ReadError(file, "file", "holds a number with too many digits") from error
    warnings = [f"{file}: {token} appears {n}× and is not JSON" for token, n in constants.items()]
    warnings += said_repeated(file, repeated)
    return JsonDocument(JsonValue(value, file), tuple(warnings))


def repeated_keys(pairs: list[tuple[str, Any]]) -> list[str]:
    """The keys that stand more than once among the members of one object."""
    counts = Counter(key for key, _ in pairs)
    return [key for key, count in counts.items() if count > 1]


def said_repeated(file: str, keys: Iterable[str]) -> list[str]:
    """A sentence for each of the first keys that an object of a file repeats."""
    named = islice(keys, MOST_REPEATED)
    return [f"{file}: an object repeats the key {key!r}; the last counts" for key in named]


def kind_of(value: Any) -> str:
    """Name the kind of a JSON value for people, e.g. ``an array``."""
    if value is None:
        return "null"
    names = {dict: "an object", list: "an array", str: "text", bool: "true or false"}
    return names.get(type(value), "a number")


def _why(error: json.JSONDecodeError) -> str:
    at_end = not error.doc[error.pos :].strip()
    if at_end or error.msg.startswith("Unterminated string"):
        return "the file ends too early, as if it were cut off"
    if error.msg == "Extra data":
        return "the file goes on after its JSON value"
    return f"is not JSON: {error.msg}"
