"""Types of arguments that name files: what cannot be read or written is refused before work."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from waypost.domain.base.errors import InputError, ReadError, WriteError
from waypost.io.atomic import check_file_place, check_folder_place
from waypost.io.file_reading import require_folder, require_regular_file
from waypost.services.project_head import begins_as_project

T = TypeVar("T", Path, str)


@dataclass(frozen=True)
class ReadType(Generic[T]):
    """A type for ``add_argument``; what stands there is looked at by ``check_paths``."""

    make: Callable[[str], T]
    check: Callable[[T], None]
    """Raises ``ReadError``."""

    def __call__(self, text: str) -> T:
        """The value of a word, whatever stands there."""
        return self.make(text)


@dataclass(frozen=True)
class WriteType:
    """A type for ``add_argument`` of what is written; ``check_paths`` looks whether it can be."""

    check: Callable[[Path], None]
    """Raises ``WriteError``."""

    def __call__(self, text: str) -> Path:
        """The path of a word, whatever stands there."""
        return Path(text)


def check_word(action: argparse.Action, word: str) -> None:
    """Refuse words that are no paths where one is wanted.

    An empty one, such as a variable of a shell that is not set, would mean the folder that one
    stands in; ``-`` would make a file of that name where standard output is meant.

    Raises:
        ArgumentError: If it is one of them.
    """
    is_written = isinstance(action.type, WriteType)
    if not word and (is_written or isinstance(action.type, ReadType)):
        raise argparse.ArgumentError(action, "is empty; . is the folder that one is in")
    if word == "-" and is_written:
        reason = "standard output is not written to; ./- is a file of that name"
        raise argparse.ArgumentError(action, reason)


def check_ending(path: Path, *endings: str) -> None:
    """Refuse a file to be written whose name says that it is of another kind.

    Raises:
        InputError: If it ends with none of them, in small letters or capitals.
    """
    if path.suffix.lower() not in endings:
        how = "ends with none of" if len(endings) > 1 else "does not end with"
        raise InputError(f"{path}: name: {how} {', '.join(endings)}")


def check_paths(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Look at every path that was given; bad usage is told before, by parsing.

    Raises:
        ReadError: Naming the first that cannot be read.
        WriteError: If a file that is read, or any project, would be written over, or nothing can
            be written there.
    """
    actions = list(_chosen(parser, options))
    read = [
        (action.type, value)
        for action in actions
        if isinstance(action.type, ReadType)
        for value in _values(action, options)
    ]
    for kind, value in read:
        kind.check(value)
    for target, written in (
        (action.type, value)
        for action in actions
        if isinstance(action.type, WriteType)
        for value in _values(action, options)
    ):
        if any(_is_same_file(written, value) for _, value in read):
            raise WriteError(str(written), "it is what this command reads")
        if _is_project(written):
            raise WriteError(str(written), "it is a project, whose place nothing else takes")
        target.check(written)


def _values(action: argparse.Action, options: argparse.Namespace) -> list[Any]:
    given = getattr(options, action.dest)
    values = given if isinstance(given, list) else [given]
    return [value for value in values if value is not None]


def _is_same_file(one: Path, other: Path | str) -> bool:
    try:
        return one.is_file() and one.samefile(other)
    except (OSError, ValueError):
        return False


def _is_project(path: Path) -> bool:
    try:
        return os.path.isfile(path) and begins_as_project(path)  # noqa: PTH113 - it never raises
    except ReadError:
        return False


def _chosen(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            inner: Any = action.choices[getattr(options, action.dest)]
            yield from _chosen(inner, options)
        else:
            yield action


def _check_path(path: Path) -> None:
    if os.path.isdir(path):  # noqa: PTH112 - unlike the method it never raises
        require_folder(path)
    else:
        require_regular_file(path)


def _check_place(path: Path) -> None:
    (check_folder_place if os.path.isdir(path) else check_file_place)(path)  # noqa: PTH112 - as above


def _check_project(location: str) -> None:
    if "://" not in location:
        require_regular_file(Path(location))


def _check_project_to_make(location: str) -> None:
    if "://" in location:
        return
    path = Path(location)
    if os.path.lexists(location):
        require_regular_file(path)
        return
    try:
        require_folder(path.parent)
        path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise ReadError(location, "file", f"cannot be made: {error.strerror}") from error
    except ReadError as error:
        reason = f"cannot be made: {path.parent} {error.reason}"
        raise ReadError(location, "file", reason) from error


file_to_read = ReadType(Path, require_regular_file)
"""A regular file that is there and may be read."""

folder_to_read = ReadType(Path, require_folder)
"""A folder that is there and may be listed."""

path_to_read = ReadType(Path, _check_path)
"""One or the other."""

project_to_open = ReadType(str, _check_project)
"""A project file, or the URL of a database, at which opening looks."""

project_to_make = ReadType(str, _check_project_to_make)
"""The same; what is not there can be made."""

file_to_write = WriteType(check_file_place)
"""A file that can be written; folders above it that are not there are made with it."""

folder_to_write = WriteType(check_folder_place)
"""A folder that is there and may be written to, or can be made."""

path_to_write = WriteType(_check_place)
"""One or the other."""
