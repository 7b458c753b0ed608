"""Which values are in a range, and how that is said."""

from __future__ import annotations

import numpy as np
import pytest

from waypost.domain.base.metric_range import MetricRange, RangeKind

VALUES = np.array([0.0, 0.2, 0.5, 1.0, np.nan])


@pytest.mark.parametrize(
    ("comparison", "expected", "words"),
    [
        (RangeKind.BELOW, [0.0, 0.2], "SPL below 0.5"),
        (RangeKind.AT_MOST, [0.0, 0.2, 0.5], "SPL at most 0.5"),
        (RangeKind.ABOVE, [1.0], "SPL above 0.5"),
        (RangeKind.AT_LEAST, [0.5, 1.0], "SPL at least 0.5"),
        (RangeKind.BETWEEN, [0.2, 0.5], "SPL from 0.2 to 0.5"),
    ],
)
def test_ranges(comparison: RangeKind, expected: list[float], words: str) -> None:
    made = MetricRange("SPL", comparison, 0.5, 0.2)
    assert VALUES[made.holds(VALUES)].tolist() == expected
    assert made.words("fraction") == words


def test_metres_are_said_and_counts_have_no_unit() -> None:
    assert MetricRange("NE", RangeKind.ABOVE, 3.0).words("m") == "NE above 3 m"
    assert MetricRange("steps", RangeKind.AT_LEAST, 20.0).words("count") == "steps at least 20"
    assert MetricRange("TL", RangeKind.BETWEEN, 4.25, 8).words("m") == "TL from 4.25 to 8 m"
