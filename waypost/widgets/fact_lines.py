"""Facts on one line each, however narrow the panel is; what has no room is in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from waypost.widgets.facts_table import Fact
from waypost.widgets.parts import ElidedLabel

_LONG_LETTERS = 22
"""What is longer and needs nothing begins right after its name, not in its column."""

_LEVELS = {True: "good", False: "error", None: ""}


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
            # The sign first: what has no room is left out at the end.
            needed = f"{fact.sign} {fact.needed}".strip()
            level = _LEVELS[fact.is_enough]
            if not needed and len(fact.found) > _LONG_LETTERS:
                self._add(row, 0, f"{fact.name}  {fact.found}", level, span=3)
                continue
            self._add(row, 0, fact.name, "muted")
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
