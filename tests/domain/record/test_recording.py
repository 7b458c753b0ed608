from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Goal, Instruction
from waypost.domain.episode.route import route
from waypost.domain.record.recording import (
    MarkKind,
    Recording,
    RowMark,
    TakeEvent,
    achieved_rate_hz,
    as_run,
    duration_ns,
    late_count,
    pauses_ns,
    placed_on,
    route_of,
    start_pose,
    take_header,
    wall_lags_ns,
)
from waypost.domain.record.trajectory import UNKNOWN_COUNT, UNKNOWN_NS, trajectory
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph
from waypost.domain.traverse.agent import AgentProfile, BodyShape

MS = 1_000_000
EPISODE = Episode(
    "vlnverse",
    "val",
    "e1",
    "s1",
    Instruction("go"),
    start_position_m=(1.0, 2.0, 0.0),
    start_yaw_rad=0.5,
)


def take(walls_ms, events=(), **columns):
    count = len(walls_ms)
    samples = trajectory(
        count,
        times_ns=np.arange(count) * 50 * MS,
        wall_times_ns=np.array(walls_ms) * MS,
        positions_m=np.column_stack([np.arange(count), np.zeros((count, 2))]),
        **columns,
    )
    return Recording(samples, events=tuple(events), is_complete=True, reason="stop")


def test_a_take_at_pace_has_no_lag():
    recording = take([0, 50, 100, 150])
    assert wall_lags_ns(recording).tolist() == [0, 0, 0]
    assert duration_ns(recording) == 150 * MS
    assert achieved_rate_hz(recording) == 20.0
    assert late_count(recording) == 0


def test_a_slow_machine_and_a_sleep_show_as_lags():
    recording = take([0, 54, 110, 10_160])
    assert wall_lags_ns(recording).tolist() == [4 * MS, 6 * MS, 10_000 * MS]
    assert late_count(recording) == 2
    assert achieved_rate_hz(recording) == pytest.approx(3 / 10.16)


def test_pauses_are_taken_off_but_not_what_is_beside_them():
    events = [TakeEvent("pause", 50 * MS, 60 * MS), TakeEvent("resume", 50 * MS, 1060 * MS)]
    recording = take([0, 50, 1107, 1150], events)
    assert pauses_ns(recording) == ((60 * MS, 1060 * MS),)
    assert wall_lags_ns(recording).tolist() == [0, 7 * MS, -7 * MS]
    assert achieved_rate_hz(recording) == 20.0


def test_a_pause_that_never_ends_lasts_to_the_end():
    recording = take([0, 50, 100], [TakeEvent("resume", 0, 0), TakeEvent("pause", 0, 120 * MS)])
    assert pauses_ns(recording) == ((120 * MS, 120 * MS),)
    assert wall_lags_ns(recording).tolist() == [0, 0]


def test_a_pause_in_which_the_driver_gives_up_lasts_until_then():
    events = [TakeEvent("pause", 100 * MS, 110 * MS), TakeEvent("lost", 100 * MS, 9110 * MS)]
    recording = take([0, 50, 100], events)
    assert pauses_ns(recording) == ((110 * MS, 9110 * MS),)
    assert wall_lags_ns(recording).tolist() == [0, 0]
    assert achieved_rate_hz(recording) == 20.0


def test_without_wall_time_nothing_is_claimed():
    recording = Recording(trajectory(3, times_ns=[0, 1, 2]))
    assert len(wall_lags_ns(recording)) == 0
    assert achieved_rate_hz(recording) is None
    assert duration_ns(Recording(trajectory(2))) is None
    assert duration_ns(Recording(trajectory(0))) is None
    assert achieved_rate_hz(take([0, 0, 0])) is None


def test_marked_rows_count_nowhere():
    recording = replace(
        take([0, 50, 9999, 150]), marks=(RowMark(2, MarkKind.TIME_BACK, "line 4: …"),)
    )
    assert wall_lags_ns(recording).tolist() == [0, 0]
    assert route_of(recording).positions_m[:, 0].tolist() == [0.0, 1.0, 3.0]


