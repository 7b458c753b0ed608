from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from fixtures.recorded_takes import STEP_NS, walk

from waypost.annotators.record.take_plots import pitch_or_level_rad, take_curves, take_timeline
from waypost.domain.record.recording import MarkKind, RowMark, TakeEvent
from waypost.domain.record.take_track import TakeTrack, take_track
from waypost.widgets.timeline_content import TimelineKind, TimelineSpan

STRAIGHT = [(0.0, 0.0), (1.0, 0.0)]
"""21 samples."""


def track_with_gap() -> TakeTrack:
    """Samples 5 and 6 of 21 are not to be trusted, and four are missing after the tenth."""
    times = np.concatenate([np.arange(10), np.arange(14, 25)]) * STEP_NS
    made = walk(STRAIGHT, times_ns=times, wall_times_ns=times)
    marks = tuple(RowMark(row, MarkKind.NOT_FINITE, f"line {row + 2}") for row in (5, 6))
    return take_track(replace(made, marks=marks))


def test_a_gap_is_a_span_and_a_mark_with_its_length() -> None:
    content = take_timeline(track_with_gap(), has_stopped=True)
    assert content.count == 19
    assert content.unit == "sample"
    assert content.spans == (
        TimelineSpan(4, 5, TimelineKind.GAP),
        TimelineSpan(7, 8, TimelineKind.GAP),
    )
    assert [(mark.index, mark.kind, mark.text) for mark in content.marks] == [
        (4, TimelineKind.GAP, "0.10 s of samples missing"),
        (7, TimelineKind.GAP, "0.20 s of samples missing"),
        (18, TimelineKind.STOP, ""),
    ]


def test_what_happened_is_marked_where_it_happened() -> None:
    focus, walls = np.ones(21, int), np.arange(21) * STEP_NS
    focus[3:5] = 0
    walls[8:] += 1_500_000_000
    events = (TakeEvent("lost", 700_000_000, 700_000_000, "I am lost"),)
    made = walk(STRAIGHT, has_focus=focus, wall_times_ns=walls, events=events)
    content = take_timeline(take_track(made), has_stopped=False)
    assert content.spans == (TimelineSpan(3, 4, TimelineKind.FOCUS_LOST),)
    assert [(mark.index, mark.kind, mark.text) for mark in content.marks] == [
        (3, TimelineKind.FOCUS_LOST, ""),
        (8, TimelineKind.STALL, "the wall clock ran 1.50 s ahead"),
        (14, TimelineKind.LOST, "I am lost"),
    ]


def test_curves_have_units_definitions_and_holes() -> None:
    curves = {curve.title: curve for curve in take_curves(track_with_gap())}
    assert {title: curve.unit for title, curve in curves.items()} == {
        "speed": "m/s", "turning": "rad/s", "objects touched": "", "pushed aside": "m",
        "wall clock": "ms late", "gaze": "°",
    }  # fmt: skip
    assert all(curve.definition for curve in curves.values())
    speed = curves["speed"]
    # 19 samples and two holes.
    assert len(speed.x) == 21
    assert np.flatnonzero(np.isnan(speed.y)).tolist() == [5, 9]
    assert (np.diff(speed.x) > 0).all()
    assert curves["objects touched"].is_stepped
    assert len({curve.panel_key for curve in curves.values()}) == 6


def test_gaze_is_told_in_degrees_and_level_where_unknown() -> None:
    pitches = np.full(21, math.radians(-30.0))
    pitches[4] = np.nan
    track = take_track(walk(STRAIGHT, camera_pitches_rad=pitches))
    gaze = take_curves(track)[-1]
    assert gaze.y[0] == pytest.approx(-30.0)
    assert math.isnan(gaze.y[4])
    assert pitch_or_level_rad(track, 3) == pytest.approx(math.radians(-30.0))
    assert pitch_or_level_rad(track, 4) == 0.0
