"""Shows on a terminal how far a command is; tells nothing where nobody looks."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, NoReturn, TypeVar

from waypost.domain.base.progress import Progress, exhaust
from waypost.domain.base.visible_text import visible_line

if TYPE_CHECKING:
    from tqdm import tqdm

Outcome = TypeVar("Outcome")


def exhaust_shown(steps: Generator[Progress, None, Outcome]) -> Outcome:
    """Run a job here and now; what it does is shown where standard error is a terminal."""
    if not _is_terminal():
        return exhaust(steps)
    with _bars()(bar_format="{desc}", file=sys.stderr, leave=False) as line:
        return exhaust(
            steps, lambda progress: line.set_description_str(visible_line(progress.message))
        )


def progress_bar(title: str, unit: str) -> tqdm[NoReturn]:
    """A bar to be updated by hand, shown where standard error is a terminal.

    Args:
        title: What is worked on.
        unit: One step, in a word.
    """
    disable = not _is_terminal()
    return _bars()(desc=visible_line(title), unit=unit, file=sys.stderr, disable=disable)


def _bars() -> type[tqdm[NoReturn]]:
    from tqdm import tqdm  # noqa: PLC0415 - only a terminal needs it

    # The thread that looks after slow bars would outlive them, even those that are not shown.
    tqdm.monitor_interval = 0
    return tqdm


def _is_terminal() -> bool:
    # Without a terminal (``2>&-``) there is no standard error.
    return sys.stderr is not None and sys.stderr.isatty()
