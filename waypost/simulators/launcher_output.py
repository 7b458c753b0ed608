"""Messages of a worker whose Python is started by a script that prints sentences of its own.

Isaac Sim's ``python.sh`` warns of conda and checks Vulkan before it starts Python, and says that
there was an error after Python has ended, all of it where the worker's messages go.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import BinaryIO, Final

from waypost.simulators.protocol import MAGIC, Message, ProtocolError, read_message

_SCRIPTS: Final = frozenset({".sh", ".bat", ".cmd"})
_MOST_TEXT_BYTES: Final = 256 * 1024


def is_script(python: str) -> bool:
    """Whether a Python is started by a script."""
    return PurePath(python).suffix.lower() in _SCRIPTS


class LauncherOutput:
    """Reads the messages and skips the sentences between them.

    Args:
        stream: Standard output of the process; blocking.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._begun = b""

    def next(self, most_array_bytes: int) -> Message | None:
        """The next message; ``None`` when the stream ends.

        Raises:
            ProtocolError: As ``read_message``, or if there is nothing but text.
        """
        window = b""
        for _ in range(_MOST_TEXT_BYTES):
            byte = self._stream.read(1)
            if not byte:
                return None
            window = (window + byte)[-len(MAGIC) :]
            if window == MAGIC:
                self._begun = MAGIC
                return read_message(self, most_array_bytes)  # type: ignore[arg-type]
        raise ProtocolError(f"{_MOST_TEXT_BYTES} bytes without a message")

    def read(self, count: int) -> bytes:
        """As that of a stream, from the beginning of the message."""
        begun, self._begun = self._begun, b""
        return begun + self._stream.read(count - len(begun))
