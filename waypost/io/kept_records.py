"""Many JSON values in one file, each compressed by itself and read back by its place."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from waypost.domain.base.errors import WriteError
from waypost.io.file_reading import open_for_reading
from waypost.io.foreign_errors import reading

Place = tuple[int, int]
"""First byte and number of bytes of a value; ``NOWHERE`` if it is not kept."""

NOWHERE: Final[Place] = (-1, 0)

_LONGEST: Final = 1 << 26


class RecordWriter:
    """Appends values to a new file; what is flushed can be read at once.

    Args:
        path: Made; must not exist.
        most_bytes: Values that would make the file longer are not kept.

    Raises:
        WriteError: If the file cannot be made.
    """

    def __init__(self, path: Path, most_bytes: int) -> None:
        self.path = path
        self._most_bytes = most_bytes
        self._end = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("xb")
        except OSError as error:
            raise WriteError(str(path), error.strerror or str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def byte_count(self) -> int:
        """Bytes written so far."""
        return self._end

    def append(self, text: str) -> Place:
        """Keep a JSON text.

        Raises:
            WriteError: If the disk is full or the like.
        """
        data = zlib.compress(text.encode("utf-8"), 1)
        if self._end + len(data) > self._most_bytes or len(text) > _LONGEST:
            return NOWHERE
        try:
            self._stream.write(data)
        except OSError as error:
            raise WriteError(str(self.path), error.strerror or str(error)) from error
        place = self._end, len(data)
        self._end += len(data)
        return place

    def flush(self) -> None:
        """Let others read what was appended.

        Raises:
            WriteError: If the disk is full or the like.
        """
        try:
            self._stream.flush()
        except OSError as error:
            raise WriteError(str(self.path), error.strerror or str(error)) from error

    def close(self) -> None:
        """Finish; nothing can be appended any more.

        Raises:
            WriteError: If the disk is full or the like.
        """
        try:
            self._stream.close()
        except OSError as error:
            raise WriteError(str(self.path), error.strerror or str(error)) from error


def read_record(path: Path, place: Place) -> Any:
    """The JSON value at a place.

    Raises:
        ReadError: If the file is gone or what stands there is damaged.
    """
    first, count = place
    with reading(path, f"byte {first}"), open_for_reading(path) as stream:
        stream.seek(first)
        return json.loads(zlib.decompress(stream.read(count)))
