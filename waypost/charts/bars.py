"""How bar charts are laid out: a row per bar, its label whole, its parts and numbers beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from waypost.charts.picture import (
    WIDEST_PX,
    Align,
    Box,
    ChartPicture,
    ChartTarget,
    ChartTone,
    Measure,
    Words,
    share_text,
)
from waypost.domain.replay.charts import Bar

_BAR_PX: Final = 14.0
_PADDING_PX: Final = 4.0
_GAP_PX: Final = 10.0
_HEADING_PX: Final = 8.0
"""Between a heading and the row above it."""

_LEAST_SPAN_PX: Final = 60.0
_QUIET: Final = 0.45
"""Strength of failures, so that successes are what one reads."""

_MOST_LABEL: Final = 0.4
"""Of the width, that labels take at most; longer ones wrap."""


@dataclass(frozen=True, slots=True)
class BarPart:
    """A piece of a bar."""

    share: float
    """Of the whole rail."""

    tone: ChartTone
    target: ChartTarget | None = None
    """``None`` where it stands for the whole row."""

    strength: float = 1.0
    """From 0, the ground, to 1, the full colour."""


@dataclass(frozen=True, slots=True)
class BarRow:
    """One row of a bar chart."""

    label: str
    target: ChartTarget
    """Of the whole row."""

    parts: tuple[BarPart, ...]
    """From the left; shares add up to at most 1."""

    value: str
    """Beside the bar."""

    note: str
    """At the right edge."""

    heading: str = ""
    """Over this row and those that follow it; empty for none."""


def rows_picture(rows: Sequence[BarRow], width_px: float, measure: Measure) -> ChartPicture:
    """Lay rows out below each other.

    Args:
        rows: From the top.
        width_px: Room; a chart narrower than its numbers takes more.
        measure: Size of text.
    """
    values = max((measure(row.value, WIDEST_PX)[0] for row in rows), default=0.0)
    notes = max((measure(row.note, WIDEST_PX)[0] for row in rows), default=0.0)
    labels = max((measure(row.label, WIDEST_PX)[0] for row in rows), default=0.0)
    label_px = min(labels, _MOST_LABEL * width_px)
    span = max(width_px - label_px - values - notes - 3 * _GAP_PX, _LEAST_SPAN_PX)
    boxes: list[Box] = []
    targets: list[ChartTarget] = []
    words: list[Words] = []
    whole = label_px + values + notes + span + 3 * _GAP_PX
    y = 0.0
    for row in rows:
        if row.heading:
            top = y + (_HEADING_PX if y else 0.0)
            _, high = measure(row.heading, whole)
            words.append(Words(row.heading, (0.0, top, whole, high)))
            y = top + high
        _, high = measure(row.label, label_px)
        height = max(high, _BAR_PX, measure(row.value, WIDEST_PX)[1]) + 2 * _PADDING_PX
        boxes.append(Box((0.0, y, whole, height), None, len(targets)))
        targets.append(row.target)
        left, top = label_px + _GAP_PX, y + (height - _BAR_PX) / 2
        boxes.append(Box((left, top, span, _BAR_PX), ChartTone.RAIL))
        own = len(targets) - 1
        for part in row.parts:
            ids = row.target.episode_ids if part.target is None else part.target.episode_ids
            if not ids and not part.share:
                continue
            wide = max(span * part.share, 1.0)
            target = own if part.target is None else len(targets)
            rect = (left, top, wide, _BAR_PX)
            boxes.append(Box(rect, part.tone, target, part.strength))
            targets += [] if part.target is None else [part.target]
            left += wide
        right = label_px + 2 * _GAP_PX + span
        words += (
            _line(row.label, 0.0, label_px, y, height, Align.RIGHT, measure),
            _line(row.value, right, values, y, height, Align.LEFT, measure),
            _line(row.note, whole - notes, notes, y, height, Align.RIGHT, measure, is_muted=True),
        )
        y += height
    return ChartPicture(whole, y, tuple(targets), tuple(boxes), (), tuple(words))


def _line(
    text: str,
    left: float,
    width: float,
    row_top: float,
    row_height: float,
    align: Align,
    measure: Measure,
    *,
    is_muted: bool = False,
) -> Words:
    _, high = measure(text, max(width, 1.0))
    return Words(text, (left, row_top + (row_height - high) / 2, width, high), align, is_muted)


def count_rows(bars: Sequence[Bar], total: int) -> tuple[BarRow, ...]:
    """How many episodes each bar has, on a scale of the largest."""
    most = max((len(bar.episode_ids) for bar in bars), default=1)
    rows = []
    for bar in bars:
        count = len(bar.episode_ids)
        target = ChartTarget(bar.label, share_text(count, total), bar.episode_ids)
        rows.append(
            BarRow(
                bar.label,
                target,
                (BarPart(count / most, ChartTone.PLAIN),),
                f"{count:,}",
                f"{100 * count / total:.1f} %" if total else "",
            )
        )
    return tuple(rows)


def rate_rows(bars: Sequence[Bar]) -> tuple[BarRow, ...]:
    """Success rate per bar; episodes whose success cannot be told are left out of it and said."""
    return tuple(_rate_row(bar) for bar in bars if bar.episode_ids)


def _rate_row(bar: Bar) -> BarRow:
    successes, unknown = set(bar.success_ids), set(bar.unknown_ids)
    failures = tuple(i for i in bar.episode_ids if i not in successes and i not in unknown)
    known = len(bar.success_ids) + len(failures)
    rate = bar.rate
    told = "—" if rate is None else f"{100 * rate:.1f} %"
    note = f"n = {known:,}" + (f", {len(unknown):,} unknown" if unknown else "")
    return BarRow(
        bar.label,
        ChartTarget(bar.label, f"success {told}, {note}", bar.episode_ids),
        (
            BarPart(
                rate or 0.0,
                ChartTone.SUCCESS,
                ChartTarget(
                    f"{bar.label}: ✓ success",
                    share_text(len(bar.success_ids), known),
                    bar.success_ids,
                ),
            ),
            BarPart(
                0.0 if rate is None else 1.0 - rate,
                ChartTone.FAILURE,
                ChartTarget(f"{bar.label}: ✕ failure", share_text(len(failures), known), failures),
                strength=_QUIET,
            ),
        ),
        told,
        note,
    )


def by_rate(bars: Sequence[Bar]) -> tuple[Bar, ...]:
    """Bars with the lowest rate first, those without any last; equal ones by label."""
    return tuple(
        sorted(
            bars,
            key=lambda bar: (bar.rate is None, 0.0 if bar.rate is None else bar.rate, bar.label),
        )
    )
