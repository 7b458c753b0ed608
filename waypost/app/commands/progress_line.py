"""Runs a job of a command to its end, with its progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TypeVar

from waypost.domain.progress import Progress, exhaust

Outcome = TypeVar("Outcome")


def exhaust_shown(steps: Generator[Progress, None, Outcome]) -> Outcome:
    """Run a job here and now; what it does is shown where standard error is a terminal."""
    if not sys.stderr.isatty():
        return exhaust(steps)
    from tqdm import tqdm  # noqa: PLC0415 - only a terminal needs it

    with tqdm(bar_format="{desc}", file=sys.stderr, leave=False) as line:
        return exhaust(steps, lambda progress: line.set_description_str(progress.message))
