"""The height of the horizontal cut through the scene, as a slider beside the view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from waypost.domain.scene.scene import Storey
from waypost.services.appearance import ThemeTokens
from waypost.widgets.theme import tokens_in_force

_STEP_M = 0.05
_SNAP_PX = 8
_BELOW_NEXT_FLOOR_M = 0.3
_ABOVE_FLOOR_M = 2.2
_BESIDE_NAME_PX = 32
"""Margin, tick, groove and handle."""

_WIDEST = 7.0
"""Times the size of the text: the slider floats over the scene and must not hide it."""

_LARGEST_SHARE = 0.25
"""Of the width of the view; a slider that needs more folds to its groove until it is used."""

_USES = frozenset({QEvent.Type.Enter, QEvent.Type.Leave, QEvent.Type.FocusIn, QEvent.Type.FocusOut})

GROUND_OPACITY = 0.9
"""Least at which every text keeps its contrast, whatever the scene behind it looks like."""


@dataclass(frozen=True, slots=True)
class CutStop:
    """A height the slider snaps to, at which one storey is seen from above."""

    name: str
    cut_z_m: float


def cut_stops(storeys: Sequence[Storey], high_m: float) -> tuple[CutStop, ...]:
    """Where to cut so that each storey shows its walls without its ceiling.

    Args:
        storeys: In any order.
        high_m: Top of the scene.

    Returns:
        One stop per storey, lowest first: 2.2 m above its floor, but at least 0.3 m below the
        floor above and below the top of the scene.
    """
    ordered = sorted(storeys, key=lambda s: s.floor_z_m)
    stops: list[CutStop] = []
    for index, storey in enumerate(ordered):
        ceiling = ordered[index + 1].floor_z_m if index + 1 < len(ordered) else high_m
        height = ceiling - storey.floor_z_m
        below = max(ceiling - _BELOW_NEXT_FLOOR_M, storey.floor_z_m + height / 2)
        stops.append(CutStop(storey.name, min(storey.floor_z_m + _ABOVE_FLOOR_M, below)))
    return tuple(stops)


def short_name(storey: str) -> str:
    """The name of a storey where there is little room: ``Ground floor`` becomes ``Ground``."""
    return storey.removesuffix(" floor").removesuffix(" storey")


class CutSlider(QWidget):
    """A vertical slider over the height of the scene; at the very top nothing is cut.

    Up and Down move by 5 cm, PgUp and PgDn by a storey, End shows the whole scene.
    """

    cut_changed = Signal(object)
    """Height of the cut in metres, scene frame; ``None`` shows the whole scene."""

    width_changed = Signal()
    """It folded or unfolded: it wants another width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._low_m, self._high_m = 0.0, 3.0
        self._stops: tuple[CutStop, ...] = ()
        self._cut_z_m: float | None = None
        self._is_narrow = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setToolTip("Cut height: drag, or Up/Down, PgUp/PgDn for storeys, End for the whole")
        self._name_value()

    @property
    def cut_z_m(self) -> float | None:
        """Height of the cut; ``None`` for the whole scene."""
        return self._cut_z_m

    @property
    def stops(self) -> tuple[CutStop, ...]:
        """The heights it snaps to, lowest first."""
        return self._stops

    @property
    def is_folded(self) -> bool:
        """Whether only groove, handle and storeys' ticks show: the view is narrow."""
        return self._is_narrow and not (self.underMouse() or self.hasFocus())

    def set_view_width(self, width_px: int) -> None:
        """Say how wide the view is over which the slider floats."""
        self._is_narrow = self._full_width_px() > _LARGEST_SHARE * width_px

    def set_range(self, low_m: float, high_m: float, storeys: Sequence[Storey]) -> None:
        """Take the heights of another scene and show it whole; emits nothing."""
        self._low_m, self._high_m = low_m, max(high_m, low_m + 0.1)
        self._stops = cut_stops(storeys, self._high_m)
        self.set_cut(None)
        self.updateGeometry()

    def set_cut(self, cut_z_m: float | None) -> None:
        """Show another height; emits nothing. At or above the top means the whole scene."""
        if cut_z_m is not None:
            cut_z_m = max(cut_z_m, self._low_m + 0.01)
        self._cut_z_m = None if cut_z_m is None or cut_z_m >= self._high_m else cut_z_m
        self._name_value()
        self.update()

    def move_by(self, metres: float) -> None:
        """Raise or lower the cut as the user would."""
        self._change((self._high_m if self._cut_z_m is None else self._cut_z_m) + metres)

    def step_storey(self, direction: int) -> None:
        """Go to the next stop above (1) or below (−1); above the last one nothing is cut."""
        now = self._high_m if self._cut_z_m is None else self._cut_z_m
        heights = [*(stop.cut_z_m for stop in self._stops), self._high_m]
        if direction > 0:
            self._change(next((h for h in heights if h > now + 1e-6), self._high_m))
        else:
            below = (h for h in reversed(heights) if h < now - 1e-6)
            self._change(next(below, heights[0]))

    def value_text(self) -> str:
        """The height in words, e.g. ``2.20 m · Ground floor`` or ``whole``."""
        if self._cut_z_m is None:
            return "whole"
        stop = next((s for s in self._stops if abs(s.cut_z_m - self._cut_z_m) < 1e-6), None)
        height = f"{self._cut_z_m:.2f} m"
        return f"{height} · {stop.name}" if stop else height

    def _change(self, cut_z_m: float) -> None:
        before = self._cut_z_m
        self.set_cut(cut_z_m)
        if self._cut_z_m != before:
            self.cut_changed.emit(self._cut_z_m)

    def _name_value(self) -> None:
        self.setAccessibleName(f"Cut height: {self.value_text()}")

    def _track(self) -> tuple[float, float]:
        line = self.fontMetrics().height()
        return line * 1.8, self.height() - line * 0.9

    def _y_of(self, z_m: float) -> float:
        top, bottom = self._track()
        share = (z_m - self._low_m) / (self._high_m - self._low_m)
        return bottom - share * (bottom - top)

    def _z_at(self, y_px: float) -> float:
        top, bottom = self._track()
        share = (bottom - y_px) / max(bottom - top, 1.0)
        return self._low_m + min(max(share, 0.0), 1.0) * (self._high_m - self._low_m)

    def _drag_to(self, y_px: float) -> None:
        for stop in self._stops:
            if abs(self._y_of(stop.cut_z_m) - y_px) <= _SNAP_PX:
                self._change(stop.cut_z_m)
                return
        self._change(self._z_at(y_px))

    def sizeHint(self) -> QSize:
        """Wide enough for the names of the storeys, but narrow; folded without them."""
        width_px = _BESIDE_NAME_PX if self.is_folded else self._full_width_px()
        return QSize(width_px, self.fontMetrics().height() * 14)

    def _full_width_px(self) -> int:
        metrics = self.fontMetrics()
        names = [metrics.horizontalAdvance(short_name(stop.name)) for stop in self._stops]
        widest = max([*names, metrics.horizontalAdvance("00.00 m")])
        most = round(_WIDEST * self.fontInfo().pixelSize())
        return min(widest + _BESIDE_NAME_PX, most)

    def minimumSizeHint(self) -> QSize:
        """Half as high as it wants to be."""
        hint = self.sizeHint()
        return QSize(hint.width(), hint.height() // 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_to(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer, snapping to storeys."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag_to(event.position().y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Keep the end of a drag from the scene beneath."""
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole scene."""
        self._change(self._high_m)
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Move by 5 cm per notch."""
        self.move_by(_STEP_M * event.angleDelta().y() / 120)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move by steps or storeys."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.move_by(_STEP_M if key == Qt.Key.Key_Up else -_STEP_M)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.step_storey(1 if key == Qt.Key.Key_PageUp else -1)
        elif key == Qt.Key.Key_End:
            self._change(self._high_m)
        elif key == Qt.Key.Key_Home:
            self._change(self._low_m)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Unfold for the pointer and the keyboard, and fold again after them."""
        handled = super().event(event)
        if self._is_narrow and event.type() in _USES:
            self.updateGeometry()
            self.width_changed.emit()
        return handled

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw groove, storeys, handle and value."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_in_force()
        self._paint_ground(painter, tokens)
        top, bottom = self._track()
        x = self.width() - 13.0
        value_y = self._y_of(self._high_m if self._cut_z_m is None else self._cut_z_m)
        painter.setPen(QPen(QColor(tokens.border_strong), 4, c=Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        painter.setPen(QPen(QColor(tokens.accent), 4, c=Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(x, value_y), QPointF(x, bottom))
        self._paint_stops(painter, tokens, x)
        painter.setPen(QPen(QColor(tokens.panel), 2))
        painter.setBrush(QColor(tokens.accent))
        painter.drawEllipse(QPointF(x, value_y), 7, 7)
        if not self.is_folded:
            self._paint_value(painter, tokens)
        painter.end()

    def _paint_value(self, painter: QPainter, tokens: ThemeTokens) -> None:
        painter.setPen(QColor(tokens.text))
        text = "whole" if self._cut_z_m is None else f"{self._cut_z_m:.2f} m"
        line = self.fontMetrics().height()
        cell = QRectF(6, 4, self.width() - 12, line)
        painter.drawText(cell, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_ground(self, painter: QPainter, tokens: ThemeTokens) -> None:
        has_focus = self.hasFocus()
        edge = QColor(tokens.accent if has_focus else tokens.border)
        painter.setPen(QPen(edge, 2 if has_focus else 1))
        ground = QColor(tokens.panel)
        ground.setAlphaF(GROUND_OPACITY)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)

    def _paint_stops(self, painter: QPainter, tokens: ThemeTokens, x: float) -> None:
        line = self.fontMetrics().height()
        for stop in self._stops:
            y = self._y_of(stop.cut_z_m)
            is_here = self._cut_z_m is not None and abs(stop.cut_z_m - self._cut_z_m) < 1e-6
            colour = QColor(tokens.accent if is_here else tokens.muted)
            painter.setPen(QPen(colour, 2))
            painter.drawLine(QPointF(x - 11, y), QPointF(x - 7, y))
            if self.is_folded:
                continue
            painter.setPen(colour)
            cell = QRectF(6, y - line / 2, self.width() - _BESIDE_NAME_PX, line)
            align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            name = self.fontMetrics().elidedText(
                short_name(stop.name), Qt.TextElideMode.ElideRight, int(cell.width())
            )
            painter.drawText(cell, align, name)
