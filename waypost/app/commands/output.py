"""What subcommands print: one JSON document or lines on standard output, nothing else."""

from __future__ import annotations

import json
import sys
from typing import Any

from waypost.domain.visible_text import visible_text


def write_json(document: Any) -> None:
    """Print one JSON document on standard output.

    Raises:
        ValueError: If it holds NaN or an infinity; undefined values are ``None``.
    """
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_line(text: str) -> None:
    """Print one line on standard output; what would steer the terminal is spelled out."""
    sys.stdout.write(visible_text(text) + "\n")
