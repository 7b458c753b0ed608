from __future__ import annotations

import math
from dataclasses import replace

import pytest

from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.services.input.key_driving import DriveKey, KeyState
from waypost.services.input.steering import TURN_RADPS
from waypost.simulators.protocol import DriveCommand

W, A, S, D, Q, SHIFT, UP = 25, 38, 39, 40, 24, 50, 111


@pytest.fixture
def human():
    return AgentProfile(
        "human",
        "Human",
        BodyShape.CYLINDER,
        0.6,
        0.6,
        1.7,
        0.3,
        True,
        True,
        True,
        top_speed_mps=1.2,
    )


def held(*keys):
    state = KeyState()
    for physical, key in keys:
        state = state.press(physical, key)
    return state


def test_forward_and_turn(human):
    state = held((W, DriveKey.FORWARD), (A, DriveKey.TURN_LEFT))
    assert state.steering().command(human) == DriveCommand(1.2, 0.0, TURN_RADPS)


def test_opposite_keys_cancel_out(human):
    state = held((W, DriveKey.FORWARD), (S, DriveKey.BACK), (D, DriveKey.TURN_RIGHT))
    assert state.steering().command(human) == DriveCommand(0.0, 0.0, -TURN_RADPS)


def test_auto_repeat_changes_nothing(human):
    state = held((W, DriveKey.FORWARD))
    for _ in range(50):
        state = state.release(W, is_auto_repeat=True)
        state = state.press(W, DriveKey.FORWARD, is_auto_repeat=True)
    assert state.steering().command(human).forward_mps == 1.2
    assert state.release(W).steering().command(human) == DriveCommand()


def test_a_repeated_press_without_a_release_needs_one_release():
    state = held((W, DriveKey.FORWARD), (W, DriveKey.FORWARD))
    assert not state.release(W).held


def test_two_keys_for_one_direction_are_independent(human):
    state = held((W, DriveKey.FORWARD), (UP, DriveKey.FORWARD))
    assert state.release(W).steering().command(human).forward_mps == 1.2
    assert state.release(W).release(UP).steering().command(human) == DriveCommand()


def test_clear_stops(human):
    assert held((W, DriveKey.FORWARD), (A, DriveKey.TURN_LEFT)).clear().steering().command(
        human
    ) == (DriveCommand())


def test_slow_takes_thirty_percent(human):
    state = held((S, DriveKey.BACK), (SHIFT, DriveKey.SLOW))
    assert state.steering().command(human).forward_mps == pytest.approx(-0.36)


def test_only_a_holonomic_agent_strafes_and_never_faster_slantwise(human):
    state = held((W, DriveKey.FORWARD), (Q, DriveKey.STRAFE_LEFT))
    assert state.steering().command(human).left_mps == 0.0
    command = state.steering().command(replace(human, drive=DriveType.HOLONOMIC))
    assert command.left_mps == pytest.approx(1.2 / math.sqrt(2))
    assert math.hypot(command.forward_mps, command.left_mps) == pytest.approx(1.2)


def test_a_car_turns_only_while_it_moves_and_backward_the_other_way(human):
    car = replace(human, drive=DriveType.CAR_LIKE, min_turning_radius_m=2.0)
    assert held((A, DriveKey.TURN_LEFT)).steering().command(car) == DriveCommand()
    ahead = held((W, DriveKey.FORWARD), (A, DriveKey.TURN_LEFT)).steering().command(car)
    assert (ahead.forward_mps, ahead.turn_radps) == (1.2, pytest.approx(0.6))
    back = held((S, DriveKey.BACK), (A, DriveKey.TURN_LEFT)).steering().command(car)
    assert (back.forward_mps, back.turn_radps) == (-1.2, pytest.approx(-0.6))
