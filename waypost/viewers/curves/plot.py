"""Small curves over time with one cursor, e.g. speed, collisions and distance to the goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from waypost.services.appearance import DARK, ThemeTokens, tokens_named
from waypost.viewers.curves.curve import Curve, panels_of

if TYPE_CHECKING:
    from waypost.viewers.curves.panel import CurvePanel

_LEAST_WIDTH: Final = 15.0
"""Of a panel, times the size of the text."""

_HEIGHT: Final = 5.0
"""Of a panel, times the size of the text: its legend and the numbers of its axis …"""

_CURVE_HEIGHT_PX: Final = 46
"""… and the curve itself, which needs no more room for larger text."""


class CurvePlot(QWidget):
    """Panels beside or below each other, as the width allows; a click or a drag moves the cursor.

    Args:
        parent: Qt owner.
    """

    cursor_moved = Signal(float)
    """Where on the axis the user went."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Plots")
        self._curves: tuple[Curve, ...] = ()
        self._panels: list[CurvePanel] = []
        self._tokens: ThemeTokens = DARK
        self._x_title = "s"
        self._cursor: float | None = None
        self._columns = 0
        self._content = QWidget()
        self._grid = QGridLayout(self._content)
        self._grid.setContentsMargins(8, 2, 8, 4)
        self._grid.setSpacing(8)
        self._area = QScrollArea()
        self._area.setWidget(self._content)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._area)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """What is drawn."""
        return self._curves

    def set_curves(self, curves: tuple[Curve, ...]) -> None:
        """Draw other curves over the same axis."""
        if not curves and not self._curves:
            return
        # pyqtgraph takes a fifth of a second to import, which a start without plots saves.
        from waypost.viewers.curves.panel import CurvePanel  # noqa: PLC0415

        self._curves = curves
        groups = panels_of(curves)
        while len(self._panels) > len(groups):
            panel = self._panels.pop()
            self._grid.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        while len(self._panels) < len(groups):
            panel = CurvePanel(self._content)
            panel.cursor_moved.connect(self._on_moved)
            self._panels.append(panel)
        for panel, group in zip(self._panels, groups, strict=True):
            panel.set_curves(group, self._x_title, self._tokens)
        self._columns = 0
        self._arrange()
        self._show_cursor()
        self.updateGeometry()

    def set_x_title(self, title: str) -> None:
        """Name the unit of the axis, seconds unless said otherwise; before ``set_curves``."""
        self._x_title = title

    def set_cursor(self, x: float | None) -> None:
        """Show the cursor at a place of the axis, or nowhere; emits nothing."""
        self._cursor = x
        self._show_cursor()

    def set_theme(self, dark: bool) -> None:
        """Use the dark or the light theme."""
        self._tokens = tokens_named("dark" if dark else "light")
        for panel in self._panels:
            panel.set_theme(self._tokens)

    def sizeHint(self) -> QSize:
        """One row of panels; further rows are scrolled to."""
        return QSize(640, self._panel_height_px() + 8)

    def minimumSizeHint(self) -> QSize:
        """One panel."""
        return QSize(round(self._text_px() * _LEAST_WIDTH), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put as many panels beside each other as have room."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the size of the text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            for panel in self._panels:
                panel.set_theme(self._tokens)
            self._columns = 0
            self._arrange()
            self.updateGeometry()

    def _text_px(self) -> int:
        return self.fontInfo().pixelSize()

    def _panel_height_px(self) -> int:
        return round(self._text_px() * _HEIGHT) + _CURVE_HEIGHT_PX

    def _arrange(self) -> None:
        least = self._text_px() * _LEAST_WIDTH
        columns = max(1, min(len(self._panels), int(self.width() // least)))
        if columns == self._columns or not self._panels:
            return
        self._columns = columns
        # Even rows: six panels with room for five are shown three by three.
        rows = -(-len(self._panels) // columns)
        columns = -(-len(self._panels) // rows)
        for number, panel in enumerate(self._panels):
            panel.setMinimumHeight(self._panel_height_px())
            self._grid.addWidget(panel, number // columns, number % columns)
            panel.show()
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _show_cursor(self) -> None:
        for panel in self._panels:
            panel.set_cursor(self._cursor)

    def _on_moved(self, x: float) -> None:
        self.set_cursor(x)
        self.cursor_moved.emit(x)
