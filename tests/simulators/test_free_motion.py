from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.simulators.backends.engine import Pose
from waypost.simulators.backends.free_motion import free_pose, is_rounded


def test_a_body_at_a_velocity_is_where_it_should_be():
    pose = free_pose(Pose(1.0, 2.0, 3.0, 3.0), (0.6, -1.2, 0.3, 2.4), 0.5)
    assert pose == pytest.approx((1.3, 1.4, 3.15, 3.0 + 1.2 - math.tau))


@given(st.floats(-500.0, 500.0), st.floats(-3.0, 3.0), st.integers(1, 240))
def test_what_float32_additions_make_of_a_free_motion_is_rounding(start_m, speed_mps, additions):
    x = np.float32(start_m)
    for _ in range(additions):
        x = np.float32(x + np.float32(speed_mps / 120 / additions))
    free = free_pose(Pose(float(np.float32(start_m)), 0.0, 0.0, 0.0), (speed_mps, 0, 0, 0), 1 / 120)
    assert is_rounded(free, Pose(float(x), 0.0, 0.0, 0.0), additions)


@pytest.mark.parametrize("off_m", [(1e-3, 0, 0), (0, -1e-3, 0), (0, 0, 1e-3)])
def test_a_millimetre_at_20_m_is_a_push_and_no_rounding(off_m):
    free = Pose(20.0, -20.0, 3.0, 1.0)
    pushed = Pose(*(a + b for a, b in zip(free[:3], off_m, strict=True)), 1.0)
    assert not is_rounded(free, pushed, 120)


def test_a_turn_is_compared_across_half_a_turn():
    free = Pose(0.0, 0.0, 0.0, math.pi)
    assert is_rounded(free, Pose(0.0, 0.0, 0.0, -math.pi + 1e-6), 60)
    assert not is_rounded(free, Pose(0.0, 0.0, 0.0, -math.pi + 1e-3), 60)
