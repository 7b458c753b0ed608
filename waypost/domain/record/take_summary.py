"""What a recording comes to, for the list of takes and the flags on it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from waypost.domain.record.recording import (
    TIME_UP,
    Recording,
    duration_ns,
    ending_event,
    pauses_ns,
    usable_rows,
    wall_lags_ns,
)
from waypost.domain.record.take_quality import TakeSummary, active_time_ns
from waypost.domain.record.trajectory import UNKNOWN_NS

STRICT_COLLISION_M = 0.1
"""Displacement within one contact from which on it is a strict collision."""

_IDLE = ("", "idle")


def summarise(recording: Recording) -> TakeSummary:
    """Compute the summary of a recording over the samples that carry no mark.

    A take that the participant gave up (event ``lost``) or that ended at the time limit (event
    ``time_up``) is complete and has not stopped. Where the source tells no wall time, simulated
    time stands in for it.
    """
    samples, rows = recording.trajectory, usable_rows(recording)
    walls = _walls_without_pauses(recording)
    has_focus = samples.has_focus[rows] != 0
    ending = ending_event(recording)
    collisions, strict = _collisions(samples.contact_counts[rows], samples.displacements_m[rows])
    positions = samples.positions_m[rows]
    turns = np.diff(samples.yaws_rad[rows])
    is_active = np.array([samples.actions[row] not in _IDLE for row in rows], dtype=bool)
    return TakeSummary(
        rows=len(samples),
        duration_ns=duration_ns(recording) or 0,
        wall_duration_ns=int(walls[-1]) if len(walls) else 0,
        pause_ns=sum(end - begin for begin, end in pauses_ns(recording)),
        path_length_m=float(np.linalg.norm(np.diff(positions, axis=0), axis=1).sum()),
        turned_rad=float(np.nansum(np.abs((turns + math.pi) % math.tau - math.pi))),
        collision_count=collisions,
        strict_collision_count=strict,
        focus_lost_ns=int(np.diff(walls)[~has_focus[1:]].sum()) if len(walls) > 1 else 0,
        active_ns=active_time_ns(walls, is_active, np.append(has_focus[1:], True)),
        has_stopped=recording.is_complete is True and ending is None,
        is_complete=recording.is_complete is True or ending is not None,
        end_reason=recording.reason if ending is None else ending.detail,
        has_timed_out=ending is not None and ending.kind == TIME_UP,
    )


def _walls_without_pauses(recording: Recording) -> NDArray[np.int64]:
    """(N,) wall time of each usable sample since the first, pauses taken off."""
    times = recording.trajectory.times_ns[usable_rows(recording)]
    if not len(times) or (times == UNKNOWN_NS).any():
        return np.zeros(len(times), np.int64)
    steps, lags = np.diff(times), wall_lags_ns(recording)
    passed = steps + lags if len(lags) == len(steps) else steps
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.maximum(passed, 0))])


def _collisions(
    contacts: NDArray[np.int64], displacements_m: NDArray[np.float64]
) -> tuple[int, int]:
    """How many contacts, and how many of them pushed the agent far; lasting ones count once."""
    touches = contacts > 0
    begins = np.flatnonzero(touches & ~np.concatenate([[False], touches[:-1]]))
    ends = np.flatnonzero(touches & ~np.concatenate([touches[1:], [False]]))
    pushed = displacements_m[ends] - displacements_m[np.maximum(begins - 1, 0)]
    return len(begins), int((pushed >= STRICT_COLLISION_M - 1e-9).sum())
