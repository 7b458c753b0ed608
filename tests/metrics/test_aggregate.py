"""Means over defined scores, intervals that cover, comparisons on shared episodes."""

import math

import numpy as np
import pytest

from waypost.metrics import aggregate as module
from waypost.metrics.aggregate import aggregate, compare, interval


def test_undefined_scores_stay_out_of_the_mean():
    found = aggregate(np.array([1.0, math.nan, 0.0, math.nan]), {"0/0": 2})
    assert found.value == 0.5
    assert found.n == 2
    assert found.undefined == {"0/0": 2}


def test_nothing_defined():
    found = aggregate(np.array([math.nan, math.nan]), {"no reference": 2})
    assert (found.value, found.n, found.ci95) == (None, 0, None)
    assert aggregate(np.array([]), {}).value is None


def test_one_episode_has_no_interval():
    assert aggregate(np.array([0.3]), {}).ci95 is None


def test_equal_scores_have_a_point_as_interval():
    assert interval(np.full(50, 0.25)) == (0.25, 0.25)


def test_the_interval_is_close_to_the_textbook():
    values = np.random.default_rng(5).normal(10, 2, 400)
    low, high = interval(values)
    half = 1.96 * values.std() / 20
    assert low == pytest.approx(values.mean() - half, abs=0.15 * half)
    assert high == pytest.approx(values.mean() + half, abs=0.15 * half)


def test_the_interval_covers_as_often_as_it_says():
    generator = np.random.default_rng(11)
    hits = 0
    for seed in range(200):
        low, high = interval(generator.binomial(1, 0.4, 150).astype(float), seed)
        hits += low <= 0.4 <= high
    assert 0.89 <= hits / 200 <= 0.99


def test_equal_seeds_give_equal_intervals():
    values = np.random.default_rng(1).random(100)
    assert interval(values, 3) == interval(values, 3)
    assert interval(values, 3) != interval(values, 4)


def test_undefined_values_widen_the_interval():
    values = np.random.default_rng(2).random(200)
    holes = values.copy()
    holes[::2] = math.nan
    full, sparse = interval(values), interval(holes)
    assert sparse[1] - sparse[0] > full[1] - full[0]


def test_the_normal_limit_agrees_with_resampling(monkeypatch):
    values = np.random.default_rng(3).random(4000)
    resampled = interval(values)
    monkeypatch.setattr(module, "MOST_RESAMPLED", 10)
    limit = interval(values)
    assert limit[0] == pytest.approx(resampled[0], abs=1e-3)
    assert limit[1] == pytest.approx(resampled[1], abs=1e-3)


def test_comparison():
    found = compare(np.array([0.5, 0.5, -0.25, 0.0]))
    assert (found.n, found.difference) == (4, 0.1875)
    assert (found.higher, found.lower, found.equal) == (2, 1, 1)
    assert found.ci95[0] < found.difference < found.ci95[1]
    nothing = compare(np.array([]))
    assert (nothing.n, nothing.difference, nothing.ci95) == (0, None, None)
