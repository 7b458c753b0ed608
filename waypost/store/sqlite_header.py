"""How a project file begins; apart from the store, so that a glance at a file loads no database."""

from typing import Final

SQLITE_HEADER: Final = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""
