from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures.recorded_takes import STEP_NS, walk

from waypost.domain.record.recording import MarkKind, Recording, RowMark, TakeEvent
from waypost.domain.record.take_summary import summarise
from waypost.domain.record.trajectory import UNKNOWN_NS, trajectory

S = 1_000_000_000


def test_a_walk_is_summed_up():
    summary = summarise(walk([(0, 0), (2, 0), (2, 1)]))
    assert (summary.rows, summary.duration_ns) == (61, 3 * S)
    assert (summary.wall_duration_ns, summary.pause_ns) == (3 * S, 0)
    assert summary.path_length_m == pytest.approx(3.0, abs=1e-12)
    assert summary.turned_rad == pytest.approx(math.pi / 2)
    assert summary.achieved_rate_hz == 20.0
    assert (summary.active_ns, summary.focus_lost_ns) == (3 * S, 0)
    assert (summary.is_complete, summary.has_stopped) == (True, True)


def test_turning_across_south_is_the_short_way():
    yaws = [math.pi - 0.1, -math.pi + 0.1, math.pi - 0.1]
    assert summarise(walk([(0, 0), (0.1, 0)], yaws_rad=yaws)).turned_rad == pytest.approx(0.4)


def test_contacts_count_once_and_hard_ones_apart():
    contacts = [0, 1, 2, 0, 0, 1, 1, 0, 0, 1, 1]
    pushed = [0, 0.05, 0.09, 0.09, 0.09, 0.09, 0.2, 0.2, 0.2, 0.25, 0.3]
    summary = summarise(walk([(0, 0), (0.5, 0)], contact_counts=contacts, displacements_m=pushed))
    assert (summary.collision_count, summary.strict_collision_count) == (3, 2)


def test_pauses_are_taken_off_the_wall_clock():
    walls = np.arange(41) * STEP_NS
    walls[21:] += 5 * S
    events = (
        TakeEvent("pause", 20 * STEP_NS, 20 * STEP_NS),
        TakeEvent("resume", 20 * STEP_NS, 20 * STEP_NS + 5 * S),
    )
    summary = summarise(walk([(0, 0), (2, 0)], wall_times_ns=walls, events=events))
    assert (summary.duration_ns, summary.wall_duration_ns) == (2 * S, 2 * S)
    assert summary.pause_ns == 5 * S
    assert summary.achieved_rate_hz == 20.0
    assert summary.active_ns == 2 * S


def test_a_slow_machine_shows_in_the_rate():
    walls = np.arange(41) * STEP_NS * 2
    summary = summarise(walk([(0, 0), (2, 0)], wall_times_ns=walls))
    assert (summary.duration_ns, summary.wall_duration_ns) == (2 * S, 4 * S)
    assert summary.achieved_rate_hz == 10.0


def test_lost_focus_counts_the_time_before_its_samples():
    focus = [1] * 10 + [0] * 4 + [1] * 27
    summary = summarise(walk([(0, 0), (2, 0)], has_focus=focus))
    assert summary.focus_lost_ns == 4 * STEP_NS
    assert summary.focus_lost_share == pytest.approx(0.1)
    assert summary.active_ns == 36 * STEP_NS


def test_idling_is_active_for_a_minute_only():
    walls = np.array([0, 50, 90, 100]) * S
    summary = summarise(
        walk(
            [(0, 0), (0.15, 0)],
            times_ns=np.array([0, 50, 90, 100]) * S,
            wall_times_ns=walls,
            actions=["idle", "", "forward", "idle"],
        )
    )
    assert summary.active_ns == 70 * S


def test_giving_up_is_complete_without_a_stop():
    lost = (TakeEvent("lost", S, S, "the stairs are missing"),)
    summary = summarise(walk([(0, 0), (1, 0)], events=lost))
    assert (summary.is_complete, summary.has_stopped) == (True, False)
    assert summary.end_reason == "the stairs are missing"


def test_the_time_limit_ends_a_take_as_complete_without_a_stop():
    up = (TakeEvent("time_up", S, S, "the 90 s were over"),)
    summary = summarise(walk([(0, 0), (1, 0)], events=up))
    assert (summary.is_complete, summary.has_stopped, summary.has_timed_out) == (True, False, True)
    assert summary.end_reason == "the 90 s were over"


def test_a_take_that_was_cut_off_is_incomplete():
    summary = summarise(walk([(0, 0), (1, 0)], is_complete=False, reason="killed"))
    assert (summary.is_complete, summary.has_stopped) == (False, False)
    assert summary.end_reason == "killed"


def test_marked_rows_take_no_part():
    recording = walk([(0, 0), (1, 0)], is_complete=True)
    positions = recording.trajectory.positions_m.copy()
    positions[5] = np.nan
    marked = walk([(0, 0), (1, 0)], positions_m=positions)
    marks = (RowMark(5, MarkKind.NOT_FINITE, "line 7: x_m is not a number"),)
    marked = Recording(marked.trajectory, marked.header, (), True, "stop", marks)
    assert summarise(marked).path_length_m == pytest.approx(1.0)


def test_nothing_recorded_is_nothing_done():
    summary = summarise(Recording(trajectory(0)))
    assert (summary.rows, summary.duration_ns, summary.active_ns) == (0, 0, 0)
    assert (summary.collision_count, summary.path_length_m) == (0, 0.0)
    assert not summary.is_complete


def test_without_wall_time_simulated_time_stands_in():
    walls = np.full(21, UNKNOWN_NS)
    summary = summarise(walk([(0, 0), (1, 0)], wall_times_ns=walls))
    assert summary.wall_duration_ns == S
