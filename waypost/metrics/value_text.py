"""How the score of one episode, or a value along its steps, is written for people."""

from __future__ import annotations

import math


def value_text(value: float, unit: str) -> str:
    """``4.21 m``, ``0.875`` or ``3``."""
    if math.isinf(value):
        return "infinite"
    if unit == "m":
        return f"{value:.2f}\N{NO-BREAK SPACE}m"
    return f"{value:.0f}" if unit == "count" else f"{value:.3f}"
