"""The one place that opens files for reading; says in one sentence why one cannot be read.

Everything that a person or another file named is opened here: only regular files are, so that no
pipe is waited for, no device read without end and no packed file unpacked beyond what memory holds.
"""

from __future__ import annotations

import io
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.io.reading_limits import MOST_DOCUMENT_BYTES, said_limit

_GZIP_MAGIC: Final = b"\x1f\x8b"
_BYTE_ORDER_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_NO_FILES: Final = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a pipe, not a file"),
    (stat.S_ISSOCK, "is a socket, not a file"),
    (stat.S_ISCHR, "is a device, not a file"),
    (stat.S_ISBLK, "is a device, not a file"),
)
_FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe put there since it was looked at keeps nobody waiting
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_CHUNK_BYTES: Final = 1 << 18

MOST_PER_CHUNK: Final = 1 << 26
"""256 KiB of gzip may unpack to 64 MiB: 256 times as much. JSON packs 10 to 50 times, the same line
of a log over and over 200 times; what was made to fill the memory, 1,000 times."""


def open_for_reading(path: Path) -> io.BufferedReader:
    """Open a regular file for reading its bytes as they are.

    Raises:
        ReadError: If it is missing, a folder, pipe, socket or device, or may not be read.
    """
    try:
        # To open some devices does something already.
        _refuse_special(path, os.stat(path))  # noqa: PTH116 - a path of any length, no exceptions
        descriptor = os.open(path, _FLAGS)
        try:
            _refuse_special(path, os.fstat(descriptor))
        except BaseException:
            os.close(descriptor)
            raise
        return os.fdopen(descriptor, "rb")
    except FileNotFoundError:
        raise ReadError(str(path), "file", "does not exist") from None
    except (OSError, ValueError) as error:
        raise ReadError(str(path), "file", f"cannot be read: {_reason(path, error)}") from error


def require_regular_file(path: Path) -> None:
    """Refuse what ``open_for_reading`` would; for libraries that open a path by themselves.

    Raises:
        ReadError: As ``open_for_reading``.
    """
    open_for_reading(path).close()


def require_folder(path: Path) -> None:
    """Refuse what is no folder whose names can be listed.

    Raises:
        ReadError: If it is missing, something else, or may not be read.
    """
    try:
        facts = os.stat(path)  # noqa: PTH116 - as above
        if not stat.S_ISDIR(facts.st_mode):
            _refuse_special(path, facts)
            raise ReadError(str(path), "file", "is a file, not a folder")
        os.scandir(path).close()
    except FileNotFoundError:
        raise ReadError(str(path), "file", "does not exist") from None
    except (OSError, ValueError) as error:
        raise ReadError(str(path), "file", f"cannot be read: {_reason(path, error)}") from error


def _reason(path: Path, error: OSError | ValueError) -> str:
    # Python's own words for it differ from version to version.
    if "\0" in str(path):
        return "its name holds a null character"
    return getattr(error, "strerror", None) or str(error)


def open_unpacked(path: Path) -> io.BufferedReader:
    """Open a regular file for reading its bytes, unpacked when its content is gzip.

    A damaged or cut-off gzip raises ``EOFError`` or ``zlib.error`` where it is read.

    Raises:
        ReadError: If it cannot be opened; while reading, if it unpacks to far more than it is.
    """
    stream = open_for_reading(path)
    try:
        is_packed = stream.read(2) == _GZIP_MAGIC
        stream.seek(0)
    except OSError as error:
        stream.close()
        reason = error.strerror or str(error)
        raise ReadError(str(path), "file", f"cannot be read: {reason}") from error
    if is_packed:
        return io.BufferedReader(_Unpacking(stream, str(path)), _CHUNK_BYTES)
    return stream


def read_file_bytes(path: Path, most_bytes: int = MOST_DOCUMENT_BYTES) -> bytes:
    """Return the content of a file, unpacked when it is gzip, whatever its name says.

    Args:
        path: The file.
        most_bytes: A longer content is refused before memory is taken for all of it.

    Raises:
        ReadError: If the file is missing, no regular file, empty, too long, unreadable or a
            damaged gzip.
    """
    file = str(path)
    with open_unpacked(path) as stream:
        try:
            data = b"".join(_parts(stream, most_bytes))
        except (EOFError, zlib.error) as error:
            raise ReadError(file, "file", "is a damaged or cut-off gzip file") from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise ReadError(file, "file", f"cannot be read: {reason}") from error
    if len(data) > most_bytes:
        raise ReadError(file, "file", f"holds {said_limit(most_bytes)}")
    if not data.strip():
        raise ReadError(file, "file", "is empty")
    return data


