"""DTW of every beginning of a path equals the DTW of that beginning."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from waypost.domain.replay.curves import (
    dtw_of_points_so_far,
    dtw_so_far,
    ndtw_of,
    progress_of,
)
from waypost.metrics.fidelity import dtw_of_costs

_POINTS = st.integers(1, 7).flatmap(
    lambda n: arrays(np.float64, (n, 2), elements=st.floats(-20, 20, width=32))
)


@given(_POINTS, _POINTS)
def test_prefixes_agree(path: np.ndarray, reference: np.ndarray) -> None:
    costs = np.sqrt(((path[:, None] - reference[None]) ** 2).sum(axis=2)).tolist()
    expected = [dtw_of_costs(costs[: end + 1]) for end in range(len(path))]
    assert dtw_so_far(costs) == pytest.approx(expected)
    assert dtw_of_points_so_far(path, reference).tolist() == pytest.approx(expected, abs=1e-9)


def test_unreachable_places_have_no_ndtw() -> None:
    assert math.isnan(ndtw_of(np.array([math.inf]), 2)[0])


def test_progress_from_the_goal_itself_is_undefined() -> None:
    assert np.isnan(progress_of(np.array([0.0, 1.0]))).all()
    assert progress_of(np.array([4.0, 6.0, 1.0])).tolist() == [0, -0.5, 0.75]
