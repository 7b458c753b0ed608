"""A chip for each chart, in as many rows as the width asks for, so that no name is cut."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QWidget

_SPACING_PX = 5


class ChartChips(QWidget):
    """Shows which chart is in front and reports the one that is pressed.

    Args:
        titles: Of the charts, in order.
        parent: Qt owner.
    """

    chosen = Signal(int)
    """Place of the chart that was pressed."""

    def __init__(self, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(12, 2, 12, 0)
        self._grid.setSpacing(_SPACING_PX)
        self._grid.setColumnStretch(len(titles), 1)
        self._columns = 0
        for place, title in enumerate(titles):
            chip = QPushButton(title)
            chip.setProperty("role", "chip")
            chip.setCheckable(True)
            chip.setAutoDefault(False)
            chip.setAccessibleName(f"Chart: {title}")
            self._group.addButton(chip, place)
        self._group.idClicked.connect(self.chosen)
        self._arrange(len(titles))
        self._group.button(0).setChecked(True)

    @property
    def current(self) -> int:
        """Place of the chart in front."""
        return self._group.checkedId()

    def set_current(self, place: int) -> None:
        """Show another chart as the one in front; reports nothing."""
        self._group.button(place).setChecked(True)

    def minimumSizeHint(self) -> QSize:
        """One chip."""
        sides = self._grid.contentsMargins()
        widest = max(chip.sizeHint().width() for chip in self._group.buttons())
        return QSize(widest + sides.left() + sides.right(), self._grid.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use as many columns as fit."""
        super().resizeEvent(event)
        count = len(self._group.buttons())
        fitting = (c for c in range(count, 0, -1) if self._width_of(c) <= event.size().width())
        self._arrange(next(fitting, 1))

    def _width_of(self, columns: int) -> int:
        widths = [chip.sizeHint().width() for chip in self._group.buttons()]
        widest = [max(widths[column::columns]) for column in range(columns)]
        sides = self._grid.contentsMargins()
        return sum(widest) + _SPACING_PX * (columns - 1) + sides.left() + sides.right()

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, chip in enumerate(self._group.buttons()):
            self._grid.addWidget(chip, place // columns, place % columns)
        self.updateGeometry()
