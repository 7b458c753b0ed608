"""Paints labels, scale bar and compass over the 3D picture, crisp at every pixel ratio."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from waypost.services.appearance import DARK, LABEL_OPACITY, ThemeTokens
from waypost.viewers.scene.declutter import LabelBox, PlacedLabel, place_labels
from waypost.viewers.scene.drawing import Label3D, rgb
from waypost.viewers.scene.lens import ViewLens
from waypost.viewers.scene.painting import qcolor

_PAD_X = 7.0
_PAD_Y = 2.5
_MARGIN = 14.0


class LabelOverlay(QWidget):
    """A transparent widget over the canvas; it takes no events.

    Args:
        parent: The view, whose whole area it covers.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._labels: tuple[Label3D, ...] = ()
        self._lens: ViewLens | None = None
        self._colors = DARK
        self._ground = rgb(DARK.label, LABEL_OPACITY)
        self._widths: dict[tuple[str, bool], float] = {}

    def set_labels(self, labels: Sequence[Label3D]) -> None:
        """Show these from the next picture on."""
        self._labels = tuple(labels)
        self.update()

    def set_lens(self, lens: ViewLens) -> None:
        """Follow the camera."""
        self._lens = lens
        self.update()

    def set_colors(self, colors: ThemeTokens) -> None:
        """Use another theme."""
        self._colors = colors
        self._ground = rgb(colors.label, LABEL_OPACITY)
        self.update()

    def paint(self, painter: QPainter) -> None:
        """Paint everything in device-independent pixels."""
        if self._lens is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        for placed in self.placed_labels():
            self._paint_label(painter, placed)
        if self._lens.is_orthographic:
            self._paint_scale_bar(painter, self._lens)
            self._paint_compass(painter)

    def placed_labels(self) -> tuple[PlacedLabel, ...]:
        """The labels that are shown now; ``index`` counts the labels given."""
        if self._lens is None or not self._labels:
            return ()
        pixels = self._lens.project([label.point for label in self._labels])
        height = self._height()
        boxes = []
        for index, (label, (x, y)) in enumerate(zip(self._labels, pixels.tolist(), strict=True)):
            if not (-40 <= x <= self.width() + 40 and -10 <= y <= self.height() + 30):
                continue
            width = self._width(label) + 2 * _PAD_X
            dx, dy = label.offset_px
            boxes.append(LabelBox(index, x + dx, y + dy, width, height, y - dy, label.priority))
        # Painted from the least to the most important.
        return place_labels(boxes)[::-1]

    def changeEvent(self, event: QEvent) -> None:
        """Measure the texts again in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._widths.clear()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt passes it
        """Paint over the canvas."""
        painter = QPainter(self)
        self.paint(painter)
        painter.end()

    def _paint_label(self, painter: QPainter, placed: PlacedLabel) -> None:
        label = self._labels[placed.index]
        box = QRectF(round(placed.x), round(placed.y), round(placed.width), round(placed.height))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor(label.background or self._ground))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setFont(self._font_of(label.is_bold))
        painter.setPen(qcolor(label.color or rgb(self._colors.label_text)))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label.text)

    def _paint_scale_bar(self, painter: QPainter, lens: ViewLens) -> None:
        metres_per_px = lens.metres_per_pixel((0.0, 0.0, 0.0))
        metres = round_length_m(140.0 * metres_per_px)
        length = metres / metres_per_px
        text = f"{metres:g} m" if metres >= 1 else f"{metres * 100:g} cm"
        x, y = _MARGIN, self.height() - _MARGIN
        self._paint_plate(painter, QRectF(x - 8, y - 26, max(length, 30) + 16, 34))
        painter.setPen(QPen(QColor(self._colors.label_text), 1.5))
        bar = [QPointF(x, y - 5), QPointF(x, y), QPointF(x + length, y), QPointF(x + length, y - 5)]
        painter.drawPolyline(QPolygonF(bar))
        painter.setFont(self._font_of(is_bold=False))
        middle = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRectF(x - 8, y - 25, max(length, 30) + 16, 20), middle, text)

    def _paint_compass(self, painter: QPainter) -> None:
        x, y = self.width() - _MARGIN - 16, self.height() - _MARGIN - 18
        self._paint_plate(painter, QRectF(x - 20, y - 26, 44, 50))
        text = QColor(self._colors.label_text)
        painter.setFont(self._font_of(is_bold=False))
        middle = Qt.AlignmentFlag.AlignCenter
        start = QPointF(x - 8, y + 12)
        for name, tip in (("X", QPointF(x + 8, y + 12)), ("Y", QPointF(x - 8, y - 6))):
            painter.setPen(QPen(text, 1.5))
            painter.drawLine(start, tip)
            step = (tip - start) / 16.0
            side = QPointF(-step.y(), step.x())
            painter.drawPolyline([tip - step * 5 + side * 3, tip, tip - step * 5 - side * 3])
            at = tip + step * 8
            painter.drawText(QRectF(at.x() - 9, at.y() - 9, 18, 18), middle, name)

    def _paint_plate(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qcolor(self._ground))
        painter.drawRoundedRect(box, 6, 6)

    def _font_of(self, is_bold: bool) -> QFont:
        font = QFont(self.font())
        font.setBold(is_bold)
        return font

    def _height(self) -> float:
        return QFontMetricsF(self.font()).height() + 2 * _PAD_Y

    def _width(self, label: Label3D) -> float:
        text = (label.text, label.is_bold)
        if text not in self._widths:
            metrics = QFontMetricsF(self._font_of(label.is_bold))
            self._widths[text] = metrics.horizontalAdvance(label.text)
        return self._widths[text]


def round_length_m(longest_m: float) -> float:
    """The longest of 1, 2, 5 × 10ⁿ metres that is not longer than this."""
    power = 10.0 ** math.floor(math.log10(longest_m))
    steps = [step * power for step in (1.0, 2.0, 5.0) if step * power <= longest_m * (1 + 1e-9)]
    return steps[-1] if steps else power
