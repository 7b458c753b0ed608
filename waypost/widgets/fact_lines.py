"""Facts on one line each, however narrow the panel is; what has no room is in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from waypost.widgets.facts_table import Fact
from waypost.widgets.parts import ElidedLabel

_LEVELS = {True: "good", False: "error", None: ""}
_MARKS = {True: "✓ ", False: "✕ ", None: ""}
"""Before the words: what has no room is left out at their end, and colour never stands alone."""


class FactLines(QWidget):
    """Name, what was found and what is needed beside each other, in small letters."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: list[ElidedLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(2, 1)

    def set_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show other facts."""
        for cell in self._cells:
            self._grid.removeWidget(cell)
            cell.hide()
            cell.deleteLater()
        self._cells = []
        for row, fact in enumerate(facts):
            self._add(row, 0, fact.name, "muted")
            needed = f"{_MARKS[fact.is_enough]}{fact.needed}".strip()
            level = _LEVELS[fact.is_enough]
            if needed:
                self._add(row, 1, fact.found, "")
                self._add(row, 2, needed, level or "muted")
            else:
                self._add(row, 1, fact.found, level, span=2)
        self.updateGeometry()

    def _add(self, row: int, column: int, text: str, level: str, span: int = 1) -> None:
        cell = ElidedLabel(text)
        cell.setProperty("role", "fact")
        cell.setProperty("level", level)
        self._grid.addWidget(cell, row, column, 1, span)
        if column == 2:
            cell.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._cells.append(cell)
