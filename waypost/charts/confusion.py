"""How two runs are set against each other: who succeeds where, and what each did instead."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
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
from waypost.domain.replay.charts import Confusion

_GAP_PX: Final = 6.0
_ROW_PX: Final = 30.0
_MOST_CELL_PX: Final = 64.0
_MOST_LABEL: Final = 0.35
_SOFTEST: Final = 0.12
_STRONGEST: Final = 1.0

Cell = tuple[str, str, ChartTone, tuple[str, ...]]
"""Row, column, tone, episodes."""


def confusion_picture(
    confusion: Confusion, names: tuple[str, str], width_px: float, measure: Measure
) -> ChartPicture:
    """Success of both above, behaviours of both below, and what had to be left out.

    Args:
        confusion: The two runs.
        names: Of the first run, in rows, and of the second, in columns.
        width_px: Room.
        measure: Size of text.
    """
    total = sum(len(ids) for ids in confusion.behaviours.values())
    first, second = names
    verdicts: list[Cell] = [
        (f"{first} ✓", f"{second} ✓", ChartTone.SUCCESS, confusion.both),
        (f"{first} ✓", f"{second} ✕", ChartTone.PLAIN, confusion.first_only),
        (f"{first} ✕", f"{second} ✓", ChartTone.PLAIN, confusion.second_only),
        (f"{first} ✕", f"{second} ✕", ChartTone.FAILURE, confusion.neither),
    ]
    above = _matrix(verdicts, total, width_px, measure, 0.0, is_turned=False)
    heading = f"Behaviours: {first} in rows, {second} in columns"
    _, high = measure(heading, width_px)
    y = above.height_px + 3 * _GAP_PX
    title = Words(heading, (0.0, y, width_px, high), is_muted=True)
    behaviours: list[Cell] = [
        (row, column, ChartTone.PLAIN, ids) for (row, column), ids in confusion.behaviours.items()
    ]
    below = _matrix(behaviours, total, width_px, measure, y + high + _GAP_PX, is_turned=True)
    joined = _joined(above, below, (title,) if behaviours else ())
    wide = dataclasses.replace(joined, width_px=max(joined.width_px, width_px))
    return _with_left_out(wide, confusion, width_px, measure)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Where rows and columns are."""

    rows: Mapping[str, tuple[float, float]]
    """Label → top and height."""

    columns: Mapping[str, float]
    """Label → left."""

    label_px: float
    cell_px: float
    """Width."""

    top_px: float
    head_px: float
    """Height of the labels over the columns."""

    bottom_px: float


def _matrix(
    cells: Sequence[Cell],
    total: int,
    width_px: float,
    measure: Measure,
    top: float,
    *,
    is_turned: bool,
) -> ChartPicture:
    """A grid of cells with a label before each row and over each column, largest first."""
    grid = _grid(cells, width_px, measure, top, is_turned=is_turned)
    words = _grid_words(grid, measure, is_turned=is_turned)
    most = max((len(ids) for *_, ids in cells), default=1)
    boxes: list[Box] = []
    targets: list[ChartTarget] = []
    for row, column, tone, ids in sorted(
        cells, key=lambda cell: (grid.rows[cell[0]], grid.columns[cell[1]])
    ):
        left, (cell_top, tall) = grid.columns[column], grid.rows[row]
        strength = _SOFTEST + (_STRONGEST - _SOFTEST) * len(ids) / max(most, 1)
        rect = (left, cell_top, grid.cell_px, tall)
        boxes.append(Box(rect, tone, len(targets), strength if ids else 0.0, carries_text=True))
        targets.append(ChartTarget(f"{row} · {column}", share_text(len(ids), total), ids))
        text = f"{len(ids):,}" if is_turned else _told(len(ids), total)
        _, high = measure(text, grid.cell_px)
        place = (left, cell_top + (tall - high) / 2, grid.cell_px, high)
        words.append(Words(text, place, Align.CENTRE))
    whole = grid.label_px + len(grid.columns) * (grid.cell_px + _GAP_PX)
    return ChartPicture(whole, grid.bottom_px, tuple(targets), tuple(boxes), (), tuple(words))


