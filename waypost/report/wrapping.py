"""Breaks text into lines that fit, and marks what is left out; any script, as Qt shapes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextLayout, QTextOption

from waypost.domain.base.visible_text import visible_text

_BLANKS: Final = re.compile(r"[ \t\r\n\f\v\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph to draw."""

    text: str
    colour: str
    """``#rrggbb``."""

    size_px: int = 15
    is_bold: bool = False
    most_lines: int = 99
    gap_px: float = 6.0
    """Below it."""

    @property
    def font(self) -> QFont:
        """The font of the application in this size."""
        font = QFont()
        font.setPixelSize(self.size_px)
        font.setBold(self.is_bold)
        return font


def wrapped(text: str, font: QFont, width_px: float, most_lines: int) -> list[str]:
    """Lines that fit; where there are more, the last one ends with ``…``.

    Args:
        text: Blanks and line ends in a row are one blank; blanks that must not break stay. What is
            invisible or reorders is spelled out.
        font: As it will be drawn.
        width_px: Words that are wider are broken.
        most_lines: At least 1.
    """
    whole = visible_text(_BLANKS.sub(" ", text).strip(" "))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(whole, font)
    layout.setTextOption(option)
    layout.beginLayout()
    starts: list[int] = []
    while len(starts) <= most_lines and (line := layout.createLine()).isValid():
        line.setLineWidth(width_px)
        starts.append(line.textStart())
    layout.endLayout()
    # Qt counts in UTF-16: an emoji is two of its units.
    units = whole.encode("utf-16-le", "surrogatepass")
    cuts = [2 * start for start in starts]
    parts = [
        units[a:b].decode("utf-16-le", "replace").strip()
        for a, b in zip(cuts, [*cuts[1:], len(units)], strict=True)
    ]
    if len(parts) <= most_lines:
        return parts
    rest = units[cuts[most_lines - 1] :].decode("utf-16-le", "replace").strip()
    metrics = QFontMetricsF(font)
    last = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width_px)
    return [*parts[: most_lines - 1], last if last.endswith("…") else f"{last}…"]


def height_of(blocks: Sequence[TextBlock], width_px: float) -> float:
    """How much room paragraphs take, one below the other."""
    return sum(
        len(wrapped(block.text, block.font, width_px, block.most_lines))
        * QFontMetricsF(block.font).lineSpacing()
        + block.gap_px
        for block in blocks
    )


def draw_blocks(painter: QPainter, blocks: Sequence[TextBlock], area: QRectF) -> None:
    """Draw paragraphs from the top; what has no room any more is left out, with a mark."""
    y = area.top()
    for block in blocks:
        spacing = QFontMetricsF(block.font).lineSpacing()
        room = int((area.bottom() - y + 0.5) // spacing)
        if room < 1:
            return
        painter.setFont(block.font)
        painter.setPen(QColor(block.colour))
        for line in wrapped(block.text, block.font, area.width(), min(block.most_lines, room)):
            painter.drawText(QPointF(area.left(), y + QFontMetricsF(block.font).ascent()), line)
            y += spacing
        y += block.gap_px
