"""FastDTW beside the exact DTW, and beside the package that released scorers call."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.metrics.fastdtw import fastdtw_of_points
from waypost.metrics.fidelity import dtw_of_points

WALK = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=24)


def points(*values):
    return np.array(values, dtype=np.float64).reshape(len(values), -1)


def test_the_value_of_the_package():
    """On these points fastdtw 0.3.4 gives 20, radius 1; the best warping costs 18."""
    path, reference = points(0, 3, 3, 8, 1, 8), points(3, 1, 2, 0, 2, 1)
    assert fastdtw_of_points(path, reference) == pytest.approx(20.0)
    assert dtw_of_points(path, reference) == pytest.approx(18.0)
    assert fastdtw_of_points(path, reference, radius=6) == pytest.approx(18.0)


@given(WALK, WALK)
def test_never_better_than_the_best_warping(path, reference):
    path_m, reference_m = points(*path), points(*reference)
    exact = dtw_of_points(path_m, reference_m)
    assert fastdtw_of_points(path_m, reference_m) >= exact - 1e-9
    assert fastdtw_of_points(path_m, reference_m, radius=24) == pytest.approx(exact, abs=1e-9)


@given(WALK)
def test_a_path_along_its_reference_costs_nothing(path):
    assert fastdtw_of_points(points(*path), points(*path)) == 0.0
