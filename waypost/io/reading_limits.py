"""How much of one file is taken into memory at once, and how a person raises that."""

from __future__ import annotations

import os
from typing import Final

FACTOR_VARIABLE: Final = "WAYPOST_LARGER_FILES"
"""Environment variable: every limit here times this number, 1 to 1,000."""


def raised(limit: int) -> int:
    """A limit times what the person asked for."""
    try:
        factor = float(os.environ.get(FACTOR_VARIABLE, "1"))
    except ValueError:
        factor = 1.0
    return round(limit * (min(factor, 1000.0) if factor > 1.0 else 1.0))


MOST_DOCUMENT_BYTES: Final = raised(1 << 28)
"""Of a file that is read whole (a recording, a table, a text), unpacked: 256 MiB. A recorded drive
of two hours takes 150."""

MOST_JSON_BYTES: Final = raised(1 << 26)
"""Of JSON that is parsed at once, a whole document or one item of a stream: 64 MiB. Python makes
up to thirty times as much of it; the largest graph of a benchmark takes 3."""

MOST_TOML_BYTES: Final = raised(1 << 20)
"""Of an agent's or taxonomy's file: 1 MiB. People write them; the longest that ships has 5 kB."""

MOST_LINE_CHARACTERS: Final = raised(1 << 26)
"""Of one line of a log: 64 Mi. One with a panorama written out takes 30."""


def said_limit(most_bytes: int) -> str:
    """The end of a sentence about what is beyond a limit here."""
    return (
        f"more than {most_bytes / (1 << 20):,.0f} MiB, which is as much as is read at once;"
        f" {FACTOR_VARIABLE}=4 in the environment allows four times as much"
    )
