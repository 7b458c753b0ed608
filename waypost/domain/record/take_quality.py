"""What a coordinator should look at before a take is believed: flags from its summary values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

IDLE_LIMIT_NS: Final = 60_000_000_000
"""Active time stops so long after the last sign of activity."""


@dataclass(frozen=True, slots=True)
class TakeSummary:
    """What one take comes to; durations are integer nanoseconds."""

    rows: int
    """Samples in the file, the start pose included."""

    duration_ns: int
    """Simulated time from the first sample to the last."""

    wall_duration_ns: int
    """Monotonic wall time from the first sample to the last, pauses taken off."""

    pause_ns: int
    """Wall time spent in pauses."""

    path_length_m: float
    """Sum of the distances between samples, in space."""

    turned_rad: float
    """Sum of all turning, either way."""

    collision_count: int
    """Times the agent came into contact, a lasting contact counted once."""

    strict_collision_count: int
    """Times a contact pushed it 0.1 m or more from where it was steered."""

    focus_lost_ns: int
    """Wall time without keyboard focus."""

    active_ns: int
    """See ``active_time_ns``."""

    has_stopped: bool
    """Whether the participant pressed Stop."""

    is_complete: bool
    """Whether the take was ended by the participant, not by a crash or an error."""

    end_reason: str = ""
    """Why it ended without a stop: the participant's words, or what failed."""

    has_timed_out: bool = False
    """Whether it ended at the time limit."""

    @property
    def achieved_rate_hz(self) -> float | None:
        """Samples per second of wall time; ``None`` if no wall time went by."""
        if self.wall_duration_ns <= 0 or self.rows < 2:
            return None
        return (self.rows - 1) / (self.wall_duration_ns / 1e9)

    @property
    def focus_lost_share(self) -> float:
        """Part of the wall time without keyboard focus, 0 to 1."""
        return self.focus_lost_ns / self.wall_duration_ns if self.wall_duration_ns > 0 else 0.0


class FlagKind(StrEnum):
    """What is odd about a take."""

    INCOMPLETE = "incomplete"
    LOW_RATE = "low_rate"
    NO_MOVEMENT = "no_movement"
    EARLY_STOP = "early_stop"
    COLLISIONS = "collisions"
    FOCUS_LOST = "focus_lost"


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """From where on something is odd."""

    least_rate_hz: float = 18.0
    """Of 20; below it the participant saw less than real time."""

    least_path_m: float = 0.1
    """A path below it is no movement; turning alone is none either."""

    early_stop_ns: int = 2_000_000_000
    """A stop up to this simulated time is early."""

    most_strict_collisions: int = 0
    most_focus_lost_share: float = 0.1


DEFAULT_LIMITS: Final = QualityLimits()


@dataclass(frozen=True, slots=True)
class QualityFlag:
    """One thing for the coordinator to look at; nothing is excluded by it."""

    kind: FlagKind
    value: float | None
    """What was measured, in the unit of its limit; ``None`` where there is no number."""

    message: str
    """One sentence."""


def quality_flags(
    summary: TakeSummary, limits: QualityLimits = DEFAULT_LIMITS
) -> tuple[QualityFlag, ...]:
    """Everything odd about a take, in the order of ``FlagKind``."""
    flags = []
    if not summary.is_complete:
        reason = summary.end_reason or "no reason is known"
        flags.append(QualityFlag(FlagKind.INCOMPLETE, None, f"the take is incomplete: {reason}"))
    rate = summary.achieved_rate_hz
    if rate is None:
        flags.append(QualityFlag(FlagKind.LOW_RATE, None, "the rate is undefined: no time went by"))
    elif rate < limits.least_rate_hz:
        text = f"achieved {rate:.1f} Hz, at least {limits.least_rate_hz:g} are expected"
        flags.append(QualityFlag(FlagKind.LOW_RATE, rate, text))
    if summary.path_length_m < limits.least_path_m:
        text = f"moved {summary.path_length_m:.2f} m, which is no movement"
        flags.append(QualityFlag(FlagKind.NO_MOVEMENT, summary.path_length_m, text))
    if summary.has_stopped and summary.duration_ns <= limits.early_stop_ns:
        seconds = summary.duration_ns / 1e9
        text = f"stopped after {seconds:.2f} s"
        flags.append(QualityFlag(FlagKind.EARLY_STOP, seconds, text))
    if summary.strict_collision_count > limits.most_strict_collisions:
        count = summary.strict_collision_count
        times = "once" if count == 1 else f"{count} times"
        text = f"obstacles pushed the agent aside {times}"
        flags.append(QualityFlag(FlagKind.COLLISIONS, float(count), text))
    if summary.focus_lost_share > limits.most_focus_lost_share:
        share = summary.focus_lost_share
        text = f"the window was without the keyboard for {share:.0%} of the time"
        flags.append(QualityFlag(FlagKind.FOCUS_LOST, share, text))
    return tuple(flags)


def active_time_ns(
    times_ns: NDArray[np.int64],
    is_activity: NDArray[np.bool_],
    has_focus: NDArray[np.bool_],
    idle_limit_ns: int = IDLE_LIMIT_NS,
) -> int:
    """Time that somebody worked: it stops ``idle_limit_ns`` after the last activity.

    Args:
        times_ns: (N,) wall time of each observation, never decreasing.
        is_activity: (N,) whether a key, button or mouse was used then; the first observation
            (the item is seen) always counts as activity.
        has_focus: (N,) whether the window had the keyboard from then on.
        idle_limit_ns: How long the clock goes on without activity.

    Returns:
        Sum over all intervals that begin with focus of the part that lies within
        ``idle_limit_ns`` of the last activity.
    """
    if len(times_ns) < 2:
        return 0
    signs = np.array(is_activity, dtype=bool)
    signs[0] = True
    last_sign = np.maximum.accumulate(np.where(signs, times_ns, times_ns[0]))[:-1]
    lengths = np.diff(times_ns)
    counted = np.clip(last_sign + idle_limit_ns - times_ns[:-1], 0, lengths)
    return int(counted[np.asarray(has_focus, dtype=bool)[:-1]].sum())
