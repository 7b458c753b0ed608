"""Arguments that are numbers of a certain kind."""

from __future__ import annotations

import argparse


def seed(text: str) -> int:
    """What a random choice begins with: a whole number from 0.

    Raises:
        ArgumentTypeError: If it is none.
    """
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def share(text: str) -> float:
    """A share from 0 to 1.

    Raises:
        ArgumentTypeError: If it is none.
    """
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to 1")
    return found
