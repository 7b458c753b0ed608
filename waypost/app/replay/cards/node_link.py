"""Draws an agent's topological map: places, connections, what is new and what was struck out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from waypost.domain.replay.agent_map_picture import AgentMapNode, AgentMapPicture
from waypost.services.appearance import ThemeTokens
from waypost.widgets.theme import tokens_in_force

_SHARE: Final = 0.72
"""Height for width."""


class NodeLinkView(QWidget):
    """A picture of a map; what it shows is said in words beside it.

    Args:
        name: For screen readers.
        parent: Qt owner.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture = AgentMapPicture()
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_picture(self, picture: AgentMapPicture) -> None:
        """Draw another map."""
        if picture == self._picture:
            return
        self._picture = picture
        counts = (
            (len(picture.nodes), "places"),
            (sum(node.is_new for node in picture.nodes), "new"),
            (sum(node.is_struck_out for node in picture.nodes), "struck out"),
        )
        self.setAccessibleDescription(", ".join(f"{count} {word}" for count, word in counts))
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Wider pictures are higher, up to a limit."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height in pixels; larger text needs more room."""
        return min(max(int(width * _SHARE), 10 * self.fontMetrics().height()), 360)

    def sizeHint(self) -> QSize:
        """A small picture."""
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def minimumSizeHint(self) -> QSize:
        """Smaller than that nothing can be told apart."""
        return QSize(160, 120)

    def _radius(self) -> float:
        return self.fontMetrics().height() * 0.72

    def _at(self, node: AgentMapNode) -> QPointF:
        edge = self._radius() + 6
        side = min(self.width() - 2 * edge, self.height() - 2 * edge)
        # Text maps fill the picture; a plan keeps its proportions.
        wide, high = self.width() - 2 * edge, self.height() - 2 * edge
        if self._picture.is_to_scale:
            wide = high = side
        left = (self.width() - wide) / 2
        top = (self.height() - high) / 2
        return QPointF(left + node.at[0] * wide, top + (1 - node.at[1]) * high)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw links below places."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_in_force()
        painter.setPen(QPen(QColor(tokens.border)))
        painter.setBrush(QColor(tokens.field))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        at = {node.key: self._at(node) for node in self._picture.nodes}
        painter.setPen(QPen(QColor(tokens.border_strong), 1.2))
        for a, b in self._picture.links:
            painter.drawLine(at[a], at[b])
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.accent), 3))
        trail = [at[key] for key in self._picture.trail if key in at]
        painter.drawPolyline(QPolygonF(trail))
        for node in self._picture.nodes:
            self._paint_node(painter, tokens, node, at[node.key])
        painter.end()

    def _paint_node(
        self, painter: QPainter, tokens: ThemeTokens, node: AgentMapNode, at: QPointF
    ) -> None:
        radius = self._radius()
        ground, edge, ink = tokens.panel, tokens.undecided, tokens.muted
        if node.is_visited:
            ground, edge, ink = tokens.raised, tokens.text, tokens.text
        if node.is_current:
            ground, edge, ink = tokens.accent, tokens.accent, tokens.on_accent
        if node.is_struck_out:
            ground, edge, ink = tokens.field, tokens.does_not, tokens.does_not
        line = Qt.PenStyle.SolidLine if node.is_visited else Qt.PenStyle.DashLine
        painter.setPen(QPen(QColor(edge), 1.6, line))
        painter.setBrush(QColor(ground))
        width = max(2 * radius, self.fontMetrics().horizontalAdvance(node.label) + 8)
        box = QRectF(at.x() - width / 2, at.y() - radius, width, 2 * radius)
        painter.drawRoundedRect(box, radius, radius)
        painter.setPen(QColor(ink))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, node.label)
        if node.is_new:
            painter.setPen(QPen(QColor(tokens.travels), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), radius + 3, radius + 3)
            spot = QRectF(box.right() - 2, box.top() - radius * 0.9, radius * 1.4, radius * 1.4)
            painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, "+")
        if node.is_struck_out:
            painter.setPen(QPen(QColor(tokens.does_not), 2))
            painter.drawLine(box.bottomLeft(), box.topRight())
