"""What a file or folder was when it was read: a digest of names, sizes and times of change."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Final

MOST_FILES: Final = 2_000_000
"""Folders with more files have no identity; they are read anew each time."""

_AT_ONCE: Final = 5_000
_COMPILED: Final = "__pycache__"
"""What Python leaves beside its modules says nothing that they do not."""


def identify(paths: Iterable[Path], also: Iterable[str] = ()) -> Generator[int, None, str]:
    """Digest files, and folders with everything in them; contents are not read.

    Args:
        paths: Files and folders; one that does not exist is part of the identity, too.
        also: Further texts that the identity depends on.

    Yields:
        The number of files seen, every few thousand, so that a caller may stop.

    Returns:
        Hexadecimal digest; empty if there are more than ``MOST_FILES`` or a folder cannot be
        listed.
    """
    digest = blake2b(digest_size=20)
    for text in also:
        digest.update(f"{text}\0".encode("utf-8", "surrogatepass"))
    seen = 0
    try:
        for line in _lines(paths):
            digest.update(line.encode("utf-8", "surrogatepass"))
            seen += 1
            if seen > MOST_FILES:
                return ""
            if seen % _AT_ONCE == 0:
                yield seen
    except OSError:
        return ""
    return digest.hexdigest()


def _lines(paths: Iterable[Path]) -> Iterator[str]:
    followed: set[str] = set()
    for path in paths:
        place = path.resolve()
        yield f"{place}\0"
        if place.is_dir():
            yield from _folder_lines(str(place), followed)
        elif place.exists():
            yield _line(place.name, place.stat())


def _folder_lines(folder: str, followed: set[str]) -> Iterator[str]:
    folders = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.startswith(".") or entry.name == _COMPILED:
                continue
            if not entry.is_dir():
                yield _line(entry.name, entry.stat())
            elif not entry.is_symlink() or _is_new(entry.path, followed):
                folders.append(entry.path)
    for inner in folders:
        yield f"{inner}\0"
        yield from _folder_lines(inner, followed)


def _is_new(link: str, followed: set[str]) -> bool:
    """Whether a link leads to where none has led before; links may lead in circles."""
    target = os.path.realpath(link)
    is_new = target not in followed
    followed.add(target)
    return is_new


def _line(name: str, facts: os.stat_result) -> str:
    return f"{name}\0{facts.st_size}\0{facts.st_mtime_ns}\0"
