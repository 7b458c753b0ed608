"""Paints a panorama strip, on a widget and into pictures of reports alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from waypost.domain.replay.picture_lenses import PerspectiveLens
from waypost.services.appearance import ThemeTokens
from waypost.viewers.strip.content import StripRow, StripTile
from waypost.viewers.strip.layout import OptionSpot, RowRects, TileRects

_LETTERS: Final = {0: "N", 90: "E", 180: "S", 270: "W"}
_CENTRED: Final = Qt.AlignmentFlag.AlignCenter
_WRAPPED: Final = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.TextFlag.TextWordWrap)
"""From the top: options stand in the middle of a tile."""

LEAST_TEXT_PX: Final = 9
"""Text gets no smaller than this."""

_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def line_height(font: QFont) -> float:
    """Height of a line of text on a strip."""
    return QFontMetricsF(font).height() + 3.0


def paint_strip(
    painter: QPainter,
    rows: Sequence[StripRow],
    rects: Sequence[RowRects],
    tokens: ThemeTokens,
    *,
    titles: Sequence[str],
    hovered: OptionSpot | None = None,
) -> None:
    """Paint rows of tiles where they were laid out.

    Args:
        painter: With the font of the strip.
        rows: What is shown.
        rects: Where, from ``lay_out``.
        tokens: Colours.
        titles: Heading of each row, painted where there are two.
        hovered: The option under the pointer.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    for row, places, title in zip(rows, rects, titles, strict=True):
        if not places.heading.isEmpty():
            _text(painter, places.heading, title, tokens.text, is_left=True)
        for tile, place in zip(row.tiles, places.tiles, strict=True):
            _paint_tile(painter, row, tile, place, tokens)
            for spot in sorted(place.spots, key=lambda s: s.placed.marker.is_chosen):
                _paint_spot(painter, spot, tokens, is_hovered=spot is hovered)


def _paint_tile(
    painter: QPainter, row: StripRow, tile: StripTile, place: TileRects, tokens: ThemeTokens
) -> None:
    is_front = tile.gaze_x is not None
    _text(painter, place.title, tile.title, tokens.text if is_front else tokens.muted)
    painter.save()
    painter.setClipRect(place.frame)
    picture = tile.picture
    if picture is not None and picture.pixels is not None:
        height, width = picture.pixels.shape[:2]
        image = QImage(picture.pixels.data, width, height, width * 3, QImage.Format.Format_RGB888)
        painter.drawImage(place.picture, image)
    elif picture is not None:
        _paint_reason(painter, place.frame, picture.reason, tokens)
    elif row.is_frame:
        _paint_reason(painter, place.frame, row.reason, tokens)
    else:
        _paint_horizon(painter, tile, place.picture, tokens)
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(tokens.highlight if is_front else tokens.border), 1.5))
    painter.drawRect(place.frame)
    if tile.gaze_x is not None:
        _paint_gaze(painter, place.picture, tile.gaze_x, tokens)


def _paint_reason(painter: QPainter, rect: QRectF, reason: str, tokens: ThemeTokens) -> None:
    painter.fillRect(rect, QColor(tokens.raised))
    painter.setPen(QColor(tokens.text))
    usual = painter.font()
    inside = rect.adjusted(6, 8, -6, -4)
    size_px, text = fitting_text(reason, usual, inside)
    smaller = QFont(usual)
    smaller.setPixelSize(size_px)
    painter.setFont(smaller)
    painter.drawText(inside, _WRAPPED, text)
    painter.setFont(usual)


def fitting_text(text: str, font: QFont, room: QRectF) -> tuple[int, str]:
    """Size and words with which a text fits, wrapped between words only.

    Args:
        text: What is to be read.
        font: In its usual size, which is taken where it fits.
        room: Where it is painted.

    Returns:
        Size in pixels, at least ``LEAST_TEXT_PX``, and the text with words shortened in their
        middle that are wider than the room.
    """
    size_px = max(QFontInfo(font).pixelSize(), LEAST_TEXT_PX)
    while True:
        tried = QFont(font)
        tried.setPixelSize(size_px)
        metrics = QFontMetricsF(tried)
        middle = Qt.TextElideMode.ElideMiddle
        shown = " ".join(metrics.elidedText(word, middle, room.width()) for word in text.split())
        is_fitting = metrics.boundingRect(room, _WRAPPED, shown).height() <= room.height()
        if is_fitting or size_px <= LEAST_TEXT_PX:
            return size_px, shown
        size_px -= 1


def _paint_horizon(painter: QPainter, tile: StripTile, rect: QRectF, tokens: ThemeTokens) -> None:
    """A bare room of directions: sky, floor, horizon, degrees and compass letters."""
    middle = rect.center().y()
    painter.fillRect(rect, QColor(tokens.panel))
    painter.fillRect(QRectF(rect.left(), middle, rect.width(), rect.height()), QColor(tokens.field))
    painter.setPen(QPen(QColor(tokens.border), 1.0))
    for share in (-3.0, -1.5, -0.75, -0.3, 0.0, 0.3, 0.75, 1.5, 3.0):
        bottom = QPointF(rect.center().x() + share * rect.width(), rect.bottom())
        painter.drawLine(QLineF(QPointF(rect.center().x(), middle), bottom))
    painter.setPen(QPen(QColor(tokens.border_strong), 1.0))
    painter.drawLine(QLineF(rect.left(), middle, rect.right(), middle))
    painter.setPen(QColor(tokens.muted))
    line = line_height(painter.font())
    for degrees in range(0, 360, 15):
        x = _column(tile, math.radians(degrees), rect)
        if x is None:
            continue
        is_named = degrees in _LETTERS
        length = 7.0 if is_named else 3.0
        painter.drawLine(QLineF(x, middle - length, x, middle + length))
        if is_named:
            spot = QRectF(x - line, rect.bottom() - line, 2 * line, line)
            painter.drawText(spot, int(_CENTRED), _LETTERS[degrees])


