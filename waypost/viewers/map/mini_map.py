"""A small map that says where in the building one is, and takes one elsewhere by a click."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from waypost.services.appearance import DARK, ThemeTokens, tokens_named
from waypost.viewers.scene.drawing import Color, rgb
from waypost.viewers.scene.floor_plan import FloorPlan
from waypost.viewers.scene.painting import qcolor

_MARGIN_PX = 8.0
_LARGEST = QSize(200, 160)

MapPoint = tuple[float, float]
"""x and y, metres, scene frame."""

MapPose = tuple[float, float, float]
"""x and y, metres, and yaw, radians; scene frame."""


class MiniMap(QWidget):
    """Walls, nodes, the agent and where the view is; north (+Y) is up."""

    place_chosen = Signal(float, float)
    """x and y of the point that was clicked, metres, scene frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Mini-map")
        self.setToolTip("Click to look there")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._plan: FloorPlan | None = None
        self._nodes: tuple[tuple[MapPoint, Color | None], ...] = ()
        self._agent: MapPose | None = None
        self._agent_color: Color | None = None
        self._viewer: MapPose | None = None
        self._colors: ThemeTokens = DARK
        self._picture: QPixmap | None = None

    def set_floor_plan(self, plan: FloorPlan | None) -> None:
        """Show another storey; its outlines are painted once."""
        self._plan = plan
        self._picture = None
        self.updateGeometry()
        self.update()

    def set_nodes(self, nodes: Sequence[tuple[MapPoint, Color | None]]) -> None:
        """Show these places; ``None`` is the accent of the theme."""
        self._nodes = tuple(nodes)
        self.update()

    def set_agent(self, pose: MapPose | None, color: Color | None = None) -> None:
        """Show where the agent is and where it heads; in the colour of the theme or its own."""
        self._agent, self._agent_color = pose, color
        self.update()

    def set_viewer(self, pose: MapPose | None) -> None:
        """Show where the camera is and where it looks."""
        self._viewer = pose
        self.update()

    def set_theme(self, dark: bool) -> None:
        """Use the dark or the light theme."""
        self._colors = tokens_named("dark" if dark else "light")
        self._picture = None
        self.update()

    def to_pixel(self, point: MapPoint) -> MapPoint:
        """Where a point of the scene is in the widget, device-independent pixels."""
        scale, left, bottom = self._fit()
        return (left + point[0] * scale, bottom - point[1] * scale)

    def to_metres(self, pixel: MapPoint) -> MapPoint:
        """The point of the scene under a pixel."""
        scale, left, bottom = self._fit()
        return ((pixel[0] - left) / scale, (bottom - pixel[1]) / scale)

    def sizeHint(self) -> QSize:
        """A corner of the stage, in the shape of the floor plan."""
        if self._plan is None:
            return _LARGEST
        (x0, y0), (x1, y1) = self._plan.low, self._plan.high
        wide, tall = max(x1 - x0, 0.1), max(y1 - y0, 0.1)
        room = _LARGEST - QSize(1, 1) * round(2 * _MARGIN_PX)
        scale = min(room.width() / wide, room.height() / tall)
        return QSize(round(wide * scale), round(tall * scale)) + QSize(1, 1) * round(2 * _MARGIN_PX)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt passes it
        """Paint the floor plan from its picture, the rest anew."""
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.size() != (self.size() * ratio):
            self._picture = self._painted_plan(ratio)
        painter.drawPixmap(0, 0, self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for point, color in self._nodes:
            painter.setPen(QPen(QColor(self._colors.panel), 1.0))
            painter.setBrush(qcolor(color) if color else QColor(self._colors.accent))
            painter.drawEllipse(QPointF(*self.to_pixel(point)), 3.0, 3.0)
        if self._viewer is not None:
            self._paint_view_cone(painter, self._viewer)
        if self._agent is not None:
            self._paint_arrow(painter, self._agent)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a place."""
        if event.button() is Qt.MouseButton.LeftButton and self._plan is not None:
            position = event.position()
            self.place_chosen.emit(*self.to_metres((position.x(), position.y())))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the end of a click from what lies beneath."""
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nothing to zoom here, and nothing beneath either."""
        event.accept()

    def _fit(self) -> tuple[float, float, float]:
        """Pixels per metre, and where x = 0 and y = 0 are."""
        if self._plan is None:
            return 1.0, self.width() / 2.0, self.height() / 2.0
        (x0, y0), (x1, y1) = self._plan.low, self._plan.high
        wide, tall = max(x1 - x0, 0.1), max(y1 - y0, 0.1)
        scale = min((self.width() - 2 * _MARGIN_PX) / wide, (self.height() - 2 * _MARGIN_PX) / tall)
        scale = max(scale, 1e-6)
        left = self.width() / 2.0 - (x0 + x1) / 2.0 * scale
        bottom = self.height() / 2.0 + (y0 + y1) / 2.0 * scale
        return scale, left, bottom

    def _painted_plan(self, ratio: float) -> QPixmap:
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor(rgb(self._colors.panel, 0.92)))
        painter.drawRoundedRect(QRectF(self.rect()), 8.0, 8.0)
        if self._plan is not None:
            scale, left, bottom = self._fit()
            for segments, color, width in (
                (self._plan.furniture, rgb(self._colors.muted, 0.35), 0.8),
                (self._plan.walls, rgb(self._colors.text), 1.2),
            ):
                painter.setPen(QPen(qcolor(color), width))
                pixels = segments * (scale, -scale) + (left, bottom)
                painter.drawLines([QLineF(*line) for line in distinct_lines(pixels).tolist()])
        painter.end()
        return picture

    def _paint_arrow(self, painter: QPainter, pose: MapPose) -> None:
        painter.setPen(QPen(QColor(self._colors.panel), 1.0))
        own = self._agent_color
        painter.setBrush(qcolor(own) if own is not None else QColor(self._colors.agent))
        painter.drawPolygon(self._shape(pose, ((8.0, 0.0), (-5.0, 5.0), (-2.5, 0.0), (-5.0, -5.0))))

    def _paint_view_cone(self, painter: QPainter, pose: MapPose) -> None:
        painter.setPen(QPen(qcolor(rgb(self._colors.highlight, 0.8)), 1.0))
        painter.setBrush(qcolor(rgb(self._colors.highlight, 0.25)))
        painter.drawPolygon(self._shape(pose, ((0.0, 0.0), (22.0, 11.0), (22.0, -11.0))))

    def _shape(self, pose: MapPose, points: Sequence[MapPoint]) -> QPolygonF:
        """Points of the own frame in pixels, forward and left, on the picture."""
        x, y = self.to_pixel((pose[0], pose[1]))
        # From outside the floor plan one looks in from its rim.
        x = min(max(x, _MARGIN_PX), self.width() - _MARGIN_PX)
        y = min(max(y, _MARGIN_PX), self.height() - _MARGIN_PX)
        cosine, sine = math.cos(pose[2]), math.sin(pose[2])
        return QPolygonF(
            [
                QPointF(x + forward * cosine - left * sine, y - forward * sine - left * cosine)
                for forward, left in points
            ]
        )


def distinct_lines(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """The lines that differ on the map: most detail of a house is smaller than its pixels.

    Args:
        pixels: (S, 2, 2) ends.

    Returns:
        (T, 4) x and y of both ends, on a grid of half pixels; none of no length.
    """
    halves = np.rint(pixels.reshape(-1, 4) * 2.0).astype(np.int64)
    is_line = (halves[:, :2] != halves[:, 2:]).any(axis=1)
    return np.asarray(np.unique(halves[is_line], axis=0) / 2.0)
