"""Paints what the cursor of a map says: start, options, revisits, deviation and the agent."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPolygonF

from waypost.domain.replay.map import MapMark, MarkRole, Point
from waypost.viewers.map.labels import Box, mark_text, placed_labels
from waypost.viewers.map.painting import MapPaint, bold_of, draw_label, paint_goals

_TOKENS: Final = {
    MarkRole.GOAL: "travels",
    MarkRole.START: "text",
    MarkRole.DEVIATION: "does_not",
    MarkRole.REVISIT: "disagreement",
}
"""Colours of labels."""


def paint_marks(paint: MapPaint, marks: Iterable[MapMark]) -> None:
    """Goals, start, options, revisits and first deviation; the agent has its own."""
    order = list(MarkRole)
    marks = sorted(marks, key=lambda mark: order.index(mark.role))
    placed = placed_labels(paint, marks)
    _paint_labels(paint, placed, {MarkRole.GOAL, MarkRole.REVISIT})
    for mark in marks:
        at = QPointF(*paint.frame.to_pixel(mark.at))
        match mark.role:
            case MarkRole.GOAL:
                paint_goals(paint, [(mark, True)])
            case MarkRole.START:
                _paint_dot(paint, at, 5.0, "field", "text")
            case MarkRole.OPTION | MarkRole.CHOSEN:
                _paint_option(paint, mark, at)
            case MarkRole.DEVIATION:
                _paint_diamond(paint, at)
            case _:
                pass
    _paint_labels(paint, placed, {MarkRole.START, MarkRole.DEVIATION})


def _paint_labels(
    paint: MapPaint, placed: Iterable[tuple[MapMark, Box]], roles: Collection[MarkRole]
) -> None:
    for mark, box in placed:
        if mark.role in roles:
            is_bold = mark.role in {MarkRole.DEVIATION, MarkRole.REVISIT}
            token = _TOKENS[mark.role]
            draw_label(paint, mark_text(mark), QRectF(*box), token, is_bold=is_bold)


def mark_boxes(paint: MapPaint, marks: Iterable[MapMark]) -> set[tuple[MapMark, Box]]:
    """The marks that ``paint_marks`` shows, each with what it covers at most."""
    marks = list(marks)
    boxes = set(placed_labels(paint, marks))
    for mark in marks:
        at = QPointF(*paint.frame.to_pixel(mark.at))
        if mark.role in {MarkRole.START, MarkRole.DEVIATION}:
            boxes.add((mark, _box(_square(at, 14.0 * paint.unit))))
        elif mark.role in {MarkRole.OPTION, MarkRole.CHOSEN}:
            boxes.add((mark, _box(_square(at, 24.0 * paint.unit))))
    return boxes


def agent_box(paint: MapPaint, at: Point) -> QRectF:
    """What the sign of the agent covers at most."""
    return _square(QPointF(*paint.frame.to_pixel(at)), 20.0 * paint.unit)


def _square(at: QPointF, reach: float) -> QRectF:
    return QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)


def _box(rect: QRectF) -> Box:
    return rect.x(), rect.y(), rect.width(), rect.height()


def _paint_option(paint: MapPaint, mark: MapMark, at: QPointF) -> None:
    is_chosen = mark.role is MarkRole.CHOSEN
    size = (10.0 if is_chosen else 8.5) * paint.unit
    rim = paint.pen("highlight", 3.0) if is_chosen else paint.pen("panel", 1.2)
    paint.painter.setPen(rim)
    paint.painter.setBrush(paint.colour("travels_fill"))
    paint.painter.drawEllipse(at, size, size)
    paint.painter.setFont(bold_of(paint.font))
    paint.painter.setPen(paint.colour("on_fill"))
    box = QRectF(at.x() - 2 * size, at.y() - 2 * size, 4 * size, 4 * size)
    paint.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, mark.label)


def paint_agent(paint: MapPaint, at: Point, yaw_rad: float) -> None:
    """An arrow along the heading; a disc where the heading is unknown."""
    place = QPointF(*paint.frame.to_pixel(at))
    paint.painter.setPen(paint.pen("panel", 1.6))
    paint.painter.setBrush(paint.colour("agent"))
    if not math.isfinite(yaw_rad):
        paint.painter.drawEllipse(place, 7.0 * paint.unit, 7.0 * paint.unit)
        return
    cosine, sine = math.cos(yaw_rad) * paint.unit, math.sin(yaw_rad) * paint.unit
    paint.painter.drawPolygon(
        QPolygonF(
            [
                QPointF(
                    place.x() + ahead * cosine - left * sine,
                    place.y() - ahead * sine - left * cosine,
                )
                for ahead, left in ((15.0, 0.0), (-9.0, 9.0), (-4.5, 0.0), (-9.0, -9.0))
            ]
        )
    )


def _paint_dot(paint: MapPaint, at: QPointF, size: float, fill: str, rim: str) -> None:
    paint.painter.setPen(paint.pen(rim, 2.4))
    paint.painter.setBrush(paint.colour(fill))
    paint.painter.drawEllipse(at, size * paint.unit, size * paint.unit)


def _paint_diamond(paint: MapPaint, at: QPointF) -> None:
    size = 9.0 * paint.unit
    paint.painter.setPen(paint.pen("panel", 1.6))
    paint.painter.setBrush(paint.colour("does_not"))
    corners = ((0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0))
    paint.painter.drawPolygon(QPolygonF([at + QPointF(x, y) for x, y in corners]))
