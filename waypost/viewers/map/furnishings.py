"""Paints the scale bar, north and the legend of a map."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPolygonF

from waypost.domain.replay.map import Point, scale_bar_m, time_colour
from waypost.services.appearance import LABEL_OPACITY
from waypost.viewers.map.painting import BAR_PX, REFERENCE_DASH, MapPaint, bold_of, is_low


def paint_furnishings(
    paint: MapPaint, width: float, height: float, *, has_reference: bool, has_run: bool = True
) -> None:
    """Scale bar, north and, of a run, a legend along the lower edge."""
    painter, metrics = paint.painter, QFontMetricsF(paint.font)
    line = metrics.height()
    room = 4.5 * line + 2 * BAR_PX
    if not paint.shows(QRectF(0.0, height - room, width, room)):
        return
    y = height - BAR_PX - line / 2
    length_m = scale_bar_m(width / paint.frame.scale)
    length, text = length_m * paint.frame.scale, f"{length_m:g} m"
    right = width - BAR_PX - 24.0 * paint.unit
    painter.setBrush(paint.colour("label", LABEL_OPACITY))
    painter.setPen(Qt.PenStyle.NoPen)
    box = QRectF(right - length - 8, y - line - 2, length + 16 + 24 * paint.unit, 1.5 * line + 8)
    painter.drawRoundedRect(box, 4.0, 4.0)
    painter.setPen(paint.pen("text", 1.6))
    painter.drawLine(QPointF(right - length, y + line / 4), QPointF(right, y + line / 4))
    painter.setFont(paint.font)
    painter.drawText(
        QRectF(right - length - 40, y - line, length + 80, line), Qt.AlignmentFlag.AlignCenter, text
    )
    _paint_north(paint, QPointF(right + 15.0 * paint.unit, y - line / 4))
    if has_run:
        # Above the bar it would lie over the middle of a low map.
        rooms = box.left() - 8.0, 0.0 if is_low(paint, height) else width - BAR_PX
        _paint_legend(paint, rooms, y, has_reference=has_reference)


def _paint_legend(paint: MapPaint, rooms: Point, y: float, *, has_reference: bool) -> None:
    """Beside the scale bar, above it where that has no room, or not at all.

    Args:
        paint: What to paint with.
        rooms: How wide there is room beside the bar, and above it.
        y: Middle of the text beside the bar.
        has_reference: Whether there is one to explain.
    """
    metrics = QFontMetricsF(paint.font)
    entries = ["reference"] * has_reference + ["driven so far", "to come"]
    swatch = 34.0 * paint.unit
    wide = sum(metrics.horizontalAdvance(text) + swatch + 18.0 for text in entries)
    painter, line = paint.painter, metrics.height()
    if wide + BAR_PX > rooms[0]:
        y -= 2 * line + 4.0
    if wide + BAR_PX > rooms[1]:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(paint.colour("label", LABEL_OPACITY))
    painter.drawRoundedRect(QRectF(BAR_PX - 4, y - line / 2 - 3, wide, line + 6), 4.0, 4.0)
    x = BAR_PX + 2.0
    for text in entries:
        _paint_swatch(paint, text, QLineF(x, y, x + swatch, y))
        x += swatch + 6.0
        painter.setFont(paint.font)
        painter.setPen(paint.colour("text"))
        advance = metrics.horizontalAdvance(text)
        painter.drawText(
            QRectF(x, y - line / 2, advance + 2, line), Qt.AlignmentFlag.AlignLeft, text
        )
        x += advance + 12.0


def _paint_swatch(paint: MapPaint, kind: str, line: QLineF) -> None:
    if kind == "driven so far":
        parts = 12
        for i in range(parts):
            pen = paint.pen("text", 4.0)
            pen.setColor(QColor(*time_colour(i / (parts - 1))))
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            paint.painter.setPen(pen)
            paint.painter.drawLine(line.pointAt(i / parts), line.pointAt((i + 1) / parts))
        return
    pen = paint.pen("accent", 6.0) if kind == "reference" else paint.pen("muted", 1.2, 0.8)
    if kind == "reference":
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(REFERENCE_DASH)
    paint.painter.setPen(pen)
    paint.painter.drawLine(line)


def _paint_north(paint: MapPaint, at: QPointF) -> None:
    unit, painter = paint.unit, paint.painter
    painter.setPen(paint.pen("text", 1.2))
    painter.setBrush(paint.colour("text"))
    shape = ((0.0, -13.0), (4.5, -4.0), (0.0, -6.0), (-4.5, -4.0))
    painter.drawPolygon(QPolygonF([at + QPointF(x * unit, y * unit) for x, y in shape]))
    painter.setFont(bold_of(paint.font))
    box = QRectF(at.x() - 12 * unit, at.y() - 5 * unit, 24 * unit, 18 * unit)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "N")
