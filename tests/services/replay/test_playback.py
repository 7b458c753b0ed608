from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from waypost.services.replay.playback import Playback

TIMES_S = np.arange(1201) * 0.05


class Clock:
    """Tells the milliseconds it is given."""

    def __init__(self) -> None:
        self.now_ms = 1000.0

    def __call__(self) -> float:
        return self.now_ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def playback(qapp: object, clock: Clock) -> Playback:
    made = Playback(clock_ms=clock)
    made.set_times(TIMES_S)
    return made


def played(playback: Playback, clock: Clock, seconds: float) -> int:
    clock.now_ms += seconds * 1000
    playback.advance()
    return playback.index


def test_playing_follows_simulated_time(playback: Playback, clock: Clock) -> None:
    playback.toggle_play()
    assert played(playback, clock, 0.049) == 0
    assert played(playback, clock, 0.001) == 1
    assert played(playback, clock, 10.0) == 201
    playback.pause()


@pytest.mark.parametrize(("speed", "index"), [(0.25, 5), (1.0, 20), (16.0, 320)])
def test_speed_is_simulated_seconds_per_second(
    playback: Playback, clock: Clock, speed: float, index: int
) -> None:
    playback.set_speed(speed)
    playback.toggle_play()
    assert played(playback, clock, 1.0) == index
    playback.pause()


def test_another_speed_keeps_what_was_played(playback: Playback, clock: Clock) -> None:
    playback.toggle_play()
    played(playback, clock, 2.0)
    playback.set_speed(4.0)
    assert played(playback, clock, 1.0) == 120
    playback.pause()


def test_slow_playing_loses_no_time_between_samples(playback: Playback, clock: Clock) -> None:
    playback.set_speed(0.25)
    playback.toggle_play()
    for _ in range(100):
        played(playback, clock, 0.025)
    # 2.5 s at a quarter of the speed.
    assert playback.index == 12
    playback.pause()


def test_playing_ends_at_the_end_and_begins_anew(playback: Playback, clock: Clock) -> None:
    states: list[bool] = []
    playback.playing_changed.connect(states.append)
    playback.move_to(1190)
    playback.toggle_play()
    assert played(playback, clock, 5.0) == 1200
    assert states == [True, False]
    playback.toggle_play()
    assert playback.index == 0
    playback.toggle_play()
    assert states == [True, False, True, False]


def test_scrubbing_while_playing_goes_on_from_there(playback: Playback, clock: Clock) -> None:
    playback.toggle_play()
    played(playback, clock, 1.0)
    playback.move_to(600)
    assert played(playback, clock, 1.0) == 620
    playback.pause()


def test_steps_seconds_and_ends(playback: Playback) -> None:
    playback.move_by(-1)
    assert playback.index == 0
    playback.move_by_seconds(1.0)
    assert playback.index == 20
    playback.move_by_seconds(-0.5)
    assert playback.index == 10
    playback.move_to(99_999)
    assert (playback.index, playback.time_s) == (1200, 60.0)


def test_a_second_is_a_step_at_least_where_steps_are_farther_apart(playback: Playback) -> None:
    playback.set_times(np.array([0.0, 0.4, 5.0, 5.2, 9.0]))
    reached = []
    for seconds in (1.0,) * 5 + (-1.0,) * 4:
        playback.move_by_seconds(seconds)
        reached.append(playback.index)
    assert reached == [1, 2, 3, 4, 4, 3, 1, 0, 0]


def test_next_places_go_round(playback: Playback) -> None:
    assert playback.go_to_next_of((300, 100))
    assert playback.index == 100
    playback.go_to_next_of((300, 100))
    assert playback.index == 300
    playback.go_to_next_of((300, 100))
    assert playback.index == 100
    assert not playback.go_to_next_of(())


def test_a_gap_is_waited_through(qapp: object, clock: Clock) -> None:
    playback = Playback(clock_ms=clock)
    playback.set_times(np.array([0.0, 0.05, 5.0, 5.05]))
    playback.toggle_play()
    assert played(playback, clock, 4.0) == 1
    assert played(playback, clock, 1.0) == 2
    playback.pause()


def test_without_a_take_nothing_plays(qapp: object) -> None:
    playback = Playback()
    playback.toggle_play()
    playback.move_by(1)
    assert (playback.index, playback.count, playback.is_playing) == (0, 0, False)


def test_the_real_clock_plays_in_real_time(qtbot: QtBot) -> None:
    playback = Playback()
    playback.set_times(TIMES_S)
    playback.set_speed(16.0)
    playback.toggle_play()
    qtbot.waitUntil(lambda: playback.time_s > 8.0)
    playback.pause()
    assert not playback.is_playing


@given(st.lists(st.integers(-50, 50), max_size=20))
def test_the_cursor_never_leaves_the_take(moves: list[int]) -> None:
    playback = Playback()
    playback.set_times(TIMES_S[:40])
    for samples in moves:
        playback.move_by(samples)
        assert 0 <= playback.index < 40
        assert playback.time_s == TIMES_S[playback.index]
