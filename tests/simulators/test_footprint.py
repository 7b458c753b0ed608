from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.simulators.footprint import Footprint
from waypost.simulators.protocol import AgentBody

BOX = Footprint(AgentBody("box", 0.7, 1.0, 1.2, 0.013, False))
ROUND = Footprint(AgentBody("cylinder", 0.6, 0.6, 1.7, 0.3, True))


def test_a_box_is_covered_to_its_corners_without_wide_gaps():
    points = BOX.points(0.16)
    for corner in ((0.5, 0.35), (0.5, -0.35), (-0.5, 0.35), (-0.5, -0.35)):
        assert np.abs(points - corner).sum(axis=1).min() < 1e-12
    assert np.diff(np.unique(points[:, 0])).max() <= 0.16
    assert np.diff(np.unique(points[:, 1])).max() <= 0.24


def test_a_round_hull_has_its_centre_and_its_foremost_point():
    points = ROUND.points(0.16)
    assert np.abs(points).sum(axis=1).min() == 0.0
    assert np.abs(points - (0.3, 0.0)).sum(axis=1).min() < 1e-12
    assert np.linalg.norm(points, axis=1).max() == pytest.approx(0.3)


@given(st.floats(-10.0, 10.0))
def test_the_edge_point_lies_on_the_hull_in_that_direction(angle):
    x, y = BOX.edge_point(angle)
    assert math.cos(angle) * y == pytest.approx(math.sin(angle) * x, abs=1e-9)
    assert max(abs(x) / 0.5, abs(y) / 0.35) == pytest.approx(1.0)
    assert BOX.contains(0.99 * x, 0.99 * y)
    assert not BOX.contains(1.01 * x, 1.01 * y)
    assert math.hypot(*ROUND.edge_point(angle)) == pytest.approx(0.3)


def test_outward_rays_start_on_the_hull():
    assert len(BOX.outward_rays()) == len(ROUND.outward_rays()) == 12
    for x, y, angle in BOX.outward_rays():
        assert BOX.contains(x, y)
        assert not BOX.contains(x + 0.01 * math.cos(angle), y + 0.01 * math.sin(angle))
