"""What a reader of episodes or of runs is: one record, by which a registry finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from waypost.domain.base.errors import ReadError
from waypost.io.file_head import FileHead
from waypost.io.foreign_errors import reading
from waypost.io.read_log import ReadLog

T = TypeVar("T")
ItemWriter = Callable[[Path, Iterable[T], ReadLog], None]
"""Writes items, with what ``ReadLog.document`` holds beside them; what the format cannot hold is
said with ``ReadLog.add``. Raises ``WriteError``, or ``InputError`` if an item lacks what the format
needs."""


@dataclass(frozen=True)  # with slots, Python 3.11 cannot make one by an alias
class ItemFormat(Generic[T]):
    """A kind of file or folder that holds items, read one at a time."""

    name: str
    """The word on the command line, e.g. ``r2r``."""

    title: str
    """For people, e.g. ``Room-to-Room annotations``."""

    can_read: Callable[[FileHead], bool]
    """Whether the beginning of a file, or the names in a folder, show this format."""

    read: Callable[[Path, ReadLog], Iterator[T]]
    """Yields the items; raises ``ReadError`` when the file as a whole cannot be used."""

    conventions: str
    """Frame, headings, quaternion order and units, in one sentence."""

    source: str
    """Where the format is defined: ``owner/repo:path``."""

    write: ItemWriter[T] | None = None

    keys: tuple[str, ...] = ()
    """Keys of a record, or columns, that show the format: by them a refusal names the closest
    ones. None where it is known otherwise."""

    dataset: str = ""
    """Data set of its files, as folders are named after it; empty where it may be several."""

    def __post_init__(self) -> None:
        # Every reader of episodes and runs is entered here: what it did not foresee ends here.
        object.__setattr__(self, "can_read", never_raising(self.can_read))
        object.__setattr__(self, "read", _naming_the_file(self.read))


def never_raising(can_read: Callable[[FileHead], bool]) -> Callable[[FileHead], bool]:
    """The same, which says no to what it did not foresee."""

    def known(head: FileHead) -> bool:
        try:
            with reading(head.path):
                return can_read(head)
        except ReadError:
            return False

    return known


def _naming_the_file(
    read: Callable[[Path, ReadLog], Iterator[T]],
) -> Callable[[Path, ReadLog], Iterator[T]]:
    def named(path: Path, log: ReadLog) -> Iterator[T]:
        with reading(path):
            yield from read(path, log)

    return named
