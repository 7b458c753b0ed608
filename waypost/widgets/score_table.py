"""Scores of a take as rows; each says its definition where the pointer rests."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from waypost.widgets.parts import label


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One score of a take."""

    name: str
    value: str
    tip: str
    """How it is defined, and why it is undefined if it is."""


class ScoreTable(QWidget):
    """Name at the left, value at the right.

    Args:
        parent: Qt owner.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: tuple[ScoreLine, ...] = ()
        """What is shown."""

        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, 1)

    def set_lines(self, lines: tuple[ScoreLine, ...]) -> None:
        """Show other scores."""
        self.lines = lines
        while self._grid.count():
            item = self._grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, line in enumerate(lines):
            name, value = label(line.name, "muted"), label(line.value)
            for cell in (name, value):
                cell.setWordWrap(False)
                cell.setToolTip(line.tip)
                cell.setAccessibleDescription(line.tip)
            self._grid.addWidget(name, number, 0)
            self._grid.addWidget(value, number, 1, Qt.AlignmentFlag.AlignRight)
        self.setVisible(bool(lines))
