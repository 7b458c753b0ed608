from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures.recorded_takes import STEP_NS, walk

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode, Instruction
from waypost.domain.episode.route import route
from waypost.domain.record.recording import MarkKind, Recording, RowMark, TakeEvent
from waypost.domain.record.take_track import TakeMoment, take_track
from waypost.domain.record.trajectory import trajectory

STRAIGHT = [(0.0, 0.0), (1.0, 0.0)]
"""21 samples."""


def episode(points: list[tuple[float, float, float]]) -> Episode:
    return Episode(
        dataset="",
        split="",
        episode_id="1",
        scene_id="s",
        instruction=Instruction("go"),
        reference=route(positions_m=points),
    )


def test_samples_are_in_order_with_their_times() -> None:
    track = take_track(walk(STRAIGHT))
    assert len(track) == 21
    assert track.times_s[-1] == pytest.approx(1.0)
    assert track.positions_m[-1].tolist() == [1.0, 0.0, 0.0]
    assert track.gaps == track.collisions == track.pauses == track.stalls == ()
    assert math.isnan(track.wall_lags_ms[0])
    assert track.wall_lags_ms[1:].tolist() == [0.0] * 20
    assert track.off_reference is None
    with pytest.raises(ValueError, match="read-only"):
        track.times_s[0] = 1.0


def test_marked_samples_leave_a_gap_that_no_line_crosses() -> None:
    recording = walk(STRAIGHT)
    marks = (RowMark(5, MarkKind.NOT_FINITE, "line 7"), RowMark(6, MarkKind.NOT_FINITE, "line 8"))
    track = take_track(Recording(recording.trajectory, recording.header, marks=marks))
    assert len(track) == 19
    assert track.gaps == (4,)
    times, values = track.with_gaps(np.arange(19.0))
    assert len(times) == 20
    # Samples 4 and 7 of the file are at 0.20 and 0.35 s.
    assert times[4:7].tolist() == pytest.approx([0.20, 0.275, 0.35])
    assert np.isnan(values[5])
    assert values[[4, 6]].tolist() == [4.0, 5.0]


def test_missing_samples_are_a_gap_too() -> None:
    times = np.concatenate([np.arange(10), np.arange(14, 25)]) * STEP_NS
    track = take_track(walk(STRAIGHT, times_ns=times, wall_times_ns=times))
    assert track.gaps == (9,)


def test_a_lasting_contact_is_one_collision() -> None:
    counts = np.zeros(21, int)
    counts[[3, 4, 5, 10]] = [1, 2, 1, 1]
    pushed = np.concatenate([np.zeros(3), [0.01, 0.03, 0.06], np.full(15, 0.06)])
    track = take_track(walk(STRAIGHT, contact_counts=counts, displacements_m=pushed))
    assert track.collisions == (
        TakeMoment(3, "touched 2 objects, pushed aside 0.060 m"),
        TakeMoment(10, "touched 1 object, pushed aside 0.000 m"),
    )


def test_pauses_are_where_the_wall_clock_went_on_alone() -> None:
    walls = np.arange(21) * STEP_NS
    walls[11:] += 3_000_000_000
    events = (
        TakeEvent("pause", 500_000_000, 500_000_000),
        TakeEvent("resume", 500_000_000, 3_500_000_000),
    )
    track = take_track(walk(STRAIGHT, wall_times_ns=walls, events=events))
    assert track.pauses == (TakeMoment(10, "paused 3.0 s"),)
    assert np.nanmax(track.wall_lags_ms) == 0.0
    assert track.stalls == ()


def test_a_machine_that_slept_is_told_of() -> None:
    walls = np.arange(21) * STEP_NS
    walls[8:] += 2_000_000_000
    track = take_track(walk(STRAIGHT, wall_times_ns=walls))
    assert track.stalls == (TakeMoment(8, "the wall clock ran 2.00 s ahead"),)
    assert track.wall_lags_ms[8] == 2000.0


def test_time_without_the_keyboard_and_giving_up() -> None:
    focus = np.ones(21, int)
    focus[[2, 3, 4, 20]] = 0
    events = (TakeEvent("lost", 700_000_000, 700_000_000, "I am lost"),)
    track = take_track(walk(STRAIGHT, has_focus=focus, events=events))
    assert track.unfocused == ((2, 4), (20, 20))
    assert track.losses == (TakeMoment(14, "I am lost"),)


def test_off_the_reference_is_over_a_metre_away() -> None:
    recording = walk([(0.0, 0.0), (0.0, 2.0), (0.0, 0.0)])
    track = take_track(recording, episode([(0.0, 0.0, 5.0), (3.0, 0.0, 5.0)]))
    # 0.05 m per sample: 1.00 m at sample 20 is still on, back on at sample 60.
    assert track.off_reference == ((21, 59),)
    assert take_track(recording, episode([(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)])).off_reference == ()


def test_an_unknown_heading_is_the_last_known_one() -> None:
    yaws = np.full(21, 0.5)
    yaws[[0, 7, 8]] = np.nan
    yaws[6] = 0.25
    track = take_track(walk(STRAIGHT, yaws_rad=yaws))
    assert track.yaws_rad[[0, 1, 6, 7, 8, 9]].tolist() == [0.0, 0.5, 0.25, 0.25, 0.25, 0.5]


def test_what_was_not_counted_is_unknown() -> None:
    track = take_track(walk(STRAIGHT, contact_counts=np.full(21, -1)))
    assert np.isnan(track.contacts).all()
    assert track.collisions == ()


def test_a_take_without_samples_or_times_is_refused() -> None:
    with pytest.raises(InputError, match="no sample"):
        take_track(Recording(trajectory(0)))
    with pytest.raises(InputError, match="no times"):
        take_track(Recording(trajectory(2, positions_m=[(0, 0, 0), (1, 0, 0)])))
