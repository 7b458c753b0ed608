"""A range of a metric by which rows are filtered, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray


class RangeKind(StrEnum):
    """How a value stands to the bounds of a range."""

    BELOW = "below"
    AT_MOST = "at most"
    ABOVE = "above"
    AT_LEAST = "at least"
    BETWEEN = "from … to"
    """Both bounds included."""


@dataclass(frozen=True, slots=True)
class MetricRange:
    """Values of one metric of one of the runs side by side; what is undefined is in no range."""

    metric: str
    comparison: RangeKind
    bound: float
    """In the unit of the metric; of two the one that was named first."""

    other: float = 0.0
    """The second bound of ``BETWEEN``, which may be the lower one."""

    run: int = 0
    """Place of the run."""

    def holds(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which values are in the range; NaN is not."""
        if self.comparison is RangeKind.BELOW:
            return values < self.bound
        if self.comparison is RangeKind.AT_MOST:
            return values <= self.bound
        if self.comparison is RangeKind.ABOVE:
            return values > self.bound
        if self.comparison is RangeKind.AT_LEAST:
            return values >= self.bound
        low, high = sorted((self.bound, self.other))
        return (values >= low) & (values <= high)

    def words(self, unit: str = "") -> str:
        """E.g. ``NE above 3 m`` or ``SPL from 0.2 to 0.5``; fractions and counts have no unit."""
        unit = "" if unit in {"fraction", "count"} else f" {unit}".rstrip()
        if self.comparison is RangeKind.BETWEEN:
            low, high = sorted((self.bound, self.other))
            return f"{self.metric} from {low:g} to {high:g}{unit}"
        return f"{self.metric} {self.comparison} {self.bound:g}{unit}"
