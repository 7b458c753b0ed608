"""What commands say to a person on standard error, where it does not disturb ``--json``."""

from __future__ import annotations

import contextlib
import sys

from waypost.domain.base.visible_text import visible_line


def say(text: str) -> None:
    """Print one line on standard error; line ends and what steers a terminal are spelled out.

    Without standard error (``pythonw``, ``2>&-``) nothing is said.
    """
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(visible_line(text) + "\n")
            sys.stderr.flush()


def note(text: str) -> None:
    """Say what is good to know."""
    say(f"note: {text}")


def warn(text: str) -> None:
    """Say what may be wrong although the command goes on."""
    say(f"warning: {text}")


def say_error(text: str) -> None:
    """Say why the command ends without having done what it was asked."""
    say(f"error: {text}")
