"""The cursor of a replay: steps, seconds, landmarks and playing."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind
from waypost.domain.replay.replay import Replay, build_replay
from waypost.services.replay.cursor import Landmark, ReplayCursor
from waypost.services.replay.playback import SPEEDS


def continuous(count: int, times_s: tuple[float, ...] | None = None) -> Replay:
    episode = Episode(
        dataset="",
        split="",
        episode_id="1",
        scene_id="s",
        instruction=Instruction("go"),
        reference=route(positions_m=[[0, 0, 0], [count, 0, 0]]),
    )
    walked = route(positions_m=[[x, 0, 0] for x in range(count)])
    return build_replay(episode, EpisodeRun("1", walked, times_s=times_s))


def back_and_forth() -> Replay:
    """A-B-A-B-C beside the reference A-B-C; the third move touches something."""
    episode = Episode(
        dataset="",
        split="",
        episode_id="1",
        scene_id="s",
        instruction=Instruction("go"),
        reference=route(["A", "B", "C"]),
    )
    touch = Event(EventKind.COLLISION, "touched")
    decisions = tuple(Decision(n, n + 1, events=(touch,) if n == 3 else ()) for n in (1, 2, 3, 4))
    return build_replay(episode, EpisodeRun("1", route(["A", "B", "A", "B", "C"]), decisions))


@pytest.fixture
def cursor(qapp) -> ReplayCursor:
    return ReplayCursor()


def test_without_a_replay_nothing_moves(cursor):
    cursor.move_by(3)
    cursor.move_by_seconds(1.0)
    cursor.toggle_play()
    assert (cursor.step, cursor.count, cursor.is_playing) == (0, 0, False)
    assert not cursor.go_to_next(Landmark.DEVIATION)


def test_steps_end_at_both_ends(cursor, qtbot: QtBot):
    cursor.set_replay(continuous(5))
    told: list[int] = []
    cursor.moved.connect(told.append)
    cursor.move_by(-1)
    cursor.go_last()
    cursor.move_by(1)
    cursor.move_to(2)
    cursor.go_first()
    assert told == [4, 2, 0]


def test_a_second_of_a_run_with_times_is_a_second(cursor):
    cursor.set_replay(continuous(60, tuple(0.05 * n for n in range(60))))
    cursor.move_by_seconds(1.0)
    assert cursor.step == 20
    cursor.move_by_seconds(1.0)
    cursor.move_by_seconds(-0.5)
    assert cursor.step == 30
    cursor.move_by_seconds(-9.0)
    assert cursor.step == 0


def test_a_second_of_a_run_without_times_is_a_step(cursor):
    cursor.set_replay(continuous(5))
    cursor.move_by_seconds(1.0)
    assert cursor.step == 1
    cursor.move_by_seconds(-1.0)
    assert cursor.step == 0


def test_landmarks_of_back_and_forth(cursor):
    cursor.set_replay(back_and_forth())
    assert cursor.landmarks(Landmark.DEVIATION) == (2,)
    assert cursor.landmarks(Landmark.REVISIT) == (2, 3)
    assert cursor.landmarks(Landmark.COLLISION) == (2,)
    seen = []
    for _ in range(3):
        cursor.go_to_next(Landmark.REVISIT)
        seen.append(cursor.step)
    assert seen == [2, 3, 2]


def test_playing_reaches_the_end_and_stops(cursor, qtbot: QtBot):
    cursor.set_replay(continuous(4))
    cursor.set_speed(16.0)
    with qtbot.waitSignal(cursor.playing_changed, check_params_cb=lambda playing: not playing):
        cursor.toggle_play()
        assert cursor.is_playing
    assert cursor.step == 3
    cursor.toggle_play()
    assert cursor.step == 0
    cursor.toggle_play()
    assert not cursor.is_playing


def test_speed_goes_through_the_list(cursor):
    assert [cursor.step_speed(1) or cursor._speed for _ in range(5)] == [2.0, 4.0, 8.0, 16.0, 16.0]
    cursor.set_speed(0.0)
    assert cursor._speed == SPEEDS[-1]
