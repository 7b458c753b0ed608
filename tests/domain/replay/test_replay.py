"""Steps of a replay, checked by hand on constructed runs."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from deviations import first_deviation
from fixtures.replay_examples import (
    ends_near,
    graph_episode,
    graph_replay,
    line_graph,
    space_replay,
)
from hypothesis import example, given
from hypothesis import strategies as st

from waypost.domain.episode.episode import Goal
from waypost.domain.episode.route import route
from waypost.domain.episode.run import Decision, EpisodeRun, Event, EventKind, RunEnd
from waypost.domain.replay.places import places_of_positions
from waypost.domain.replay.replay import build_replay
from waypost.domain.replay.step import StepKind
from waypost.metrics.profile import Scenery
from waypost.metrics.registry import PROFILES
from waypost.metrics.scoring import score_episode


def test_back_and_forth_on_a_line() -> None:
    replay = graph_replay("ABABC")
    assert replay.travelled_m.tolist() == [0, 2, 4, 6, 8]
    assert replay.first_deviation_step == 2
    assert replay.on_reference is not None
    assert replay.on_reference.tolist() == [True, True, False, True, True]
    assert replay.deviation_steps == (2,)
    assert replay.visits.tolist() == [1, 1, 2, 2, 1]
    assert replay.revisit_steps == (2, 3)
    assert replay.to_goal_m.tolist() == [4, 2, 4, 2, 0]
    assert replay.oracle_m.tolist() == [4, 2, 2, 2, 0]
    assert replay.progress.tolist() == [0, 0.5, 0, 0.5, 1]
    assert ends_near(replay)
    assert [step.kind for step in replay.steps()] == ["start", "move", "return", "return", "move"]
    profile = PROFILES["r2r"]
    scores = score_episode(profile, replay.episode, replay.run, Scenery(graph=replay.graph))
    values = dict(zip([m.key for m in profile.metrics], scores.values, strict=True))
    assert values["TL"] == 8
    assert values["SPL"] == 0.5
    assert replay.ndtw_so_far[-1] == pytest.approx(values["nDTW"], abs=1e-12)


def test_ndtw_so_far_by_hand() -> None:
    # Path A against A-B-C: every reference viewpoint is matched with A: 0 + 2 + 4 = 6 m.
    replay = graph_replay("AABC")
    expected = [math.exp(-6 / 9), math.exp(-6 / 9), math.exp(-2 / 9), 1.0]
    assert replay.ndtw_so_far.tolist() == pytest.approx(expected)


def test_turns_in_place_are_steps_of_the_same_visit() -> None:
    replay = graph_replay("AABBA")
    kinds = [step.kind for step in replay.steps()]
    assert kinds == [StepKind.START, "turn", "move", "turn", "return"]
    assert replay.visits.tolist() == [1, 1, 1, 1, 2]
    assert replay.first_deviation_step == 4
    assert [place for place, _ in replay.moves] == [0, 1, 0]


@pytest.mark.parametrize(
    ("walked", "reference", "flags"),
    [
        ("AC", "ABC", [True, False]),
        ("ABCD", "ABC", [True, True, True, False]),
        ("ABUBC", "ABC", [True, True, False, True, True]),
        ("ABUBD", "ABCD", [True, True, False, True, False]),
        ("BAB", "ABC", [False, False, True]),
        ("ABCBA", "ABCBA", [True] * 5),
        ("ABUD", "ABCDE", [True, True, False, True]),
    ],
)
def test_following_the_reference(walked: str, reference: str, flags: list[bool]) -> None:
    found = graph_replay(walked, reference).on_reference
    assert found is not None
    assert found.tolist() == flags


@given(
    st.text("ABC", min_size=1, max_size=12),
    st.text("ABC", min_size=1, max_size=6),
)
@example("ABCD", "ABC")
@example("AABBC", "ABC")
def test_first_deviation_is_where_the_names_differ(walked: str, reference: str) -> None:
    replay = graph_replay(walked, reference)
    step = replay.first_deviation_step
    move = None if step is None else [at for _, at in replay.moves].index(step)
    assert move == first_deviation(reference, walked)


def test_decisions_stand_where_they_were_taken() -> None:
    stay = Decision(2, 2, thought="nothing fits", events=(Event(EventKind.NO_MOVE, "no option"),))
    go = Decision(1, 2, thought="to B", action="1")
    hop = Decision(2, 4, thought="to D over C", action="D")
    stop = Decision(4, 4, action="stop", events=(Event(EventKind.STOP, "last word"),))
    replay = graph_replay("ABCD", "ABCD", decisions=(go, stay, hop, stop))
    shown = [(s.viewpoint_id, s.event, s.thought, s.action) for s in replay.steps()]
    assert shown == [
        ("A", "start", "to B", "1"),
        ("B", "no_move", "nothing fits", ""),
        ("B", "stay", "to D over C", "D"),
        ("C", "move", "", ""),
        ("D", "stop", "", "stop"),
    ]
    assert [step.pose for step in replay.steps()] == [0, 1, 1, 2, 3]


def test_a_log_without_poses_keeps_its_texts() -> None:
    run = EpisodeRun("7_0", decisions=(Decision(0, 0, thought="a"), Decision(0, 0, raw_text="b")))
    replay = build_replay(graph_episode("ABC"), run, line_graph())
    assert [(s.pose, s.event, s.thought) for s in replay.steps()] == [
        (None, "text", "a"),
        (None, "text", "b"),
    ]
    assert replay.first_deviation_step is None
    assert ends_near(replay) is None
    assert np.isnan(replay.ndtw_so_far).all()


def test_an_empty_run_has_no_steps() -> None:
    replay = graph_replay("")
    assert len(replay) == 0
    assert ends_near(replay) is None
    assert replay.travelled_m.tolist() == []
    assert replay.facing_rad.tolist() == []


def test_without_ground_truth_nothing_is_judged() -> None:
    episode = graph_episode("A", has_ground_truth=False, goals=())
    replay = build_replay(episode, EpisodeRun("7_0", route(tuple("AB"))), line_graph())
    assert replay.on_reference is None
    assert replay.first_deviation_step is None
    assert ends_near(replay) is None
    assert replay.step(1).on_reference is None
    assert replay.step(1).position_m == (2.0, 0.0, 1.5)


def test_without_a_graph_names_still_follow_the_reference() -> None:
    replay = build_replay(graph_episode("ABC"), EpisodeRun("7_0", route(tuple("ABX"))))
    assert replay.first_deviation_step == 2
    assert ends_near(replay) is None
    assert replay.step(0).position_m is None
    assert np.isnan(replay.travelled_m[1:]).all()
    assert np.isnan(replay.ndtw_so_far).all()


def test_headings_are_logged_or_follow_the_way() -> None:
    yaws = [math.nan, math.nan, math.pi, math.nan]
    run = EpisodeRun("7_0", route(tuple("AABC"), yaws_rad=yaws))
    episode = graph_episode("ABC", start_yaw_rad=1.0)
    replay = build_replay(episode, run, line_graph())
    assert replay.facing_rad.tolist() == [1.0, 1.0, math.pi, 0.0]
    assert replay.step(0).heading_rad is None
    assert replay.step(2).heading_rad == pytest.approx(3 * math.pi / 2)


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (RunEnd(), "end of path"),
        (RunEnd(called_stop=True), "stop"),
        (RunEnd(called_stop=False), "no stop"),
        (RunEnd(called_stop=True, reason="success"), "success"),
        (RunEnd(has_fallen=True, reason="x"), "fall"),
        (RunEnd(is_stuck=True), "stuck"),
    ],
)
def test_how_a_run_ended(end: RunEnd, told: str) -> None:
    assert graph_replay("AB", end=end).ended_by == told


def test_the_nearest_of_several_goals_counts() -> None:
    episode = graph_episode("ABC", goals=(Goal("E"), Goal("A")))
    replay = build_replay(episode, EpisodeRun("7_0", route(tuple("ABCD"))), line_graph())
    assert replay.to_goal_m.tolist() == [0, 2, 4, 2]


def test_continuous_runs_leave_the_line_sideways() -> None:
    reference = [[0, 0, 0], [4, 0, 0], [4, 4, 0]]
    points = [[0, 0, 1.4], [2, 0.9, 1.4], [2, 1.1, 1.4], [4, 3, 1.4], [4, 4, 1.4]]
    replay = space_replay(points, reference)
    assert replay.on_reference is not None
    assert replay.on_reference.tolist() == [True, True, False, True, True]
    assert replay.first_deviation_step == 2
    # Heights are relative to the start: an eye at 1.4 m is no way off a goal on the floor.
    assert replay.to_goal_m[-1] == 0
    assert ends_near(replay)


def test_another_storey_is_off_the_line() -> None:
    replay = space_replay([[0, 0, 0], [1, 0, 1.4], [2, 0, 1.5]], [[0, 0, 0], [4, 0, 0]])
    assert replay.on_reference is not None
    assert replay.on_reference.tolist() == [True, True, False]


def test_trembling_at_the_border_of_a_place_is_no_revisit() -> None:
    xs = [0, 0.5, 1.01, 0.99, 1.01, 0.99, 1.01]
    points = np.array([[x, 0.0, 0.0] for x in xs])
    assert places_of_positions(points, 1.0, 1.5).tolist() == [0, 0, 1, 1, 1, 1, 1]


def test_coming_back_is_a_revisit() -> None:
    xs = [0, 1.5, 3, 1.4, 0.2]
    replay = space_replay([[x, 0, 0] for x in xs], [[0, 0, 0], [3, 0, 0]])
    assert replay.places.tolist() == [0, 1, 2, 1, 0]
    assert replay.revisit_steps == (3, 4)


def test_small_moves_in_space_are_no_turns() -> None:
    replay = space_replay(
        [[0, 0, 0], [0.2, 0, 0], [0.2, 0, 0], [1.5, 0, 0], [0, 0, 0]], [[0, 0, 0], [3, 0, 0]]
    )
    assert [step.kind for step in replay.steps()] == ["start", "move", "turn", "move", "return"]


def test_long_runs_agree_with_the_exact_metric() -> None:
    rng = np.random.default_rng(3)
    points = np.cumsum(rng.normal(0, 0.1, (1200, 3)) * [1, 1, 0], axis=0)
    reference = np.cumsum(rng.normal(0, 1, (40, 3)) * [1, 1, 0], axis=0)
    replay = space_replay(points, reference)
    profile = PROFILES["vlnverse-human"]
    scores = score_episode(profile, replay.episode, replay.run, Scenery())
    values = dict(zip([m.key for m in profile.metrics], scores.values, strict=True))
    assert replay.ndtw_so_far[-1] == pytest.approx(values["nDTW"], rel=1e-9)
    assert replay.travelled_m[-1] == pytest.approx(values["TL"], rel=1e-12)


def test_there_is_no_step_beyond_the_last() -> None:
    with pytest.raises(IndexError, match="no step 2 among 2"):
        graph_replay("AB").step(2)


def test_the_dense_positions_of_the_expert_are_followed_where_there_are_some() -> None:
    sparse = space_replay([[0, 0, 0], [2, 3, 0], [4, 0, 0]], [[0, 0, 0], [4, 0, 0]])
    dense = route(positions_m=[[0, 0, 0], [2, 3, 0], [4, 0, 0]])
    episode = dataclasses.replace(
        sparse.episode, dense_reference_m=dense, start_position_m=(0.0, 0.0, 5.0)
    )
    replay = build_replay(episode, sparse.run)
    assert sparse.first_deviation_step == 1
    assert replay.first_deviation_step is None
    # The goal at height 0 lies 5 m below the start.
    assert replay.to_goal_m.tolist() == pytest.approx([math.hypot(4, 5), math.sqrt(38), 5])


def test_without_a_goal_in_space_there_is_no_distance() -> None:
    replay = space_replay([[0, 0, 0], [1, 0, 0]], [[0, 0, 0]])
    episode = dataclasses.replace(replay.episode, reference=route(), goals=())
    bare = build_replay(episode, replay.run)
    assert np.isnan(bare.to_goal_m).all()
    assert bare.on_reference is None
    assert bare.deviation_steps == ()
    assert len(bare.goal_points_m) == 0


def test_viewpoints_unknown_to_the_graph_have_no_values() -> None:
    replay = graph_replay("AXB")
    assert np.isnan(replay.ndtw_so_far).all()
    assert np.isnan(replay.to_goal_m[1])
    assert replay.to_goal_m[2] == 2
    assert replay.step(1).position_m is None
    assert replay.facing_rad.tolist()[0] == 0


def test_goals_that_the_graph_does_not_know_are_measured_straight() -> None:
    goal = Goal("nowhere", position_m=(4.0, 3.0, 1.5))
    episode = graph_episode("ABC", goals=(goal,))
    replay = build_replay(episode, EpisodeRun("7_0", route(tuple("ABC"))), line_graph())
    assert replay.to_goal_m.tolist() == pytest.approx([5, math.hypot(2, 3), 3])


def test_positions_are_of_cameras_unless_the_run_states_its_own() -> None:
    assert graph_replay("AB").is_at_cameras
    own = EpisodeRun("7_0", route(("A", "B"), [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    assert not build_replay(graph_episode("ABC"), own, line_graph()).is_at_cameras
    assert not space_replay([[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]).is_at_cameras
