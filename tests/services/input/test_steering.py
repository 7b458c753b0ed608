from __future__ import annotations

import math

import pytest

from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.services.input.key_driving import DriveKey, KeyState
from waypost.services.input.pad_state import DEAD_ZONE, PadState, stick_share
from waypost.services.input.steering import GAZE_LIMIT_RAD, LOOK_RADPS, Steering, moved_gaze


def profile(drive: DriveType) -> AgentProfile:
    return AgentProfile(
        "a",
        "A",
        BodyShape.CYLINDER,
        0.6,
        0.6,
        1.7,
        0.3,
        True,
        True,
        True,
        drive=drive,
        top_speed_mps=1.2,
        min_turning_radius_m=0.9 if drive == "car_like" else 0.0,
    )


HUMAN = profile(DriveType.HOLONOMIC)
CHAIR = profile(DriveType.DIFFERENTIAL)
CAR = profile(DriveType.CAR_LIKE)


def test_a_half_pushed_stick_gives_half_the_speed():
    command = PadState(left_y=0.5, left_x=0.25).steering(DriveType.HOLONOMIC).command(HUMAN)
    assert command.forward_mps == pytest.approx(0.6)
    assert command.left_mps == pytest.approx(-0.3)
    assert command.turn_radps == 0


def test_slantwise_is_never_faster_than_ahead():
    command = PadState(left_y=1.0, left_x=-1.0).steering(DriveType.HOLONOMIC).command(HUMAN)
    assert math.hypot(command.forward_mps, command.left_mps) == pytest.approx(1.2)
    assert command.left_mps > 0


def test_who_cannot_step_aside_turns_with_the_left_stick():
    steering = PadState(left_x=-0.5, right_x=-0.25).steering(DriveType.DIFFERENTIAL)
    command = steering.command(CHAIR)
    assert (command.forward_mps, command.left_mps) == (0, 0)
    assert command.turn_radps == pytest.approx(0.75 * math.radians(60))
    both = PadState(left_x=1.0, right_x=1.0).steering(DriveType.DIFFERENTIAL)
    assert both.command(CHAIR).turn_radps == pytest.approx(-math.radians(60))


def test_a_car_turns_only_while_it_moves():
    assert Steering(turn=1.0).command(CAR).turn_radps == 0
    back = Steering(forward=-0.5, turn=1.0).command(CAR)
    assert back.forward_mps == pytest.approx(-0.6)
    assert back.turn_radps == pytest.approx(-0.5 * math.radians(60))


def test_the_right_stick_turns_and_looks():
    steering = PadState(right_x=1.0, right_y=0.5).steering(DriveType.HOLONOMIC)
    assert steering.command(HUMAN).turn_radps == pytest.approx(-math.radians(60))
    assert steering.look_radps == pytest.approx(0.5 * LOOK_RADPS)
    assert PadState().steering(DriveType.HOLONOMIC).is_at_rest


@pytest.mark.parametrize(
    ("raw", "share"),
    [(0.0, 0.0), (DEAD_ZONE, 0.0), (-0.149, 0.0), (1.0, 1.0), (-1.0001, -1.0), (0.575, 0.5)],
)
def test_the_dead_zone_is_rest_and_the_way_beyond_it_reaches_full(raw, share):
    assert stick_share(raw) == pytest.approx(share)


def test_the_gaze_keeps_its_limits():
    assert moved_gaze(0.1, 0.2) == pytest.approx(0.3)
    assert moved_gaze(1.0, 0.5) == GAZE_LIMIT_RAD == pytest.approx(math.radians(60))
    assert moved_gaze(-1.0, -9.0) == -GAZE_LIMIT_RAD


def test_look_keys_look_and_do_not_move():
    state = KeyState().press(1, DriveKey.LOOK_UP)
    assert state.steering() == Steering(look=1)
    assert state.steering().command(HUMAN).forward_mps == 0
    assert not state.steering().is_at_rest
    assert state.press(2, DriveKey.LOOK_DOWN).steering().is_at_rest
