"""A take as it is looked at again: its usable samples, and what happened between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from waypost.domain.base.errors import InputError
from waypost.domain.episode.episode import Episode
from waypost.domain.record.recording import (
    LOST,
    SAMPLE_INTERVAL_NS,
    Recording,
    pauses_ns,
    usable_rows,
    wall_lags_ns,
)
from waypost.domain.record.trajectory import UNKNOWN_COUNT, UNKNOWN_NS
from waypost.domain.replay.reference import follow_line
from waypost.domain.replay.rules import DEFAULT_RULES, ReplayRules

STALL_NS: Final = 500_000_000
"""A sample that took this much longer than its simulated time is told of as a stall."""


@dataclass(frozen=True, slots=True)
class TakeMoment:
    """Something that happened at a sample, or between it and the next one."""

    index: int
    """Of the usable sample."""

    text: str = ""
    """More about it; may be empty."""


@dataclass(frozen=True, eq=False, slots=True)
class TakeTrack:
    """The samples of a take that carry no mark; build it with ``take_track``. Read-only arrays."""

    times_s: NDArray[np.float64]
    """(N,) simulated time since the start, ascending; N ≥ 1."""

    positions_m: NDArray[np.float64]
    """(N, 3) floor points, scene frame."""

    yaws_rad: NDArray[np.float64]
    """(N,) the last known one where unknown, 0 before the first known."""

    pitches_rad: NDArray[np.float64]
    """(N,) gaze above the horizon; NaN where unknown."""

    speeds_mps: NDArray[np.float64]
    """(N,) NaN where unknown, like all that follow."""

    turn_rates_radps: NDArray[np.float64]
    contacts: NDArray[np.float64]
    displacements_m: NDArray[np.float64]
    wall_lags_ms: NDArray[np.float64]
    """(N,) how much longer each sample took on the wall clock than in simulated time, pauses
    taken off; NaN for the first."""

    actions: tuple[str, ...]
    gaps: tuple[int, ...] = ()
    """Samples after which others are missing or not to be trusted."""

    collisions: tuple[TakeMoment, ...] = ()
    """First sample of each contact, a lasting one counted once."""

    pauses: tuple[TakeMoment, ...] = ()
    stalls: tuple[TakeMoment, ...] = ()
    """Samples that came ``STALL_NS`` late or later: a slow machine, or one that slept."""

    losses: tuple[TakeMoment, ...] = ()
    """Where the driver gave up."""

    unfocused: tuple[tuple[int, int], ...] = ()
    """First and last sample of each time without the keyboard."""

    off_reference: tuple[tuple[int, int], ...] | None = None
    """First and last sample of each excursion; ``None`` without a reference."""

    def __len__(self) -> int:
        return len(self.times_s)

    def with_gaps(
        self, values: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times and values with an undefined point in every gap, so that no line crosses it.

        Args:
            values: (N,) one per sample.
        """
        after = np.asarray(self.gaps, dtype=np.intp)
        if not len(after):
            return self.times_s, values
        middles = (self.times_s[after] + self.times_s[after + 1]) / 2
        return np.insert(self.times_s, after + 1, middles), np.insert(values, after + 1, np.nan)


