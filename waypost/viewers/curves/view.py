"""A view of curves that is painted once; the cursor over it costs a strip of that picture."""

from __future__ import annotations

import math
from typing import Any, Final

import pyqtgraph
from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QRegion, QResizeEvent
from PySide6.QtWidgets import QWidget

_LINE_PX: Final = 2.0
_ENDS: Final = Qt.PenCapStyle.FlatCap


class CurveView(pyqtgraph.GraphicsView):  # type: ignore[misc] # pyqtgraph has no types
    """Shows a scene of pyqtgraph from a picture, and a line over it at one place of an axis.

    Args:
        box: The part of the scene with the curves; the line goes from its top to its bottom.
        parent: Qt owner.
    """

    def __init__(self, box: pyqtgraph.ViewBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._box = box
        self._x: float | None = None
        self._colour = QColor()
        self._picture: QPixmap | None = None
        self.scene().changed.connect(self._on_changed)

    def set_line(self, x: float | None) -> None:
        """Show the line at a place of the axis, or nowhere."""
        if x != self._x:
            region = QRegion(self.line_rect())
            self._x = x
            self.viewport().update(region.united(self.line_rect()))

    def set_line_colour(self, colour: QColor) -> None:
        """Paint the line, and everything else anew, in the colours of a theme."""
        self._colour = colour
        self.forget()

    def line_rect(self) -> QRect:
        """Where the line is, pixels of the viewport; empty where there is none."""
        line = self._line()
        if line is None:
            return QRect()
        wide = QRectF(line.x1() - _LINE_PX, line.y1(), 2 * _LINE_PX, line.y2() - line.y1())
        return wide.toAlignedRect()

    def forget(self) -> None:
        """Paint the scene anew."""
        self._picture = None
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy what changed from the picture and paint the line over it."""
        picture = self._painted()
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region())
        painter.drawPixmap(0, 0, picture)
        line = self._line()
        if line is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._colour, _LINE_PX, Qt.PenStyle.SolidLine, _ENDS))
            painter.drawLine(line)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Paint the scene at its new size."""
        super().resizeEvent(event)
        self._picture = None

    def _on_changed(self, *_: Any) -> None:
        self.forget()

    def _line(self) -> QLineF | None:
        if self._x is None:
            return None
        (low, high), (bottom, top) = self._box.viewRange()
        ends = (self._box.mapViewToScene(pyqtgraph.Point(self._x, y)) for y in (top, bottom))
        start, end = (self.viewportTransform().map(at) for at in ends)
        is_seen = math.isfinite(self._x) and low <= self._x <= high
        return QLineF(start, end) if is_seen else None

    def _painted(self) -> QPixmap:
        room, ratio = self.viewport().rect(), self.devicePixelRatioF()
        if self._picture is None or self._picture.size() != room.size() * ratio:
            self._picture = QPixmap(room.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(self.backgroundBrush().color())
            painter = QPainter(self._picture)
            painter.setRenderHints(self.renderHints())
            self.render(painter, QRectF(room), room)
            painter.end()
        return self._picture
