from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from waypost.viewers.map.thinning import UNSEEN_PX, seen_points


def starts(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def test_points_on_a_straight_way_are_left_out() -> None:
    points = np.array([(0, 0), (1, 0.1), (2, 0), (3, -0.1), (4, 0), (4, 5), (4, 9)], dtype=float)
    thin, begins = seen_points(points, starts(0))
    assert thin.tolist() == [[0, 0], [4, 0], [4, 9]]
    assert begins.tolist() == [0]


def test_a_bend_that_shows_stays() -> None:
    points = np.array([(0, 0), (5, 0.5), (10, 0)], dtype=float)
    assert len(seen_points(points, starts(0))[0]) == 3


def test_a_way_there_and_back_keeps_its_turn() -> None:
    points = np.array([(0, 0), (5, 0), (9, 0), (5, 0), (1, 0)], dtype=float)
    assert seen_points(points, starts(0))[0].tolist() == [[0, 0], [9, 0], [1, 0]]


def test_every_line_keeps_both_of_its_ends() -> None:
    points = np.array([(x, 0) for x in range(9)], dtype=float)
    thin, begins = seen_points(points, starts(0, 4, 6))
    assert begins.tolist() == [0, 2, 4]
    assert thin[:, 0].tolist() == [0, 3, 4, 5, 6, 8]


def test_nothing_and_single_points_stay_as_they_are() -> None:
    none, begins = seen_points(np.empty((0, 2)), starts())
    assert none.shape == (0, 2)
    assert len(begins) == 0
    one, begins = seen_points(np.array([[3.0, 4.0]]), starts(0))
    assert one.tolist() == [[3.0, 4.0]]
    assert begins.tolist() == [0]


@given(arrays(np.float64, st.tuples(st.integers(2, 60), st.just(2)), elements=st.floats(-90, 90)))
def test_what_is_left_out_lies_near_the_line(points: np.ndarray) -> None:
    thin, _ = seen_points(points, starts(0))
    assert thin[0].tolist() == points[0].tolist()
    assert thin[-1].tolist() == points[-1].tolist()
    for point in points:
        # A few passes may add up.
        assert _distance(point, thin) <= 6 * UNSEEN_PX


def _distance(point: np.ndarray, line: np.ndarray) -> float:
    a, b = line[:-1], line[1:]
    way = b - a
    share = ((point - a) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-12)
    foot = a + np.clip(share, 0, 1)[:, None] * way
    return float(np.hypot(*(foot - point).T).min())
