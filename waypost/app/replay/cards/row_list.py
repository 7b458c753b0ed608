"""A short list of rows that wrap: options, tags, nodes of a map, items of a plan, metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from waypost.domain.base.visible_text import shortened, visible_text
from waypost.widgets.theme import tokens_in_force

_PAD_PX: Final = 4
_GAP_PX: Final = 2
_MOST_LAID_OUT: Final = 600
_MOST_WIDTHS: Final = 4
"""A panel asks at one width, with and without its scroll bar; a drag goes through hundreds."""

_MOST_SHOWN: Final = 500
"""Characters of each line of a row; rows summarise, folds show everything."""

MOST_ROWS: Final = 200

_BREAK: Final = "\u2028"


@dataclass(frozen=True, slots=True)
class TextRow:
    """One row; every text is plain and may come from a file."""

    key: str
    """Reported on hovering and choosing."""

    title: str
    text: str = ""
    """Below the title."""

    note: str = ""
    """Below the text, muted."""

    detail: str = ""
    """Opens under the row on a click, e.g. a definition."""

    sign: str = ""
    """One character in front, so that colour never stands alone."""

    tone: str = ""
    """Field of ``ThemeTokens`` for sign and title; empty for ordinary text."""

    is_struck_out: bool = False
    is_current: bool = False
    can_choose: bool = False
    is_bold: bool = True
    """Whether the title is."""


@dataclass(slots=True)
class _Laid:
    layout: QTextLayout
    height: int


@dataclass(frozen=True, slots=True)
class _Table:
    """The rows of a list at one width."""

    indent_px: int
    laid: list[_Laid]
    tops: list[int]
    height: int


class RowList(QWidget):
    """Paints rows that wrap to its width; Up, Down and Enter work as the mouse does.

    Args:
        name: For screen readers, which hear the row with the keyboard as its description.
        parent: Qt owner.
    """

    hovered = Signal(str)
    """Key of the row under the mouse or with the keyboard; empty when there is none."""

    chosen = Signal(str)
    """Key of the row that was clicked, where it can be chosen."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[TextRow, ...] = ()
        self._opened: set[str] = set()
        self._laid: dict[tuple[TextRow, bool, int], _Laid] = {}
        self._tables: dict[int, _Table] = {}
        """Width → where every row lies, asked for again and again while a panel is laid out."""

        self._hovered = -1
        self._focused = -1
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_rows(self, rows: tuple[TextRow, ...]) -> None:
        """Show other rows; rows that stay the same are not laid out again. Emits nothing."""
        if len(rows) > MOST_ROWS:
            left_out = f"… and {len(rows) - MOST_ROWS:,} more"
            rows = (*rows[:MOST_ROWS], TextRow("", left_out, is_bold=False, tone="muted"))
        if rows == self._rows:
            return
        self._rows = rows
        self._hovered = -1
        self._focused = min(self._focused, len(rows) - 1)
        self._tell_focused()
        self._place_anew()

    def row_rect(self, index: int) -> QRect:
        """Where a row lies."""
        table = self._table(self.width())
        return QRect(0, table.tops[index], self.width(), table.laid[index].height)

    def toggle(self, index: int) -> None:
        """Open or close the detail of a row."""
        row = self._rows[index]
        if row.detail:
            self._opened ^= {row.key}
            self._place_anew()

    def _place_anew(self) -> None:
        self._tables.clear()
        self.updateGeometry()
        self.update()

    def _table(self, width: int) -> _Table:
        found = self._tables.get(width)
        if found is None:
            indent = self._indent_px()
            laid = [self._laid_out(row, width - indent - _PAD_PX) for row in self._rows]
            tops, top = [], 0
            for one in laid:
                tops.append(top)
                top += one.height + _GAP_PX
            if len(self._tables) >= _MOST_WIDTHS:
                self._tables.clear()
            found = self._tables[width] = _Table(indent, laid, tops, max(top - _GAP_PX, 0))
        return found

    def _laid_out(self, row: TextRow, room: int) -> _Laid:
        key = (row, row.key in self._opened, room)
        found = self._laid.get(key)
        if found is None:
            if len(self._laid) > _MOST_LAID_OUT:
                self._laid.clear()
            found = self._laid[key] = _lay_out(row, row.key in self._opened, self.font(), room)
        return found

    def _indent_px(self) -> int:
        has_signs = any(row.sign for row in self._rows)
        sign = int(1.4 * self.fontMetrics().horizontalAdvance("✓")) if has_signs else 0
        return sign + 2 * _PAD_PX

    def _index_at(self, point: QPoint) -> int:
        table = self._table(self.width())
        for index, (top, laid) in enumerate(zip(table.tops, table.laid, strict=True)):
            if top <= point.y() < top + laid.height:
                return index
        return -1

    def _act(self, index: int) -> None:
        row = self._rows[index]
        self.toggle(index)
        if row.can_choose:
            self.chosen.emit(row.key)

    def _hover(self, index: int) -> None:
        if index == self._hovered:
            return
        self._hovered = index
        row = self._rows[index] if index >= 0 else None
        can_act = row is not None and (row.can_choose or bool(row.detail))
        self.setCursor(Qt.CursorShape.PointingHandCursor if can_act else Qt.CursorShape.ArrowCursor)
        self.hovered.emit(row.key if row else "")
        self.update()

    def _focus(self, index: int) -> None:
        self._focused = index
        self._tell_focused()
        self.hovered.emit(self._rows[index].key)
        area = self._scroll_area()
        if area is not None and (content := area.widget()) is not None:
            middle = self.mapTo(content, self.row_rect(index).center())
            area.ensureVisible(middle.x(), middle.y(), 0, self.row_rect(index).height() // 2 + 8)
        self.update()

    def _scroll_area(self) -> QScrollArea | None:
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        return parent

    def _tell_focused(self) -> None:
        row = self._rows[self._focused] if 0 <= self._focused < len(self._rows) else None
        told = ". ".join(filter(None, (row.title, row.text, row.note, row.detail))) if row else ""
        self.setAccessibleDescription(visible_text(told[:_MOST_SHOWN]))

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height in pixels of all rows."""
        return self._table(width).height

    def sizeHint(self) -> QSize:
        """One line; the layout asks for the height at its width."""
        return QSize(160, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """As narrow as a word or two."""
        return QSize(60, self.fontMetrics().lineSpacing() if self._rows else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows that show."""
        painter = QPainter(self)
        table, region = self._table(self.width()), event.region()
        for index in range(len(self._rows)):
            rect = self.row_rect(index)
            if region.intersects(rect):
                self._paint(painter, table, index, rect)
        painter.end()

    def _paint(self, painter: QPainter, table: _Table, index: int, rect: QRect) -> None:
        row = self._rows[index]
        tokens = tokens_in_force()
        if row.is_current or index == self._hovered:
            ground = tokens.raised if row.is_current else tokens.raised_hover
            painter.fillRect(rect, QColor(ground))
        if row.is_current:
            painter.fillRect(QRect(0, rect.y(), 3, rect.height()), QColor(tokens.accent))
        if self.hasFocus() and index == self._focused:
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        colour = QColor(getattr(tokens, row.tone) if row.tone else tokens.text)
        painter.setPen(colour)
        if row.sign:
            at = QRect(_PAD_PX + 2, rect.y() + _PAD_PX // 2, table.indent_px, rect.height())
            painter.drawText(at, Qt.AlignmentFlag.AlignTop, row.sign)
        painter.setPen(QColor(tokens.text))
        at_text = QPointF(table.indent_px, rect.y() + _PAD_PX / 2)
        table.laid[index].layout.draw(painter, at_text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which row is under the mouse."""
        self._hover(self._index_at(event.position().toPoint()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """No row is under the mouse."""
        self._hover(-1)
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open or choose the row."""
        index = self._index_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self._focused = index
            self._tell_focused()
            self._act(index)
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the rows; keys at the ends go on to the panel around it."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if step and 0 <= self._focused + step < len(self._rows):
            self._focus(self._focused + step)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._focused >= 0:
            self._act(self._focused)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first row, or where the keyboard was before."""
        super().focusInEvent(event)
        is_by_key = event.reason() in {
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        }
        if self._rows and is_by_key:
            self._focus(max(self._focused, 0))
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard left."""
        super().focusOutEvent(event)
        self.hovered.emit("")
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew in another theme or text scale."""
        super().changeEvent(event)
        kinds = QEvent.Type
        if event.type() in {kinds.FontChange, kinds.PaletteChange, kinds.StyleChange}:
            self._laid.clear()
            self._place_anew()


def _lay_out(row: TextRow, is_open: bool, font: QFont, width: int) -> _Laid:
    tokens = tokens_in_force()
    colour = getattr(tokens, row.tone) if row.tone else tokens.text
    title = _shown(row.title)
    if row.detail:
        title += "\u00a0▾" if is_open else "\u00a0▸"
    parts = [(title, _format(colour, is_bold=row.is_bold, is_struck_out=row.is_struck_out))]
    parts += [
        (_shown(text), _format(ink))
        for text, ink in (
            (row.text, tokens.text),
            (row.note, tokens.muted),
            (row.detail if is_open else "", tokens.muted),
        )
        if text
    ]
    layout = QTextLayout(_BREAK.join(text for text, _ in parts), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    ranges, at = [], 0
    for text, look in parts:
        units = len(text.encode("utf-16-le", "replace")) // 2
        made = QTextLayout.FormatRange()
        made.start, made.length, made.format = at, units, look
        ranges.append(made)
        at += units + 1
    layout.setFormats(ranges)
    layout.beginLayout()
    y = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 20))
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return _Laid(layout, int(y + 0.99) + _PAD_PX)


def _shown(text: str) -> str:
    start, left_out = shortened(text, _MOST_SHOWN)
    return visible_text(start).replace("\n", _BREAK) + ("…" if left_out else "")


def _format(colour: str, *, is_bold: bool = False, is_struck_out: bool = False) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(QColor(colour))
    if is_bold:
        look.setFontWeight(QFont.Weight.DemiBold)
    look.setFontStrikeOut(is_struck_out)
    return look
