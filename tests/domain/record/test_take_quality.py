from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fixtures.study_examples import GOOD
from hypothesis import given
from hypothesis import strategies as st

from waypost.domain.record.take_quality import (
    FlagKind,
    QualityLimits,
    active_time_ns,
    quality_flags,
)

S = 1_000_000_000


def kinds(**changes: object) -> list[FlagKind]:
    return [flag.kind for flag in quality_flags(replace(GOOD, **changes))]  # type: ignore[arg-type]


def active_s(times_s: list[float], activity: list[int], focus: list[int]) -> float:
    times = np.array([round(t * S) for t in times_s], np.int64)
    return active_time_ns(times, np.array(activity, bool), np.array(focus, bool)) / S


def test_a_good_take_has_no_flag():
    assert GOOD.achieved_rate_hz == 20.0
    assert kinds() == []


@pytest.mark.parametrize(
    ("changes", "kind", "value", "message"),
    [
        (
            {"is_complete": False, "has_stopped": False, "end_reason": "the worker stopped"},
            FlagKind.INCOMPLETE,
            None,
            "the take is incomplete: the worker stopped",
        ),
        (
            {"rows": 143, "wall_duration_ns": 10 * S},
            FlagKind.LOW_RATE,
            14.2,
            "achieved 14.2 Hz, at least 18 are expected",
        ),
        (
            {"wall_duration_ns": 0},
            FlagKind.LOW_RATE,
            None,
            "the rate is undefined: no time went by",
        ),
        (
            {"path_length_m": 0.04},
            FlagKind.NO_MOVEMENT,
            0.04,
            "moved 0.04 m, which is no movement",
        ),
        (
            {"rows": 41, "duration_ns": 2 * S, "wall_duration_ns": 2 * S},
            FlagKind.EARLY_STOP,
            2.0,
            "stopped after 2.00 s",
        ),
        (
            {"strict_collision_count": 1},
            FlagKind.COLLISIONS,
            1.0,
            "obstacles pushed the agent aside once",
        ),
        (
            {"focus_lost_ns": 15 * S},
            FlagKind.FOCUS_LOST,
            0.25,
            "the window was without the keyboard for 25% of the time",
        ),
    ],
)
def test_each_flag_says_what_was_measured(changes, kind, value, message):
    (flag,) = quality_flags(replace(GOOD, **changes))
    assert (flag.kind, flag.value, flag.message) == (kind, value, message)


def test_limits_are_adjustable_and_their_own_value_passes():
    assert kinds(rows=1081) == []
    assert kinds(path_length_m=0.1) == []
    assert kinds(focus_lost_ns=6 * S) == []
    assert kinds(rows=42, duration_ns=2 * S + 50_000_000, wall_duration_ns=2 * S) == []
    strict = QualityLimits(most_strict_collisions=2)
    assert quality_flags(replace(GOOD, strict_collision_count=2), strict) == ()
    assert len(quality_flags(replace(GOOD, strict_collision_count=3), strict)) == 1


def test_giving_up_early_is_no_early_stop():
    assert kinds(rows=21, duration_ns=S, wall_duration_ns=S, has_stopped=False) == []


def test_active_time_runs_on_for_a_minute_and_stops():
    assert active_s([0, 30, 100], [1, 0, 1], [1, 1, 1]) == 60
    assert active_s([0, 30, 100, 110], [1, 1, 0, 0], [1, 1, 1, 1]) == 90
    assert active_s([0, 59, 118, 177], [1, 1, 1, 1], [1, 1, 1, 1]) == 177


def test_the_first_view_counts_as_activity():
    assert active_s([5, 15], [0, 0], [1, 1]) == 10


def test_time_without_focus_does_not_count():
    assert active_s([0, 10, 20, 30], [1, 1, 1, 1], [1, 0, 1, 1]) == 20


def test_nothing_seen_is_no_active_time():
    assert active_s([], [], []) == 0
    assert active_s([7], [1], [1]) == 0


@given(
    st.lists(st.tuples(st.integers(0, 200), st.booleans(), st.booleans()), min_size=2, max_size=20)
)
def test_active_time_is_within_the_time_that_went_by(observations):
    steps, activity, focus = zip(*observations, strict=True)
    times = np.cumsum(steps)
    counted = active_s([float(t) for t in times], list(activity), list(focus))
    with_focus = sum(s for s, f in zip(steps[1:], focus[:-1], strict=True) if f)
    assert 0 <= counted <= with_focus
    if max(steps[1:]) <= 60 and all(activity):
        assert counted == with_focus
