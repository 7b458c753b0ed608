"""A path from above, small: where it starts, where it ends, and how long a metre is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from waypost.domain.base.frames import Vec3
from waypost.services.theme_in_force import tokens_in_force

_MARGIN_PX: Final = 28
_MARK_PX: Final = 6.0
_GAP_PX: Final = 10
_BARS_M: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


class PathSketch(QWidget):
    """Draws one path, north (+Y of the scene) up, fitted into itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path: tuple[Vec3, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Path from above")

    def set_path(self, path_m: Sequence[Vec3]) -> None:
        """Show another path; scene frame, metres."""
        self._path = tuple(path_m)
        length = sum(
            ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2) ** 0.5
            for a, b in zip(self._path, self._path[1:], strict=False)
        )
        self.setAccessibleDescription(f"{length:.1f} m" if self._path else "no path")
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a glance."""
        return QSize(320, 220)

    def minimumSizeHint(self) -> QSize:
        """Small, and still readable."""
        return QSize(160, 110)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - painted whole
        """Draw the path."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_in_force()
        painter.fillRect(self.rect(), QColor(tokens.field))
        if not self._path:
            painter.setPen(QColor(tokens.muted))
            text = "No path is known for this instruction."
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, text)
            return
        points, px_per_m = self._points()
        painter.setPen(QPen(QColor(tokens.accent), 3))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(QPen(QColor(tokens.text), 2))
        painter.setBrush(QColor(tokens.field))
        painter.drawEllipse(points[0], _MARK_PX, _MARK_PX)
        painter.setBrush(QColor(tokens.text))
        end = QRectF(points[-1].x() - _MARK_PX, points[-1].y() - _MARK_PX, 12, 12)
        painter.drawRect(end)
        self._draw_name(painter, points[0], "start", -8.0)
        self._draw_name(painter, points[-1], "goal", 20.0)
        self._draw_bar(painter, px_per_m)

    def _draw_name(self, painter: QPainter, at: QPointF, name: str, below_px: float) -> None:
        """Write a name beside a mark, on the side where there is room."""
        width_px = painter.fontMetrics().horizontalAdvance(name)
        has_room = at.x() + _GAP_PX + width_px < self.width()
        aside_px = _GAP_PX if has_room else -_GAP_PX - width_px
        painter.drawText(at + QPointF(aside_px, below_px), name)

    def _points(self) -> tuple[list[QPointF], float]:
        xs, ys = [place[0] for place in self._path], [place[1] for place in self._path]
        room_x, room_y = self.width() - 2 * _MARGIN_PX, self.height() - 2 * _MARGIN_PX
        wide_m, high_m = max(max(xs) - min(xs), 1.0), max(max(ys) - min(ys), 1.0)
        px_per_m = max(min(room_x / wide_m, room_y / high_m), 1e-6)
        middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
        centre = QPointF(self.width() / 2, self.height() / 2)
        points = [
            centre + QPointF((x - middle_x) * px_per_m, (middle_y - y) * px_per_m)
            for x, y in zip(xs, ys, strict=True)
        ]
        return points, px_per_m

    def _draw_bar(self, painter: QPainter, px_per_m: float) -> None:
        fitting = [bar for bar in _BARS_M if bar * px_per_m <= self.width() / 4]
        bar_m = fitting[-1] if fitting else _BARS_M[0]
        left, low = 10.0, self.height() - 10.0
        painter.drawLine(QPointF(left, low), QPointF(left + bar_m * px_per_m, low))
        painter.drawText(QPointF(left, low - 5), f"{bar_m:g} m")
