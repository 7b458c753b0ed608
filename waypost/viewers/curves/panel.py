"""One small plot with its legend; the one place that draws with pyqtgraph."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyqtgraph
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from waypost.services.appearance import ThemeTokens, changes_text_size
from waypost.viewers.curves.curve import STEPS, Curve, value_at
from waypost.viewers.curves.view import CurveView

_LINES: Final = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)
"""Of the first, second and third curve of a panel: they differ without their colours too."""

_SPARE_PX: Final = 4


class CurvePanel(QWidget):
    """Curves of one unit over one axis.

    Args:
        parent: Qt owner.
    """

    cursor_moved = Signal(float)
    """Where on the axis the user pressed or dragged to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: tuple[Curve, ...] = ()
        self._tokens: ThemeTokens | None = None
        self._items: list[Any] = []
        self._legend: list[_LegendEntry] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(10)
        # A whole PlotItem makes menus that nobody opens, and takes five times as long to make.
        self._box = pyqtgraph.ViewBox(enableMenu=False, enableMouse=False)
        self._plot = CurveView(self._box, self)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._plot.setMinimumSize(40, 30)
        self._along = _Along("bottom")
        self._axes = {"left": pyqtgraph.AxisItem("left"), "bottom": self._along}
        self._lay_out()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._row)
        layout.addWidget(self._plot, 1)

    def set_curves(self, curves: tuple[Curve, ...], x_title: str, tokens: ThemeTokens) -> None:
        """Draw other curves, all of one unit; an axis of steps has whole numbers alone."""
        self._curves = curves
        self._along.is_whole = x_title == STEPS
        for item in self._items:
            self._box.removeItem(item)
        self._items = []
        for curve in curves:
            item = pyqtgraph.PlotDataItem(*_points(curve), connect="finite")
            self._box.addItem(item)
            item.setDownsampling(auto=True, method="peak")
            self._items.append(item)
        self._make_legend(x_title)
        self._fit()
        self.set_theme(tokens)

    def set_theme(self, tokens: ThemeTokens) -> None:
        """Use other colours, and the size of the text in force."""
        self._tokens = tokens
        self._plot.setBackground(QColor(tokens.field))
        small = QFont(self.font())
        small.setPixelSize(max(round(self.fontInfo().pixelSize() * 0.85), 8))
        for axis in self._axes.values():
            axis.setPen(QColor(tokens.border_strong))
            axis.setTextPen(QColor(tokens.muted))
            axis.setTickFont(small)
            axis.setStyle(tickLength=-3, tickTextOffset=3)
        # A number that only half of fits in at the top is left out.
        self._axes["left"].setStyle(hideOverlappingLabels=True)
        self._axes["left"].setWidth(round(small.pixelSize() * 3.4))
        self._axes["bottom"].setHeight(round(small.pixelSize() * 1.6))
        self._plot.set_line_colour(QColor(tokens.accent))
        for number, (curve, item) in enumerate(zip(self._curves, self._items, strict=True)):
            item.setPen(_pen(curve, number, tokens))
        for number, (curve, entry) in enumerate(zip(self._curves, self._legend, strict=True)):
            entry.set_pen(_pen(curve, number, tokens))

    def set_cursor(self, x: float | None) -> None:
        """Show the cursor and the values there."""
        self._plot.set_line(x)
        for curve, entry in zip(self._curves, self._legend, strict=True):
            entry.set_value(
                curve, None if x is None else value_at(curve, x), has_cursor=x is not None
            )

    def x_at(self, pixel_x: float) -> float:
        """The place of the axis below a pixel of the plot."""
        scene = self._plot.mapToScene(round(pixel_x), 0)
        low, high = self._range()
        return min(max(float(self._box.mapSceneToView(scene).x()), low), high)

    def _lay_out(self) -> None:
        grid = pyqtgraph.GraphicsLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addItem(self._axes["left"], 0, 0)
        grid.addItem(self._box, 0, 1)
        grid.addItem(self._axes["bottom"], 1, 1)
        for axis in self._axes.values():
            axis.linkToView(self._box)
            axis.enableAutoSIPrefix(enable=False)
        self._plot.setCentralItem(grid)
        self._plot.viewport().installEventFilter(self)

    def _make_legend(self, x_title: str) -> None:
        while self._row.count():
            item = self._row.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._legend = []
        for curve in self._curves:
            entry = _LegendEntry(curve, self)
            self._legend.append(entry)
            self._row.addWidget(entry)
        self._row.addStretch(1)
        names = ", ".join(curve.title for curve in self._curves)
        unit = f" in {self._curves[0].unit}" if self._curves and self._curves[0].unit else ""
        self.setAccessibleName(f"Plot: {names}{unit} over {x_title}")
        self.setAccessibleDescription(" ".join(curve.definition for curve in self._curves))

    def _range(self) -> tuple[float, float]:
        ends = [(c.x[0], c.x[-1]) for c in self._curves if len(c.x)]
        if not ends:
            return 0.0, 1.0
        return float(min(low for low, _ in ends)), float(max(high for _, high in ends))

    def _fit(self) -> None:
        low, high = self._range()
        values = np.concatenate([np.zeros(0), *(curve.y for curve in self._curves)])
        values = values[np.isfinite(values)]
        bottom = min(float(values.min()), 0.0) if len(values) else 0.0
        top = max(float(values.max()), 0.0) if len(values) else 1.0
        if top - bottom < 1e-9:
            top = bottom + 1.0
        self._box.setXRange(low, max(high, low + 1e-9), padding=0.01)
        self._box.setYRange(bottom, top, padding=0.1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move the cursor by a press or a drag; let the wheel scroll what is around."""
        if isinstance(event, QMouseEvent):
            kind = event.type()
            held = event.buttons() & Qt.MouseButton.LeftButton
            if held and kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove):
                self.cursor_moved.emit(self.x_at(event.position().x()))
            return True
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)


class _Along(pyqtgraph.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """The axis that curves run along."""

    is_whole = False
    """Whether there is nothing between two whole numbers."""

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        """How far apart ticks are, the largest first, each with where they begin."""
        found: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        if not self.is_whole:
            return found
        return [level for level in found if level[0] >= 1.0] or [(1.0, 0.0)]


class _LegendEntry(QWidget):
    """How a curve is drawn, its name and its value at the cursor."""

    def __init__(self, curve: Curve, parent: QWidget) -> None:
        super().__init__(parent)
        self._sample = _LineSample(self)
        self._text = _LegendText(self)
        self._text.show_text(curve.title)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        row.addWidget(self._sample)
        row.addWidget(self._text)
        self.setToolTip(curve.definition)

    def set_pen(self, pen: QPen) -> None:
        self._sample.pen = pen
        self._sample.update()

    def set_value(self, curve: Curve, value: float | None, *, has_cursor: bool) -> None:
        number = f"{value:.4g}".replace("-", "−") if value is not None else "–"
        parts = [curve.title, number if has_cursor else "", curve.unit]
        text = " ".join(part for part in parts if part)
        self._text.show_text(text)


class _LegendText(QLabel):
    """A line that takes more room where it needs it and never less: nothing moves with it.

    Qt lays out everything around a label at each of its texts, unless its size is fixed.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "small")

    def show_text(self, text: str) -> None:
        """Say something else."""
        needed = self.fontMetrics().horizontalAdvance(text) + _SPARE_PX
        if self.maximumHeight() != self.fontMetrics().height():
            self.setFixedSize(needed, self.fontMetrics().height())
        elif needed > self.maximumWidth():
            self.setFixedWidth(needed)
        self.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        """Take the room that another size of text needs."""
        super().changeEvent(event)
        if changes_text_size(event):
            self.show_text(self.text())


class _LineSample(QWidget):
    """A short piece of the line of a curve."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.pen = QPen()
        self.setFixedWidth(20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.setPen(self.pen)
        middle = self.height() // 2
        painter.drawLine(0, middle, self.width(), middle)
        painter.end()


def _pen(curve: Curve, number: int, tokens: ThemeTokens) -> QPen:
    colour = QColor(getattr(tokens, curve.role))
    return QPen(pyqtgraph.mkPen(colour, width=1.5, style=_LINES[number % len(_LINES)]))


def _points(curve: Curve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What is drawn: a stepped curve gets a corner before each point."""
    x = np.asarray(curve.x, dtype=np.float64)
    y = np.asarray(curve.y, dtype=np.float64)
    if not curve.is_stepped or len(x) < 2:
        return x, y
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
