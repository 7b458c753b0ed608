"""The agent drawn to scale beside a door, and its turning circle from above."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from waypost.domain.traverse.agent import AgentProfile, BodyShape, DriveType
from waypost.services.agent_marks import AgentMark
from waypost.services.appearance import ThemeTokens
from waypost.widgets.agent_glyph import body_path
from waypost.widgets.theme import tokens_in_force

DOOR_WIDTH_M = 0.90
"""Clear width of the door drawn for comparison."""

DOOR_HEIGHT_M = 2.00


class AgentPreview(QWidget):
    """Front view in a 0.90 m door and top view with the turning circle, with dimensions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile: AgentProfile | None = None
        self._mark: AgentMark | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 220)
        self.setAccessibleName("Drawing of the agent")

    def set_profile(self, profile: AgentProfile | None, mark: AgentMark | None = None) -> None:
        """Draw another agent, in the colour of its mark."""
        self._profile, self._mark = profile, mark
        if profile is not None:
            self.setAccessibleName(preview_text(profile))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for both views below each other."""
        return QSize(260, 380)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw both views."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_in_force()
        if self._mark is not None:
            tokens = replace(tokens, agent=self._mark.colour(is_dark=tokens.is_dark))
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(QColor(tokens.border), 1))
        painter.setBrush(QColor(tokens.field))
        painter.drawRoundedRect(area, 8, 8)
        if self._profile is not None:
            front, top = _split(area.adjusted(8, 8, -8, -8))
            px_per_m = _scale(self._profile, front, top, self.fontMetrics().height())
            _paint_front(painter, tokens, self._profile, front, px_per_m)
            _paint_top(painter, tokens, self._profile, top, px_per_m)
        painter.end()


def preview_text(profile: AgentProfile) -> str:
    """What the drawing shows, in words."""
    fits = "fits through" if profile.width_m < DOOR_WIDTH_M else "does not fit through"
    circle = profile.turning_circle_radius_m * 2
    return (
        f"{profile.name}: {profile.width_m:.2f} m wide, {profile.depth_m:.2f} m deep, "
        f"{profile.height_m:.2f} m high; {fits} a {DOOR_WIDTH_M:.2f} m door; "
        f"turning circle {circle:.2f} m"
    )


def _split(area: QRectF) -> tuple[QRectF, QRectF]:
    if area.width() > area.height() * 1.2:
        half = area.width() / 2
        return (
            QRectF(area.left(), area.top(), half, area.height()),
            QRectF(area.left() + half, area.top(), half, area.height()),
        )
    half = area.height() / 2
    return (
        QRectF(area.left(), area.top(), area.width(), half),
        QRectF(area.left(), area.top() + half, area.width(), half),
    )


def _scale(profile: AgentProfile, front: QRectF, top: QRectF, line_px: float) -> float:
    circle_m = profile.turning_circle_radius_m * 2
    widest_m = max(DOOR_WIDTH_M + 0.3, profile.width_m + 0.2)
    highest_m = max(DOOR_HEIGHT_M, profile.height_m) + 0.05
    around_px = line_px * 3.8
    return max(
        min(
            (front.width() - around_px * 1.6) / widest_m,
            (front.height() - around_px) / highest_m,
            (top.width() - around_px) / circle_m,
            (top.height() - around_px) / circle_m,
        ),
        1.0,
    )


def _paint_front(
    painter: QPainter, tokens: ThemeTokens, profile: AgentProfile, area: QRectF, px_per_m: float
) -> None:
    line = painter.fontMetrics().height()
    _caption(painter, tokens, area, "front")
    floor_y = area.bottom() - line * 1.5
    x = area.center().x()
    painter.setPen(QPen(QColor(tokens.border_strong), 1))
    painter.drawLine(QPointF(area.left(), floor_y), QPointF(area.right(), floor_y))
    half_door, door_top = DOOR_WIDTH_M / 2 * px_per_m, floor_y - DOOR_HEIGHT_M * px_per_m
    painter.setPen(QPen(QColor(tokens.muted), 2, Qt.PenStyle.DashLine))
    painter.drawPolyline(
        [
            QPointF(x - half_door, floor_y),
            QPointF(x - half_door, door_top),
            QPointF(x + half_door, door_top),
            QPointF(x + half_door, floor_y),
        ]
    )
    width, height = profile.width_m * px_per_m, profile.height_m * px_per_m
    body = QRectF(x - width / 2, floor_y - height, width, height)
    _set_body_pen(painter, tokens)
    painter.drawPath(body_path(profile, body))
    step = profile.step_limit_m * px_per_m
    painter.setPen(QPen(QColor(tokens.accent), 2))
    left = x - half_door - 16
    painter.drawLine(QPointF(left, floor_y - step), QPointF(left + 12, floor_y - step))
    painter.drawLine(QPointF(left + 12, floor_y - step), QPointF(left + 12, floor_y))
    _wide(painter, tokens, (body.left(), body.right()), floor_y + 6, f"{profile.width_m:.2f} m")
    right = max(body.right(), x + half_door) + 8
    _high(painter, tokens, right, (body.top(), floor_y), f"{profile.height_m:.2f}")
    painter.setPen(QColor(tokens.muted))
    door = QRectF(x - 100, door_top - line * 1.15, 200, line)
    painter.drawText(door, Qt.AlignmentFlag.AlignCenter, f"door {DOOR_WIDTH_M:.2f} m")


def _paint_top(
    painter: QPainter, tokens: ThemeTokens, profile: AgentProfile, area: QRectF, px_per_m: float
) -> None:
    line = painter.fontMetrics().height()
    _caption(painter, tokens, area, "top")
    centre = QPointF(area.center().x(), area.center().y() - line * 0.1)
    radius = profile.turning_circle_radius_m * px_per_m
    painter.setPen(QPen(QColor(tokens.accent), 1.5, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, radius, radius)
    body_centre = QPointF(centre)
    if profile.drive is DriveType.CAR_LIKE:
        body_centre += QPointF(0.0, -profile.min_turning_radius_m * px_per_m)
    width, depth = profile.width_m * px_per_m, profile.depth_m * px_per_m
    body = QRectF(body_centre.x() - depth / 2, body_centre.y() - width / 2, depth, width)
    _set_body_pen(painter, tokens)
    if profile.shape is BodyShape.BOX:
        painter.drawRect(body)
    else:
        painter.drawEllipse(body)
    painter.setPen(QPen(QColor(tokens.agent), 2))
    nose = QPointF(body.right(), body_centre.y())
    back = min(8.0, depth / 3)
    painter.drawPolyline([nose + QPointF(-back, -back), nose, nose + QPointF(-back, back)])
    ends = (centre.x() - radius, centre.x() + radius)
    text = f"turning circle {2 * profile.turning_circle_radius_m:.2f} m"
    _wide(painter, tokens, ends, centre.y() + radius + 6, text)
    if profile.shape is BodyShape.BOX:
        painter.setPen(QColor(tokens.muted))
        top = min(body.top(), centre.y() - radius) - line - 2
        above = QRectF(body.left() - 60, top, body.width() + 120, line)
        painter.drawText(above, Qt.AlignmentFlag.AlignCenter, f"deep {profile.depth_m:.2f} m")


def _set_body_pen(painter: QPainter, tokens: ThemeTokens) -> None:
    fill = QColor(tokens.agent)
    fill.setAlphaF(0.25)
    painter.setPen(QPen(QColor(tokens.agent), 2))
    painter.setBrush(fill)


def _caption(painter: QPainter, tokens: ThemeTokens, area: QRectF, text: str) -> None:
    painter.setPen(QColor(tokens.muted))
    painter.drawText(area, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, text)


def _wide(
    painter: QPainter, tokens: ThemeTokens, ends: tuple[float, float], y: float, text: str
) -> None:
    painter.setPen(QPen(QColor(tokens.text), 1))
    painter.drawLine(QPointF(ends[0], y), QPointF(ends[1], y))
    for x in ends:
        painter.drawLine(QPointF(x, y - 3), QPointF(x, y + 3))
    line = painter.fontMetrics().height()
    cell = QRectF((ends[0] + ends[1]) / 2 - 150, y + 2, 300, line)
    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)


def _high(
    painter: QPainter, tokens: ThemeTokens, x: float, ends: tuple[float, float], text: str
) -> None:
    painter.setPen(QPen(QColor(tokens.text), 1))
    painter.drawLine(QPointF(x, ends[0]), QPointF(x, ends[1]))
    for y in ends:
        painter.drawLine(QPointF(x - 3, y), QPointF(x + 3, y))
    line = painter.fontMetrics().height()
    cell = QRectF(x + 5, (ends[0] + ends[1] - line) / 2, 80, line)
    align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(cell, align, text)
