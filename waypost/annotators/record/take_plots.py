"""A take over time: what its timeline shows, and the curves below it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from waypost.domain.record.take_track import TakeTrack
from waypost.viewers.curves.curve import Curve
from waypost.widgets.timeline_content import (
    TimelineContent,
    TimelineKind,
    TimelineMark,
    TimelineSpan,
)


def take_timeline(track: TakeTrack, *, has_stopped: bool) -> TimelineContent:
    """Samples with everything that happened to them.

    Args:
        track: The take.
        has_stopped: Whether its driver ended it by a stop.
    """
    return TimelineContent(
        len(track),
        track.times_s,
        tuple(_spans(track)),
        tuple(sorted(_marks(track, has_stopped=has_stopped), key=lambda mark: mark.index)),
        unit="sample",
    )


def take_curves(track: TakeTrack) -> tuple[Curve, ...]:
    """Speed, turning, touches, how far it was pushed, the wall clock and the gaze."""
    rows = (
        ("speed", "m/s", track.speeds_mps, "accent", "Horizontal speed of the body as it moved."),
        ("turning", "rad/s", track.turn_rates_radps, "agent", "Counter-clockwise is positive."),
        (
            "objects touched", "", track.contacts, "does_not",
            "How many objects were touched since the sample before.",
        ),
        (
            "pushed aside", "m", track.displacements_m, "disagreement",
            "Motion that obstacles took or forced, summed up from the start.",
        ),
        (
            "wall clock", "ms late", track.wall_lags_ms, "uncertain",
            "How much longer a sample took than its 50 ms of simulated time; pauses taken off.",
        ),
        ("gaze", "°", np.degrees(track.pitches_rad), "travels", "Above the horizon is positive."),
    )  # fmt: skip
    return tuple(
        Curve(title, unit, *track.with_gaps(values), role, text, is_stepped=not unit)
        for title, unit, values, role, text in rows
    )


def _spans(track: TakeTrack) -> Iterator[TimelineSpan]:
    for first, last in track.off_reference or ():
        yield TimelineSpan(first, last, TimelineKind.OFF_REFERENCE)
    for first, last in track.unfocused:
        yield TimelineSpan(first, last, TimelineKind.FOCUS_LOST)
    for first in track.gaps:
        yield TimelineSpan(first, first + 1, TimelineKind.GAP)


def _marks(track: TakeTrack, *, has_stopped: bool) -> Iterator[TimelineMark]:
    for first, _ in (track.off_reference or ())[:1]:
        yield TimelineMark(first, TimelineKind.FIRST_DEVIATION)
    for kind, moments in (
        (TimelineKind.COLLISION, track.collisions),
        (TimelineKind.PAUSE, track.pauses),
        (TimelineKind.LOST, track.losses),
        (TimelineKind.STALL, track.stalls),
    ):
        for moment in moments:
            yield TimelineMark(moment.index, kind, moment.text)
    for first in track.gaps:
        missing_s = track.times_s[first + 1] - track.times_s[first] - 0.05
        text = f"{missing_s:.2f} s of samples missing" if missing_s > 0.01 else ""
        yield TimelineMark(first, TimelineKind.GAP, text)
    for first, _ in track.unfocused:
        yield TimelineMark(first, TimelineKind.FOCUS_LOST)
    if has_stopped:
        yield TimelineMark(len(track) - 1, TimelineKind.STOP)


def pitch_or_level_rad(track: TakeTrack, index: int) -> float:
    """Where the eyes look at a sample; level where it is unknown."""
    pitch = float(track.pitches_rad[index])
    return pitch if math.isfinite(pitch) else 0.0
