"""Pixels of a map, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.viewers.map.frame import MapFrame, frame_around


def test_a_box_in_the_middle_with_north_up() -> None:
    frame = frame_around((0, 0), (10, 5), 400, 300)
    assert frame == MapFrame(40, 0, 250)
    assert frame.to_pixel((0, 0)) == (0, 250)
    assert frame.to_pixel((10, 5)) == (400, 50)
    assert frame.to_pixels(np.array([[[0.0, 0.0], [10.0, 5.0]]])).tolist() == [
        [[0, 250], [400, 50]]
    ]
    assert frame.moved(5, -3).to_pixel((0, 0)) == (5, 247)


def test_scales_have_limits() -> None:
    assert frame_around((0, 0), (0, 0), 1, 1).scale == pytest.approx(10)
    assert frame_around((0, 0), (1e6, 1), 100, 100).scale == 0.5
    assert MapFrame(1999, 0, 0).zoomed(5, (0, 0)).scale == 2000


@given(st.floats(0.2, 5), st.floats(-500, 500), st.floats(-500, 500), st.floats(5, 200))
def test_what_is_under_the_pointer_stays(factor: float, x: float, y: float, scale: float) -> None:
    frame = MapFrame(scale, 30, 40)
    zoomed = frame.zoomed(factor, (x, y))
    assert zoomed.to_metres((x, y)) == pytest.approx(frame.to_metres((x, y)), abs=1e-6)
    assert zoomed.to_pixel(zoomed.to_metres((x, y))) == pytest.approx((x, y), abs=1e-6)
