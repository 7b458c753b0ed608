"""Read whole files, packed or not, and say in one sentence why one cannot be read."""

from __future__ import annotations

import contextlib
import gzip
import stat
import zlib
from pathlib import Path

from waypost.domain.errors import ReadError

_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def refuse_special(path: Path) -> None:
    """Refuse pipes, sockets and devices: to read one may wait for ever, or never end.

    What does not exist, or cannot be looked at, is left to whoever opens it.

    Raises:
        ReadError: If it is one.
    """
    with contextlib.suppress(OSError, ValueError):
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ReadError(str(path), "file", "is a pipe or a device, not a file")


def read_file_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked when it is gzip, whatever its name says.

    Raises:
        ReadError: If the file is missing, a folder, empty, unreadable or a damaged gzip.
    """
    file = str(path)
    refuse_special(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ReadError(file, "file", "does not exist") from None
    except IsADirectoryError:
        raise ReadError(file, "file", "is a folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ReadError(file, "file", f"cannot be read: {reason}") from error
    if data.startswith(_GZIP_MAGIC):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ReadError(file, "file", "is a damaged or cut-off gzip file") from error
    if not data.strip():
        raise ReadError(file, "file", "is empty")
    return data


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


def read_file_text(path: Path) -> str:
    """Return the text of a file; see ``read_file_bytes`` and ``decode_text``.

    Raises:
        ReadError: If the file cannot be read or is not text.
    """
    return decode_text(read_file_bytes(path), str(path))