def test_a_take_is_an_attempt_at_its_episode():
    recording = replace(
        take([0, 50, 100], contact_counts=[0, 2, 0], yaws_rad=[0, 0.1, 0.2]),
        header={"episode": {"episode_id": "e1"}, "participant": "P-2345"},
    )
    attempt = as_run(recording)
    assert attempt.episode_id == "e1"
    assert recording.participant == "P-2345"
    assert (attempt.end.called_stop, attempt.end.reason) == (True, "stop")
    assert (attempt.end.action_count, attempt.end.collision_count) == (2, 1)
    assert attempt.route.yaws_rad.tolist() == [0, 0.1, 0.2]
    assert attempt.route.elevations_rad is None


def test_unknown_contacts_are_no_collisions():
    attempt = as_run(take([0, 50], contact_counts=[UNKNOWN_COUNT] * 2))
    assert attempt.end.collision_count is None
    assert attempt.episode_id == ""


def test_the_start_pose_is_the_one_of_the_episode():
    assert start_pose(EPISODE) == ((1.0, 2.0, 0.0), 0.5)
    with pytest.raises(InputError, match="e1: has no start position, only the viewpoint 'v'"):
        start_pose(replace(EPISODE, start_position_m=None, start_viewpoint_id="v"))
    for yaw in (None, math.nan):
        with pytest.raises(InputError, match="e1: has no start heading"):
            start_pose(replace(EPISODE, start_yaw_rad=yaw))


def test_the_header_names_episode_profile_and_scene():
    profile = AgentProfile("p", "P", BodyShape.CYLINDER, 0.5, 0.5, 1.7, 0.3, True, True, True)
    header = take_header(EPISODE, profile, "abc", participant="P-2345")
    assert header["episode"]["start_position_m"] == [1.0, 2.0, 0.0]
    assert (header["scene_hash"], header["participant"]) == ("abc", "P-2345")
    assert header["profile_hash"] == profile.profile_hash
    assert header["profile"]["width_m"] == 0.5
    assert header["eye_height_m"] == 1.5


def test_trajectories_are_checked_and_read_only():
    samples = trajectory(2, times_ns=[0, 5])
    assert samples.wall_times_ns.tolist() == [UNKNOWN_NS] * 2
    assert samples == trajectory(2, times_ns=[0, 5])
    assert samples != trajectory(2, times_ns=[0, 6])
    assert samples != "a trajectory"
    assert hash(samples) == hash(trajectory(2, times_ns=[0, 5]))
    with pytest.raises(ValueError, match="read-only"):
        samples.times_ns[0] = 1
    with pytest.raises(InputError, match="no column 'speed'"):
        trajectory(2, speed=[0, 0])
    with pytest.raises(InputError, match=r"times_ns: has the shape \(1,\), not \(2,\)"):
        trajectory(2, times_ns=[0])
    with pytest.raises(InputError, match="actions: there are 1, not 2"):
        trajectory(2, actions=["a"])


def test_an_episode_of_viewpoints_is_placed_on_the_floor_of_its_graph():
    cameras = np.array([[0.0, 0.0, 1.5], [2.0, 0.0, 1.7]])
    edges = ~np.eye(2, dtype=bool)
    graph = build_viewpoint_graph("s1", ("a", "b"), cameras, edges, heights_m=np.array([1.5, 1.6]))
    episode = replace(
        EPISODE,
        start_position_m=None,
        start_viewpoint_id="a",
        reference=route(("a", "b")),
        goals=(Goal("b", radius_m=3.0), Goal("z")),
    )
    placed = placed_on(graph, episode)
    assert placed.start_position_m == (0.0, 0.0, 0.0)
    assert placed.reference.positions_m == pytest.approx(np.array([[0, 0, 0], [2, 0, 0.1]]))
    assert placed.goals[0].position_m == pytest.approx((2.0, 0.0, 0.1))
    assert placed.goals[1].position_m is None
    assert placed_on(graph, placed) is placed
    unknown = replace(episode, start_viewpoint_id="z")
    assert placed_on(graph, unknown) is unknown
    strange = replace(episode, reference=route(("a", "z")))
    assert placed_on(graph, strange).reference.positions_m is None
    bare = build_viewpoint_graph("s1", ("a", "b"), cameras, edges)
    with pytest.raises(InputError, match="the height of the camera above the viewpoint 'a'"):
        placed_on(bare, episode)
