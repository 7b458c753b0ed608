"""Colours of drawings as Qt paints with them."""

from __future__ import annotations

from PySide6.QtGui import QColor

from waypost.viewers.scene.drawing import Color


def qcolor(color: Color) -> QColor:
    """The same colour for a ``QPainter``; parts out of range are taken as their limit."""
    return QColor.fromRgbF(*(min(max(part, 0.0), 1.0) for part in color))
