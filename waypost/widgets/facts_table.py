"""What was measured, what is needed, and whether it is enough."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from waypost.widgets.parts import label

_GAP_PX = 8


@dataclass(frozen=True, slots=True)
class Fact:
    """One measurement."""

    name: str
    """E.g. ``narrowest``."""

    found: str
    """E.g. ``0.94 m``."""

    needed: str = ""
    """E.g. ``needs 0.70 m``."""

    is_enough: bool | None = None
    """Picks ✓ or ✕; ``None`` for what is only said."""

    @property
    def sign(self) -> str:
        """✓, ✕ or nothing: colour never stands alone."""
        return {True: "✓", False: "✕", None: ""}[self.is_enough]

    @property
    def words(self) -> str:
        """E.g. ``narrowest 0.94 m ✓``."""
        return f"{self.name} {self.found} {self.sign}".rstrip()


class FactsTable(QWidget):
    """Rows of facts; the third column goes below the others where it is too narrow, then both."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: list[tuple[QLabel, QLabel, QLabel]] = []
        self._lines = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_GAP_PX)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)

    def set_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show other facts."""
        for row in self._cells:
            for cell in row:
                self._grid.removeWidget(cell)
                cell.hide()
                cell.deleteLater()
        self._cells = [_cells_of(fact) for fact in facts]
        self._lines = 0
        self._arrange()

    def _lines_for(self, width_px: int) -> int:
        """Lines of each fact: 1 to 3."""
        names, found, _ = zip(*self._cells, strict=True)
        if _widest(names) + _GAP_PX + _widest(found) > width_px:
            return 3
        # What needs nothing has the room of two columns.
        full = [(found, needed) for _, found, needed in self._cells if needed.text()]
        beside_px = sum(_GAP_PX + _widest(column) for column in zip(*full, strict=True))
        return 1 if _widest(names) + beside_px <= width_px else 2

    def _arrange(self) -> None:
        lines = self._lines_for(self.width()) if self._cells else 1
        if lines == self._lines:
            return
        self._lines = lines
        right = Qt.AlignmentFlag.AlignRight
        row = 0
        for name, found, needed in self._cells:
            self._grid.addWidget(name, row, 0, 1, 3 if lines > 2 else 1)
            if lines == 1:
                self._grid.addWidget(found, row, 1, 1, 1 if needed.text() else 2)
                self._grid.addWidget(needed, row, 2, right)
                row += 1
            else:
                row += lines - 2
                first_column = 0 if lines > 2 else 1
                self._grid.addWidget(found, row, first_column, 1, 3 - first_column, right)
                self._grid.addWidget(needed, row + 1, 0, 1, 3, right)
                row += 2
            # What needs nothing has no empty line for it.
            needed.setHidden(not needed.text())
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Narrow enough to be stacked."""
        return QSize(60, super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        """Arrange anew at another text scale."""
        if event.type() == QEvent.Type.FontChange:
            self._arrange()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange anew."""
        super().resizeEvent(event)
        self._arrange()


def _widest(cells: Iterable[QLabel]) -> int:
    return max(cell.sizeHint().width() for cell in cells)


def _cells_of(fact: Fact) -> tuple[QLabel, QLabel, QLabel]:
    role = {True: "good", False: "error", None: "muted"}[fact.is_enough]
    cells = (
        label(fact.name, "muted"),
        label(fact.found),
        label(f"{fact.needed} {fact.sign}".strip(), role),
    )
    for cell in cells:
        cell.setWordWrap(False)
    return cells
