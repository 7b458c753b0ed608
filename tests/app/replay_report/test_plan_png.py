"""Dashes go round corners and cover the right share of a line."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.app.replay_report.plan_png import dashes

_PLACES = st.lists(st.tuples(st.floats(-500, 500), st.floats(-500, 500)), min_size=2, max_size=6)


def drawn(pieces: list[list[tuple[float, float]]]) -> float:
    return sum(math.dist(a, b) for a, b in pieces)


def test_dashes_by_hand() -> None:
    pieces = dashes([(0, 0), (12, 0), (12, 8)], 10, 6)
    assert pieces == [[(0, 0), (10, 0)], [(12, pytest.approx(4)), (12, pytest.approx(8))]]


@given(_PLACES)
def test_dashes_cover_their_share(points: list[tuple[float, float]]) -> None:
    length = sum(math.dist(a, b) for a, b in itertools.pairwise(points))
    full, rest = divmod(length, 16)
    assert drawn(dashes(points, 10, 6)) == pytest.approx(10 * full + min(rest, 10), abs=1e-2)
