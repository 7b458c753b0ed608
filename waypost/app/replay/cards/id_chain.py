"""A path as a chain of short ids that wraps; a click goes to the step that arrived there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from waypost.domain.base.counted_words import counted
from waypost.domain.base.visible_text import one_line, plain_tip
from waypost.domain.replay.id_chains import ChainLink
from waypost.services.appearance import ThemeTokens, changes_text_size
from waypost.widgets.theme import tokens_in_force

_MOST_SHOWN: Final = 60
_LONGEST: Final = 12
_PAD_PX: Final = 5
_GAP_PX: Final = 4


class IdChain(QWidget):
    """Chips in rows; Up, Down and Enter work as the mouse does.

    Args:
        name: For screen readers, which hear the chip with the keyboard as its description.
        parent: Qt owner.
    """

    step_chosen = Signal(int)
    """The step of a chip that was clicked."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._links: tuple[ChainLink, ...] = ()
        self._current: int | None = None
        self._first = 0
        self._focused = -1
        self._texts: tuple[str, ...] = ()
        """Of the chips drawn, as ``_shown`` gives them."""

        self._rects: dict[int, list[QRect]] = {}
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_links(self, links: tuple[ChainLink, ...], current: int | None) -> None:
        """Show a chain and where the agent is on it; emits nothing.

        Args:
            links: Of any number; only those around the current one are drawn.
            current: Index of the current one.
        """
        middle = (current or 0) - _MOST_SHOWN // 2
        first = max(0, min(middle, len(links) - _MOST_SHOWN)) if len(links) > _MOST_SHOWN else 0
        if links is not self._links or first != self._first:
            self._links, self._first = links, first
            self._texts = tuple(map(_chip_text, self._shown()))
            self._rects.clear()
            self._focused = -1
            self.updateGeometry()
            self.update()
        if current != self._current:
            for place in (self._current, current):
                if place is not None:
                    self.update(self.chip_rect(place))
        self._current = current
        self._tell()

    def chip_rect(self, index: int) -> QRect:
        """Where the chip of a link lies; empty if it is not drawn."""
        at = index - self._first
        rects = self._chip_rects(self.width())
        return rects[at] if 0 <= at < len(rects) else QRect()

    def _shown(self) -> tuple[ChainLink, ...]:
        return self._links[self._first : self._first + _MOST_SHOWN]

    def _chip_rects(self, width: int) -> list[QRect]:
        if width in self._rects:
            return self._rects[width]
        metrics = self.fontMetrics()
        height = metrics.height() + _PAD_PX
        rects = []
        x = y = 0
        for text in self._texts:
            chip = metrics.horizontalAdvance(text) + 2 * _PAD_PX
            if x and x + chip > width:
                x, y = 0, y + height + _GAP_PX
            rects.append(QRect(x, y, min(chip, width), height))
            x += chip + _GAP_PX
        self._rects[width] = rects
        return rects

    def _tell(self) -> None:
        count = len(self._links)
        at = self._focused if self._focused >= 0 else self._current
        place = (
            counted(count, "place")
            if at is None
            else f"{at + 1} of {count}: {_tip(self._links[at])}"
        )
        left_out = count - len(self._shown())
        self.setAccessibleDescription(place + (f", {left_out:,} not drawn" if left_out else ""))

    def _index_at(self, point: QPoint) -> int:
        rects = self._chip_rects(self.width())
        found = (index for index, rect in enumerate(rects) if rect.contains(point))
        return next(found, -1 - self._first) + self._first

    def _choose(self, index: int) -> None:
        step = self._links[index].step
        if step is not None:
            self.step_chosen.emit(step)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height in pixels of all chips."""
        rects = self._chip_rects(width)
        return rects[-1].bottom() + 1 if rects else 0

    def sizeHint(self) -> QSize:
        """One line; the layout asks for the height at its width."""
        return QSize(160, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """As narrow as a chip."""
        return QSize(60, self.fontMetrics().height() + _PAD_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_in_force()
        rects = self._chip_rects(self.width())
        for index, (link, rect) in enumerate(zip(self._shown(), rects, strict=True), self._first):
            if event.region().intersects(rect):
                self._paint(painter, tokens, index, link, rect)
        painter.end()

    def _paint(
        self, painter: QPainter, tokens: ThemeTokens, index: int, link: ChainLink, rect: QRect
    ) -> None:
        is_current = index == self._current
        edge = tokens.does_not if link.is_first_deviation else tokens.border
        has_focus = self.hasFocus() and index == self._focused
        painter.setPen(QPen(QColor(tokens.accent if has_focus else edge), 2 if has_focus else 1))
        painter.setBrush(QColor(tokens.selection if is_current else tokens.panel))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
        ink = tokens.text
        if link.is_off:
            ink = tokens.does_not
        elif link.step is None:
            ink = tokens.muted
        painter.setPen(QColor(tokens.on_selection if is_current else ink))
        text = self._texts[index - self._first]
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the step of a chip."""
        index = self._index_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index >= 0:
            self._focused = index
            self._choose(index)
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk along the chips; keys at the ends go on to the panel around it."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        first, end = self._first, self._first + len(self._shown())
        if step and first <= self._focused + step < end:
            self._focused += step
            self._tell()
            self.update()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._focused >= 0:
            self._choose(self._focused)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the current chip."""
        super().focusInEvent(event)
        if self._links and self._focused < 0:
            self._focused = self._first if self._current is None else self._current
            self._tell()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard left."""
        super().focusOutEvent(event)
        self._focused = -1
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the whole id of the chip under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._index_at(event.pos())
            text = _tip(self._links[index]) if index >= 0 else ""
            QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Place the chips anew at another text scale."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._rects.clear()
            self.updateGeometry()


def _chip_text(link: ChainLink) -> str:
    text = one_line(link.text, _LONGEST)
    if link.is_first_deviation:
        return f"⚑ {text}"
    if link.is_reached:
        return f"✓ {text}"
    return f"✕ {text}" if link.is_off else text


def _tip(link: ChainLink) -> str:
    parts = [one_line(link.viewpoint_id, 80)]
    parts += [] if link.step is None else [f"step {link.step}"]
    parts += ["first deviation"] if link.is_first_deviation else []
    parts += ["off the reference"] if link.is_off and not link.is_first_deviation else []
    return ", ".join(parts)