def read_plain_bytes(path: Path, most_bytes: int = MOST_DOCUMENT_BYTES) -> bytes:
    """Return the content of a file as it is, whatever it holds.

    Raises:
        ReadError: If the file is missing, no regular file, too long or unreadable.
    """
    with open_for_reading(path) as stream:
        try:
            data = b"".join(_parts(stream, most_bytes))
        except OSError as error:
            reason = error.strerror or str(error)
            raise ReadError(str(path), "file", f"cannot be read: {reason}") from error
    if len(data) > most_bytes:
        raise ReadError(str(path), "file", f"holds {said_limit(most_bytes)}")
    return data


def read_beginning(path: Path, most_bytes: int) -> bytes:
    """Return at most so many bytes of a file as they are; what stands behind them is not told.

    Raises:
        OSError: If it cannot be read.
        ReadError: If it cannot be opened; see ``open_for_reading``.
    """
    with open_for_reading(path) as stream:
        # memory for as much as is asked for is taken at once
        return stream.read(min(most_bytes, os.fstat(stream.fileno()).st_size))


def decode_text(data: bytes, file: str) -> str:
    """Return the text of UTF-8 data, or of UTF-16 data that begins with a byte order mark.

    Raises:
        ReadError: Naming the first byte that is not text.
    """
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        reason = f"is not {encoding} text (byte {error.start})"
        raise ReadError(file, f"line {line}", reason) from error


def read_file_text(path: Path, most_bytes: int = MOST_DOCUMENT_BYTES) -> str:
    """Return the text of a file; see ``read_file_bytes`` and ``decode_text``.

    Raises:
        ReadError: If the file cannot be read or is not text.
    """
    return decode_text(read_file_bytes(path, most_bytes), str(path))


def _parts(stream: io.BufferedReader, most_bytes: int) -> Iterator[bytes]:
    """The content in pieces, up to the one that goes beyond the limit."""
    size = 0
    while size <= most_bytes and (part := stream.read1(_CHUNK_BYTES)):
        size += len(part)
        yield part


def _refuse_special(path: Path, facts: os.stat_result) -> None:
    if stat.S_ISREG(facts.st_mode):
        return
    reason = next((words for test, words in _NO_FILES if test(facts.st_mode)), "is no file")
    raise ReadError(str(path), "file", reason)


class _Unpacking(io.RawIOBase):
    """The content of a gzip file, piece by piece, as long as it does not swell out of proportion.

    Unlike Python's ``gzip`` it never makes more of a piece than it was told it may.
    """

    def __init__(self, packed: io.BufferedReader, file: str) -> None:
        self._packed, self._file = packed, file
        self._member: Any = zlib.decompressobj(wbits=31)
        self._has_begun = False
        self._waiting = b""
        """Packed bytes behind the end of a member."""

        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._packed.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if not self._unpack():
                return 0
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _unpack(self) -> bool:
        """Unpack the next piece; False at the end of the file."""
        data = self._waiting or self._packed.read(_CHUNK_BYTES)
        self._waiting = b""
        if not data:
            if self._has_begun:
                raise EOFError
            return False
        if not self._has_begun:
            data = data.lstrip(b"\0")  # tapes are filled up with them
            if not data:
                return True
        self._has_begun = True
        self._ready = memoryview(self._member.decompress(data, MOST_PER_CHUNK + 1))
        if len(self._ready) > MOST_PER_CHUNK:
            times = MOST_PER_CHUNK // _CHUNK_BYTES
            reason = (
                f"unpacks to more than {times} times its size; unpack it yourself if it is meant"
            )
            raise ReadError(self._file, "file", reason)
        if self._member.eof:
            self._waiting = self._member.unused_data
            self._member = zlib.decompressobj(wbits=31)
            self._has_begun = False
        return True
