"""DTW and its kin against published values and a plain implementation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds.vln_worlds import graph_episode, graph_run, grid_graph

from waypost.metrics import fidelity
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode
from waypost.metrics.undefined import UndefinedScoreError

COORDINATES = st.floats(-20, 20, allow_nan=False)
PATHS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=1, max_size=12).map(
    lambda points: np.array(points, dtype=np.float64)
)


def plain_dtw(costs: np.ndarray) -> float:
    """The recurrence as it is printed in papers."""
    n, m = costs.shape
    table = np.full((n + 1, m + 1), np.inf)
    table[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            best = min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
            table[i, j] = costs[i - 1, j - 1] + best
    return float(table[n, m])


def gaps(path: np.ndarray, reference: np.ndarray) -> np.ndarray:
    return np.linalg.norm(path[:, None] - reference[None], axis=2)


def r4r(path: list[str], reference: list[str]) -> dict[str, float | None]:
    profile = PROFILES["r4r"]
    scores = score_episode(
        profile, graph_episode(reference), graph_run(path), Scenery(grid_graph(4, 3))
    )
    return dict(zip([m.key for m in profile.metrics], scores.values, strict=True))


def nodes(text: str) -> list[str]:
    return text.split()


def test_published_dtw_examples():
    """google-research/google-research:r4r/dtw.py."""
    prediction = nodes("0,0 1,0 2,0 3,0")
    reference = nodes("0,0 1,0 2,1 3,2")
    scores = r4r(prediction, reference)
    assert scores["nDTW"] == pytest.approx(math.exp(-3 / 12), abs=1e-15)
    assert scores["nDTW"] == pytest.approx(0.77880078307140488, abs=1e-15)
    assert scores["SDTW"] == pytest.approx(0.77880078307140488, abs=1e-15)
    assert r4r(prediction[:2], reference)["SDTW"] == 0.0


def test_published_cls_examples():
    """google-research/google-research:r4r/cls.py.

    The published call passes the longer path as the prediction and the other as the reference.
    """
    path = nodes("0,0 1,0 1,1 2,1 2,2 3,2")
    assert r4r(path, path)["CLS"] == pytest.approx(1.0, abs=1e-15)
    other = nodes("0,0 0,1 1,1 2,1 3,1 3,2")
    assert r4r(path, other)["CLS"] == pytest.approx(0.81994915125863865, abs=1e-15)


def test_published_cls_example_with_another_start():
    graph = grid_graph(4, 3)
    path = nodes("0,0 1,0 1,1 2,1 2,2 3,2")
    reference = nodes("0,1 1,1 2,1 3,1")
    costs = [
        [float(graph.geodesics_m[graph.index[a], graph.index[b]]) for b in reference] for a in path
    ]
    score = fidelity.coverage_by_length(fidelity.coverage(costs), 3.0, 5.0)
    assert score == pytest.approx(0.44197196102702557, abs=1e-15)


def test_cls_of_a_jump_is_undefined_in_r4r():
    assert r4r(nodes("0,0 2,1"), nodes("0,0 1,0"))["CLS"] is None


@settings(deadline=None)  # libraries are imported on first use
@given(PATHS, PATHS)
def test_both_dtws_equal_the_plain_one(path, reference):
    costs = gaps(path, reference)
    expected = plain_dtw(costs)
    assert fidelity.dtw_of_costs(costs.tolist()) == pytest.approx(expected, abs=1e-9)
    assert fidelity.dtw_of_points(path, reference) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)  # libraries are imported on first use
@given(PATHS, PATHS)
def test_ndtw_is_in_its_range_and_symmetric_under_reversal(path, reference):
    cost = fidelity.dtw_of_points(path, reference)
    score = fidelity.ndtw(cost, len(reference))
    assert 0 <= score <= 1
    assert (score > 0) == (cost / (3 * len(reference)) < 745.2)
    backwards = fidelity.dtw_of_points(path[::-1].copy(), reference[::-1].copy())
    assert backwards == pytest.approx(cost, abs=1e-9)


@settings(deadline=None)  # libraries are imported on first use
@given(PATHS)
def test_the_reference_itself_scores_one(path):
    assert fidelity.ndtw(fidelity.dtw_of_points(path, path), len(path)) == 1.0
    assert fidelity.nearness(path, path) == 1.0
    assert fidelity.coverage(gaps(path, path).tolist()) == 1.0


@settings(deadline=None)  # libraries are imported on first use
@given(PATHS, PATHS, st.integers(2, 5))
def test_repeating_poses_never_helps(path, reference, times):
    """DTW charges every pose, so standing still costs; nearness is a mean and does not notice."""
    slow = np.repeat(path, times, axis=0)
    assert fidelity.dtw_of_points(slow, reference) >= (
        fidelity.dtw_of_points(path, reference) - 1e-9
    )
    assert fidelity.nearness(slow, reference) == pytest.approx(fidelity.nearness(path, reference))


def test_a_reversed_path_is_told_apart_by_dtw_only():
    path = np.array([[float(x), 0.0] for x in range(10)])
    back = path[::-1].copy()
    assert fidelity.nearness(back, path) == 1.0
    assert fidelity.ndtw(fidelity.dtw_of_points(back, path), 10) == pytest.approx(
        math.exp(-plain_dtw(gaps(back, path)) / 30)
    )
    assert plain_dtw(gaps(back, path)) == 50


def test_nearness_in_blocks_equals_the_whole():
    path = np.stack([np.linspace(0, 30, 700), np.zeros(700)], axis=1)
    reference = np.array([[0.0, 4.0], [30.0, 4.0]])
    whole = np.exp(-(gaps(path, reference).min(axis=1) ** 2) / 18).mean()
    assert fidelity.nearness(path, reference) == pytest.approx(float(whole), abs=1e-12)


def test_unreachable_is_undefined():
    with pytest.raises(UndefinedScoreError):
        fidelity.ndtw(math.inf, 3)
    with pytest.raises(UndefinedScoreError):
        fidelity.coverage([[math.inf], [math.inf]])


def test_cls_without_lengths_is_undefined():
    with pytest.raises(UndefinedScoreError, match="length"):
        fidelity.coverage_by_length(1.0, 0.0, 0.0)
