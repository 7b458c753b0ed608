"""Where a path leaves its reference, worked out on names alone: what replays are compared with."""

from __future__ import annotations

import itertools
from collections.abc import Iterable


def first_deviation(reference: Iterable[str], walked: Iterable[str]) -> int | None:
    """Index among the moves, turns in place not counted; ``None`` if it never leaves."""
    wanted, moves = ([name for name, _ in itertools.groupby(way)] for way in (reference, walked))
    if not wanted:
        return None
    pairs = itertools.zip_longest(moves, wanted[: len(moves)])
    return next((step for step, (name, due) in enumerate(pairs) if name != due), None)
