"""What subcommands print: one JSON document or lines on standard output, nothing else."""

from __future__ import annotations

import json
import sys
from typing import Any


def write_json(document: Any) -> None:
    """Print one JSON document on standard output.

    Raises:
        ValueError: If it holds NaN or an infinity; undefined values are ``None``.
    """
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_line(text: str) -> None:
    """Print one line on standard output."""
    sys.stdout.write(text + "\n")
