"""A chart over the table of the same numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from waypost.charts.picture import ChartTarget
from waypost.viewers.charts.chart_view import ChartView, MakePicture
from waypost.widgets.parts import label, scroll_panel

_CHART_PX, _TABLE_PX = 330, 180
"""Of a window of 1280 × 720; a larger one shares what it has in the same way."""

_MARGINS_PX, _MOST_OF_FIRST_PX = 18, 240
"""Left and right of the words of a cell, and the widest first column."""


class ChartPage(QWidget):
    """Shows numbers as a chart and as a table; says which instructions a click is about.

    Args:
        name: What the numbers are, for screen readers.
        hint: What a click does, shown while nothing is pointed at.
        parent: Qt owner.
    """

    items_chosen = Signal(str, object)
    """Title, and the ids of the items behind the part that was clicked."""

    def __init__(self, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._hint, self._empty = name, hint, ""
        self._tips: Sequence[str] = ()
        self.chart = ChartView()
        self.chart.target_chosen.connect(self._choose)
        self.chart.target_shown.connect(self._say)
        self.chart.place_shown.connect(self._scroll_to)
        self._area = scroll_panel(self.chart)
        self.table = _table(name)
        self._said = label("", "small")
        sides = QSplitter(Qt.Orientation.Vertical)
        sides.addWidget(self._area)
        sides.addWidget(self.table)
        sides.setSizes([_CHART_PX, _TABLE_PX])
        sides.setStretchFactor(0, _CHART_PX)
        sides.setStretchFactor(1, _TABLE_PX)
        sides.setChildrenCollapsible(False)
        self.table.currentCellChanged.connect(lambda row, *_: self._explain(row))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(sides, 1)
        layout.addWidget(self._said)

    @property
    def said(self) -> str:
        """What stands below: about the part that is pointed at, or what a click does."""
        return self._said.text()

    def set_numbers(
        self,
        make: MakePicture | None,
        heads: Sequence[str],
        cells: Sequence[Sequence[str]],
        empty: str = "",
    ) -> None:
        """Show other numbers.

        Args:
            make: Makes the chart; ``None`` where there is nothing to draw.
            heads: Of the columns.
            cells: Row by row.
            empty: Said instead of the hint where there is nothing.
        """
        self.chart.set_chart(f"Chart: {self._name}", make)
        self._area.setVisible(make is not None)
        self._empty = empty if make is None else ""
        self._tips = ()
        _fill(self.table, heads, cells)
        self._say(None)

    def set_tips(self, column: int, tips: Sequence[str]) -> None:
        """Explain each row, at its cell in a column and below the table once it is chosen."""
        self._tips = tips
        for row, tip in enumerate(tips):
            cell = self.table.item(row, column)
            if cell is not None:
                cell.setToolTip(tip)

    def span_rows(self, each: int) -> None:
        """Let the first cell of every so many rows stand for all of them."""
        metrics, widest_px = self.table.fontMetrics(), 0
        for first in range(0, self.table.rowCount() if each > 1 else 0, each):
            cell = self.table.item(first, 0)
            if cell is not None:
                lines = cell.text().splitlines()
                widest_px = max(widest_px, *map(metrics.horizontalAdvance, lines))
                # It has the height of all of them, and makes the first one no higher.
                cell.setSizeHint(QSize(widest_px, metrics.height()))
            self.table.setSpan(first, 0, each, 1)
        if widest_px:
            # Qt fits a column to no cell that spans rows.
            header = self.table.horizontalHeader()
            header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
            wanted_px = min(widest_px + _MARGINS_PX, _MOST_OF_FIRST_PX)
            header.resizeSection(0, max(header.sectionSize(0), wanted_px))

    def _explain(self, row: int) -> None:
        if 0 <= row < len(self._tips):
            self._said.setText(self._tips[row])

    def _say(self, target: ChartTarget | None) -> None:
        hint = self._empty or self._hint
        self._said.setText(hint if target is None else f"{target.title}: {target.detail}")

    def _choose(self, target: ChartTarget) -> None:
        if target.episode_ids:
            self.items_chosen.emit(target.title, target.episode_ids)

    def _scroll_to(self, place: QRect) -> None:
        middle = place.center()
        self._area.ensureVisible(middle.x(), middle.y(), 40, place.height() // 2 + 8)


def _table(name: str) -> QTableWidget:
    table = QTableWidget()
    table.setAccessibleName(name)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setTabKeyNavigation(False)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    # The last column takes what room there is, and wraps rather than being cut off.
    table.horizontalHeader().setStretchLastSection(True)
    table.horizontalHeader().setDefaultAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
    return table


def _fill(table: QTableWidget, heads: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    table.clear()
    table.clearSpans()
    table.setColumnCount(len(heads))
    table.setRowCount(len(cells))
    table.setHorizontalHeaderLabels(list(heads))
    for number, row in enumerate(cells):
        for place, text in enumerate(row):
            made = QTableWidgetItem(text)
            made.setToolTip(text)
            table.setItem(number, place, made)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
