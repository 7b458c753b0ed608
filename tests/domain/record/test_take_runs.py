from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures.recorded_takes import walk

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.record.recording import Recording, TakeEvent, as_run
from waypost.domain.record.take_runs import run_in_space, run_on_graph
from waypost.domain.record.trajectory import trajectory
from waypost.domain.scene.viewpoint_graph import build_viewpoint_graph


def test_standing_still_adds_no_state():
    positions = [(0, 0, 0), (0, 0, 0), (0.1, 0, 0), (0.1, 0, 0), (0.1, 0, 0)]
    yaws = [0, 0, 0, 0.5, 0.5]
    recording = walk([(0, 0), (0.2, 0)], positions_m=positions, yaws_rad=yaws)
    run = run_in_space(recording)
    assert run.route.positions_m is not None
    assert run.route.positions_m.tolist() == [[0, 0, 0], [0.1, 0, 0], [0.1, 0, 0]]
    assert (run.end.called_stop, run.end.action_count) == (True, 2)


def test_headings_lie_in_one_turn_of_habitat():
    yaws = [-math.pi, -0.1, 0.0, math.pi / 2, 3.0]
    run = run_in_space(walk([(0, 0), (0.2, 0)], yaws_rad=yaws))
    assert run.route.yaws_rad is not None
    headings = run.route.yaws_rad - math.pi / 2
    assert headings == pytest.approx(
        [math.pi / 2, 1.5 * math.pi - 0.1, 1.5 * math.pi, 0.0, 3.0 - math.pi / 2]
    )


def test_no_heading_is_rounded_up_to_a_whole_turn():
    just_below = math.nextafter(math.pi / 2, 0.0)
    run = run_in_space(walk([(0, 0), (0.2, 0)], yaws_rad=[just_below] * 5))
    assert run.route.yaws_rad is not None
    assert set((run.route.yaws_rad - math.pi / 2).tolist()) == {0.0}


@pytest.mark.parametrize("kind", ["lost", "time_up"])
def test_giving_up_and_running_out_of_time_call_no_stop(kind: str):
    events = (TakeEvent(kind, 0, 0, "why"),)
    recording = walk([(0, 0), (1, 0)], events=events)
    assert run_in_space(recording).end.called_stop is False
    assert as_run(recording).end.called_stop is False


def test_a_take_becomes_a_path_on_the_graph_from_the_start_of_its_episode():
    joined = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
    positions = np.array([(0, 0, 1.5), (2, 0, 1.5), (4, 0, 1.5)])
    graph = build_viewpoint_graph("s", ("a", "b", "c"), positions, joined)
    episode = Episode("r2r", "val", "1_0", "s", Instruction("go"), start_viewpoint_id="a")
    recording = walk([(0.2, 0), (4, 0)])
    run, path = run_on_graph(recording, episode, graph)
    assert run.route.viewpoint_ids == ("a", "b", "c")
    assert (run.episode_id, run.end.action_count) == ("1_0", 2)
    assert run.times_s == tuple(as_run(recording).times_s[sample] for sample in path.samples)
    assert path.filled == ()
    assert run.route.yaws_rad is not None
    assert run.route.yaws_rad.tolist() == [0.0, 0.0, 0.0]


def test_a_recording_without_pose_is_refused():
    with pytest.raises(InputError, match="holds no pose"):
        run_in_space(Recording(trajectory(0)))
