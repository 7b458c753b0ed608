"""A small picture from above of the spot where a passage is decided, with its measures."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from waypost.services.agent_marks import AgentMark
from waypost.services.theme_in_force import tokens_in_force
from waypost.viewers.map.frame import frame_around
from waypost.viewers.map.painting import MapPaint, draw_label, label_box, paint_outlines
from waypost.viewers.map.spot_plan import SpotPlan

_WIDE_PX: Final = 220
_HIGH_PX: Final = 132
_CROSS_PX: Final = 5.0
_BAR_M: Final = 0.5


def paint_spot(paint: MapPaint, spot: SpotPlan, height_px: float) -> None:
    """Everything of a spot: outlines, edge, path, the body with its width, the gap, the obstacle.

    Args:
        paint: What to paint with, in the frame of the spot.
        spot: What is shown.
        height_px: Of the picture.
    """
    painter = paint.painter
    paint_outlines(paint, spot.plan)
    painter.setPen(paint.pen("does_not", 2.2))
    lines = paint.frame.to_pixels(spot.touched).reshape(-1, 4).tolist()
    painter.drawLines([QLineF(*line) for line in lines])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    edge = paint.pen("highlight", 1.4)
    edge.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(edge)
    painter.drawPolyline(paint.polygon(spot.edge))
    if len(spot.path) > 1:
        painter.setPen(paint.pen("accent", 2.2))
        painter.drawPolyline(paint.polygon(spot.path))
    _paint_body(paint, spot)
    if spot.gap is not None:
        middle, wide_m = spot.gap
        radius = wide_m / 2 * paint.frame.scale
        ring = paint.pen("travels", 1.4)
        ring.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(ring)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(*paint.frame.to_pixel(middle)), radius, radius)
    _paint_cross(paint, spot)
    _paint_words(paint, spot, height_px)


def _paint_body(paint: MapPaint, spot: SpotPlan) -> None:
    painter = paint.painter
    painter.setPen(paint.pen("agent", 1.8))
    painter.setBrush(paint.colour("agent", 0.25))
    painter.drawPolygon(paint.polygon(spot.footprint))
    painter.setPen(paint.pen("agent", 1.4))
    painter.drawPolyline(paint.polygon(spot.across))


def _paint_cross(paint: MapPaint, spot: SpotPlan) -> None:
    place, reach = QPointF(*paint.frame.to_pixel(spot.at)), _CROSS_PX * paint.unit
    for pen in (paint.pen("panel", 4.0), paint.pen(spot.at_colour, 2.0)):
        paint.painter.setPen(pen)
        for sign in (1.0, -1.0):
            arm = QPointF(reach, sign * reach)
            paint.painter.drawLine(place - arm, place + arm)


def _paint_words(paint: MapPaint, spot: SpotPlan, height_px: float) -> None:
    """The width of the body above, the way that there is below, the obstacle beside its place."""
    words = [(f"body {spot.width_m:.2f} m", "agent", 0.0, False)]
    if spot.gap is not None:
        words.append((f"way {spot.gap[1]:.2f} m", "travels", 0.0, True))
    for text, token, x_px, is_low in words:
        box = label_box(paint, text, QPointF(x_px, 0.0), (2.0, 0.0))
        top = height_px - box.height() - 2.0 if is_low else 2.0
        draw_label(paint, text, QRectF(2.0, top, box.width(), box.height()), token)
    if spot.obstacle and spot.obstacle_at is not None:
        at = QPointF(*paint.frame.to_pixel(spot.obstacle_at))
        box = label_box(paint, spot.obstacle, at, (0.0, 14.0))
        low, high = box.height() + 4.0, height_px - 2 * box.height() - 4.0
        box.moveTop(min(max(box.top(), low), high))
        draw_label(paint, spot.obstacle, box, "does_not")
    bar = _BAR_M * paint.frame.scale
    right, low = paint.width_px - 6.0, height_px - 6.0
    paint.painter.setPen(paint.pen("text", 1.4))
    paint.painter.drawLine(QPointF(right - bar, low), QPointF(right, low))
    box = label_box(paint, f"{_BAR_M:g} m", QPointF(right - bar / 2, low), (0.0, -10.0))
    draw_label(paint, f"{_BAR_M:g} m", box, "text")


class SpotView(QWidget):
    """Shows one spot, north (+Y of the scene) up; a click asks to be taken there."""

    chosen = Signal()
    """The spot is to be shown in the scene."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spot: SpotPlan | None = None
        self._mark: AgentMark | None = None
        self._picture: tuple[object, QPixmap] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("The critical spot from above")

    @property
    def spot(self) -> SpotPlan | None:
        """What is shown."""
        return self._spot

    def set_spot(
        self, spot: SpotPlan | None, words: str = "", mark: AgentMark | None = None
    ) -> None:
        """Show another spot.

        Args:
            spot: ``None`` while it is not there yet.
            words: What the picture shows, for who cannot see it.
            mark: Gives the colour of the body.
        """
        self._spot, self._mark, self._picture = spot, mark, None
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        """Room for a glance."""
        return QSize(_WIDE_PX, round(_HIGH_PX * self._unit()))

    def minimumSizeHint(self) -> QSize:
        """Nothing: what is asked comes first where there is no room."""
        return QSize(0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - painted whole
        """Draw the picture, painted once for a size and a theme."""
        tokens, ratio = tokens_in_force(), self.devicePixelRatioF()
        known = (tokens.is_dark, self.size(), ratio)
        if self._picture is None or self._picture[0] != known:
            self._picture = known, self._painted(ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture[1])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask to be taken there."""
        if event.button() is Qt.MouseButton.LeftButton and self._spot is not None:
            self.chosen.emit()

    def _unit(self) -> float:
        return max(1.0, self.fontMetrics().height() / 17.0)

    def _painted(self, ratio: float) -> QPixmap:
        tokens, spot = tokens_in_force(), self._spot
        if self._mark is not None:
            tokens = replace(tokens, agent=self._mark.colour(is_dark=tokens.is_dark))
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(tokens.field))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide, high = float(self.width()), float(self.height())
        if spot is not None:
            frame = frame_around(spot.plan.low, spot.plan.high, wide, high)
            font = self.font()
            font.setPointSizeF(max(6.0, font.pointSizeF() * 0.85))
            paint_spot(MapPaint(painter, frame, tokens, font, self._unit(), wide), spot, high)
        painter.setPen(QPen(QColor(tokens.border), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(0.5, 0.5, wide - 1.0, high - 1.0))
        painter.end()
        return picture
