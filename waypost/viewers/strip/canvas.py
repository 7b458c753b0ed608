"""The painted part of a panorama strip, with options to hover, click and reach by keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from waypost.domain.base.visible_text import plain_tip
from waypost.services.theme_in_force import tokens_in_force
from waypost.viewers.strip.content import StripRow, option_text
from waypost.viewers.strip.layout import OptionSpot, RowRects, lay_out, tile_room
from waypost.viewers.strip.painting import line_height, paint_strip


class StripCanvas(QWidget):
    """Rows of tiles. Up and Down go through the options, Return chooses one."""

    option_chosen = Signal(str)
    """Viewpoint of an option that was clicked."""

    room_changed = Signal()
    """Pictures may have another size."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Panorama")
        self._rows: tuple[StripRow, ...] = ()
        self._titles: tuple[str, ...] = ()
        self._rects: tuple[RowRects, ...] = ()
        self._hovered: OptionSpot | None = None

    @property
    def rows(self) -> tuple[StripRow, ...]:
        """What is shown."""
        return self._rows

    def set_rows(self, rows: Sequence[StripRow], titles: Sequence[str]) -> None:
        """Show other rows: one, or two with their titles."""
        self._rows, self._titles = tuple(rows), tuple(titles)
        self._lay_out()

    def picture_room(self, rows: int) -> tuple[int, int]:
        """Device pixels that each of four pictures may have, in steps of eight."""
        width, height = tile_room(self._area(), rows, line_height(self.font()))
        ratio = self.devicePixelRatioF()
        return max(16, int(width * ratio) // 8 * 8), max(16, int(height * ratio) // 8 * 8)

    def spot_at(self, point: QPointF) -> OptionSpot | None:
        """The option under a point; the chosen one where discs touch."""
        spots = [spot for spot in self._spots() if spot.holds(point)]
        return max(spots, key=lambda spot: spot.placed.marker.is_chosen, default=None)

    def text_of(self, spot: OptionSpot) -> str:
        """An option in words."""
        heading = next(
            (
                row.heading_rad
                for row, rects in zip(self._rows, self._rects, strict=True)
                if any(spot in tile.spots for tile in rects.tiles)
            ),
            float("nan"),
        )
        return option_text(spot.placed.marker, heading)

    def sizeHint(self) -> QSize:
        """Room for a row of tiles with their titles."""
        line = line_height(self.font())
        return QSize(640, round(130 + line))

    def minimumSizeHint(self) -> QSize:
        """Room for tiles in which something can be made out."""
        rows = max(len(self._rows), 1)
        line = line_height(self.font())
        return QSize(240, round(rows * (48 + line * rows)))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt passes it
        """Paint the rows."""
        painter = QPainter(self)
        tokens = tokens_in_force()
        paint_strip(
            painter, self._rows, self._rects, tokens, titles=self._titles, hovered=self._hovered
        )
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.accent), 2.0))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out anew."""
        super().resizeEvent(event)
        self._lay_out()
        self.room_changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew for another text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()
            self.updateGeometry()
            self.room_changed.emit()

    def event(self, event: QEvent) -> bool:
        """Tell about the option under the pointer, or why there is no picture."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = QPointF(event.pos())
            spot = self.spot_at(place)
            text = self._reason_at(place) if spot is None else self.text_of(spot)
            if text:
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _reason_at(self, point: QPointF) -> str:
        """Why the tile at a point has no picture, or not all of it; empty beside tiles."""
        for row, places in zip(self._rows, self._rects, strict=True):
            for tile, place in zip(row.tiles, places.tiles, strict=True):
                if tile.picture is not None and place.frame.contains(point):
                    return tile.picture.reason
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what a click would choose."""
        self._hover(self.spot_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose an option."""
        spot = self.spot_at(event.position())
        if event.button() is Qt.MouseButton.LeftButton and spot is not None:
            self.option_chosen.emit(spot.placed.marker.viewpoint_id)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is hovered."""
        super().leaveEvent(event)
        self._hover(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Nothing is hovered."""
        super().focusOutEvent(event)
        self._hover(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the options, or choose one."""
        spots = sorted(self._spots(), key=lambda spot: spot.placed.marker.number)
        if event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Up} and spots:
            step = 1 if event.key() == Qt.Key.Key_Down else -1
            known = spots.index(self._hovered) if self._hovered in spots else None
            place = (0 if step > 0 else -1) if known is None else (known + step) % len(spots)
            self._hover(spots[place])
            below = self.mapToGlobal(spots[place].centre.toPoint())
            QToolTip.showText(below, plain_tip(self.text_of(spots[place])), self)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._hovered is not None:
            self.option_chosen.emit(self._hovered.placed.marker.viewpoint_id)
        else:
            super().keyPressEvent(event)

    def _hover(self, spot: OptionSpot | None) -> None:
        if spot is self._hovered:
            return
        self._hovered = spot
        shape = Qt.CursorShape.PointingHandCursor if spot else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        self.update()

    def _spots(self) -> tuple[OptionSpot, ...]:
        """The options of the first row: those that the agent had."""
        tiles = self._rects[0].tiles if self._rects else ()
        return tuple(spot for tile in tiles for spot in tile.spots)

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(4, 0, -4, -4)

    def _lay_out(self) -> None:
        self._rects = lay_out(self._rows, self._area(), line_height(self.font()))
        self._hovered = None
        self.update()
