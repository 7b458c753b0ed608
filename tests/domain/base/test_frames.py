from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.base.frames import (
    CAPNAV,
    CAPNAV_SWAPPED,
    FRAMES,
    GLTF,
    SCENE,
    Frame,
    bearing_rad,
    distance_m,
    quaternion_from_yaw,
    r2r_heading_from_yaw,
    wrap_to_pi,
    yaw_from_quaternion,
    yaw_from_r2r_heading,
)

_POINT = st.tuples(*[st.floats(-1e6, 1e6)] * 3)
_ANGLE = st.floats(-50, 50)


@given(point=_POINT, key=st.sampled_from(sorted(FRAMES)))
def test_there_and_back_is_exact(point: tuple[float, float, float], key: str) -> None:
    frame = FRAMES[key]
    assert frame.from_scene(frame.to_scene(np.array(point))).tolist() == list(point)


@given(points=st.lists(_POINT, min_size=2, max_size=2), key=st.sampled_from(sorted(FRAMES)))
def test_distances_are_kept(points: list[tuple[float, float, float]], key: str) -> None:
    a, b = FRAMES[key].to_scene(np.array(points))
    assert distance_m(tuple(a), tuple(b)) == pytest.approx(distance_m(*points))


@pytest.mark.parametrize(
    ("frame", "point", "expected"),
    [
        (SCENE, (1, 2, 3), (1, 2, 3)),
        (GLTF, (1, 2, 3), (1, -3, 2)),
        (CAPNAV, (1, 2, 3), (-1, -3, 2)),
        (CAPNAV_SWAPPED, (1, 2, 3), (-1, -2, -3)),
    ],
)
def test_known_points(frame: Frame, point: tuple[float, ...], expected: tuple[float, ...]) -> None:
    assert frame.to_scene(np.array(point)).tolist() == list(expected)


@pytest.mark.parametrize(
    ("frame", "expected"), [(SCENE, False), (GLTF, False), (CAPNAV, True), (CAPNAV_SWAPPED, True)]
)
def test_handedness(frame: Frame, expected: bool) -> None:
    assert frame.is_left_handed is expected


def test_up_stays_up() -> None:
    assert GLTF.to_scene(np.array([0, 1, 0])).tolist() == [0, 0, 1]
    assert CAPNAV.to_scene(np.array([0, 1, 0])).tolist() == [0, 0, 1]


def test_frames_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        GLTF.scene_from_frame[0, 0] = 2


@given(angle=_ANGLE)
def test_wrapped_angle_is_the_same_direction(angle: float) -> None:
    wrapped = wrap_to_pi(angle)
    assert -math.pi < wrapped <= math.pi
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-9)


def test_a_heading_is_never_a_whole_turn() -> None:
    assert r2r_heading_from_yaw(math.nextafter(math.pi / 2, 4.0)) == 0.0
    assert r2r_heading_from_yaw(-math.pi) == pytest.approx(1.5 * math.pi)


def test_half_turns_wrap_to_plus_pi() -> None:
    assert wrap_to_pi(math.pi) == math.pi
    assert wrap_to_pi(-math.pi) == math.pi
    assert wrap_to_pi(3 * math.pi) == pytest.approx(math.pi)


@pytest.mark.parametrize(
    ("heading", "yaw"), [(0, math.pi / 2), (math.pi / 2, 0), (math.pi, -math.pi / 2)]
)
def test_r2r_headings_turn_clockwise_from_plus_y(heading: float, yaw: float) -> None:
    assert yaw_from_r2r_heading(heading) == pytest.approx(yaw)
    assert r2r_heading_from_yaw(yaw) == pytest.approx(heading)


@given(yaw=st.floats(-3.14, 3.14))
def test_quaternion_round_trip(yaw: float) -> None:
    quaternion = quaternion_from_yaw(yaw)
    assert math.hypot(*quaternion) == pytest.approx(1.0)
    assert yaw_from_quaternion(*quaternion) == pytest.approx(yaw, abs=1e-9)


@pytest.mark.parametrize(
    ("end", "expected"),
    [((1, 0, 9), 0.0), ((0, 1, 0), math.pi / 2), ((-1, 0, 0), math.pi), ((0, 0, 5), 0.0)],
)
def test_bearing(end: tuple[float, float, float], expected: float) -> None:
    assert bearing_rad((0, 0, 0), end) == pytest.approx(expected)
