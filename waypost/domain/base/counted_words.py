"""How many of what, so that one of them is said as one."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 edge``, ``0 edges``, ``2,500 edges``, ``3 meshes``.

    Args:
        count: How many.
        noun: What, if it is one.
        plural: What, if there are others; by default the noun with an s.
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def few_of(names: Sequence[str], most: int = 5) -> str:
    """``a, b, c``, and of more names than ``most``: ``a, b, c, d, e and 2 more``."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest:,} more" if rest > 0 else "")
