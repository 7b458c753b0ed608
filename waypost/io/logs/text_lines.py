"""Read logs that are plain text, line by line, whatever their size, packing and encoding."""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from waypost.domain.base.errors import ReadError
from waypost.domain.episode.import_report import ImportKind
from waypost.io.file_reading import open_unpacked
from waypost.io.read_log import ReadLog
from waypost.io.reading_limits import MOST_LINE_CHARACTERS, said_limit

_CHUNK_BYTES = 1 << 18
_LOGGING_PREFIX = re.compile(
    r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:,\d+)? - \S+\[line:\d+\] - [A-Z]+: ?"
)
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def read_lines(path: Path, log: ReadLog, *, only_ended: bool = False) -> Iterator[str]:
    """Yield the lines of a text file without their ends.

    The prefix that Python's ``logging`` puts before a message (time, place, level) and colour
    codes are taken away, so that a log file and the copy on the console read the same.
    Bytes that are no text are replaced, with a warning.

    Args:
        path: The file.
        log: Told of a cut-off gzip and of bytes that are no text.
        only_ended: Leave out a last line without line end, which may have been cut.

    Raises:
        ReadError: If the file cannot be read or is empty.
    """
    for line in _raw_lines(path, log, only_ended=only_ended):
        yield _LOGGING_PREFIX.sub("", _ESCAPES.sub("", line))


def _raw_lines(path: Path, log: ReadLog, *, only_ended: bool) -> Iterator[str]:
    decoder: codecs.IncrementalDecoder | None = None
    waiting: list[str] = []
    """The beginning of a line that has not ended yet."""

    length = 0
    has_text = False
    with open_unpacked(path) as stream:
        while True:
            data = _next_bytes(stream, path, log)
            if decoder is None:
                is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
                name = "utf-16" if is_wide else "utf-8-sig"
                decoder = codecs.getincrementaldecoder(name)(errors="replace")
            text = decoder.decode(data, final=not data)
            if "\ufffd" in text:
                log.warn(f"{path}: some bytes are no text and were replaced")
            has_text = has_text or bool(text.strip())
            if not has_text and not data:
                raise ReadError(str(path), "file", "is empty")
            waiting.append(text)
            length += len(text)
            if "\n" in text or not data:
                lines = "".join(waiting).replace("\r\n", "\n").split("\n")
                waiting = [lines.pop()]
                length = len(waiting[0])
                yield from lines
            if length > MOST_LINE_CHARACTERS:
                raise ReadError(
                    str(path), "file", f"a line holds {said_limit(MOST_LINE_CHARACTERS)}"
                )
            if not data:
                break
    if waiting[0] and not only_ended:
        yield waiting[0]


def _next_bytes(stream: BufferedReader, path: Path, log: ReadLog) -> bytes:
    try:
        return stream.read1(_CHUNK_BYTES)
    except (EOFError, zlib.error):
        log.add(
            ImportKind.TRUNCATED,
            f"{path} is a damaged or cut-off gzip file; what came before was read",
            item_id=str(path),
        )
        return b""
    except OSError as error:
        raise ReadError(str(path), "file", f"cannot be read: {error}") from error
