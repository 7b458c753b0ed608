"""The one way Waypost reads TOML: within bounds, and with the place of whatever is wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from waypost.domain.base.errors import ReadError
from waypost.domain.base.visible_text import one_line
from waypost.io.file_reading import read_file_text
from waypost.io.foreign_errors import input_error
from waypost.io.reading_limits import MOST_TOML_BYTES

_DEEP_KEY: Final = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}"""
)
"""A key of more than a hundred parts; the parser takes a minute for one of 50,000."""


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
