"""A curve as a value: one number along one axis, and which curves share a panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

STEPS: Final = "step"
"""Name of an axis that counts."""


@dataclass(frozen=True, eq=False, slots=True)
class Curve:
    """One value along one axis. Arrays are not written to."""

    title: str
    unit: str
    """Of ``y``; curves of one panel share it. Empty for a count."""

    x: NDArray[np.float64]
    """(N,) not descending."""

    y: NDArray[np.float64]
    """(N,) NaN where it is undefined; nothing is drawn there."""

    role: str = "accent"
    """Colour: name of a field of ``ThemeTokens``."""

    definition: str = ""
    """What the value means, in one sentence."""

    is_stepped: bool = False
    """Whether a value holds until the next one, instead of changing evenly."""

    panel: str = ""
    """Curves with the same panel are drawn over each other; the unit if empty."""

    @property
    def panel_key(self) -> str:
        """What the curves of one panel have in common."""
        return self.panel or self.unit or self.title


def value_at(curve: Curve, x: float) -> float | None:
    """The value at the last point that is not after ``x``; ``None`` where undefined."""
    index = int(np.searchsorted(curve.x, x + 1e-9, side="right")) - 1
    if index < 0:
        return None
    value = float(curve.y[index])
    return value if np.isfinite(value) else None


def panels_of(curves: tuple[Curve, ...]) -> tuple[tuple[Curve, ...], ...]:
    """Curves by panel, in the order of their first curves."""
    panels: dict[str, list[Curve]] = {}
    for curve in curves:
        panels.setdefault(curve.panel_key, []).append(curve)
    return tuple(tuple(panel) for panel in panels.values())
