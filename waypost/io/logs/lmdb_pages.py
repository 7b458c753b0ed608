"""Checks the pages of an LMDB database before a library maps it: beyond the end lies a SIGBUS.

Layout: ``struct MDB_meta``, ``MDB_page`` and ``MDB_node`` of LMDB 0.9, data version 1, as a 64-bit
machine writes it.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from waypost.domain.base.errors import ReadError
from waypost.io.file_reading import open_for_reading

_MAGIC: Final = 0xBEEFC0DE
_VERSION: Final = 1
_NONE: Final = (1 << 64) - 1
_DATABASE: Final = "IHHQQQQQ"
_META: Final = struct.Struct("=16xIIQQ" + 2 * _DATABASE + "QQ")
_PAGE: Final = struct.Struct("=QHHHH")
_NODE: Final = struct.Struct("=HHHH")
_BRANCH, _LEAF = 0x01, 0x02
_IN_OVERFLOW_PAGES: Final = 0x01
_PAGE_SIZES: Final = tuple(1 << power for power in range(9, 17))


class _Meta(NamedTuple):
    """What is needed of a meta page."""

    page_size: int
    roots: tuple[int, int]
    last_page: int
    transaction: int


def check_pages(database: Path, data: Path) -> None:
    """Refuse a database that is cut off or names pages that are not there.

    Args:
        database: Its folder, as the user named it.
        data: The file in it.

    Raises:
        ReadError: If it is no such database, or not whole.
    """
    with open_for_reading(data) as file:
        size = os.fstat(file.fileno()).st_size
        pages = _Pages(str(database), file, size)
        meta = pages.meta()
        if (meta.last_page + 1) * meta.page_size > size:
            # Pages that were given up again before they were ever written may lack at the end.
            pages.require_used_ones(meta)


class _Pages:
    """The pages of one file."""

    def __init__(self, name: str, file: BinaryIO, size: int) -> None:
        self._name = name
        self._file = file
        self._size = size
        self._page_size = 0

    def meta(self) -> _Meta:
        """The newest of the two meta pages."""
        first = self._meta_at(0)
        if first.page_size not in _PAGE_SIZES:
            raise self._error(f"it states pages of {first.page_size} bytes")
        self._page_size = first.page_size
        second = self._meta_at(first.page_size)
        if second.page_size != first.page_size:
            raise self._error("it states two sizes of its pages")
        newest = max(first, second, key=lambda meta: meta.transaction)
        for root in newest.roots:
            if root != _NONE and not 1 < root <= newest.last_page:
                raise self._error(f"it begins with page {root}, which it does not have")
        return newest

    def require_used_ones(self, meta: _Meta) -> None:
        """Walk through everything that is stored."""
        waiting = [root for root in meta.roots if root != _NONE]
        seen = set(waiting)
        while waiting:
            for child in self._named_by(waiting.pop()):
                if child in seen:
                    raise self._error(f"it names page {child} twice")
                seen.add(child)
                waiting.append(child)

    def _named_by(self, number: int) -> list[int]:
        """The pages below a page; what it keeps in overflow pages is known to be there."""
        page = self._read(number)
        _, _, flags, lower, _ = _PAGE.unpack_from(page)
        if not flags & (_BRANCH | _LEAF):
            raise self._error(f"page {number} is of a kind that is not expected")
        count = max(0, min(lower, self._page_size) - _PAGE.size) // 2
        children = []
        for place in struct.unpack_from(f"={count}H", page, _PAGE.size):
            if place + _NODE.size > self._page_size:
                raise self._error(f"page {number} is damaged")
            low, high, node_flags, key_bytes = _NODE.unpack_from(page, place)
            if flags & _BRANCH:
                children.append(low | high << 16 | node_flags << 32)
            elif node_flags & _IN_OVERFLOW_PAGES:
                at = place + _NODE.size + key_bytes
                if at + 8 > self._page_size:
                    raise self._error(f"page {number} is damaged")
                (first,) = struct.unpack_from("=Q", page, at)
                self._require(first, _PAGE.size + (low | high << 16))
        return children

    def _meta_at(self, place: int) -> _Meta:
        self._file.seek(place)
        data = self._file.read(_META.size)
        if len(data) < _META.size:
            raise self._error("it ends in its header")
        values = _META.unpack(data)
        if values[0] != _MAGIC:
            raise self._error("it does not begin like one")
        if values[1] != _VERSION:
            raise self._error(f"it is of version {values[1]}, not 1")
        return _Meta(values[4], (values[11], values[19]), values[20], values[21])

    def _read(self, number: int) -> bytes:
        self._require(number, self._page_size)
        self._file.seek(number * self._page_size)
        return self._file.read(self._page_size)

    def _require(self, number: int, length: int) -> None:
        """That so many bytes from the begin of a page are in the file."""
        if number < 2 or number * self._page_size + length > self._size:
            raise self._error(f"it is cut off before page {number}")

    def _error(self, reason: str) -> ReadError:
        return ReadError(self._name, "file", f"is no whole LMDB database: {reason}")
