"""Paints what the cursor of a map says: start, options, revisits, deviation and the agent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPolygonF

from waypost.domain.replay.map import MapMark, MarkRole, Point
from waypost.services.appearance import LIGHT
from waypost.viewers.map.frame import MapFrame
from waypost.viewers.map.painting import MapPaint, bold_of, draw_label, label_box, paint_label

_OFFSETS: Final = {MarkRole.START: (8.0, -13.0), MarkRole.DEVIATION: (11.0, 14.0)}
"""Of the labels beside their signs, pixels at 100 % text."""

Box = tuple[float, float, float, float]
"""Left, top, width and height of a label, pixels."""


def paint_marks(paint: MapPaint, marks: Iterable[MapMark]) -> None:
    """Start, options, revisits and first deviation; the agent has its own."""
    order = list(MarkRole)
    marks = sorted(marks, key=lambda mark: order.index(mark.role))
    for mark, box in _placed_revisits(paint, _revisits(marks)):
        draw_label(paint, mark.label, QRectF(*box), "disagreement", is_bold=True)
    for mark in marks:
        at = QPointF(*paint.frame.to_pixel(mark.at))
        match mark.role:
            case MarkRole.START:
                _paint_dot(paint, at, 5.0, "field", "text")
                paint_label(paint, _text(mark), at, _OFFSETS[mark.role], "text")
            case MarkRole.OPTION | MarkRole.CHOSEN:
                _paint_option(paint, mark, at)
            case MarkRole.DEVIATION:
                _paint_diamond(paint, at)
                offset = _OFFSETS[mark.role]
                paint_label(paint, _text(mark), at, offset, "does_not", is_bold=True)
            case _:
                pass


def mark_boxes(paint: MapPaint, marks: Iterable[MapMark]) -> set[tuple[MapMark, Box]]:
    """The marks that ``paint_marks`` shows, each with what it covers at most."""
    marks = list(marks)
    boxes = {(mark, box) for mark, box in _placed_revisits(paint, _revisits(marks))}
    for mark in marks:
        at = QPointF(*paint.frame.to_pixel(mark.at))
        if mark.role in _OFFSETS:
            sign = _square(at, 14.0 * paint.unit)
            offset, is_bold = _OFFSETS[mark.role], mark.role is MarkRole.DEVIATION
            box = label_box(paint, _text(mark), at, offset, is_bold=is_bold)
            boxes.add((mark, _box(sign.united(box))))
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


def _text(mark: MapMark) -> str:
    return f"⚑ {mark.label}" if mark.role is MarkRole.DEVIATION else mark.label


def _revisits(marks: Iterable[MapMark]) -> tuple[MapMark, ...]:
    return tuple(mark for mark in marks if mark.role is MarkRole.REVISIT)


def _placed_revisits(
    paint: MapPaint, marks: tuple[MapMark, ...]
) -> tuple[tuple[MapMark, Box], ...]:
    """Where it stands how often places were visited; of labels in one place the latest stays."""
    return _placed(marks, paint.frame, paint.unit, paint.width_px, paint.font.toString())


@lru_cache(maxsize=16)
def _placed(
    marks: tuple[MapMark, ...], frame: MapFrame, unit: float, width_px: float, font_text: str
) -> tuple[tuple[MapMark, Box], ...]:
    font = QFont()
    font.fromString(font_text)
    paint = MapPaint(QPainter(), frame, LIGHT, font, unit, width_px)
    taken: list[QRectF] = []
    placed: list[tuple[MapMark, Box]] = []
    for mark in sorted(marks, key=lambda mark: -(mark.step or 0)):
        at = QPointF(*frame.to_pixel(mark.at))
        box = label_box(paint, mark.label, at, (-7.0, -11.0), is_bold=True)
        if not any(box.intersects(other) for other in taken):
            taken.append(box)
            placed.append((mark, _box(box)))
    return tuple(placed)


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
