"""One press is one press, however the window system repeats a key that is held."""

from __future__ import annotations

import pytest

from waypost.services.input.key_driving import DriveKey, KeyState
from waypost.services.input.key_presses import KeyMoment, KeyPresses

W = 25


def at(time_ms: float) -> KeyMoment:
    return KeyMoment(time_ms)


def test_a_press_counts_once_and_again_after_a_release_of_250_ms():
    presses = KeyPresses()
    assert presses.press("Space", at(0))
    presses.release("Space", at(80))
    assert not presses.is_free("Space", at(329))
    assert not presses.press("Space", at(329))
    presses.release("Space", at(340))
    assert presses.is_free("Space", at(590))
    assert presses.press("Space", at(590))


@pytest.mark.parametrize("gap_ms", [0, 1, 30])
def test_repeats_as_pairs_of_release_and_press_never_count(gap_ms):
    presses = KeyPresses()
    assert presses.press("Return", at(0))
    for number in range(60):
        presses.release("Return", at(660 + 40 * number))
        assert not presses.press("Return", at(660 + 40 * number + gap_ms))
    assert presses.is_down("Return")


def test_repeats_as_presses_alone_and_as_auto_repeat_never_count():
    presses = KeyPresses()
    assert presses.press("Return", at(0))
    assert not presses.press("Return", at(660))
    assert not presses.press("Return", at(5000))
    presses.release("Return", at(5100), is_auto_repeat=True)
    assert not presses.press("Return", at(9000), is_auto_repeat=True)


def test_keys_are_counted_apart():
    presses = KeyPresses()
    assert presses.press("Return", at(0))
    assert presses.press("Space", at(10))


def test_a_busy_window_makes_no_press_of_a_repeat():
    """What was done at the release kept the press waiting; both happened at once."""
    presses = KeyPresses()
    assert presses.press("Space", KeyMoment(0, 7000))
    presses.release("Space", KeyMoment(100, 7100))
    assert not presses.press("Space", KeyMoment(900, 7100))


def test_a_key_that_repeats_into_the_window_is_no_press():
    presses = KeyPresses()
    presses.press("Return", at(0))
    presses.lose(at(100))
    presses.regain(at(4000))
    assert not presses.press("Return", at(4040))
    assert not presses.press("Return", at(5000))
    presses.release("Return", at(5100))
    assert presses.press("Return", at(5400))


def test_a_key_that_was_let_go_elsewhere_counts_at_its_first_press():
    presses = KeyPresses()
    presses.press("Return", at(0))
    presses.lose(at(100))
    presses.regain(at(4000))
    assert presses.press("Return", at(4300))


def driven(*, is_back: bool = True) -> KeyState:
    """W was held when the keyboard was lost at 1000 ms and came back at 2000 ms."""
    state = KeyState().press(W, DriveKey.FORWARD, at(0)).lose(at(1000))
    return state.regain(at(2000)) if is_back else state


def test_a_drive_key_that_is_still_held_counts_only_after_its_release():
    state = driven()
    for time_ms in range(2030, 6000, 40):
        state = state.press(W, DriveKey.FORWARD, at(time_ms))
        assert not state.held
    state = state.release(W, at(6000))
    assert state.press(W, DriveKey.FORWARD, at(6250)).held == {W: DriveKey.FORWARD}


def test_a_drive_key_that_repeats_in_pairs_after_the_return_does_not_count():
    state = driven()
    for time_ms in range(2030, 6000, 40):
        state = state.release(W, at(time_ms)).press(W, DriveKey.FORWARD, at(time_ms + 1))
        assert not state.held
    state = state.release(W, at(6000))
    assert state.press(W, DriveKey.FORWARD, at(6300)).held


def test_a_drive_key_that_was_let_go_elsewhere_counts_at_its_first_press():
    assert driven().press(W, DriveKey.FORWARD, at(3100)).held
    assert not driven(is_back=False).press(W, DriveKey.FORWARD, at(3100)).held


def test_another_drive_key_counts_at_once():
    assert driven().press(38, DriveKey.TURN_LEFT, at(2001)).held == {38: DriveKey.TURN_LEFT}


def test_a_key_held_since_before_somebody_listened_counts_only_after_its_release():
    state = KeyState()
    for time_ms in range(0, 2000, 40):
        state = state.release(W, at(time_ms)).press(W, DriveKey.FORWARD, at(time_ms))
        assert not state.held
    state = state.release(W, at(2000))
    assert state.press(W, DriveKey.FORWARD, at(2251)).held


def test_tapping_a_drive_key_quickly_counts_every_time():
    state = KeyState()
    for time_ms in range(0, 1000, 100):
        state = state.press(W, DriveKey.FORWARD, at(time_ms))
        assert state.held
        state = state.release(W, at(time_ms + 50))