def _column(tile: StripTile, heading_rad: float, rect: QRectF) -> float | None:
    """Where a heading on the horizon is in a tile; ``None`` outside."""
    turn = math.remainder(heading_rad - tile.centre_rad, math.tau)
    if tile.lens is None:
        return rect.center().x() + turn / math.tau * rect.width()
    half = tile.lens.fov_rad / 2 if isinstance(tile.lens, PerspectiveLens) else math.pi / 4
    if abs(turn) > half - 0.02:
        return None
    return rect.center().x() + math.tan(turn) / math.tan(half) * rect.width() / 2


def _paint_gaze(painter: QPainter, rect: QRectF, share: float, tokens: ThemeTokens) -> None:
    """A small wedge on the upper rim, where the agent looks."""
    x = rect.left() + share * rect.width()
    wedge = QPolygonF(
        [
            QPointF(x - 6, rect.top() - 1),
            QPointF(x + 6, rect.top() - 1),
            QPointF(x, rect.top() + 7),
        ]
    )
    painter.setPen(QPen(QColor(tokens.label), 1.0))
    painter.setBrush(QColor(tokens.highlight))
    painter.drawPolygon(wedge)


def _paint_spot(
    painter: QPainter, spot: OptionSpot, tokens: ThemeTokens, *, is_hovered: bool
) -> None:
    """A numbered disc; the chosen one is larger and has a second ring and a wedge above."""
    marker = spot.placed.marker
    centre, radius = spot.centre, spot.radius_px
    if centre != spot.point:
        painter.setPen(QPen(QColor(tokens.label), 3.0))
        painter.drawLine(QLineF(spot.point, centre))
        painter.setPen(QPen(QColor(tokens.travels), 1.5))
        painter.drawLine(QLineF(spot.point, centre))
    if marker.is_chosen:
        painter.setPen(QPen(QColor(tokens.label), 6.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, radius + 2.5, radius + 2.5)
        painter.setPen(QPen(QColor(tokens.highlight), 2.5))
        painter.drawEllipse(centre, radius + 2.5, radius + 2.5)
        _paint_chosen_wedge(painter, centre, radius, tokens)
    rim = (
        tokens.highlight if is_hovered else tokens.on_fill if marker.is_offered else tokens.travels
    )
    pen = QPen(QColor(rim), 3.0 if is_hovered else 1.6)
    if not marker.is_offered:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(QColor(tokens.travels_fill if marker.is_offered else tokens.label))
    painter.drawEllipse(centre, radius, radius)
    font = painter.font()
    numbers = QFont(font)
    numbers.setBold(True)
    numbers.setPixelSize(max(8, round(radius * (1.25 if marker.number < 10 else 1.0))))
    painter.setFont(numbers)
    painter.setPen(QColor(tokens.on_fill if marker.is_offered else tokens.label_text))
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    painter.drawText(box, int(_CENTRED), str(marker.number))
    painter.setFont(font)
    if spot.placed.is_beyond:
        _paint_beyond(painter, spot, tokens)


def _paint_chosen_wedge(
    painter: QPainter, centre: QPointF, radius: float, tokens: ThemeTokens
) -> None:
    tip = centre.y() - radius - 5
    wedge = QPolygonF(
        [
            QPointF(centre.x() - 6, tip - 8),
            QPointF(centre.x() + 6, tip - 8),
            QPointF(centre.x(), tip),
        ]
    )
    painter.setPen(QPen(QColor(tokens.label), 1.0))
    painter.setBrush(QColor(tokens.highlight))
    painter.drawPolygon(wedge)


def _paint_beyond(painter: QPainter, spot: OptionSpot, tokens: ThemeTokens) -> None:
    """A chevron that points out of the picture, up or down."""
    sign = -1.0 if spot.placed.marker.elevation_rad > 0 else 1.0
    if abs(spot.placed.marker.elevation_rad) < math.radians(20):
        return
    x, y = spot.centre.x() + spot.radius_px + 5, spot.centre.y()
    shape = [QPointF(x - 3, y - sign * 2), QPointF(x, y + sign * 3), QPointF(x + 3, y - sign * 2)]
    for color, width in ((tokens.label, 4.0), (tokens.travels, 2.0)):
        painter.setPen(QPen(QColor(color), width))
        painter.drawPolyline(QPolygonF(shape))


def _text(painter: QPainter, rect: QRectF, text: str, color: str, *, is_left: bool = False) -> None:
    """A line that gets smaller where it is too long, then shorter."""
    usual = painter.font()
    needed = QFontMetricsF(usual).horizontalAdvance(text)
    if needed > rect.width() > 0:
        smaller = QFont(usual)
        size = QFontInfo(usual).pixelSize()
        smaller.setPixelSize(max(LEAST_TEXT_PX, math.floor(size * max(rect.width() / needed, 0.6))))
        painter.setFont(smaller)
    metrics = QFontMetricsF(painter.font())
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width() + 1)
    painter.setPen(QColor(color))
    painter.drawText(rect, int(_LEFT if is_left else _CENTRED), shown)
    painter.setFont(usual)
