"""A chart's shapes and words as a ``QPainter`` draws them, in the colours of a theme."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from waypost.charts.picture import (
    Align,
    Band,
    Box,
    ChartPicture,
    ChartTone,
    Measure,
    Words,
)
from waypost.services.appearance import ThemeTokens

BAND_OPACITY: Final = 0.32
SHOWN_BAND_OPACITY: Final = 0.62
"""Of the band under the pointer or the keyboard."""

CELL_OPACITY: Final = 0.30
"""Of the strongest cell that carries text."""

_WORDS_OPACITY: Final = 0.8
"""Of the ground of words over bands."""

_TONES: Final = {
    ChartTone.SUCCESS: "travels",
    ChartTone.FAILURE: "does_not",
    ChartTone.ERROR: "disagreement",
    ChartTone.UNKNOWN: "undecided",
    ChartTone.PLAIN: "accent",
    ChartTone.RAIL: "border",
}
_WORD_WRAP: Final = Qt.TextFlag.TextWordWrap.value | Qt.AlignmentFlag.AlignTop.value
_WRAP_ANYWHERE: Final = Qt.TextFlag.TextWrapAnywhere.value | Qt.AlignmentFlag.AlignTop.value
_ALIGNS: Final = {
    Align.LEFT: Qt.AlignmentFlag.AlignLeft.value,
    Align.RIGHT: Qt.AlignmentFlag.AlignRight.value,
    Align.CENTRE: Qt.AlignmentFlag.AlignHCenter.value,
}


def tone_colour(tone: ChartTone, tokens: ThemeTokens) -> QColor:
    """The colour of a tone in a theme."""
    return QColor(getattr(tokens, _TONES[tone]))


def text_measure(font: QFont) -> Measure:
    """How large texts become in a font; remembers what it measured."""
    metrics = QFontMetricsF(font)
    known: dict[tuple[str, float], tuple[float, float]] = {}

    def measure(text: str, width_px: float) -> tuple[float, float]:
        found = known.get((text, width_px))
        if found is None:
            room = QRectF(0.0, 0.0, max(width_px, 1.0), 1e6)
            taken = metrics.boundingRect(room, _flags(metrics, text, room.width()), text)
            wide = math.ceil(max(taken.width(), 1.0)) + 1.0
            found = (min(wide, max(width_px, 1.0)), math.ceil(taken.height()))
            known[text, width_px] = found
        return found

    return measure


def _flags(metrics: QFontMetricsF, text: str, width_px: float) -> int:
    """Break between words; inside them only where one alone is too wide."""
    is_whole = all(metrics.horizontalAdvance(word) <= width_px for word in text.split(" "))
    return _WORD_WRAP if is_whole else _WRAP_ANYWHERE


def paint_chart(
    painter: QPainter,
    picture: ChartPicture,
    tokens: ThemeTokens,
    shown: int | None,
    *,
    has_focus: bool,
) -> None:
    """Draw a chart from its upper left corner.

    Args:
        painter: With the font that the picture was measured in.
        picture: What to draw.
        tokens: Colours.
        shown: The target to bring out.
        has_focus: Whether it is where the keyboard is.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for band in picture.bands:
        _paint_band(painter, band, tokens, is_shown=band.target == shown)
    for box in picture.boxes:
        _paint_box(painter, box, tokens, is_shown=box.target is not None and box.target == shown)
    for words in picture.words:
        _paint_words(painter, words, tokens)
    if shown is not None and has_focus:
        _paint_focus(painter, picture, shown, tokens)


def band_path(band: Band) -> QPainterPath:
    """The outline of a band."""
    middle = (band.left_px + band.right_px) / 2
    left, right = band.left_px, band.right_px
    left_end = band.left_top_px + band.left_thickness_px
    right_end = band.right_top_px + band.right_thickness_px
    path = QPainterPath(QPointF(left, band.left_top_px))
    path.cubicTo(middle, band.left_top_px, middle, band.right_top_px, right, band.right_top_px)
    path.lineTo(right, right_end)
    path.cubicTo(middle, right_end, middle, left_end, left, left_end)
    path.closeSubpath()
    return path


def _paint_band(painter: QPainter, band: Band, tokens: ThemeTokens, *, is_shown: bool) -> None:
    colour = tone_colour(band.tone, tokens)
    colour.setAlphaF(SHOWN_BAND_OPACITY if is_shown else BAND_OPACITY)
    painter.fillPath(band_path(band), colour)


def _paint_box(painter: QPainter, box: Box, tokens: ThemeTokens, *, is_shown: bool) -> None:
    rect = QRectF(*box.rect)
    painter.setPen(Qt.PenStyle.NoPen)
    if box.tone is None:
        if is_shown:
            painter.setBrush(QColor(tokens.raised))
            painter.drawRoundedRect(rect, 4.0, 4.0)
        return
    colour = tone_colour(box.tone, tokens)
    colour.setAlphaF(box.strength * (CELL_OPACITY if box.carries_text else 1.0))
    painter.setBrush(colour)
    if box.carries_text:
        painter.setPen(QPen(QColor(tokens.border_strong), 1.0))
    radius = min(3.0, rect.height() / 2, rect.width() / 2)
    painter.drawRoundedRect(rect, radius, radius)
    if is_shown:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.text), 1.5))
        painter.drawRoundedRect(rect, radius, radius)


def _paint_words(painter: QPainter, words: Words, tokens: ThemeTokens) -> None:
    rect = QRectF(*words.rect)
    if words.is_over_shapes:
        ground = QColor(tokens.panel)
        ground.setAlphaF(_WORDS_OPACITY)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect.adjusted(-3.0, 0.0, 3.0, 0.0), 3.0, 3.0)
    painter.setPen(QColor(tokens.muted if words.is_muted else tokens.text))
    length = rect.height() + 1.0 if words.is_turned else rect.width()
    flags = _flags(QFontMetricsF(painter.font()), words.text, length) | _ALIGNS[words.align]
    if not words.is_turned:
        painter.drawText(rect, flags, words.text)
        return
    painter.save()
    painter.translate(rect.left() + rect.width() / 2, rect.bottom())
    painter.rotate(-90.0)
    high = painter.fontMetrics().height()
    painter.drawText(QRectF(0.0, -high / 2, length, high), flags, words.text)
    painter.restore()


def _paint_focus(painter: QPainter, picture: ChartPicture, shown: int, tokens: ThemeTokens) -> None:
    pen = QPen(QColor(tokens.highlight), 2.0)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    band = next((entry for entry in picture.bands if entry.target == shown), None)
    if band is not None:
        painter.drawPath(band_path(band))
        return
    x, y, wide, high = picture.place_of(shown)
    painter.drawRoundedRect(QRectF(x + 1, y, max(wide - 2, 3.0), max(high, 3.0)), 4.0, 4.0)
