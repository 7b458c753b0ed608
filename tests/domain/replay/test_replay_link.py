"""Runs held beside each other: by step, by time, by the way still to go."""

from __future__ import annotations

import pytest

from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.episode.run import EpisodeRun
from waypost.domain.replay.link import LinkKind, can_link, linked_step
from waypost.domain.replay.replay import Replay, build_replay


def walk(*xs_m: float, times_s: tuple[float, ...] | None = None) -> Replay:
    """Along the x axis towards a goal at 10 m."""
    episode = Episode(
        dataset="",
        split="",
        episode_id="1",
        scene_id="s",
        instruction=Instruction("go"),
        reference=route(positions_m=[[0, 0, 0], [10, 0, 0]]),
    )
    return build_replay(
        episode, EpisodeRun("1", route(positions_m=[[x, 0, 0] for x in xs_m]), times_s=times_s)
    )


@pytest.mark.parametrize(("step", "expected"), [(0, 0), (2, 2), (5, 2)])
def test_by_step_a_shorter_run_stays_at_its_end(step, expected):
    assert linked_step(walk(0, 1, 2, 3, 4, 5), step, walk(0, 2, 4), LinkKind.STEP) == expected


@pytest.mark.parametrize(("step", "expected"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_by_time_the_last_pose_not_later_counts(step, expected):
    leading = walk(0, 1, 2, 3, times_s=(0.0, 0.5, 1.0, 9.0))
    other = walk(0, 5, 9, times_s=(0.0, 1.0, 2.0))
    assert linked_step(leading, step, other, LinkKind.TIME) == expected


def test_by_distance_the_first_pose_as_near_to_the_goal_counts():
    """10, 8, 9, 4 m to go beside 10, 9, 7, 3 m to go: going back moves nothing."""
    leading, other = walk(0, 2, 1, 6), walk(0, 1, 3, 7)
    steps = [linked_step(leading, step, other, LinkKind.DISTANCE) for step in range(4)]
    assert steps == [0, 2, 2, 3]


def test_by_distance_a_run_that_never_gets_so_far_stands_at_its_end():
    assert linked_step(walk(0, 9), 1, walk(0, 5, 3), LinkKind.DISTANCE) == 2


def test_what_a_run_lacks_is_said_and_falls_back_to_the_number():
    timed, untimed = walk(0, 1, times_s=(0.0, 1.0)), walk(0, 1, 2)
    assert not can_link((timed, untimed), LinkKind.TIME)
    assert can_link((timed, timed), LinkKind.TIME)
    assert linked_step(timed, 1, untimed, LinkKind.TIME) == 1
    assert can_link((timed, untimed), LinkKind.DISTANCE)