def take_track(
    recording: Recording, episode: Episode | None = None, rules: ReplayRules = DEFAULT_RULES
) -> TakeTrack:
    """Prepare a take for looking at it.

    Args:
        recording: As read.
        episode: Gives the reference; ``None`` if it is not at hand.
        rules: How far off the reference is off.

    Raises:
        InputError: If it has no usable sample, or tells no times.
    """
    rows, samples = usable_rows(recording), recording.trajectory
    if not len(rows):
        raise InputError("the recording has no sample that can be used")
    times_ns = samples.times_ns[rows]
    if (times_ns == UNKNOWN_NS).any():
        raise InputError("the recording tells no times, so it cannot be played")
    contacts = samples.contact_counts[rows]
    lags_ns = wall_lags_ns(recording)
    positions = samples.positions_m[rows]
    return TakeTrack(
        times_s=_kept((times_ns - times_ns[0]) / 1e9),
        positions_m=_kept(positions),
        yaws_rad=_kept(_held(samples.yaws_rad[rows])),
        pitches_rad=_kept(samples.camera_pitches_rad[rows]),
        speeds_mps=_kept(samples.speeds_mps[rows]),
        turn_rates_radps=_kept(samples.turn_rates_radps[rows]),
        contacts=_kept(np.where(contacts == UNKNOWN_COUNT, np.nan, contacts)),
        displacements_m=_kept(samples.displacements_m[rows]),
        wall_lags_ms=_kept(_lags_ms(lags_ns, len(rows))),
        actions=tuple(samples.actions[row] for row in rows),
        gaps=_gaps(rows, times_ns),
        collisions=_collisions(contacts, samples.displacements_m[rows]),
        pauses=_pauses(recording, rows),
        stalls=_stalls(lags_ns),
        losses=tuple(
            TakeMoment(_sample_at(times_ns, event.time_ns), event.detail)
            for event in recording.events
            if event.kind == LOST
        ),
        unfocused=_stretches(samples.has_focus[rows] == 0),
        off_reference=_excursions(positions, episode, rules),
    )


def _kept(values: NDArray[np.float64]) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array


def _held(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each unknown value as the last known one, 0 before the first."""
    places = np.where(np.isnan(values), -1, np.arange(len(values)))
    last = np.maximum.accumulate(places)
    return np.where(last < 0, 0.0, values[np.maximum(last, 0)])


def _lags_ms(lags_ns: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    if len(lags_ns) != count - 1:
        return np.full(count, np.nan)
    return np.concatenate([[np.nan], lags_ns / 1e6])


def _gaps(rows: NDArray[np.intp], times_ns: NDArray[np.int64]) -> tuple[int, ...]:
    is_missing = np.diff(times_ns) > 1.5 * SAMPLE_INTERVAL_NS
    is_left_out = np.diff(rows) > 1
    return tuple(np.flatnonzero(is_missing | is_left_out).tolist())


def _collisions(
    contacts: NDArray[np.int64], displacements_m: NDArray[np.float64]
) -> tuple[TakeMoment, ...]:
    moments = []
    for first, last in _stretches(contacts > 0):
        pushed_m = float(displacements_m[last] - displacements_m[max(first - 1, 0)])
        most = int(contacts[first : last + 1].max())
        text = f"touched {most} object{'' if most == 1 else 's'}"
        if np.isfinite(pushed_m):
            text += f", pushed aside {pushed_m:.3f} m"
        moments.append(TakeMoment(first, text))
    return tuple(moments)


def _stalls(lags_ns: NDArray[np.int64]) -> tuple[TakeMoment, ...]:
    return tuple(
        TakeMoment(at + 1, f"the wall clock ran {int(lags_ns[at]) / 1e9:.2f} s ahead")
        for at in np.flatnonzero(lags_ns >= STALL_NS).tolist()
    )


def _pauses(recording: Recording, rows: NDArray[np.intp]) -> tuple[TakeMoment, ...]:
    walls = recording.trajectory.wall_times_ns[rows]
    if (walls == UNKNOWN_NS).any():
        return ()
    return tuple(
        TakeMoment(_sample_at(walls, begin), f"paused {(end - begin) / 1e9:.1f} s")
        for begin, end in pauses_ns(recording)
    )


def _sample_at(times_ns: NDArray[np.int64], time_ns: int) -> int:
    """The last sample that is not later."""
    return max(int(np.searchsorted(times_ns, time_ns, side="right")) - 1, 0)


def _excursions(
    positions_m: NDArray[np.float64], episode: Episode | None, rules: ReplayRules
) -> tuple[tuple[int, int], ...] | None:
    reference = episode.reference.positions_m if episode is not None else None
    if reference is None or not len(reference):
        return None
    heights = np.array([0.0, 0.0, 1.0])
    flags = follow_line(
        positions_m - heights * positions_m[0],
        reference - heights * reference[0],
        rules.off_reference_m,
        rules.storey_m,
    )
    return _stretches(~flags)


def _stretches(flags: NDArray[np.bool_]) -> tuple[tuple[int, int], ...]:
    """First and last index of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return tuple(
        (first, end - 1)
        for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    )