def _grid(
    cells: Sequence[Cell], width_px: float, measure: Measure, top: float, *, is_turned: bool
) -> _Grid:
    rows, columns = _labels(cells, 0, is_sorted=is_turned), _labels(cells, 1, is_sorted=is_turned)
    widest = max((measure(row, WIDEST_PX)[0] for row in rows), default=0.0)
    label_px = min(widest, _MOST_LABEL * width_px)
    share = (width_px - label_px - _GAP_PX) / max(len(columns), 1) - _GAP_PX
    texts = (f"{len(c[3]):,}" if is_turned else _told(len(c[3]), len(c[3])) for c in cells)
    least = max((measure(text, WIDEST_PX)[0] for text in texts), default=0.0) + 4.0
    cell_px = max(min(share, _MOST_CELL_PX) if is_turned else share, least)
    if is_turned:
        head_px = max((measure(column, WIDEST_PX)[0] for column in columns), default=0.0)
    else:
        head_px = max((measure(column, cell_px)[1] for column in columns), default=0.0)
    places: dict[str, tuple[float, float]] = {}
    y = top + head_px + _GAP_PX
    for row in rows:
        tall = max(_ROW_PX if is_turned else 2 * _ROW_PX, measure(row, max(label_px, 1.0))[1])
        places[row] = (y, tall)
        y += tall + _GAP_PX
    lefts = {
        column: label_px + _GAP_PX + j * (cell_px + _GAP_PX) for j, column in enumerate(columns)
    }
    return _Grid(places, lefts, label_px, cell_px, top, head_px, y)


def _grid_words(grid: _Grid, measure: Measure, *, is_turned: bool) -> list[Words]:
    align = Align.LEFT if is_turned else Align.CENTRE
    words = [
        Words(column, (left, grid.top_px, grid.cell_px, grid.head_px), align, is_turned=is_turned)
        for column, left in grid.columns.items()
    ]
    for row, (top, tall) in grid.rows.items():
        _, high = measure(row, max(grid.label_px, 1.0))
        words.append(Words(row, (0.0, top + (tall - high) / 2, grid.label_px, high), Align.RIGHT))
    return words


def _told(count: int, total: int) -> str:
    return f"{count:,}" + (f" · {100 * count / total:.1f} %" if total else "")


def _labels(cells: Sequence[Cell], place: int, *, is_sorted: bool) -> list[str]:
    counts: dict[str, int] = {}
    for cell in cells:
        label = cell[0] if place == 0 else cell[1]
        counts[label] = counts.get(label, 0) + len(cell[3])
    return sorted(counts, key=lambda label: (-counts[label], label)) if is_sorted else list(counts)


def _joined(above: ChartPicture, below: ChartPicture, words: tuple[Words, ...]) -> ChartPicture:
    shift = len(above.targets)
    moved = tuple(
        dataclasses.replace(box, target=None if box.target is None else box.target + shift)
        for box in below.boxes
    )
    return ChartPicture(
        max(above.width_px, below.width_px),
        max(above.height_px, below.height_px),
        above.targets + below.targets,
        above.boxes + moved,
        (),
        above.words + words + below.words,
    )


def _with_left_out(
    picture: ChartPicture, confusion: Confusion, width_px: float, measure: Measure
) -> ChartPicture:
    """The picture and, where episodes are left out, a line that opens them."""
    ids = confusion.left_out
    if not ids:
        return picture
    count = f"{len(ids):,} {'episode' if len(ids) == 1 else 'episodes'}"
    text = f"? {count} left out: one of the runs lacks them or their success is unknown"
    _, high = measure(text, width_px - 2 * _GAP_PX)
    top = picture.height_px + _GAP_PX
    rect = (0.0, top, width_px, high + 2 * _GAP_PX)
    place = (_GAP_PX, top + _GAP_PX, width_px - 2 * _GAP_PX, high)
    target = ChartTarget("Left out", count, ids)
    return ChartPicture(
        max(picture.width_px, width_px),
        top + rect[3],
        (*picture.targets, target),
        (
            *picture.boxes,
            Box(rect, ChartTone.UNKNOWN, len(picture.targets), _SOFTEST, carries_text=True),
        ),
        picture.bands,
        (*picture.words, Words(text, place)),
    )
