"""Lenses see what the views of the same pictures see, many directions at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures.replay_examples import pose_rotation
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.replay.picture_lenses import (
    FaceLens,
    Lens,
    PerspectiveLens,
    SphereLens,
    band_directions,
    perspective_directions,
    resample,
)
from waypost.domain.replay.views import PerspectiveView, angles_of_direction, direction_of_angles

ANGLES = st.floats(-7, 7)
ROTATION = tuple(pose_rotation(0.4).ravel().tolist())
LENSES: tuple[Lens, ...] = (
    PerspectiveLens(0.7, 0.2, 1.2, is_vertical=True),
    PerspectiveLens(3.0, -0.5, 1.5),
    SphereLens(2.0),
    *(FaceLens(face, ROTATION) for face in range(6)),
)


@pytest.mark.parametrize("lens", LENSES)
@given(ANGLES, st.floats(-1.5, 1.5))
def test_a_lens_sees_what_its_view_sees(lens: Lens, heading: float, up: float) -> None:
    direction = direction_of_angles(heading, up)
    width, height = (400, 400) if isinstance(lens, FaceLens) else (400, 300)
    pixel = lens.view(width, height).pixel_of(direction)
    column, row, _ = lens.see(np.array([direction]), width / height)
    if pixel is None:
        at_rim = min(abs(column[0] % 1), abs(row[0] % 1), abs(1 - column[0]), abs(1 - row[0]))
        assert math.isnan(column[0]) or at_rim < 1e-6
    elif math.isnan(column[0]):
        assert min(pixel[0], pixel[1], width - pixel[0], height - pixel[1]) < 1e-4
    else:
        gap = math.remainder(column[0] - pixel[0] / width, 1.0)
        assert gap == pytest.approx(0, abs=1e-6)
        assert row[0] * height == pytest.approx(pixel[1], abs=1e-4)


def test_fields_of_view_are_of_the_axis_named() -> None:
    across = PerspectiveLens(0, 0, math.pi / 2).view(400, 200)
    assert across.focal_px == pytest.approx(200)
    assert across.vertical_fov_rad == pytest.approx(2 * math.atan(0.5))
    upright = PerspectiveLens(0, 0, math.pi / 3, is_vertical=True).view(640, 480)
    assert upright.vertical_fov_rad == pytest.approx(math.pi / 3)


def test_fineness_in_the_middle() -> None:
    assert PerspectiveLens(0, 0, math.pi / 2).pixels_per_rad(200, 100) == pytest.approx(100)
    assert SphereLens(0).pixels_per_rad(628, 314) == pytest.approx(628 / math.tau)
    assert FaceLens(0, ROTATION).pixels_per_rad(1024, 1024) == 512


def test_directions_of_pixels_come_back() -> None:
    view = PerspectiveView(1.0, 0.3, 1.1, 40, 30)
    directions = perspective_directions(view)
    assert directions.shape == (30, 40, 3)
    for row, column in ((0, 0), (29, 39), (14, 20)):
        assert directions[row, column] == pytest.approx(
            view.direction_of((column + 0.5, row + 0.5))
        )


def test_a_band_goes_clockwise_around() -> None:
    band = band_directions(math.radians(90), 360, 90, math.radians(45))
    heading, up = angles_of_direction(tuple(band[0, 180].tolist()))
    assert (math.degrees(heading), math.degrees(up)) == pytest.approx((90.5, 44.5))
    assert math.degrees(angles_of_direction(tuple(band[89, 270]))[0]) == pytest.approx(180.5)


def test_each_pixel_comes_from_the_picture_that_faces_it() -> None:
    four = [PerspectiveLens(math.radians(d), 0, math.radians(90)) for d in (0, 90, 180, 270)]
    view = PerspectiveView(math.radians(45), 0, math.radians(60), 80, 40)
    found = resample(four, [1.0] * 4, perspective_directions(view))
    # North on the left half, east on the right one; the horizon at half height of both.
    assert set(found.picture[20, :40].tolist()) == {0}
    assert set(found.picture[20, 40:].tolist()) == {1}
    assert found.rows[20, 0] == pytest.approx(0.5, abs=0.02)
    assert found.columns[20, 39] > 0.98
    assert found.columns[20, 40] < 0.02


def test_what_no_picture_shows_is_told() -> None:
    view = PerspectiveView(math.pi, 0, 1.0, 8, 8)
    found = resample([PerspectiveLens(0, 0, 1.0)], [1.0], perspective_directions(view))
    assert set(found.picture.ravel().tolist()) == {-1}
