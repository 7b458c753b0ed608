"""The one way Waypost reads TOML: within bounds, and with the place of whatever is wrong."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from waypost.domain.base.errors import InputError, ReadError
from waypost.domain.base.visible_text import one_line
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import input_error
from waypost.io.reading_limits import MOST_TOML_BYTES

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

_DEEP_KEY: Final = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}"""
)
"""A key of more than a hundred parts; the parser takes a minute for one of 50,000."""


@dataclass(frozen=True)
class TomlTable:
    """A table inside a TOML file that knows where it stands, so that errors can say it."""

    values: Mapping[str, Any]
    file: str
    """As the user named it."""

    place: str = ""
    """Path of the table, e.g. ``criteria[2].levels[0]``; empty for the whole file."""

    def error(self, key: str, reason: str) -> ReadError:
        """An error that names the place of a key."""
        return ReadError(self.file, f"{self.place}.{key}" if self.place else key, reason)

    def check_keys(self, known: Collection[str]) -> None:
        """Refuse keys that are none of those known.

        Raises:
            ReadError: Naming the first.
        """
        unknown = next((key for key in self.values if key not in known), None)
        if unknown is not None:
            raise self.error(unknown, f"is none of {', '.join(known)}")

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The value of a key, or the default.

        Raises:
            ReadError: If it is missing without a default, or of another type.
        """
        value = self.values.get(key, default)
        if value is None:
            raise self.error(key, "is missing")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(key, f"is not {_TYPE_WORDS[kind]}")
        return value

    def optional(self, key: str, kind: type[T]) -> T | None:
        """The value of a key; ``None`` if it is missing.

        Raises:
            ReadError: If it is of another type.
        """
        return self.get(key, kind) if key in self.values else None

    def choice(self, key: str, kind: type[E]) -> E:
        """The value of a key as one of a few words.

        Raises:
            ReadError: If it is missing or none of them.
        """
        value = self.get(key, str)
        if value not in list(kind):
            raise self.error(key, f"{value!r} is none of {', '.join(kind)}")
        return kind(value)

    def table(self, key: str) -> TomlTable | None:
        """The table under a key; ``None`` if it is missing.

        Raises:
            ReadError: If it is no table.
        """
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(key, "is not a table")
        return TomlTable(value, self.file, self.error(key, "").place)

    def tables(self, key: str) -> list[TomlTable]:
        """The list of tables under a key; empty if it is missing.

        Raises:
            ReadError: If it is no list of tables.
        """
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise self.error(key, "is not a list of tables")
        place = self.error(key, "").place
        return [
            TomlTable(entry, self.file, f"{place}[{index}]") for index, entry in enumerate(value)
        ]


_TYPE_WORDS: Final[Mapping[type, str]] = {
    str: "text", int: "a whole number", bool: "true or false", list: "a list",
}  # fmt: skip


def versioned_table(text: str, file: str, newest: int, known: Collection[str]) -> TomlTable:
    """The table of a whole file that says in ``schema_version`` which form it has.

    Args:
        text: TOML text.
        file: Only named in messages.
        newest: The highest version that can be read.
        known: Every key of the table.

    Raises:
        ReadError: If the text is no TOML, has another key, or no version that there is.
    """
    table = TomlTable(parse_toml(text, file), file)
    table.check_keys(known)
    stated = table.get("schema_version", int)
    if stated < 1:
        raise table.error("schema_version", f"is {stated}, older than the first, 1")
    if stated > newest:
        raise table.error("schema_version", f"is {stated}, newer than {newest}")
    return table


@contextlib.contextmanager
def checking(file: str) -> Iterator[None]:
    """Turn what a check says, ``PLACE: REASON``, into an error that names the file as well.

    Raises:
        ReadError: In place of an ``InputError``.
    """
    try:
        yield
    except InputError as error:
        place, _, reason = str(error).partition(": ")
        raise ReadError(file, place, reason) from error


def shipped_files(
    folder: str, keys: Iterable[str], parse: Callable[[str, str], T]
) -> Mapping[str, T]:
    """The TOML files that come with Waypost in a folder of its resources, by key.

    Args:
        folder: Name of the folder.
        keys: Names of the files, without their ending, in the order wanted.
        parse: Reads the text of a file; also given its name, for messages.
    """
    place = resources.files("waypost.resources") / folder
    files = {key: place / f"{key}.toml" for key in keys}
    return MappingProxyType(
        {key: parse(file.read_text(encoding="utf-8"), str(file)) for key, file in files.items()}
    )


def read_toml_text(path: Path) -> str:
    """The text of a TOML file.

    Raises:
        ReadError: If it cannot be read, is no text or is far longer than people write.
    """
    return read_file_text(path, MOST_TOML_BYTES)


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Read TOML text; ``file`` is only named in messages.

    Raises:
        ReadError: If the text is no TOML, or nested far deeper than people write.
    """
    if _DEEP_KEY.search(text):
        raise ReadError(file, "file", "is nested too deeply")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at ")
        place = place.rstrip(")") or "file"
        raise ReadError(file, place, f"is not TOML: {one_line(reason)}") from error
    except Exception as error:  # numbers of 5,000 digits, nesting
        raise input_error(error, file) from error
