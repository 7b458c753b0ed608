"""One chart to look at, point at and walk through with the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from waypost.charts.picture import ChartPicture, ChartTarget, Measure
from waypost.domain.base.visible_text import plain_tip
from waypost.services.appearance import changes_text_size
from waypost.services.theme_in_force import tokens_in_force
from waypost.viewers.charts.chart_painting import paint_chart, text_measure

MakePicture = Callable[[float, float, Measure], ChartPicture]
"""Width and height wanted, pixels, and the size of text → the picture."""

_MARGIN_PX = 12
_LEAST_WIDTH_PX = 380

_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
_TURNS = {Qt.Key.Key_Down: (0, 1), Qt.Key.Key_Up: (0, -1)}
_CHOICES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_KEYS = frozenset({*_STEPS, *_TURNS, *_CHOICES, Qt.Key.Key_Home, Qt.Key.Key_End})


class ChartView(QWidget):
    """Draws a picture as wide as the room it has and as high as it needs to be.

    Left and right walk through every part in reading order, up and down to the nearest part in
    that direction, Home and End to the first and last; Enter, Space or a click choose one.
    """

    target_chosen = Signal(object)
    """The ``ChartTarget`` that was clicked or entered."""

    target_shown = Signal(object)
    """The ``ChartTarget`` under the pointer or the keyboard, or ``None``."""

    place_shown = Signal(QRect)
    """Where the target is that the keyboard went to, for whoever scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._make: MakePicture | None = None
        self._picture: ChartPicture | None = None
        self._measure: Measure | None = None
        self._shown: int | None = None
        self._wanted_height_px = 0

    @property
    def picture(self) -> ChartPicture | None:
        """What is drawn now."""
        return self._picture

    @property
    def shown(self) -> ChartTarget | None:
        """The part that is brought out."""
        if self._picture is None or self._shown is None:
            return None
        return self._picture.targets[self._shown]

    def set_chart(self, name: str, make: MakePicture | None) -> None:
        """Show another chart; ``name`` is what a screen reader says. Nothing for ``None``."""
        self.setAccessibleName(name)
        self._make = make
        self._show(None)
        self._lay_out()

    def set_wanted_height(self, height_px: int) -> None:
        """Say how high a chart may be before it scrolls."""
        if height_px != self._wanted_height_px:
            self._wanted_height_px = height_px
            self._lay_out()

    def sizeHint(self) -> QSize:
        """As the picture."""
        high = 0 if self._picture is None else round(self._picture.height_px)
        return QSize(_LEAST_WIDTH_PX, high + 2 * _MARGIN_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of text and the theme."""
        super().changeEvent(event)
        if changes_text_size(event):
            self._measure = None
            self._lay_out()
        elif event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt passes it
        """Draw the picture."""
        if self._picture is None:
            return
        painter = QPainter(self)
        painter.translate(_MARGIN_PX, _MARGIN_PX)
        paint_chart(
            painter, self._picture, tokens_in_force(), self._shown, has_focus=self.hasFocus()
        )
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Bring out what is under the pointer."""
        found = self._at(event.position())
        self.setCursor(
            Qt.CursorShape.ArrowCursor if found is None else Qt.CursorShape.PointingHandCursor
        )
        self._show(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer."""
        found = self._at(event.position())
        if found is not None and event.button() is Qt.MouseButton.LeftButton:
            self._show(found)
            self._choose()

    def leaveEvent(self, event: QEvent) -> None:
        """Bring nothing out any more, unless the keyboard is here."""
        super().leaveEvent(event)
        if not self.hasFocus():
            self._show(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first part."""
        super().focusInEvent(event)
        is_clicked = event.reason() is Qt.FocusReason.MouseFocusReason
        if not is_clicked and self._shown is None and self._count():
            self._go_to(0)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Bring nothing out any more."""
        super().focusOutEvent(event)
        self._show(None)

    def event(self, event: QEvent) -> bool:
        """Claim the keys that walk through a chart before they are anybody's shortcut."""
        is_claim = event.type() == QEvent.Type.ShortcutOverride
        if is_claim and isinstance(event, QKeyEvent) and self._picture is not None:
            is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if is_plain and event.key() in _KEYS:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk through the parts and choose one."""
        key = Qt.Key(event.key())
        count = self._count()
        if not count or self._picture is None:
            super().keyPressEvent(event)
        elif key in _CHOICES and self._shown is not None:
            self._choose()
        elif key == Qt.Key.Key_Home:
            self._go_to(0)
        elif key == Qt.Key.Key_End:
            self._go_to(count - 1)
        elif key in _STEPS:
            start = -1 if self._shown is None else self._shown
            self._go_to(min(max(start + _STEPS[key], 0), count - 1))
        elif key in _TURNS:
            start = self._shown or 0
            self._go_to(self._picture.neighbour(start, *_TURNS[key]))
        else:
            super().keyPressEvent(event)

    def _count(self) -> int:
        return 0 if self._picture is None else len(self._picture.targets)

    def _go_to(self, index: int) -> None:
        self._show(index)
        if self._picture is not None:
            x, y, wide, high = self._picture.place_of(index)
            place = QRect(round(x), round(y), round(wide), round(high))
            self.place_shown.emit(place.translated(_MARGIN_PX, _MARGIN_PX))

    def _show(self, index: int | None) -> None:
        if index == self._shown:
            return
        self._shown = index
        target = self.shown
        text = "" if target is None else f"{target.title}: {target.detail}"
        self.setToolTip(plain_tip(text))
        self.setAccessibleDescription(text)
        self.target_shown.emit(target)
        self.update()

    def _choose(self) -> None:
        target = self.shown
        if target is not None:
            self.target_chosen.emit(target)

    def _at(self, point: QPointF) -> int | None:
        if self._picture is None:
            return None
        return self._picture.target_at(point.x() - _MARGIN_PX, point.y() - _MARGIN_PX)

    def _lay_out(self) -> None:
        if self._make is None:
            self._picture = None
        else:
            if self._measure is None:
                self._measure = text_measure(self.font())
            width = max(self.width(), _LEAST_WIDTH_PX) - 2 * _MARGIN_PX
            height = max(self._wanted_height_px - 2 * _MARGIN_PX, 0)
            self._picture = self._make(width, height, self._measure)
            if self._shown is not None and self._shown >= len(self._picture.targets):
                self._show(None)
        high = 0.0 if self._picture is None else self._picture.height_px
        wide = 0.0 if self._picture is None else self._picture.width_px
        self.setMinimumHeight(round(high) + 2 * _MARGIN_PX)
        self.setMinimumWidth(_LEAST_WIDTH_PX if wide <= _LEAST_WIDTH_PX else 0)
        self.updateGeometry()
        self.update()
