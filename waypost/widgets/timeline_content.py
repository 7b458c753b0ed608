"""What a timeline shows, as frozen values, and the sign of each kind of thing on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt


class TimelineKind(StrEnum):
    """What a mark or a span stands for."""

    OFF_REFERENCE = "off_reference"
    FIRST_DEVIATION = "first_deviation"
    REVISIT = "revisit"
    COLLISION = "collision"
    STOP = "stop"
    LOST = "lost"
    PAUSE = "pause"
    FOCUS_LOST = "focus_lost"
    GAP = "gap"
    """Nothing usable is known here."""

    STALL = "stall"
    """The wall clock went on while little was simulated."""


@dataclass(frozen=True, slots=True)
class TimelineSign:
    """How a kind is shown."""

    mark: str
    """One character or two that DejaVu Sans has."""

    word: str
    colour: str
    """Name of a field of ``ThemeTokens``."""

    pattern: Qt.BrushStyle
    """Of spans; every kind has another."""

    rank: int
    """Where flags have no room beside each other, the highest is painted."""


_BRUSH = Qt.BrushStyle
TIMELINE_SIGNS: Final[Mapping[str, TimelineSign]] = MappingProxyType(
    {
        TimelineKind.OFF_REFERENCE: TimelineSign(
            "▨", "off the reference", "does_not", _BRUSH.BDiagPattern, 1
        ),
        TimelineKind.FIRST_DEVIATION: TimelineSign(
            "⚑", "first deviation", "does_not", _BRUSH.FDiagPattern, 9
        ),
        TimelineKind.REVISIT: TimelineSign("↻", "revisit", "disagreement", _BRUSH.VerPattern, 4),
        TimelineKind.COLLISION: TimelineSign("✸", "collision", "agent", _BRUSH.DiagCrossPattern, 6),
        TimelineKind.STOP: TimelineSign("■", "stop", "accent", _BRUSH.SolidPattern, 8),
        TimelineKind.LOST: TimelineSign("?", "lost", "uncertain", _BRUSH.CrossPattern, 7),
        TimelineKind.PAUSE: TimelineSign("❚❚", "pause", "muted", _BRUSH.HorPattern, 5),
        TimelineKind.FOCUS_LOST: TimelineSign(
            "⌨", "without the keyboard", "stale", _BRUSH.Dense5Pattern, 3
        ),
        TimelineKind.STALL: TimelineSign("◷", "slow machine", "uncertain", _BRUSH.Dense3Pattern, 2),
        TimelineKind.GAP: TimelineSign("▢", "nothing known", "undecided", _BRUSH.Dense7Pattern, 10),
    }
)


def sign_of(kind: str) -> TimelineSign:
    """The sign of a kind; one that is not known keeps its own word."""
    unknown = TimelineSign("•", kind.replace("_", " "), "text", _BRUSH.Dense4Pattern, 0)
    return TIMELINE_SIGNS.get(kind, unknown)


@dataclass(frozen=True, slots=True)
class TimelineMark:
    """Something at one step."""

    index: int
    kind: str
    """A ``TimelineKind``, or a word of one's own."""

    text: str = ""
    """One sentence; the word of the kind if empty."""


@dataclass(frozen=True, slots=True)
class TimelineSpan:
    """Something that lasts from one step to another, both included."""

    first: int
    last: int
    kind: str
    """A ``TimelineKind``, or a word of one's own."""


@dataclass(frozen=True, eq=False, slots=True)
class TimelineContent:
    """Steps, and what is to be seen on them."""

    count: int
    """Steps, the first one has index 0."""

    times_s: NDArray[np.float64] | None = None
    """(count,) when each step is; ``None`` or NaN where unknown."""

    spans: tuple[TimelineSpan, ...] = ()
    marks: tuple[TimelineMark, ...] = ()
    unit: str = "step"
    """What one index is, in one word."""

    def time_s(self, index: int) -> float | None:
        """When a step is; ``None`` if unknown."""
        if self.times_s is None or not 0 <= index < len(self.times_s):
            return None
        seconds = float(self.times_s[index])
        return seconds if np.isfinite(seconds) else None

    def position_text(self, index: int) -> str:
        """Where a step is in words, e.g. ``12 of 40 · 0:12.35``; steps are counted from 0."""
        seconds = self.time_s(index)
        text = f"{self.unit} {index:,} of {max(self.count - 1, 0):,}"
        return text if seconds is None else f"{text} · {clock_text(seconds)}"

    def things_at(self, first: int, last: int) -> Iterator[str]:
        """What is between two steps, both included, the most important first."""
        marks = [mark for mark in self.marks if first <= mark.index <= last]
        for mark in sorted(marks, key=lambda mark: -sign_of(mark.kind).rank):
            sign = sign_of(mark.kind)
            yield f"{sign.mark} {mark.text or sign.word}"
        for span in self.spans:
            if span.first <= last and first <= span.last:
                sign = sign_of(span.kind)
                yield f"{sign.mark} {sign.word}"


def clock_text(seconds: float) -> str:
    """Minutes and seconds, e.g. ``1:02.35``; hours too where there are any."""
    hundredths = round(abs(seconds) * 100)
    minutes, rest = divmod(hundredths, 6000)
    sign = "−" if seconds < 0 and hundredths else ""
    if minutes >= 60:
        return f"{sign}{minutes // 60}:{minutes % 60:02d}:{rest / 100:05.2f}"
    return f"{sign}{minutes}:{rest / 100:05.2f}"
