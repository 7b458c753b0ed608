"""The strip of a timeline: ticks, spans and flags painted once, the cursor over them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from waypost.domain.base.visible_text import plain_tip
from waypost.services.appearance import ThemeTokens
from waypost.widgets.theme import tokens_in_force
from waypost.widgets.timeline_content import TimelineContent, clock_text, sign_of

_SIDE_PX = 12.0
_TICK_APART_PX = 4.0
_NEAR_PX = 6.0
_MOST_THINGS = 8
_STEPS = tuple(factor * 10**power for power in range(7) for factor in (1, 2, 5))


class TimelineStrip(QWidget):
    """Shows where one is among many steps, and goes elsewhere by a drag.

    Left and Right move by a step, PgUp and PgDn by a tenth, Home and End to the ends.
    """

    moved = Signal(int)
    """Index that the user went to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = TimelineContent(0)
        self._position = 0
        self._picture: QPixmap | None = None
        self._painted_for: tuple[object, ...] = ()
        self._text_cells: list[QRectF] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Timeline")

    @property
    def position(self) -> int:
        """Index of the cursor."""
        return self._position

    @property
    def content(self) -> TimelineContent:
        """What is shown."""
        return self._content

    def set_content(self, content: TimelineContent) -> None:
        """Show other steps; the cursor stays where it can. Emits nothing."""
        self._content = content
        self._picture = None
        self.set_position(self._position)
        self.update()

    def set_position(self, index: int) -> None:
        """Show the cursor at a step; emits nothing."""
        before = self._position
        self._position = min(max(index, 0), max(self._content.count - 1, 0))
        if before != self._position:
            self.update(self._cursor_rect(before).toAlignedRect())
            self.update(self._cursor_rect(self._position).toAlignedRect())

    def x_of(self, index: float) -> float:
        """Where a step is, pixels from the left."""
        share = index / max(self._content.count - 1, 1)
        return _SIDE_PX + share * self._span_px()

    def index_at(self, x_px: float) -> int:
        """The step nearest to a pixel."""
        share = min(max((x_px - _SIDE_PX) / self._span_px(), 0.0), 1.0)
        return round(share * max(self._content.count - 1, 0))

    def sizeHint(self) -> QSize:
        """One line for flags, one for times, ticks and spans between them."""
        line = self.fontMetrics().height()
        return QSize(400, 2 * line + self._band_px() + 6)

    def minimumSizeHint(self) -> QSize:
        """As high, but narrower."""
        return QSize(160, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Say what is under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = plain_tip(self._tip_at(float(event.pos().x())))
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Paint anew in another theme or size of text."""
        super().changeEvent(event)
        self._picture = None
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the steps from their picture, the cursor anew."""
        tokens = tokens_in_force()
        painter = QPainter(self)
        # The region of a movement is small, and only that part of the picture is copied.
        painter.drawPixmap(0, 0, self._painted(tokens))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._content.count:
            self._paint_cursor(painter, tokens)
        if self.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._go_to(self.index_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go_to(self.index_at(event.position().x()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move by a step per notch."""
        self._go_to(self._position - round(event.angleDelta().y() / 120))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by steps."""
        last = self._content.count - 1
        places = {
            Qt.Key.Key_Left: self._position - 1,
            Qt.Key.Key_Right: self._position + 1,
            Qt.Key.Key_PageUp: self._position - max(last // 10, 1),
            Qt.Key.Key_PageDown: self._position + max(last // 10, 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        place = places.get(Qt.Key(event.key()))
        if place is None:
            super().keyPressEvent(event)
        else:
            self._go_to(place)

    def _go_to(self, index: int) -> None:
        before = self._position
        self.set_position(index)
        if self._position != before:
            self.moved.emit(self._position)

    def _tip_at(self, x_px: float) -> str:
        if not self._content.count:
            return ""
        first, last = self.index_at(x_px - _NEAR_PX), self.index_at(x_px + _NEAR_PX)
        things = tuple(dict.fromkeys(self._content.things_at(first, last)))
        lines = [self._content.position_text(self.index_at(x_px)), *things[:_MOST_THINGS]]
        if len(things) > _MOST_THINGS:
            lines.append(f"and {len(things) - _MOST_THINGS} more")
        return "\n".join(lines)

    def _span_px(self) -> float:
        return max(self.width() - 2 * _SIDE_PX, 1.0)

    def _band_px(self) -> int:
        """Height of ticks and spans together."""
        return round(self.fontMetrics().height() * 1.15)

    def _cursor_text(self, index: int) -> str:
        seconds = self._content.time_s(index)
        return f"{index:,}" if seconds is None else f"{index:,} · {clock_text(seconds)}"

    def _bubble(self, index: int) -> QRectF:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self._cursor_text(index)) + 12.0
        left = min(max(self.x_of(index) - width / 2, 1.0), max(self.width() - width - 1.0, 1.0))
        line = metrics.height()
        return QRectF(left, self.height() - line - 1.0, width, line)

    def _cursor_rect(self, index: int) -> QRectF:
        column = QRectF(self.x_of(index) - 8.0, 0.0, 16.0, float(self.height()))
        rect = column.united(self._bubble(index))
        for cell in self._covered_texts(index):
            rect = rect.united(cell)
        return rect.adjusted(-2, -2, 2, 2)

    def _covered_texts(self, index: int) -> list[QRectF]:
        """Where texts of ticks stand that the cursor would leave half of."""
        bubble = self._bubble(index).adjusted(-4.0, 0.0, 4.0, 0.0)
        return [cell for cell in self._text_cells if cell.intersects(bubble)]

    def _paint_cursor(self, painter: QPainter, tokens: ThemeTokens) -> None:
        x, bubble = self.x_of(self._position), self._bubble(self._position)
        accent = QColor(tokens.accent)
        for cell in self._covered_texts(self._position):
            painter.fillRect(cell, QColor(tokens.panel))
        top = self.fontMetrics().height() - 3.0
        painter.setPen(QPen(QColor(tokens.panel), 4))
        painter.drawLine(QPointF(x, top), QPointF(x, bubble.top()))
        painter.setPen(QPen(accent, 2))
        painter.drawLine(QPointF(x, top), QPointF(x, bubble.top()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawPolygon(
            QPolygonF([QPointF(x - 5, top), QPointF(x + 5, top), QPointF(x, top + 7)])
        )
        painter.drawRoundedRect(bubble, 4, 4)
        painter.setPen(QColor(tokens.on_accent))
        painter.drawText(bubble, Qt.AlignmentFlag.AlignCenter, self._cursor_text(self._position))

    def _painted(self, tokens: ThemeTokens) -> QPixmap:
        ratio = self.devicePixelRatioF()
        painted_for = (self.size(), ratio, tokens.is_dark, self.font().key())
        if self._picture is None or self._painted_for != painted_for:
            self._painted_for = painted_for
            self._picture = self._paint_picture(tokens, ratio)
        return self._picture

    def _paint_picture(self, tokens: ThemeTokens, ratio: float) -> QPixmap:
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(tokens.panel))
        painter = QPainter(picture)
        painter.setFont(self.font())
        line = float(self.fontMetrics().height())
        band = float(self._band_px())
        ticks = QRectF(_SIDE_PX, line + 2.0, self._span_px(), band * 0.6)
        bar = QRectF(_SIDE_PX, ticks.bottom() + 1.0, self._span_px(), band * 0.4)
        if self._content.count:
            self._paint_ticks(painter, tokens, ticks)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_spans(painter, tokens, bar)
            self._paint_flags(painter, tokens, ticks)
        painter.end()
        return picture

    def _paint_ticks(self, painter: QPainter, tokens: ThemeTokens, room: QRectF) -> None:
        count = self._content.count
        per_step = self._span_px() / max(count - 1, 1)
        small = next(s for s in _STEPS if s * per_step >= _TICK_APART_PX or s >= count)
        longest = max(self._scale_texts((1, count // 3, count - 1)), key=len)
        widest = self.fontMetrics().horizontalAdvance(longest) * 1.25
        large = next(s for s in _STEPS if s * per_step >= widest or s >= count)
        painter.setPen(QPen(QColor(tokens.border_strong), 1))
        painter.drawLine(QPointF(room.left(), room.bottom()), QPointF(room.right(), room.bottom()))
        painter.drawLines(
            [
                QLineF(
                    self.x_of(i), room.bottom() - room.height() * 0.6, self.x_of(i), room.bottom()
                )
                for i in range(0, count, small)
            ]
        )
        free_from, places = 0.0, range(0, count, large)
        self._text_cells.clear()
        for index, text in zip(places, self._scale_texts(places), strict=True):
            x = self.x_of(index)
            painter.setPen(QPen(QColor(tokens.muted), 1))
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
            free_from = self._paint_scale_text(painter, x, text, free_from)

    def _scale_texts(self, places: Sequence[int]) -> list[str]:
        """What stands at some ticks: hundredths of a second at all of them, or at none."""
        times_s = [self._content.time_s(index) for index in places]
        texts = [
            f"{index:,}" if seconds is None else clock_text(seconds)
            for index, seconds in zip(places, times_s, strict=True)
        ]
        is_whole = all(text.endswith(".00") for text in texts)
        return [text.removesuffix(".00") for text in texts] if is_whole else texts

    def _paint_scale_text(self, painter: QPainter, x: float, text: str, free_from: float) -> float:
        """Write a text if it meets none before it; returns where the next one may begin."""
        width, line = self.fontMetrics().horizontalAdvance(text), self.fontMetrics().height()
        left = min(max(x - width / 2, 1.0), self.width() - width - 1.0)
        if left < free_from:
            return free_from
        cell = QRectF(left, self.height() - line - 1.0, width + 1.0, line)
        painter.drawText(cell, Qt.AlignmentFlag.AlignLeft, text)
        self._text_cells.append(cell)
        return left + width + line / 2

    def _paint_spans(self, painter: QPainter, tokens: ThemeTokens, room: QRectF) -> None:
        half_step = self._span_px() / max(self._content.count - 1, 1) / 2
        for span in self._content.spans:
            sign = sign_of(span.kind)
            left = max(self.x_of(span.first) - half_step, room.left())
            right = min(self.x_of(span.last) + half_step, room.right())
            cell = QRectF(left, room.top(), max(right - left, 2.0), room.height())
            colour = QColor(getattr(tokens, sign.colour))
            ground = QColor(colour)
            ground.setAlphaF(0.25)
            painter.fillRect(cell, ground)
            painter.fillRect(cell, QBrush(colour, sign.pattern))
            painter.setPen(QPen(colour, 1))
            painter.drawLine(cell.bottomLeft(), cell.bottomRight())

    def _paint_flags(self, painter: QPainter, tokens: ThemeTokens, ticks: QRectF) -> None:
        metrics = self.fontMetrics()
        painter.setPen(Qt.PenStyle.NoPen)
        taken: list[tuple[float, float]] = []
        stems: set[int] = set()
        for mark in sorted(self._content.marks, key=lambda mark: -sign_of(mark.kind).rank):
            sign, x = sign_of(mark.kind), self.x_of(mark.index)
            if round(x) in stems:
                continue
            stems.add(round(x))
            colour = QColor(getattr(tokens, sign.colour))
            painter.setPen(QPen(colour, 1.5))
            painter.drawLine(QPointF(x, ticks.top()), QPointF(x, ticks.bottom()))
            width = metrics.horizontalAdvance(sign.mark)
            left = min(max(x - width / 2, 0.0), self.width() - width - 0.0)
            if _is_free(taken, left, left + width):
                cell = QRectF(left, 0.0, width + 1.0, metrics.height())
                painter.drawText(cell, Qt.AlignmentFlag.AlignLeft, sign.mark)


def _is_free(taken: list[tuple[float, float]], left: float, right: float) -> bool:
    """Whether nothing is between two pixels yet; if so they are taken. Kept in order."""
    at = bisect_right(taken, (left, right))
    before_ends = taken[at - 1][1] if at else -1.0
    after_begins = taken[at][0] if at < len(taken) else float("inf")
    if before_ends > left or after_begins < right:
        return False
    taken.insert(at, (left, right))
    return True
