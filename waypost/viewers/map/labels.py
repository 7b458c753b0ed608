"""Where the labels of a map stand: beside their places, never over a goal or over each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from waypost.domain.replay.map import MapMark, MarkRole
from waypost.services.appearance import LIGHT
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.painting import MapPaint, label_box

Box = tuple[float, float, float, float]
"""Left, top, width and height of a label, pixels."""

_REACHES: Final = {
    MarkRole.GOAL: 9.0,
    MarkRole.START: 6.0,
    MarkRole.DEVIATION: 9.0,
    MarkRole.CHOSEN: 11.5,
    MarkRole.OPTION: 9.0,
    MarkRole.END: 15.0,
}
"""How far signs reach from their places, pixels at 100 % text."""

_FIRST: Final = {
    MarkRole.GOAL: (11.0, -9.0),
    MarkRole.DEVIATION: (11.0, 14.0),
    MarkRole.START: (8.0, -13.0),
    MarkRole.REVISIT: (-7.0, -11.0),
}
"""Where a label stands if nothing is in its way, as ``label_box`` has it; in order of weight."""

_OTHERS: Final = tuple(
    (side * across, height)
    for height in (-14.0, 16.0, -30.0, 32.0, -46.0, 48.0)
    for side, across in ((1.0, 13.0), (-1.0, 13.0))
)
"""Further places, the nearest first."""

_HARD: Final = frozenset({MarkRole.GOAL})
"""Signs that no label covers."""


def mark_text(mark: MapMark) -> str:
    """What a label says."""
    return f"⚑ {mark.label}" if mark.role is MarkRole.DEVIATION else mark.label


def placed_labels(paint: MapPaint, marks: Iterable[MapMark]) -> tuple[tuple[MapMark, Box], ...]:
    """Every mark with a label that is shown, and where that stands.

    Of what is told at one place the weightier label keeps its place and the other gives way; how
    often a place was visited is left out where nothing is free, and so is the second of two goals
    that stand in one spot.

    Args:
        paint: Frame, font and width; its painter is not used.
        marks: Everything that has a sign or a label on the storey that is shown.
    """
    kept = tuple(mark for mark in marks if mark.role in _FIRST or mark.role in _REACHES)
    return _placed(kept, paint.frame, paint.unit, paint.width_px, paint.font.toString())


@lru_cache(maxsize=32)
def _placed(
    marks: tuple[MapMark, ...], frame: MapFrame, unit: float, width_px: float, font_text: str
) -> tuple[tuple[MapMark, Box], ...]:
    font = QFont()
    font.fromString(font_text)
    paint = MapPaint(QPainter(), frame, LIGHT, font, unit, width_px)
    signs = [mark for mark in marks if mark.role in _REACHES]
    hard = _edges(_sign(paint, mark) for mark in signs if mark.role in _HARD)
    soft = _edges(_sign(paint, mark) for mark in signs if mark.role not in _HARD)
    roles = list(_FIRST)
    ordered = sorted(
        (mark for mark in marks if mark.role in _FIRST),
        key=lambda mark: (roles.index(mark.role), -(mark.step or 0)),
    )
    taken = np.empty((len(ordered), 4))
    placed: list[tuple[MapMark, Box]] = []
    for mark in ordered:
        boxes = list(_places(paint, mark))
        edges = _edges(boxes)
        on_labels = _shared(edges, taken[: len(placed)])
        hidden = np.round(on_labels + _shared(edges, hard), 3)
        best = int(np.lexsort((np.round(_shared(edges, soft), 3), hidden))[0])
        if mark.role in {MarkRole.REVISIT, MarkRole.GOAL} and on_labels[best] > 0:
            continue
        taken[len(placed)], box = edges[best], boxes[best]
        placed.append((mark, (box.x(), box.y(), box.width(), box.height())))
    return tuple(placed)


def _places(paint: MapPaint, mark: MapMark) -> Iterator[QRectF]:
    at = QPointF(*paint.frame.to_pixel(mark.at))
    is_bold = mark.role in {MarkRole.DEVIATION, MarkRole.REVISIT}
    for offset_px in (_FIRST[mark.role], *_OTHERS):
        box = label_box(paint, mark_text(mark), at, offset_px, is_bold=is_bold)
        yield box
        if box.left() < at.x() < box.right():
            # Too long for either side it stands over its place, wherever it was wanted.
            for rows in (1, 2, 3):
                yield box.translated(0.0, -rows * box.height())


def _sign(paint: MapPaint, mark: MapMark) -> QRectF:
    x, y = paint.frame.to_pixel(mark.at)
    reach = _REACHES[mark.role] * paint.unit
    return QRectF(x - reach, y - reach, 2 * reach, 2 * reach)


def _edges(boxes: Iterable[QRectF]) -> NDArray[np.float64]:
    """(N, 4) left, top, right and bottom, pixels."""
    found = [(box.left(), box.top(), box.right(), box.bottom()) for box in boxes]
    return np.array(found, dtype=np.float64).reshape(-1, 4)


def _shared(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """(K,) how much of each box the others cover together, square pixels."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    areas: NDArray[np.float64] = np.maximum(high - low, 0.0).prod(axis=2).sum(axis=1)
    return areas
