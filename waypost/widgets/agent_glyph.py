"""Little pictures of agents, true to scale, for choosers and previews."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from waypost.domain.traverse.agent import AgentProfile, BodyShape

TALLEST_M = 1.8
"""A picture this high fills its frame; higher agents shrink the scale."""


def scale_for(profiles: tuple[AgentProfile, ...], width_px: float, height_px: float) -> float:
    """Pixels per metre at which every agent fits into a frame of the same size."""
    tallest = max([TALLEST_M, *(p.height_m for p in profiles)])
    widest = max([0.5, *(max(p.width_m, p.depth_m) for p in profiles)])
    return min(height_px / tallest, width_px / widest)


def paint_side_view(
    painter: QPainter, profile: AgentProfile, foot: QPointF, px_per_m: float, colour: QColor
) -> None:
    """Draw an agent from its side, driving to the right.

    Args:
        painter: With antialiasing on.
        profile: Its depth and height give the size.
        foot: Middle of the agent on the floor, pixels.
        px_per_m: Scale.
        colour: Of the lines; the body is filled with a lighter shade.
    """
    width, height = profile.depth_m * px_per_m, profile.height_m * px_per_m
    body = QRectF(foot.x() - width / 2, foot.y() - height, width, height)
    shade = QColor(colour)
    shade.setAlphaF(0.22)
    painter.save()
    painter.setPen(QPen(colour, 1.6, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(shade)
    _PICTURES.get(profile.key, _paint_shape)(painter, profile, body)
    painter.restore()


def body_path(profile: AgentProfile, body: QRectF) -> QPainterPath:
    """Outline of the collider seen from the front or the side."""
    path = QPainterPath()
    if profile.shape is BodyShape.CAPSULE:
        radius = min(body.width(), body.height()) / 2
        path.addRoundedRect(body, radius, radius)
    elif profile.shape is BodyShape.CYLINDER:
        bulge = min(body.width() * 0.12, body.height() * 0.3)
        path.moveTo(body.left(), body.top() + bulge / 2)
        path.lineTo(body.left(), body.bottom() - bulge / 2)
        path.quadTo(
            QPointF(body.center().x(), body.bottom() + bulge / 2),
            QPointF(body.right(), body.bottom() - bulge / 2),
        )
        path.lineTo(body.right(), body.top() + bulge / 2)
        path.addEllipse(QRectF(body.left(), body.top(), body.width(), bulge))
    else:
        path.addRect(body)
    return path


def _at(body: QRectF, x: float, y: float) -> QPointF:
    return QPointF(body.left() + x * body.width(), body.top() + y * body.height())


def _lines(painter: QPainter, body: QRectF, *points: tuple[float, float]) -> None:
    painter.drawPolyline([_at(body, x, y) for x, y in points])


def _paint_shape(painter: QPainter, profile: AgentProfile, body: QRectF) -> None:
    painter.drawPath(body_path(profile, body))


def _paint_human(painter: QPainter, _profile: AgentProfile, body: QRectF) -> None:
    head = body.height() * 0.075
    painter.drawEllipse(_at(body, 0.5, 0.075), head, head)
    trunk = QRectF(_at(body, 0.3, 0.18), _at(body, 0.7, 0.55))
    painter.drawRoundedRect(trunk, head * 0.8, head * 0.8)
    _lines(painter, body, (0.42, 0.55), (0.36, 0.78), (0.25, 1.0), (0.36, 1.0))
    _lines(painter, body, (0.58, 0.55), (0.64, 0.78), (0.64, 1.0), (0.76, 1.0))
    _lines(painter, body, (0.5, 0.24), (0.56, 0.42), (0.82, 0.52))


def _paint_wheelchair(painter: QPainter, _profile: AgentProfile, body: QRectF) -> None:
    wheel = min(body.width() * 0.3, body.height() * 0.26)
    centre = QPointF(_at(body, 0.33, 1.0).x(), body.bottom() - wheel)
    painter.drawEllipse(centre, wheel, wheel)
    small = wheel * 0.32
    painter.drawEllipse(QPointF(_at(body, 0.82, 1.0).x(), body.bottom() - small), small, small)
    _lines(painter, body, (0.02, 0.36), (0.16, 0.36), (0.22, 0.62), (0.68, 0.62), (0.8, 0.9))
    _lines(painter, body, (0.8, 0.9), (1.0, 0.9))
    head = body.height() * 0.085
    painter.drawEllipse(_at(body, 0.32, 0.085), head, head)
    _lines(painter, body, (0.3, 0.18), (0.28, 0.56), (0.64, 0.56), (0.8, 0.84))
    _lines(painter, body, (0.3, 0.26), (0.44, 0.46), (0.62, 0.44))


def _paint_humanoid(painter: QPainter, _profile: AgentProfile, body: QRectF) -> None:
    head = QRectF(_at(body, 0.38, 0.0), _at(body, 0.62, 0.13))
    painter.drawRoundedRect(head, 3, 3)
    _lines(painter, body, (0.56, 0.06), (0.62, 0.06))
    painter.drawRoundedRect(QRectF(_at(body, 0.3, 0.17), _at(body, 0.7, 0.54)), 4, 4)
    painter.drawRect(QRectF(_at(body, 0.38, 0.56), _at(body, 0.48, 0.98)))
    painter.drawRect(QRectF(_at(body, 0.53, 0.56), _at(body, 0.63, 0.98)))
    _lines(painter, body, (0.5, 0.24), (0.6, 0.42), (0.86, 0.44))


def _paint_quadruped(painter: QPainter, _profile: AgentProfile, body: QRectF) -> None:
    painter.drawRoundedRect(QRectF(_at(body, 0.08, 0.22), _at(body, 0.8, 0.52)), 5, 5)
    painter.drawRoundedRect(QRectF(_at(body, 0.8, 0.02), _at(body, 1.0, 0.34)), 4, 4)
    for x in (0.16, 0.3, 0.6, 0.74):
        _lines(painter, body, (x, 0.52), (x - 0.05, 0.76), (x + 0.02, 1.0))


def _paint_sweeper(painter: QPainter, _profile: AgentProfile, body: QRectF) -> None:
    path = QPainterPath(_at(body, 0.0, 1.0))
    path.lineTo(_at(body, 0.0, 0.45))
    path.quadTo(_at(body, 0.02, 0.12), _at(body, 0.2, 0.12))
    path.lineTo(_at(body, 0.8, 0.12))
    path.quadTo(_at(body, 0.98, 0.12), _at(body, 1.0, 0.45))
    path.lineTo(_at(body, 1.0, 1.0))
    path.closeSubpath()
    painter.drawPath(path)
    _lines(painter, body, (0.4, 0.12), (0.4, -0.15), (0.6, -0.15), (0.6, 0.12))


_Picture = Callable[[QPainter, AgentProfile, QRectF], None]
_PICTURES: dict[str, _Picture] = {
    "human": _paint_human,
    "wheelchair": _paint_wheelchair,
    "humanoid": _paint_humanoid,
    "quadruped": _paint_quadruped,
    "sweeper": _paint_sweeper,
}
