"""How values with their intervals are laid out: a row each, a point on a line, on shared scales."""

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
)

_POINT_PX: Final = 9.0
_LINE_PX: Final = 3.0
_RAIL_PX: Final = 1.0
_PADDING_PX: Final = 4.0
_GAP_PX: Final = 10.0
_BETWEEN_PX: Final = 10.0
_LEAST_SPAN_PX: Final = 80.0
_INTERVAL_STRENGTH: Final = 0.6
_TICK_STRENGTH: Final = 0.5

_MOST_LABEL: Final = 0.36
"""Of the width, that labels take at most; longer ones wrap."""


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """A value with its interval."""

    label: str
    value: float | None
    """``None`` where it is undefined: no point is drawn, and the words say why."""

    interval: tuple[float, float] | None
    words: str
    """Beside the line: the value, or why there is none."""

    target: ChartTarget


@dataclass(frozen=True, slots=True)
class IntervalScale:
    """Rows that share a scale."""

    title: str
    least: float
    most: float
    """Above ``least``."""

    ticks: tuple[float, ...]
    """That are written under the rows."""

    rows: tuple[IntervalRow, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where labels, lines and words stand, in pixels from the left."""

    label_px: float
    span_px: float
    words_px: float

    @property
    def line_left(self) -> float:
        return self.label_px + _GAP_PX

    @property
    def words_left(self) -> float:
        return self.line_left + self.span_px + _GAP_PX

    @property
    def whole(self) -> float:
        return self.words_left + self.words_px


def interval_picture(
    scales: Sequence[IntervalScale], width_px: float, measure: Measure
) -> ChartPicture:
    """Lay scales out below each other, their lines in one column.

    Args:
        scales: From the top; all values and intervals lie on them, what does not is cut off.
        width_px: Room; a chart narrower than its words takes more.
        measure: Size of text.
    """
    columns = _columns([row for scale in scales for row in scale.rows], width_px, measure)
    boxes: list[Box] = []
    words: list[Words] = []
    targets: list[ChartTarget] = []
    y = 0.0
    for scale in scales:
        _, high = measure(scale.title, columns.whole)
        words.append(Words(scale.title, (0.0, y, columns.whole, high)))
        y += high + _PADDING_PX
        top = y
        for row in scale.rows:
            height = _row_height(row, columns, measure)
            boxes.append(Box((0.0, y, columns.whole, height), None, len(targets)))
            boxes += _shapes(row, scale, columns, y + height / 2, len(targets))
            targets.append(row.target)
            words += _row_words(row, columns, y, height, measure)
            y += height
        y = _add_ticks(scale, columns, (top, y), boxes, words, measure) + _BETWEEN_PX
    return ChartPicture(
        columns.whole, max(y - _BETWEEN_PX, 0.0), tuple(targets), tuple(boxes), (), tuple(words)
    )


def _columns(rows: Sequence[IntervalRow], width_px: float, measure: Measure) -> _Columns:
    labels = max((measure(row.label, WIDEST_PX)[0] for row in rows), default=0.0)
    label_px = min(labels, _MOST_LABEL * width_px)
    widest = max((measure(row.words, WIDEST_PX)[0] for row in rows), default=0.0)
    words_px = min(widest, _MOST_LABEL * width_px)
    span = width_px - label_px - words_px - 2 * _GAP_PX
    # Half a point, or half the number of a tick, stands out at either end.
    return _Columns(max(label_px, _POINT_PX), max(span, _LEAST_SPAN_PX), max(words_px, _POINT_PX))


def _row_height(row: IntervalRow, columns: _Columns, measure: Measure) -> float:
    texts = (measure(row.label, columns.label_px)[1], measure(row.words, columns.words_px)[1])
    return max(*texts, _POINT_PX) + 2 * _PADDING_PX


def _place(value: float, scale: IntervalScale, columns: _Columns) -> float:
    share = (value - scale.least) / (scale.most - scale.least)
    return columns.line_left + columns.span_px * min(max(share, 0.0), 1.0)


def _shapes(
    row: IntervalRow, scale: IntervalScale, columns: _Columns, middle: float, target: int
) -> list[Box]:
    rail = (columns.line_left, middle - _RAIL_PX / 2, columns.span_px, _RAIL_PX)
    shapes = [Box(rail, ChartTone.RAIL)]
    if row.value is None:
        return shapes
    if row.interval is not None:
        left, right = (_place(end, scale, columns) for end in row.interval)
        rect = (left, middle - _LINE_PX / 2, max(right - left, 1.0), _LINE_PX)
        shapes.append(Box(rect, ChartTone.PLAIN, target, _INTERVAL_STRENGTH))
    point = _place(row.value, scale, columns) - _POINT_PX / 2
    rect = (point, middle - _POINT_PX / 2, _POINT_PX, _POINT_PX)
    return [*shapes, Box(rect, ChartTone.PLAIN, target)]


def _row_words(
    row: IntervalRow, columns: _Columns, top: float, height: float, measure: Measure
) -> tuple[Words, Words]:
    _, label_high = measure(row.label, max(columns.label_px, 1.0))
    _, words_high = measure(row.words, max(columns.words_px, 1.0))
    label = (0.0, top + (height - label_high) / 2, columns.label_px, label_high)
    beside = (columns.words_left, top + (height - words_high) / 2, columns.words_px, words_high)
    return (
        Words(row.label, label, Align.RIGHT),
        Words(row.words, beside, is_muted=row.value is None),
    )


def _add_ticks(
    scale: IntervalScale,
    columns: _Columns,
    rows: tuple[float, float],
    boxes: list[Box],
    words: list[Words],
    measure: Measure,
) -> float:
    """Add a line through the rows for each tick, and its number below; gives where they end.

    A tick whose number has no room beside the one before it is left out.
    """
    top, bottom = rows
    end, free_from = bottom, 0.0
    for tick in scale.ticks:
        x = _place(tick, scale, columns)
        text = f"{tick:g}".replace("-", "\N{MINUS SIGN}")
        wide, high = measure(text, WIDEST_PX)
        left = min(max(x - wide / 2, 0.0), columns.whole - wide)
        if left < free_from:
            continue
        free_from = left + wide + _PADDING_PX
        rail = (min(x, columns.whole - _RAIL_PX), top, _RAIL_PX, bottom - top)
        boxes.append(Box(rail, ChartTone.RAIL, strength=_TICK_STRENGTH))
        words.append(Words(text, (left, bottom, wide, high), Align.CENTRE, is_muted=True))
        end = max(end, bottom + high)
    return end
