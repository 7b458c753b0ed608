"""The scene formats Waypost opens, in the order in which they are asked."""

from __future__ import annotations

from typing import Final

from waypost.io.scenes import gltf, usd
from waypost.io.scenes.format import Format

FORMATS: Final[tuple[Format, ...]] = (gltf.FORMAT, usd.FORMAT)


def find_format(head: bytes) -> Format | None:
    """The format whose content the first bytes of a file show; the name does not matter."""
    return next((entry for entry in FORMATS if entry.can_read(head)), None)


def known_suffixes() -> tuple[str, ...]:
    """Every suffix a file dialog should offer."""
    return tuple(suffix for entry in FORMATS for suffix in entry.suffixes)
